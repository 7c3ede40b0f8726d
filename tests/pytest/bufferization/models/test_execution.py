"""Bufferized and compiled, each op computes what its tensor program says.

The programs are run by the reference evaluator, on tensors, and as compiled code on a
heap in which nothing is zero before it is written. The tensors come from slices of
slices, casts and dynamic sizes, so that few buffers are dense.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate

Parse = Callable[[str], ModuleOp]

OPTIONS = {
    "infer": {},
    "identity": {"function_boundary_type_conversion": "identity-layout-map"},
    "copy-before-write": {"copy_before_write": True},
}

SLICES = """
    %a = tensor.extract_slice %t[1, 2, 0] [3, 4, 6] [1, 1, 1]
        : tensor<5x8x6xf32> to tensor<3x4x6xf32>
    %b = tensor.extract_slice %a[%i, 0, 1] [2, 4, 4] [1, 1, 1]
        : tensor<3x4x6xf32> to tensor<2x4x4xf32>
    %c = tensor.extract_slice %t[0, %i, 0] [5, %n, 6] [1, 1, 1]
        : tensor<5x8x6xf32> to tensor<5x?x6xf32>
    %row = tensor.extract_slice %t[%i, %n, 0] [1, 1, 6] [1, 1, 1]
        : tensor<5x8x6xf32> to tensor<6xf32>
    %column = tensor.extract_slice %t[0, %i, 2] [5, 1, 1] [1, 1, 1]
        : tensor<5x8x6xf32> to tensor<5xf32>
"""
"""%a and %b have gaps between rows, %c has a dynamic size, %column steps."""

PROGRAMS = {
    "collapse_shape": (
        "tensor<12x6xf32>, tensor<32xf32>, tensor<?xf32>, tensor<f32>",
        """
    %0 = tensor.collapse_shape %a [[0, 1], [2]]
        : tensor<3x4x6xf32> into tensor<12x6xf32>
    %1 = tensor.collapse_shape %b [[0, 1, 2]] : tensor<2x4x4xf32> into tensor<32xf32>
    %2 = tensor.collapse_shape %c [[0, 1, 2]] : tensor<5x?x6xf32> into tensor<?xf32>
    %p = tensor.extract_slice %b[1, %i, 3] [1, 1, 1] [1, 1, 1]
        : tensor<2x4x4xf32> to tensor<1x1x1xf32>
    %3 = tensor.collapse_shape %p [] : tensor<1x1x1xf32> into tensor<f32>
""",
    ),
    "expand_shape": (
        "tensor<3x2x2x2x3xf32>, tensor<5x?x2x3xf32>, tensor<1x5x1xf32>",
        """
    %0 = tensor.expand_shape %a [[0], [1, 2], [3, 4]] output_shape [3, 2, 2, 2, 3]
        : tensor<3x4x6xf32> into tensor<3x2x2x2x3xf32>
    %1 = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [5, %n, 2, 3]
        : tensor<5x?x6xf32> into tensor<5x?x2x3xf32>
    %2 = tensor.expand_shape %column [[0, 1, 2]] output_shape [1, 5, 1]
        : tensor<5xf32> into tensor<1x5x1xf32>
""",
    ),
    "write_through_shapes": (
        "tensor<5x8x6xf32>, tensor<2x4x4xf32>",
        """
    %flat = tensor.collapse_shape %b [[0, 1, 2]] : tensor<2x4x4xf32> into tensor<32xf32>
    %new = tensor.insert %v into %flat[%n] : tensor<32xf32>
    %1 = tensor.expand_shape %new [[0, 1, 2]] output_shape [2, 4, 4]
        : tensor<32xf32> into tensor<2x4x4xf32>
    %a2 = tensor.insert_slice %1 into %a[%i, 0, 1] [2, 4, 4] [1, 1, 1]
        : tensor<2x4x4xf32> into tensor<3x4x6xf32>
    %0 = tensor.insert_slice %a2 into %t[1, 2, 0] [3, 4, 6] [1, 1, 1]
        : tensor<3x4x6xf32> into tensor<5x8x6xf32>
