"""Random programs mean the same as tensors and as compiled code on buffers.

Fresh memory is poisoned, so that a read of contents that nobody wrote shows as NaN, and
every allocation is accounted for.
"""

import gc
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from harness.programs.random_slices import SHAPE, random_slices
from harness.programs.random_whole_outputs import random_whole_output
from numpy.typing import NDArray
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap

PROGRAMS = 25
SHAPES = {
    "calls": Shape(calls=True),
    "deep": Shape(ops=10, depth=3, calls=True),
}

Value = NDArray[np.float32] | np.float32 | int


def arguments(seed: int, *, condition: bool) -> list[Value]:
    """Small whole numbers, so that sums are exact."""
    return [*tensors(seed, (8,), (8,), (4,)), np.float32(3), 3, int(condition)]


def arguments_of_slices(seed: int, *, condition: bool) -> list[Value]:
    return [*tensors(seed, SHAPE, SHAPE), np.float32(3), seed % 2, int(condition)]


def arguments_of_recursion(seed: int, *, condition: bool) -> list[Value]:
    """Not too many calls: each may make as many calls as it has operations."""
    tensors_and_scalar = arguments(seed, condition=condition)[:4]
    return [*tensors_and_scalar, seed % 3, int(condition)]


def arguments_of_one_round(seed: int, *, condition: bool) -> list[Value]:
    return [*tensors(seed, (4,), (4,)), np.float32(3), 0, int(condition)]


def tensors(seed: int, *shapes: tuple[int, ...]) -> list[Value]:
    random = np.random.default_rng(seed)
    return [random.integers(-8, 8, shape).astype(np.float32) for shape in shapes]


def compare(results: Sequence[object], expected: Sequence[Value]) -> None:
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_allclose(np.asarray(result), value, rtol=1e-5)


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("seed", range(PROGRAMS))
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_compiled_programs_compute_what_tensors_mean(seed: int, shape: Shape) -> None:
    check(random_program(seed, shape), seed)


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_so_do_programs_with_ops_of_all_kinds(seed: int) -> None:
    check(random_rich_program(seed, RichShape(ops=6)), seed)


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(2 * PROGRAMS))
def test_so_do_functions_that_call_each_other(seed: int) -> None:
    shape = RichShape(ops=4, functions=1 + seed % 3, recursion=True)
    check(
        random_rich_program(seed, shape),
        seed,
        arguments_of_recursion,
        BufferDeallocationPipelinePass(private_function_dynamic_ownership=True),
    )


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(2 * PROGRAMS))
def test_so_do_slices_of_several_dimensions(seed: int) -> None:
    check(random_slices(seed), seed, arguments_of_slices)


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(2 * PROGRAMS))
def test_so_do_loops_that_insert_all_of_their_output(seed: int) -> None:
    check(random_whole_output(seed), seed, arguments_of_one_round)


def check(
    text: str,
    seed: int,
    get_arguments: Callable[..., list[Value]] = arguments,
    deallocation: ModulePass | None = None,
) -> None:
    """Compare results, and see whether everything is freed.

    By default private functions return copies of what they do not own, which hides that
    a result is in the buffer of an argument.
    """
    program, buffers = parse(text), parse(text)
    OneShotBufferizePass(
        bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
    ).apply(get_context(), buffers)
    deallocation = deallocation or BufferDeallocationPipelinePass()
    deallocation.apply(get_context(), buffers)
    compiled = compile_module(buffers, poison=True, opt_level=1)
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    for condition in (True, False):
        with np.errstate(all="ignore"):
            given = get_arguments(seed, condition=condition)
            expected = evaluate(program, "main", given)
        results = compiled["main"](*get_arguments(seed, condition=condition))
        compare(results, expected)
        del results
        gc.collect()
        report = heap.report()
        assert report.live_bytes == 0
        assert report.double_frees == report.foreign_frees == 0
