"""Random programs run after deallocation with clones, and their memory is watched.

They must see what they saw before, must not use, free twice or leak any memory, and
must return allocations of their own. They write to a buffer only while it is new.
"""

import random
from collections.abc import Callable

import pytest
from transforms.deallocation.block_programs import generate_blocks
from transforms.deallocation.buffer_programs import ARGUMENTS, Style, generate
from transforms.deallocation.memory_machine import run, run_unchecked
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.transforms.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)

RUNS = 4
PROGRAMS_PER_TEST = 10


def style_of(seed: int) -> Style:
    rng = random.Random(seed)
    return Style(
        tensors=rng.random() < 0.2,
        only_m=rng.random() < 0.4,
        late_writes=False,
        max_depth=rng.choice((1, 2, 2, 3)),
        size=rng.choice((3, 4, 5)),
    )


def check(module: ModuleOp, seed: int, leaks: bool) -> None:
    expected = [
        run_unchecked(module, "main", seed * RUNS + number, ARGUMENTS)
        for number in range(RUNS)
    ]
    deallocate_with_clones(module)
    module.verify()
    for number, observed in enumerate(expected):
        outcome = run(module, "main", seed * RUNS + number, ARGUMENTS)
        assert outcome.observed == observed
        assert leaks or not outcome.leaked


@pytest.mark.parametrize("group", range(10))
@pytest.mark.parametrize("generator", [generate, generate_blocks])
def test_memory_is_freed_once_and_not_before(
    generator: Callable[[int, Style], str],
    group: int,
    parse: Callable[[str], ModuleOp],
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        style = style_of(seed)
        # Memory that is given up for a tensor leaks if the tensor is not made.
        check(parse(generator(seed, style)), seed, style.tensors)
