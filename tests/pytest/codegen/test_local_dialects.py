"""Programs that check and time themselves, compiled and called."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import ProgramError
from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

Parse = Callable[[str], ModuleOp]

PIPELINES = (
    PLAIN_PIPELINE,
    "default-tpp-passes{explain=false}",
    "default-tpp-passes{linalg-to-loops}",
)


def call(module: ModuleOp, pipeline: str, *arguments: Any) -> Any:
    run_passes(module, parse_passes(pipeline))
    return compile_module(module, opt_level=1)["f"](*arguments)


CLOSE = """
func.func @f(%a: tensor<2x3xTYPE>, %b: tensor<2x3xTYPE>, %limit: f32) {
  check.expect_almost_eq(%a, %b, %limit) : tensor<2x3xTYPE>, tensor<2x3xTYPE>, f32
  return
}
"""
SANE = """
func.func @f(%a: tensor<2x3xf32>) {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.exp ins(%a : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>)
      -> tensor<2x3xf32>
  check.expect_sane(%0) : tensor<2x3xf32>
  return
}
"""


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize(
    ("dtype", "name", "change", "limit", "is_close"),
    [
        (np.float32, "f32", 0.25, 0.25, True),
        (np.float32, "f32", 0.25, 0.125, False),
        (np.float32, "f32", -0.25, 0.125, False),
        (np.float32, "f32", np.nan, 1e9, False),
        (np.float64, "f64", 0.25, 0.125, False),
        (np.float16, "f16", 0.25, 0.25, True),
        (np.int32, "i32", 3, 2.5, False),
        (np.int32, "i32", -3, 3.0, True),
    ],
)
def test_elements_are_compared(
    parse: Parse,
    pipeline: str,
    dtype: type[np.number[Any]],
    name: str,
    change: float,
    limit: float,
    is_close: bool,
):
    a = np.arange(6).reshape(2, 3).astype(dtype)
    b = a.copy()
    b[1, 2] = b[1, 2] + change
    module = parse(CLOSE.replace("TYPE", name))
    arguments = [a, b, np.float32(limit)]
    if is_close:
        evaluate(module, "f", [np.asarray(each) for each in arguments])
        assert call(module, pipeline, *arguments) is None
        return
    with pytest.raises(OperationError, match="differ by more than the threshold"):
        evaluate(module, "f", [np.asarray(each) for each in arguments])
    with pytest.raises(ProgramError, match="differ by more than the threshold"):
        call(module, pipeline, *arguments)


@pytest.mark.parametrize("number", [1.0, -np.inf, np.inf, np.nan, 1000.0])
def test_what_is_infinite_or_no_number_is_not_sane(parse: Parse, number: float):
    a = np.zeros((2, 3), np.float32)
    a[0, 1] = number
    module = parse(SANE)
    with np.errstate(over="ignore"):
        is_sane = bool(np.isfinite(np.exp(a)).all())
    if is_sane:
        assert call(module, PIPELINES[1], a) is None
        return
    with pytest.raises(ProgramError, match="an element is NaN or infinite"):
        call(module, PIPELINES[1], a)


def test_a_condition_that_is_false_ends_the_call(parse: Parse):
    text = """
    func.func @f(%ok: i1) -> i1 {
      check.expect_true(%ok) : i1
      return %ok : i1
    }"""
    assert call(parse(text), PLAIN_PIPELINE, True)
    with pytest.raises(ProgramError, match="the condition is false"):
        call(parse(text), PLAIN_PIPELINE, False)


BENCH = """
func.func @f(%a: tensor<8x8xf32>, %n: i64) -> (tensor<8x8xf32>, i64, f64, f64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %timer = perf.start_timer : !perf.timer
  %inner, %r, %count = perf.bench (%n : i64) iter_args(%x = %a, %i = %zero)
      -> (f64, tensor<8x8xf32>, i64) {
    %y = linalg.add ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                    outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
    perf.sink(%y) : tensor<8x8xf32>
    %j = arith.addi %i, %one : i64
    perf.yield %y, %j : tensor<8x8xf32>, i64
  }
  %outer = perf.stop_timer(%timer : !perf.timer) : f64
  return %r, %count, %inner, %outer : tensor<8x8xf32>, i64, f64, f64
}
"""


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_a_benchmark_repeats_its_body(parse: Parse, pipeline: str):
    a = np.arange(64, dtype=np.float32).reshape(8, 8)
    result, count, inner, outer = call(parse(BENCH), pipeline, a.copy(), 5)
    np.testing.assert_array_equal(result, 6 * a)
    assert count == 5
    assert 0 < inner <= outer < 10


def test_the_reference_repeats_as_often(parse: Parse):
    a = np.ones((8, 8), np.float32)
    result, count, inner, outer = evaluate(
        parse(BENCH), "f", [a, np.asarray(3, np.int64)]
    )
    np.testing.assert_array_equal(result, 4 * a)
    assert count == 3
    assert 0 < inner <= outer


def test_mean_and_deviation_are_those_of_numpy(parse: Parse):
    module = parse("""
    func.func @f(%d: memref<?xf64>) -> (f64, f64) {
      %m = perf.mean(%d : memref<?xf64>) : f64
      %s = perf.stdev(%d : memref<?xf64>, %m : f64) : f64
      return %m, %s : f64, f64
    }""")
    times = np.random.default_rng(0).uniform(size=17)
    mean, deviation = call(module, PLAIN_PIPELINE, times)
    np.testing.assert_allclose([mean, deviation], [times.mean(), times.std()])


def test_a_sink_keeps_what_nothing_else_uses(parse: Parse):
    text = """
    func.func @f(%a: memref<4096xf32>, %n: i64) -> f64 {
      %b = memref.alloc() : memref<4096xf32>
      %s = perf.bench (%n : i64) -> f64 {
        linalg.exp ins(%a : memref<4096xf32>) outs(%b : memref<4096xf32>)
        perf.sink(%b) : memref<4096xf32>
      }
      memref.dealloc %b : memref<4096xf32>
      return %s : f64
    }"""
    a = np.ones(4096, np.float32)
    compiled = compile_module(parse(text))["f"]
    removed = compile_module(parse(text.replace("perf.sink(%b)", "//")))["f"]
    compiled(a, 1)
    # 400,000 exponentials cannot take a microsecond; a loop of nothing does.
    assert compiled(a, 100) > 1e-5 > removed(a, 100)