""",
    ),
    "call_that_collapses": (
        "tensor<5x8x6xf32>, f32",
        """
    %new = func.call @set_flat(%b, %v) : (tensor<2x4x4xf32>, f32) -> tensor<2x4x4xf32>
    %a2 = tensor.insert_slice %new into %a[%i, 0, 1] [2, 4, 4] [1, 1, 1]
        : tensor<2x4x4xf32> into tensor<3x4x6xf32>
    %0 = tensor.insert_slice %a2 into %t[1, 2, 0] [3, 4, 6] [1, 1, 1]
        : tensor<3x4x6xf32> into tensor<5x8x6xf32>
    %1 = tensor.extract %new[%i, %i, %i] : tensor<2x4x4xf32>
""",
    ),
    "reshape": (
        "tensor<?x?xf32>, tensor<2x?xf32>, tensor<6x1xf32>",
        """
    %m = arith.constant 2 : index
    %shape = tensor.from_elements %m, %m : tensor<2xindex>
    %four = arith.constant dense<[4, 8]> : tensor<2xi32>
    %0 = tensor.reshape %b(%four) : (tensor<2x4x4xf32>, tensor<2xi32>)
        -> tensor<?x?xf32>
    %two = arith.constant dense<[2, 16]> : tensor<2xi64>
    %1 = tensor.reshape %0(%two) : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<2x?xf32>
    %six = arith.constant dense<[6, 1]> : tensor<2xindex>
    %2 = tensor.reshape %row(%six) : (tensor<6xf32>, tensor<2xindex>)
        -> tensor<6x1xf32>
""",
    ),
    "pad": (
        "tensor<6x9x6xf32>, tensor<?x?x6xf32>, tensor<7xf32>",
        """
    %0 = tensor.pad %a low[1, 2, 0] high[2, 3, 0] {
    ^bb0(%d0: index, %d1: index, %d2: index):
      tensor.yield %v : f32
    } : tensor<3x4x6xf32> to tensor<6x9x6xf32>
    %1 = tensor.pad %c low[0, %i, 0] high[%n, 1, 0] {
    ^bb0(%d0: index, %d1: index, %d2: index):
      %sum = arith.addi %d0, %d1 : index
      %number = arith.index_cast %sum : index to i32
      %float = arith.sitofp %number : i32 to f32
      tensor.yield %float : f32
    } : tensor<5x?x6xf32> to tensor<?x?x6xf32>
    %2 = tensor.pad %column low[1] high[1] {
    ^bb0(%d0: index):
      %seven = arith.constant 7.0 : f32
      tensor.yield %seven : f32
    } : tensor<5xf32> to tensor<7xf32>
""",
    ),
    "pad_of_nothing": (
        "tensor<5xf32>",
        """
    %0 = tensor.pad %column nofold low[0] high[0] {
    ^bb0(%d0: index):
      tensor.yield %v : f32
    } : tensor<5xf32> to tensor<5xf32>
""",
    ),
    "concat": (
        "tensor<11xf32>, tensor<8x?x6xf32>, tensor<5x?x6xf32>",
        """
    %0 = tensor.concat dim(0) %row, %column
        : (tensor<6xf32>, tensor<5xf32>) -> tensor<11xf32>
    %a3 = tensor.extract_slice %a[0, 0, 0] [3, %n, 6] [1, 1, 1]
        : tensor<3x4x6xf32> to tensor<3x?x6xf32>
    %1 = tensor.concat dim(0) %c, %a3
        : (tensor<5x?x6xf32>, tensor<3x?x6xf32>) -> tensor<8x?x6xf32>
    %2 = tensor.concat dim(1) %c, %t, %c
        : (tensor<5x?x6xf32>, tensor<5x8x6xf32>, tensor<5x?x6xf32>) -> tensor<5x?x6xf32>
