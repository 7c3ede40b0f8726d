"""Callers compute the sizes of results as the function itself would have."""

from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.bufferization.bufferize.buffer_results_to_out_params import (
    OutParamOptions,
    buffer_results_to_out_params,
)
from xdsl_bufferization.pipelines.compile import compile_module

HOISTING = OutParamOptions(hoist_dynamic_allocs=True, hoist_static_allocs=True)

TEXT = """
func.func private @inner(%a: memref<?x?xf32>, %n: index, %c: i1)
    -> (memref<?xf32>, memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %a, %c0 : memref<?x?xf32>
  %columns = memref.dim %a, %c1 : memref<?x?xf32>
  %q = arith.ceildivui %rows, %n : index
  %all = arith.muli %rows, %columns : index
  %0 = memref.alloc(%all) : memref<?xf32>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%0 : memref<?xf32>)
  %d = memref.dim %0, %c0 : memref<?xf32>
  %k = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 2 + s0)>(%d)[%n]
  %two = arith.constant 2.0 : f32
  cf.cond_br %c, ^a, ^b
^a:
  %1 = memref.alloc(%q, %k) : memref<?x?xf32>
  linalg.fill ins(%one : f32) outs(%1 : memref<?x?xf32>)
  return %0, %1 : memref<?xf32>, memref<?x?xf32>
^b:
  %2 = memref.alloc(%q, %k) : memref<?x?xf32>
  linalg.fill ins(%two : f32) outs(%2 : memref<?x?xf32>)
  return %0, %2 : memref<?xf32>, memref<?x?xf32>
}
func.func @main(%a: memref<?x?xf32>, %n: index, %c: i1)
    -> (memref<?xf32>, memref<?x?xf32>) {
  %0:2 = call @inner(%a, %n, %c)
    : (memref<?x?xf32>, index, i1) -> (memref<?xf32>, memref<?x?xf32>)
  %1:2 = call @inner(%0#1, %n, %c)
    : (memref<?x?xf32>, index, i1) -> (memref<?xf32>, memref<?x?xf32>)
  memref.dealloc %0#0 : memref<?xf32>
  memref.dealloc %0#1 : memref<?x?xf32>
  return %1#0, %1#1 : memref<?xf32>, memref<?x?xf32>
}
"""


@pytest.mark.parametrize("condition", [False, True])
@pytest.mark.parametrize("shape", [(5, 3), (1, 7), (0, 4)])
def test_the_same_sizes_and_numbers(
    parse: Callable[[str], ModuleOp], shape: tuple[int, int], condition: bool
) -> None:
    module, moved = parse(TEXT), parse(TEXT)
    buffer_results_to_out_params(moved, HOISTING)
    inner = next(op for op in moved.ops if isinstance(op, FuncOp))
    assert not any(isinstance(op, memref.AllocOp) for op in inner.walk())
    argument = np.zeros(shape, np.float32)
    results = [
        compile_module(each)["main"](argument, 2, condition) for each in (module, moved)
    ]
    for before, after in zip(*results, strict=True):
        np.testing.assert_array_equal(before, after)


def test_a_long_chain_of_equal_operands_takes_linear_time(
    parse: Callable[[str], ModuleOp],
) -> None:
    length = 2000
    chain = "\n".join(
        f"%{n + 1} = arith.addi %{n}, %{n} : index" for n in range(length)
    )
    module = parse(f"""
      func.func private @f(%0: index) -> memref<?xf32> {{
        {chain}
        %r = memref.alloc(%{length}) : memref<?xf32>
        return %r : memref<?xf32>
      }}
      func.func @main(%0: index) -> memref<?xf32> {{
        %1 = call @f(%0) : (index) -> memref<?xf32>
        return %1 : memref<?xf32>
      }}""")
    buffer_results_to_out_params(module, HOISTING)
    main = list(module.ops)[1]
    assert len(list(main.walk())) == length + 4
