"""Allocations move down: programs compute the same, and no peak rises."""

import random
from collections.abc import Callable

import pytest
from harness.programs.buffer_programs import Style, generate
from harness.programs.placement_programs import check_graph, check_program
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline

from xdsl_bufferization import deallocate
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.bufferization.placement.buffer_sinking import sink_buffers
from xdsl_bufferization.codegen.memory_stats import measure_memory
from xdsl_bufferization.frontends.default_pipelines import default_passes

PROGRAMS_PER_TEST = 10


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("group", range(8))
def test_random_programs_compute_the_same(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        check_program(seed, parse, after=[optimize_all_liveness, sink_buffers])
        check_graph(seed, parse, after=[optimize_all_liveness, sink_buffers])


@pytest.mark.parametrize("seed", range(20))
def test_the_peak_does_not_grow(seed: int, parse: Callable[[str], ModuleOp]) -> None:
    rng = random.Random(seed)
    style = Style(only_m=True, max_depth=rng.choice((1, 2, 3)), size=5)
    module = deallocate(parse(generate(seed, style)))
    optimize_all_liveness(module)
    before = measure_memory(module)
    sink_buffers(module)
    for old, new in zip(before, measure_memory(module), strict=True):
        assert new.lower_bound_bytes == old.lower_bound_bytes
        assert old.lower_bound_bytes <= new.peak_bytes <= old.peak_bytes


def test_ops_that_start_from_one_empty_tensor_need_no_more_than_the_bound(
    parse: Callable[[str], ModuleOp], ctx: Context
) -> None:
    image, padded = "tensor<1x16x8x8xf32>", "tensor<1x16x10x10xf32>"
    layers = "\n".join(
        f"""
        %p{n} = tensor.pad %{n} low[0, 0, 1, 1] high[0, 0, 1, 1] {{
        ^bb0(%i: index, %j: index, %k: index, %l: index):
          tensor.yield %zero : f32
        }} : {image} to {padded}
        %{n + 1} = linalg.conv_2d_nchw_fchw
            ins(%p{n}, %w : {padded}, tensor<16x16x3x3xf32>)
            outs(%zeros : {image}) -> {image}"""
        for n in range(4)
    )
    module = parse(f"""
      func.func @f(%0: {image}, %w: tensor<16x16x3x3xf32>) -> {image} {{
        %zero = arith.constant 0.0 : f32
        %empty = tensor.empty() : {image}
        %zeros = linalg.fill ins(%zero : f32) outs(%empty : {image}) -> {image}
        {layers}
        return %4 : {image}
      }}""")
    PassPipeline(default_passes()).apply(ctx, module)
    (memory,) = measure_memory(module)
    assert memory.peak_bytes == memory.lower_bound_bytes
