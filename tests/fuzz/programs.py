"""The generators of valid programs, and how each of their programs is checked.

    KINDS["slices"].write(7)        ->  the text of program 7
    KINDS["slices"].check(text, 7)  ->  an error if it computes something else

The checks are those of the tests that have a sample of the same programs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import test_random_cfgs
import test_random_programs
import test_wild_programs
from bufferization.bufferize import test_parallel_execution
from bufferization.deallocation import test_native_execution
from bufferization.deallocation.test_random_programs import style_of
from harness.oracles.decisions import parse
from harness.programs import buffer_programs, random_buffers
from harness.programs.placement_programs import check_graph, check_program
from harness.programs.random_cfgs import CfgShape, random_cfg
from harness.programs.random_kernels import random_chain
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from harness.programs.random_slices import random_slices
from harness.programs.random_whole_outputs import random_whole_output
from harness.programs.wild.program import wild_program
from optimization import test_xsmm_meaning
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.bufferization.placement.buffer_reuse import reuse_all_buffers
from xdsl_bufferization.bufferization.placement.buffer_sinking import sink_buffers
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)


@dataclass(frozen=True)
class Kind:
    """A generator, and a check of what it writes; each gets the seed."""

    write: Callable[[int], str]
    check: Callable[[str, int], None]


_PLACEMENT: Final = (optimize_all_liveness, sink_buffers, reuse_all_buffers)


def _write_recursion(seed: int) -> str:
    shape = RichShape(ops=4, functions=1 + seed % 3, recursion=True)
    return random_rich_program(seed, shape)


def _check_recursion(text: str, seed: int) -> None:
    test_random_programs.check(
        text,
        seed,
        test_random_programs.arguments_of_recursion,
        BufferDeallocationPipelinePass(private_function_dynamic_ownership=True),
    )


def _check_cfg(text: str, seed: int) -> None:
    test_random_cfgs.check(text, seed, copy_before_write=seed % 4 == 0)


def _check_parallel(text: str, seed: int) -> None:
    options = list(test_parallel_execution.OPTIONS.values())
    test_parallel_execution.check(text, options[seed % len(options)])


def _check_placement(
    check: Callable[..., None], text: str, seed: int, passes: Sequence[object]
) -> None:
    def parse_it(_: str) -> ModuleOp:
        return parse(text)

    check(seed, parse_it, after=passes)


def _write_natively(seed: int) -> str:
    if seed % 2:
        graph = random_buffers.GraphStyle(
            max_depth=1, size=3, stack=False, recursion=False
        )
        return random_buffers.generate_native(seed, graph)
    style = buffer_programs.Style(only_m=seed % 4 == 0, max_depth=2, stack=False)
    return buffer_programs.generate_native(seed, style)


def _check_natively(text: str, seed: int) -> None:
    test_native_execution.check_execution(parse(text), seed)


def _check_kernels(text: str, seed: int) -> None:
    tests = test_xsmm_meaning
    values = random_chain(seed, count=16).values(seed)
    calls = tests.after(text, f"{tests.COMBINED},{tests.TO_CALLS}")
    expected = tests.run(tests.parse(text), values)
    tests.assert_same(tests.run(calls, values), expected)


def _check_wild(text: str, seed: int) -> None:
    ways = list(test_wild_programs.WAYS.values())
    arguments = wild_program(seed).arguments
    test_wild_programs.check(text, arguments, **ways[seed % len(ways)])


KINDS: Final[dict[str, Kind]] = {
    "calls": Kind(
        partial(random_program, shape=Shape(calls=True)), test_random_programs.check
    ),
    "deep": Kind(
        partial(random_program, shape=Shape(ops=10, depth=3, calls=True)),
        test_random_programs.check,
    ),
    "rich": Kind(
        partial(random_rich_program, shape=RichShape(ops=6)),
        test_random_programs.check,
    ),
    "recursion": Kind(_write_recursion, _check_recursion),
    "slices": Kind(
        random_slices,
        partial(
            test_random_programs.check,
            get_arguments=test_random_programs.arguments_of_slices,
        ),
    ),
    "whole-outputs": Kind(
        random_whole_output,
        partial(
            test_random_programs.check,
            get_arguments=test_random_programs.arguments_of_one_round,
        ),
    ),
    "control-flow": Kind(
        partial(random_cfg, shape=CfgShape(calls=True, switches=True)), _check_cfg
    ),
    "branches": Kind(
        partial(random_cfg, shape=CfgShape(only_branches=True, ops=3, blocks=10)),
        _check_cfg,
    ),
    "forall": Kind(
        partial(random_parallel_program, shape=ParallelShape()), _check_parallel
    ),
    "parallel": Kind(
        partial(
            random_parallel_program, shape=ParallelShape(parallel=True, calls=True)
        ),
        _check_parallel,
    ),
    "placement": Kind(
        lambda seed: buffer_programs.generate(seed, style_of(seed)),
        partial(_check_placement, check_program, passes=_PLACEMENT),
    ),
    "graphs": Kind(
        lambda seed: random_buffers.generate(seed, random_buffers.style_of(seed)),
        partial(_check_placement, check_graph, passes=_PLACEMENT),
    ),
    "deallocation": Kind(_write_natively, _check_natively),
    "kernels": Kind(lambda seed: random_chain(seed, 16).text(), _check_kernels),
    "wild": Kind(lambda seed: wild_program(seed).text, _check_wild),
}