""",
    ),
    "from_elements_and_splat": (
        "tensor<2x2xf32>, tensor<f32>, tensor<0x3xf32>, tensor<?x3xf32>, "
        "tensor<2xindex>",
        """
    %w = tensor.extract %b[%i, %i, %i] : tensor<2x4x4xf32>
    %0 = tensor.from_elements %v, %w, %w, %v : tensor<2x2xf32>
    %1 = tensor.from_elements %w : tensor<f32>
    %2 = tensor.from_elements : tensor<0x3xf32>
    %3 = tensor.splat %w[%n] : tensor<?x3xf32>
    %4 = tensor.splat %n : tensor<2xindex>
""",
    ),
    "generate": (
        "tensor<2x4xf32>, tensor<?x2xindex>",
        """
    %c0 = arith.constant 0 : index
    %0 = tensor.generate {
    ^bb0(%d0: index, %d1: index):
      %old = tensor.extract %b[%d0, %d1, %c0] : tensor<2x4x4xf32>
      %changed = tensor.insert %v into %b[%d0, %c0, %c0] : tensor<2x4x4xf32>
      %new = tensor.extract %changed[%d0, %d1, %c0] : tensor<2x4x4xf32>
      %both = arith.addf %old, %new : f32
      tensor.yield %both : f32
    } : tensor<2x4xf32>
    %1 = tensor.generate %n {
    ^bb0(%d0: index, %d1: index):
      %size = tensor.dim %c, %d1 : tensor<5x?x6xf32>
      %sum = arith.addi %size, %d0 : index
      tensor.yield %sum : index
    } : tensor<?x2xindex>
""",
    ),
    "gather": (
        "tensor<4x1x4x6xf32>, tensor<2x?x1x6xf32>, tensor<2x?x6xf32>, tensor<4xf32>",
        """
    %rows = arith.constant dense<[[2], [0], [0], [1]]> : tensor<4x1xindex>
    %0 = tensor.gather %a[%rows] gather_dims([0])
        : (tensor<3x4x6xf32>, tensor<4x1xindex>) -> tensor<4x1x4x6xf32>
    %some = arith.constant dense<[[[4, 1], [0, 0]], [[1, 1], [3, 0]]]>
        : tensor<2x2x2xi32>
    %dynamic = tensor.cast %some : tensor<2x2x2xi32> to tensor<2x?x2xi32>
    %g = tensor.gather %c[%dynamic] gather_dims([0, 1])
        : (tensor<5x?x6xf32>, tensor<2x?x2xi32>) -> tensor<2x?x1x1x6xf32>
    %1 = tensor.collapse_shape %g [[0], [1], [2, 3], [4]]
        : tensor<2x?x1x1x6xf32> into tensor<2x?x1x6xf32>
    %2 = tensor.gather %c[%dynamic] gather_dims([0, 1])
        : (tensor<5x?x6xf32>, tensor<2x?x2xi32>) -> tensor<2x?x6xf32>
    %at = arith.constant dense<[3]> : tensor<1xi64>
    %3 = tensor.gather %column4[%at] gather_dims([0])
        : (tensor<5x4xf32>, tensor<1xi64>) -> tensor<4xf32>
""",
    ),
    "scatter": (
        "tensor<5x8x6xf32>, tensor<5xf32>, tensor<3x4x6xf32>",
        """
    %rows = arith.constant dense<[[4], [0]]> : tensor<2x1xindex>
    %two = tensor.extract_slice %t[2, 0, 0] [2, 8, 6] [1, 1, 1]
        : tensor<5x8x6xf32> to tensor<2x8x6xf32>
    %0 = tensor.scatter %two into %t[%rows] scatter_dims([0]) unique
        : (tensor<2x8x6xf32>, tensor<5x8x6xf32>, tensor<2x1xindex>) -> tensor<5x8x6xf32>
    %at = arith.constant dense<[3]> : tensor<1xi64>
    %one = tensor.from_elements %v : tensor<f32>
    %1 = tensor.scatter %one into %column[%at] scatter_dims([0]) unique
        : (tensor<f32>, tensor<5xf32>, tensor<1xi64>) -> tensor<5xf32>
    %points = arith.constant dense<[[2, 1], [0, 5]]> : tensor<2x2xi32>
    %lines = tensor.extract_slice %b[0, 0, 0] [2, 4, 1] [1, 1, 1]
        : tensor<2x4x4xf32> to tensor<2x4xf32>
    %2 = tensor.scatter %lines into %a[%points] scatter_dims([0, 2]) unique
        : (tensor<2x4xf32>, tensor<3x4x6xf32>, tensor<2x2xi32>) -> tensor<3x4x6xf32>
