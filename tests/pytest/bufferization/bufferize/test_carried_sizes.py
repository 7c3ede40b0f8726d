"""Loops compute in the tensor that they are given only if it has the size."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization import jit
from xdsl_bufferization.bufferization.bufferize.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)

Parse = Callable[[str], ModuleOp]

HEAD = """
func.func @f(%t: tensor<?xf32>, %n: index, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %t, %c0 : tensor<?xf32>
  %own = tensor.empty(%n) : tensor<?xf32>
  %init = linalg.fill ins(%f : f32) outs(%own : tensor<?xf32>) -> tensor<?xf32>
"""

FOR = """
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = INIT) -> (tensor<?xf32>) {
    %k = tensor.dim %a, %c0 : tensor<?xf32>
    %e = tensor.empty(SIZE) : tensor<?xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}"""

WHILE = """
  %r:2 = scf.while (%i = %c0, %a = INIT)
      : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %l = arith.cmpi slt, %i, %c2 : index
    scf.condition(%l) %i, %a : index, tensor<?xf32>
  } do {
  ^bb0(%i: index, %a: tensor<?xf32>):
    %k = tensor.dim %a, %c0 : tensor<?xf32>
    %e = tensor.empty(SIZE) : tensor<?xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %w : index, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}"""


def program(loop: str, init: str, size: str) -> str:
    return HEAD + loop.replace("INIT", init).replace("SIZE", size)


@pytest.mark.parametrize("loop", [FOR, WHILE], ids=["for", "while"])
@pytest.mark.parametrize(
    ("init", "size", "is_replaced"),
    [
        ("%t", "%n", False),
        ("%init", "%m", False),
        ("%t", "%m", True),
        ("%t", "%k", True),
        ("%init", "%n", True),
    ],
)
def test_a_tensor_of_another_size_is_not_computed_in(
    parse: Parse, loop: str, init: str, size: str, *, is_replaced: bool
):
    """The type leaves the size open, and an iteration may yield a longer tensor."""
    text = program(loop, init, size)
    result: Any = jit(text)(np.zeros(3, np.float32), 5, np.float32(7))
    assert result.tolist() == [7.0] * (5 if size == "%n" else 3)

    module = parse(text)
    eliminate_empty_tensors(module)
    in_loops = [
        op
        for op in module.walk()
        if isinstance(op, tensor.EmptyOp) and not isinstance(op.parent_op(), FuncOp)
    ]
    assert len(in_loops) == (not is_replaced)
