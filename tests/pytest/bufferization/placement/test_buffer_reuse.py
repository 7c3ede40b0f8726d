"""Buffers that take over freed ones: fewer allocations, the same results."""

import gc
import random
from collections.abc import Callable

import numpy as np
import pytest
from harness.programs.buffer_programs import Style, generate
from harness.programs.placement_programs import check_program
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.bufferization.placement.buffer_reuse import reuse_all_buffers
from xdsl_bufferization.codegen.memory_stats import measure_memory
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CountingHeap, HeapReport
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

PROGRAMS_PER_TEST = 10
ALIGNMENT = 64
"""What the heap may be asked for beyond each buffer."""


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("group", range(10))
def test_random_programs_compute_the_same(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        check_program(seed, parse, after=[optimize_all_liveness, reuse_all_buffers])


@pytest.mark.parametrize("seed", range(20))
def test_the_peak_does_not_grow(seed: int, parse: Callable[[str], ModuleOp]) -> None:
    rng = random.Random(seed)
    style = Style(only_m=True, max_depth=rng.choice((1, 2, 3)), size=5)
    module = deallocate(parse(generate(seed, style)))
    before = measure_memory(module)
    reuse_all_buffers(module)
    for old, new in zip(before, measure_memory(module), strict=True):
        assert new.peak_bytes <= old.peak_bytes
        assert new.allocations <= old.allocations


def run_mlp(options: MlpOptions, parse: Callable[[str], ModuleOp]) -> HeapReport:
    """What the heap sees of one run, which must compute what it computed before."""
    module = bufferize(parse(mlp(options)), bufferize_function_boundaries=True)
    deallocate(module)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(options.batch, options.layers[0])).astype(np.float32)
    wanted = compile_module(module)["entry"](x).copy()

    optimize_all_liveness(module)
    reuse_all_buffers(module)
    module.verify()
    (memory,) = measure_memory(module)
    assert memory.peak_bytes == memory.lower_bound_bytes
    compiled = compile_module(module, poison=True)
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    result = compiled["entry"](x)
    report = heap.report()
    assert report.peak_bytes <= memory.peak_bytes + ALIGNMENT * report.allocs
    np.testing.assert_array_equal(result, wanted)
    del result
    gc.collect()
    assert heap.report().live_bytes == heap.report().double_frees == 0
    return report


def test_an_mlp_needs_no_more_than_the_lower_bound(
    parse: Callable[[str], ModuleOp],
) -> None:
    layers = (128, 256, 512)
    report = run_mlp(MlpOptions(256, layers, bias=True, relu=True), parse)
    assert report.peak_bytes <= 4 * 256 * (256 + 512) + 2 * ALIGNMENT


def test_eight_equal_layers_run_in_two_buffers(
    parse: Callable[[str], ModuleOp],
) -> None:
    report = run_mlp(MlpOptions(32, (64,) * 9, bias=True, relu=True), parse)
    assert report.allocs == 2
    assert report.peak_bytes <= 2 * (4 * 32 * 64 + ALIGNMENT)
