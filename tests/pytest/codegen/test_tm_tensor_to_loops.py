"""Programs with ops of tm_tensor, compiled by both pipelines, compute what they say.

They run on a heap that poisons what is not written, and all buffers are freed.
"""

import time
from typing import Any, cast

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_tm_tensor import OPS, random_tm_tensor_program
from harness.running.heap_checks import assert_freed_once
from numpy.typing import NDArray

from xdsl_bufferization import ProgramError, jit
from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

PIPELINES = {
    "default": PLAIN_PIPELINE,
    "tpp": "default-tpp-passes{explain=false modify-public-functions=false}",
    "loops": "default-tpp-passes{linalg-to-loops modify-public-functions=false}",
}
"""Each returns all results, also those that are computed in an argument."""

Array = NDArray[Any]


def run(
    text: str, pipeline: str, arguments: list[Any], *, threads: int = 1
) -> list[Array]:
    """The results of `main`."""
    module = parse(text)
    run_passes(module, parse_passes(PIPELINES[pipeline]))
    compiled = compile_module(module, poison=True, opt_level=1, threads=threads)
    copies = [np.array(argument) for argument in arguments]
    results: Any = compiled["main"](*copies)
    # One result comes alone, several in a tuple.
    listed = cast("tuple[Any, ...]", results if type(results) is tuple else (results,))
    found = [np.array(result) for result in listed]
    del results, listed
    assert_freed_once(compiled)
    return found


def check(seed: int, pipeline: str, *ops: str) -> None:
    """Compare a random program with its reference evaluation."""
    text, arguments, is_exact = random_tm_tensor_program(seed, *ops)
    module = parse(text)
    module.verify()
    expected = evaluate(module, "main", [np.array(each) for each in arguments])
    for ours, theirs in zip(run(text, pipeline, arguments), expected, strict=True):
        if is_exact:
            np.testing.assert_array_equal(ours, theirs)
        else:
            tolerance = 1e-2 if ours.dtype == np.float16 else 1e-5
            np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_programs_with_one_op(seed: int, op: str, pipeline: str) -> None:
    check(seed, pipeline, op)


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(100, 140))
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_programs_with_several_ops(seed: int, pipeline: str) -> None:
    check(seed, pipeline)


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("seed", range(200, 204))
def test_threads_compute_the_same_bits(op: str, seed: int) -> None:
    text, arguments, _ = random_tm_tensor_program(seed, op)
    expected = run(text, "default", arguments)
    for ours, theirs in zip(
        run(text, "default", arguments, threads=3), expected, strict=True
    ):
        assert ours.tobytes() == theirs.tobytes()


SORT = """
func.func @main(%x: tensor<?xf32>, %n: tensor<?xi64>)
    -> (tensor<?xf32>, tensor<?xi64>) {
  %0:2 = tm_tensor.sort dimension(0) outs(%x, %n : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %le = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %le : i1
  } -> tensor<?xf32>, tensor<?xi64>
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xi64>
}
"""


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("kind", ["random", "sorted", "reversed", "equal"])
def test_sort_of_100_000_numbers(kind: str) -> None:
    count = 100_000
    x = np.random.default_rng(0).integers(0, 1000, count).astype(np.float32)
    match kind:
        case "sorted":
            x.sort()
        case "reversed":
            x = np.sort(x)[::-1].copy()
        case "equal":
            x[:] = 1
        case _:
            pass
    started = time.process_time()
    values, indices = run(SORT, "default", [x, np.arange(count)])
    # It takes some hundredths of a second; a bubble sort takes half a minute.
    assert time.process_time() - started < 10
    order = np.argsort(x, kind="stable")
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, x[order])


def test_sort_of_nan_is_that_of_the_reference() -> None:
    x = np.random.default_rng(1).integers(0, 5, 50).astype(np.float32)
    x[::3] = np.nan
    arguments = [x, np.arange(50)]
    expected = evaluate(parse(SORT), "main", arguments)
    for ours, theirs in zip(run(SORT, "default", arguments), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("optimize", (False, True))
def test_checked_code_finds_an_index_that_is_not_there(*, optimize: bool) -> None:
    program = """func.func @f(%u: tensor<1xf32>, %i: tensor<1x1xi32>,
    %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
      ins(%u, %i : tensor<1xf32>, tensor<1x1xi32>) outs(%o : tensor<8xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}"""
    scatter = jit(program, checked=True, optimize=optimize)
    one, zeros = np.ones(1, np.float32), np.zeros(8, np.float32)
    written = scatter(one, np.array([[3]], np.int32), zeros)
    assert written.tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
    for index in (-1, 8):
        with pytest.raises(ProgramError, match=r"^<string>:3:8: .* is out of bounds"):
            scatter(one, np.array([[index]], np.int32), zeros)
