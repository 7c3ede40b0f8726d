"""Bufferized programs compute what the tensor programs compute.

Random programs run twice: on tensors by the reference evaluator, and bufferized on
buffers that know what was never written, what is constant and what layout they have.
"""

from dataclasses import replace

import numpy as np
import pytest
from harness.programs.random_programs import Shape, random_program
from harness.running.buffer_machine import run_on_buffers
from xdsl.context import Context
from xdsl.parser import Parser

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.interfaces.options import (
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.reference.evaluator import evaluate

DEFAULT = BufferizationOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)

OPTIONS = {
    "infer": DEFAULT,
    "identity": replace(
        DEFAULT,
        function_boundary_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
    ),
    "fully-dynamic": replace(
        DEFAULT,
        function_boundary_type_conversion=LayoutMapOption.FULLY_DYNAMIC_LAYOUT_MAP,
    ),
    "copy-before-write": replace(DEFAULT, copy_before_write=True),
    "main-not-analyzed": replace(DEFAULT, no_analysis_func_filter=frozenset({"main"})),
    "callees-not-analyzed": replace(
        DEFAULT, no_analysis_func_filter=frozenset({"first", "read", "write"})
    ),
}

SHAPES = {
    "small": Shape(),
    "deep": Shape(ops=6, depth=4),
    "calls": Shape(calls=True),
    "read-only": Shape(calls=True, writable_arguments=False, ops=12),
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("seed", range(5))
def test_results_are_those_of_the_tensor_program(
    ctx: Context, seed: int, shape: Shape, options: BufferizationOptions
) -> None:
    tensors = Parser(ctx, random_program(seed, shape)).parse_module()
    buffers = tensors.clone()
    one_shot_bufferize(buffers, options)
    buffers.verify()
    for iterations, flag in ((0, True), (3, False)):
        arguments = random_arguments(iterations, flag)
        expected = evaluate(tensors, "main", [a.copy() for a in arguments])
        found, _ = run_on_buffers(buffers, "main", arguments)
        for ours, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_analysis_saves_copies(ctx: Context) -> None:
    copies = {
        name: sum(
            copies_executed(ctx, random_program(seed, Shape()), OPTIONS[name])
            for seed in range(5)
        )
        for name in ("infer", "copy-before-write")
    }
    assert copies["infer"] < copies["copy-before-write"]


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_arguments_that_are_not_writable_stay_as_they_are(
    ctx: Context, options: BufferizationOptions
) -> None:
    program = random_program(3, Shape(ops=30)).replace(
        ": tensor<8xf32>,", ": tensor<8xf32> {bufferization.writable = false},", 2
    )
    module = Parser(ctx, program).parse_module()
    one_shot_bufferize(module, options)
    arguments = random_arguments(3, True)
    before = [argument.copy() for argument in arguments]
    run_on_buffers(module, "main", arguments)
    assert np.array_equal(arguments[0], before[0])
    assert np.array_equal(arguments[1], before[1])


def copies_executed(ctx: Context, text: str, options: BufferizationOptions) -> int:
    module = Parser(ctx, text).parse_module()
    one_shot_bufferize(module, options)
    return run_on_buffers(module, "main", random_arguments(3, True))[1]


@pytest.mark.parametrize("seed", range(12))
def test_telling_parts_apart_saves_copies_and_changes_no_result(
    ctx: Context, seed: int
) -> None:
    tensors = Parser(ctx, random_program(seed, Shape(ops=40, depth=1))).parse_module()
    counts: list[tuple[int, int]] = []
    for options in (DEFAULT, replace(DEFAULT, disjoint_subsets=False)):
        buffers = tensors.clone()
        one_shot_bufferize(buffers, options)
        names = [op.name for op in buffers.walk()]
        counts.append((names.count("memref.alloc"), names.count("memref.copy")))
        arguments = random_arguments(3, False)
        expected = evaluate(tensors, "main", [a.copy() for a in arguments])
        found, _ = run_on_buffers(buffers, "main", arguments)
        for ours, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    (allocs, copies), (plain_allocs, plain_copies) = counts
    assert allocs <= plain_allocs
    assert copies <= plain_copies


def random_arguments(iterations: int, flag: bool) -> list[np.ndarray]:
    random = np.random.default_rng(iterations)
    return [
        random.random(8, np.float32),
        random.random(8, np.float32),
        random.random(4, np.float32),
        np.asarray(1.5, np.float32),
        np.asarray(iterations, np.int64),
        np.asarray(flag),
    ]
