"""Bufferized programs with parallel loops, compiled, compute what the tensors say.

On a heap that counts and that poisons; every buffer is freed once.
"""

import gc
from typing import Any, cast

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_parallel import ParallelShape, random_parallel_program

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime import CountingHeap

SHAPES = {
    "forall": ParallelShape(),
    "deep": ParallelShape(ops=5, depth=3, loops=0.4),
    "parallel": ParallelShape(parallel=True, calls=True),
}

OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "unchecked": {"check_parallel_regions": False},
    "top-down": {"analysis_heuristic": "top-down"},
    "copy-before-write": {"copy_before_write": True},
}


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_results_are_those_of_the_tensor_program(
    options: dict[str, Any], shape: ParallelShape, seed: int
) -> None:
    check(random_parallel_program(seed, shape), options)


def check(text: str, options: dict[str, Any]) -> None:
    """Compare results, and see whether everything is freed once."""
    tensors = parse(text)
    module = bufferize(
        tensors.clone(),
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=True,
        **options,
    )
    compiled = compile_module(deallocate(module), poison=True, opt_level=0)
    for iterations, flag in ((0, True), (3, False), (4, True)):
        expected = evaluate(tensors, "main", arguments(iterations, flag))
        found = cast("tuple[Any, ...]", compiled["main"](*arguments(iterations, flag)))
        found = [np.array(value) for value in found]
        for ours, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    gc.collect()
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert report.double_frees == report.foreign_frees == report.live_bytes == 0


def arguments(iterations: int, flag: bool) -> list[Any]:
    random = np.random.default_rng(iterations)
    arrays = [random.random(size, np.float32) for size in (8, 8, 4)]
    return [*arrays, np.float32(1.5), iterations, flag]
