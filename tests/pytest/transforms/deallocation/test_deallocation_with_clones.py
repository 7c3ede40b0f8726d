"""Random programs run after deallocation with clones, and their memory is watched.

They must see what they saw before, must not use, free twice or leak any memory, and
must return allocations of their own. They write to a buffer only while it is new.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest
from transforms.deallocation.block_programs import generate_blocks
from transforms.deallocation.buffer_programs import ARGUMENTS, Style, generate
from transforms.deallocation.memory_machine import run, run_unchecked
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

from xdsl_bufferization.context import get_context
from xdsl_bufferization.transforms.bufferize.convert_bufferization_to_memref import (
    lower_clones,
)
from xdsl_bufferization.transforms.deallocation.copy_removal import remove_copies
from xdsl_bufferization.transforms.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)
from xdsl_bufferization.transforms.deallocation.deallocation_with_copies import (
    deallocate_with_copies,
)

Pass = Callable[[ModuleOp], Any]

RUNS = 4
PROGRAMS_PER_TEST = 8


def style_of(seed: int) -> Style:
    rng = random.Random(seed)
    return Style(
        tensors=rng.random() < 0.2,
        only_m=rng.random() < 0.4,
        late_writes=False,
        max_depth=rng.choice((1, 2, 2, 3)),
        size=rng.choice((3, 4, 5)),
    )


def check(module: ModuleOp, seed: int, leaks: bool, *passes: Pass) -> None:
    """Run a program after each of the passes; all must observe what it did at first."""
    runs = [(seed * RUNS + number, ARGUMENTS) for number in range(RUNS)]
    expected = [run_unchecked(module, "main", *each) for each in runs]
    for transform in passes:
        transform(module)
        module.verify()
        for each, observed in zip(runs, expected, strict=True):
            outcome = run(module, "main", *each)
            assert outcome.observed == observed
            assert leaks or not outcome.leaked


def canonicalize(module: ModuleOp) -> None:
    CanonicalizePass().apply(get_context(), module)


STRATEGIES: dict[str, tuple[Pass, ...]] = {
    "clone": (deallocate_with_clones, canonicalize, lower_clones),
    "copy": (deallocate_with_copies, remove_copies, canonicalize),
}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("group", range(5))
@pytest.mark.parametrize("generator", [generate, generate_blocks])
def test_memory_is_freed_once_and_not_before(
    generator: Callable[[int, Style], str],
    group: int,
    strategy: str,
    parse: Callable[[str], ModuleOp],
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        style = style_of(seed)
        # Memory that is given up for a tensor leaks if the tensor is not made.
        module = parse(generator(seed, style))
        check(module, seed, style.tensors, *STRATEGIES[strategy])
