"""Random programs run after each stage of deallocation, and their memory is watched.

They must see what they saw before, must not use, free twice or leak any memory, and
must return allocations of their own.
"""

import random
from collections.abc import Callable

import pytest
from harness.programs.buffer_programs import ARGUMENTS, Style, generate
from harness.running.memory_machine import Outcome, run, run_unchecked
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation import (
    buffer_deallocation_simplification as simplification,
)
from xdsl_bufferization.bufferization.deallocation import (
    ownership_based_buffer_deallocation as ownership,
)
from xdsl_bufferization.bufferization.deallocation.convert_bufferization_to_memref import (  # noqa: E501 (the file has the name of its pass)
    lower_clones,
)
from xdsl_bufferization.bufferization.deallocation.lower_deallocations import (
    lower_deallocations,
)
from xdsl_bufferization.dialects.bufferization import DeallocOp

RUNS = 4
PROGRAMS_PER_TEST = 10


def style_of(seed: int) -> Style:
    rng = random.Random(seed)
    return Style(
        tensors=rng.random() < 0.3,
        only_m=rng.random() < 0.4,
        max_depth=rng.choice((1, 2, 2, 3)),
        size=rng.choice((3, 4, 5)),
    )


def check_runs(module: ModuleOp, seed: int, expected: list[object]) -> None:
    for number, observed in enumerate(expected):
        outcome: Outcome = run(module, "main", seed * RUNS + number, ARGUMENTS)
        assert outcome.observed == observed
        assert not outcome.leaked


@pytest.mark.volume(sample=6)
@pytest.mark.parametrize("group", range(25))
def test_memory_is_freed_once_and_not_before(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        style = style_of(seed)
        module = parse(generate(seed, style))
        expected: list[object] = [
            run_unchecked(module, "main", seed * RUNS + number, ARGUMENTS)
            for number in range(RUNS)
        ]
        ownership.deallocate_by_ownership(
            module, private_function_dynamic_ownership=seed % 3 == 0
        )
        module.verify()
        check_runs(module, seed, expected)

        simplification.simplify_all_deallocations(module)
        module.verify()
        check_runs(module, seed, expected)

        lower_deallocations(module)
        lower_clones(module)
        module.verify()
        check_runs(module, seed, expected)
        assert not any(isinstance(op, DeallocOp) for op in module.walk())