""",
    ),
    "conversions": (
        "tensor<5x?x6xi32>, tensor<2xi32>, tensor<?xindex>",
        """
    %0 = tensor.bitcast %c : tensor<5x?x6xf32> to tensor<5x?x6xi32>
    %pair = tensor.from_elements %i, %n : tensor<2xindex>
    %1 = arith.index_cast %pair : tensor<2xindex> to tensor<2xi32>
    %d = tensor.cast %1 : tensor<2xi32> to tensor<?xi32>
    %2 = arith.index_cast %d : tensor<?xi32> to tensor<?xindex>
""",
    ),
    "rank": (
        "index",
        """
    %0 = tensor.rank %c : tensor<5x?x6xf32>
""",
    ),
    "index_switch": (
        "tensor<6xf32>, f32",
        """
    %0 = scf.index_switch %i -> tensor<6xf32>
    case 1 {
      %filled = linalg.fill ins(%v : f32) outs(%row : tensor<6xf32>) -> tensor<6xf32>
      scf.yield %filled : tensor<6xf32>
    }
    case 0 {
      scf.yield %row : tensor<6xf32>
    }
    default {
      %new = tensor.splat %v : tensor<6xf32>
      scf.yield %new : tensor<6xf32>
    }
    %1 = tensor.extract %row[%i] : tensor<6xf32>
""",
    ),
}

HELPERS = """
func.func private @set_flat(%t: tensor<2x4x4xf32>, %v: f32) -> tensor<2x4x4xf32> {
  %c3 = arith.constant 3 : index
  %flat = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x4x4xf32> into tensor<32xf32>
  %new = tensor.insert %v into %flat[%c3] : tensor<32xf32>
  %back = tensor.expand_shape %new [[0, 1, 2]] output_shape [2, 4, 4]
      : tensor<32xf32> into tensor<2x4x4xf32>
  return %back : tensor<2x4x4xf32>
}
"""


def program(name: str) -> str:
    types, body = PROGRAMS[name]
    count = len(types.split(", "))
    results = ", ".join(f"%{number}" for number in range(count))
    column4 = """
    %column4 = tensor.extract_slice %t[0, 1, 1] [5, 1, 4] [1, 1, 1]
        : tensor<5x8x6xf32> to tensor<5x4xf32>
"""
    return f"""{HELPERS}
func.func @main(%t: tensor<5x8x6xf32>, %v: f32, %i: index, %n: index) -> ({types}) {{
{SLICES}{column4}{body}
    return {results} : {types}
}}
"""


def arguments() -> list[Any]:
    values = np.arange(5 * 8 * 6, dtype=np.float32).reshape(5, 8, 6)
    return [values, np.float32(-1.5), 1, 2]


def as_list(results: Any) -> list[NDArray[Any]]:
    # One result comes alone, several in a tuple.
    values = cast("tuple[Any, ...]", results if type(results) is tuple else (results,))
    return [np.asarray(value) for value in values]


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_those_of_the_tensor_program(
    parse: Parse, name: str, options: dict[str, Any]
) -> None:
    module = parse(program(name))
    expected = evaluate(module, "main", arguments())
    bufferize(module, bufferize_function_boundaries=True, **options)
    module.verify()
    deallocate(module)
    compiled = compile_module(module, poison=True)
    found = as_list(compiled["main"](*arguments()))
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
