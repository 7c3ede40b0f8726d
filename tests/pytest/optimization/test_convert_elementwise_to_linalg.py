"""Arithmetic on tensors, as structured ops, computes the same; nothing else is left."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.optimization.simplify.convert_elementwise_to_linalg import (
    convert_elementwise_to_linalg,
    is_elementwise_on_tensors,
)
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime import CountingHeap
from xdsl_bufferization.support.errors import OperationError

Parse = Callable[[str], ModuleOp]

FLOATS = ("addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf")
INTEGERS = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minui")
UNARY = ("exp", "tanh", "sqrt", "absf", "floor", "rsqrt", "log1p", "sin")
CASES = {
    **{f"arith.{name} %f, %g : {{f32}}": "f32" for name in FLOATS},
    **{f"arith.{name} %i, %j : {{i32}}": "i32" for name in INTEGERS},
    **{f"math.{name} %f : {{f32}}": "f32" for name in UNARY},
    "arith.cmpf ult, %f, %g : {f32}": "i1",
    "arith.cmpi sge, %i, %j : {i32}": "i1",
    "arith.select %c, %f, %g : {i1}, {f32}": "f32",
    "arith.select %s, %f, %g : {f32}": "f32",
    "arith.negf %f : {f32}": "f32",
    "math.fma %f, %g, %f : {f32}": "f32",
    "math.powf %f, %g : {f32}": "f32",
    "math.clampf %f to [%half, %g] : {f32}": "f32",
    "math.isnan %f : {f32}": "i1",
    "math.ctpop %i : {i32}": "i32",
    "arith.extf %f : {f32} to {f64}": "f64",
    "arith.sitofp %i : {i32} to {f32}": "f32",
    "arith.extsi %i : {i32} to {i64}": "i64",
    "arith.trunci %i : {i32} to {i8}": "i8",
    "arith.bitcast %f : {f32} to {i32}": "i32",
    "arith.addf %f, %half : {f32}": "f32",
    "arith.mulf %half, %half : {f32}": "f32",
}
"""From ops to the types of the elements of their results."""

ELEMENTS = ("i1", "i8", "i32", "i64", "f32", "f64")

PROGRAM = """
func.func @entry(%s: i1, %c: {i1}, %f: {f32}, %g: {f32}, %i: {i32}, %j: {i32})
    -> {RESULT} {{
  %half = arith.constant dense<0.5> : {f32}
  %0 = OP
  return %0 : {RESULT}
}}
"""
DYNAMIC_PROGRAM = PROGRAM.replace("  %half = arith.constant dense<0.5> : {f32}\n", "")


def program_of(op: str, shape: str, text: str = PROGRAM) -> str:
    """The program with `op` on tensors of a shape, written `4x8x`."""
    types = {name: f"tensor<{shape}{name}>" for name in ELEMENTS}
    return text.replace("OP", op).format(RESULT=types[CASES[op]], **types)


def arguments(shape: tuple[int, ...]) -> list[Any]:
    rng = np.random.default_rng(3)
    return [
        True,
        rng.integers(0, 2, shape).astype(np.bool_),
        *(rng.uniform(0.1, 2, shape).astype(np.float32) for _ in range(2)),
        *(rng.integers(-(2**31), 2**31, shape).astype(np.int32) for _ in range(2)),
    ]


def check(module: ModuleOp, given: list[Any]) -> None:
    """Convert, and compare what is computed before, after, and by compiled code."""
    (expected,) = evaluate(module, "entry", given)
    convert_elementwise_to_linalg(module)
    module.verify()
    assert not any(map(is_elementwise_on_tensors, module.walk()))
    (actual,) = evaluate(module, "entry", given)
    np.testing.assert_array_equal(actual, expected)
    bufferize(
        module,
        bufferize_function_boundaries=True,
        function_boundary_type_conversion="identity-layout-map",
    )
    deallocate(module)
    result = np.array(compile_module(module)["entry"](*given))
    np.testing.assert_allclose(result, expected, rtol=1e-6)


@pytest.mark.parametrize("op", CASES)
def test_every_kind_of_op(op: str, parse: Parse) -> None:
    check(parse(program_of(op, "3x5x")), arguments((3, 5)))


@pytest.mark.parametrize("op", [op for op in CASES if "half" not in op])
def test_sizes_known_at_run_time(op: str, parse: Parse) -> None:
    check(parse(program_of(op, "3x?x", DYNAMIC_PROGRAM)), arguments((3, 5)))


def test_no_dimensions(parse: Parse) -> None:
    check(parse(program_of("arith.addf %f, %half : {f32}", "")), arguments(()))


def test_two_results_of_one_operand(parse: Parse) -> None:
    text = """
    func.func @entry(%i: tensor<4xi32>, %j: tensor<4xi32>)
        -> (tensor<4xi32>, tensor<4xi32>) {
      %0 = arith.addi %i, %j : tensor<4xi32>
      %1, %2 = arith.mului_extended %0, %j : tensor<4xi32>
      return %1, %2 : tensor<4xi32>, tensor<4xi32>
    }
    """
    module = parse(text)
    given = arguments((4,))[4:]
    expected = evaluate(module, "entry", given)
    convert_elementwise_to_linalg(module)
    bufferize(module, bufferize_function_boundaries=True)
    deallocate(module)
    results = compile_module(module)["entry"](*given)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, wanted)


def test_a_chain_takes_one_allocation_and_no_copy(parse: Parse) -> None:
    text = """
    func.func @entry(%f: tensor<64xf32>, %g: tensor<64xf32>) -> tensor<64xf32> {
      %0 = arith.addf %f, %g : tensor<64xf32>
      %1 = math.exp %0 : tensor<64xf32>
      %2 = arith.mulf %1, %f : tensor<64xf32>
      return %2 : tensor<64xf32>
    }
    """
    module = parse(text)
    convert_elementwise_to_linalg(module)
    bufferize(module, bufferize_function_boundaries=True)
    deallocate(module)
    compiled = compile_module(module, count_copies=True)
    given = arguments((64,))[2:4]
    before = [array.copy() for array in given]
    result = np.array(compiled["entry"](*given))
    np.testing.assert_allclose(
        result, np.exp(before[0] + before[1]) * before[0], rtol=1e-6
    )
    np.testing.assert_array_equal(given, before)
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert (report.allocs, report.copies) == (1, 0)


def test_the_error_without_it_names_it(parse: Parse) -> None:
    module = parse(program_of("arith.addf %f, %g : {f32}", "4x"))
    with pytest.raises(OperationError, match="run convert-elementwise-to-linalg"):
        OneShotBufferizePass(bufferize_function_boundaries=True).apply(
            get_context(), module
        )
