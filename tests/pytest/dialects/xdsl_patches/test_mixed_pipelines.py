"""Passes of ours, of xDSL and of mlir-opt in one pipeline, in every order.

xDSL's pass `mlir-opt` prints the program for another process, and parses what that
writes. So each order shows that all three read what the others make.
"""

import gc
from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap

BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries}"
STEPS = (
    BUFFERIZE,
    "canonicalize",
    'mlir-opt{executable="mlir-opt-22" arguments="--cse" generic=true}',
    "cse",
    "buffer-hoisting",
)
"""Our passes, xDSL's, and mlir-opt's."""

FINISH = (
    'mlir-opt{executable="mlir-opt-22" arguments="--canonicalize" generic=true}',
    "buffer-deallocation-pipeline",
    "canonicalize",
    'mlir-opt{executable="mlir-opt-22" generic=true}',
)
"""What is added where orders are run, as buffers have to be freed."""


class Program(NamedTuple):
    """A function `f` and what it is called with."""

    text: str
    arguments: Sequence[NDArray[Any]]


PROGRAMS = {
    "slices_in_a_loop": Program(
        """
func.func @f(%x: tensor<8x4xf32>, %y: tensor<4xf32>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %result = scf.for %i = %c0 to %c8 step %c1 iter_args(%rows = %x) -> tensor<8x4xf32> {
    %row = tensor.extract_slice %rows[%i, 0] [1, 4] [1, 1]
        : tensor<8x4xf32> to tensor<4xf32>
    %sum = linalg.add ins(%row, %y : tensor<4xf32>, tensor<4xf32>)
        outs(%row : tensor<4xf32>) -> tensor<4xf32>
    %next = tensor.insert_slice %sum into %rows[%i, 0] [1, 4] [1, 1]
        : tensor<4xf32> into tensor<8x4xf32>
    scf.yield %next : tensor<8x4xf32>
  }
  return %result : tensor<8x4xf32>
}""",
        [np.arange(32, dtype="f4").reshape(8, 4), np.arange(4, dtype="f4")],
    ),
    "the_old_value_is_read_later": Program(
        """
func.func @f(%x: tensor<?xi32>, %v: tensor<i32>) -> (tensor<?xi32>, i32) {
  %c1 = arith.constant 1 : index
  %new_element = tensor.extract %v[] : tensor<i32>
  %new = tensor.insert %new_element into %x[%c1] : tensor<?xi32>
  %old = tensor.extract %x[%c1] : tensor<?xi32>
  return %new, %old : tensor<?xi32>, i32
}""",
        [np.arange(5, dtype="i4"), np.array(70, dtype="i4")],
    ),
    "a_layer_with_constants_and_a_branch": Program(
        """
func.func @f(%x: tensor<2x3xf32>, %c: tensor<i1>) -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%room : tensor<2x2xf32>) -> tensor<2x2xf32>
  %product = linalg.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x2xf32>)
      outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %is_negated = tensor.extract %c[] : tensor<i1>
  %result = scf.if %is_negated -> (tensor<2x2xf32>) {
    %difference = linalg.sub ins(%zeros, %product : tensor<2x2xf32>, tensor<2x2xf32>)
        outs(%room : tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %difference : tensor<2x2xf32>
  } else {
    scf.yield %product : tensor<2x2xf32>
  }
  return %result : tensor<2x2xf32>
}""",
        [np.arange(6, dtype="f4").reshape(2, 3), np.array(True)],
    ),
}


@pytest.mark.oracle
@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("first", STEPS, ids=lambda step: step.partition("{")[0])
def test_every_order_computes_the_same(
    name: str, first: str, mlir_opt: Callable[..., str]
) -> None:
    assert mlir_opt, "the pass mlir-opt needs it"
    program = PROGRAMS[name]
    others = [step for step in STEPS if step != first]
    results = {_run((first, *rest), program.text) for rest in permutations(others)}
    for text in results:
        _check(text, name)


def _run(steps: Sequence[str], text: str) -> str:
    """What a pipeline makes of a program, which is verified after each pass."""
    ctx = get_context()
    module = Parser(ctx, text).parse_module()
    _apply(ctx, module, steps)
    _apply(ctx, module, FINISH)
    verify_as_mlir(module)
    return str(module)


def _apply(ctx: Context, module: ModuleOp, steps: Sequence[str]) -> None:
    PassPipeline.parse_spec(
        Universe.get_multiverse().all_passes,
        ",".join(steps),
        lambda _before, module, _after: module.verify(),
    ).apply(ctx, module)


@cache
def _check(text: str, name: str) -> None:
    """Whether a program on buffers computes what NumPy does, and frees what it uses."""
    program = PROGRAMS[name]
    expected = evaluate(xbuf.parse(program.text), "f", program.arguments)
    module = Parser(get_context(), text).parse_module()
    compiled = xbuf.compile(module, poison=True)
    results = compiled["f"](*(np.copy(argument) for argument in program.arguments))
    if len(expected) == 1:
        results = [results]
    for index, value in enumerate(expected):
        np.testing.assert_array_equal(results[index], value)
    del results
    gc.collect()
    assert isinstance(compiled.heap, CountingHeap)
    assert compiled.heap.report().live_bytes == 0
