"""Random programs run after deallocation with clones, and their memory is watched.

They must see what they saw before, must not use, free twice or leak any memory, and
must return allocations of their own. Those that would see something else are refused.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest
from harness.programs import random_buffers
from harness.programs.buffer_programs import ARGUMENTS, Style, generate
from harness.running.memory_machine import EndlessError, run, run_unchecked
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.deallocation.convert_bufferization_to_memref import (  # noqa: E501 (the file has the name of its pass)
    lower_clones,
)
from xdsl_bufferization.bufferization.deallocation.copy_removal import remove_copies
from xdsl_bufferization.bufferization.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)
from xdsl_bufferization.bufferization.deallocation.deallocation_with_copies import (
    deallocate_with_copies,
)
from xdsl_bufferization.support.errors import OperationError

Pass = Callable[[ModuleOp], Any]

RUNS = 3
PROGRAMS_PER_TEST = 6


def structured(seed: int) -> str:
    """The text of a random program whose functions have one block each."""
    return generate(seed, Style(**_style(seed)))


def unstructured(seed: int) -> str:
    """The text of a random program whose functions have many blocks."""
    unreachable = seed % 5 == 0
    style = random_buffers.GraphStyle(unreachable=unreachable, **_style(seed))
    return random_buffers.generate(seed, style)


def _style(seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    return {
        "only_m": rng.random() < 0.4,
        "late_writes": rng.random() < 0.5,
        "max_depth": rng.choice((1, 2, 2)),
        "size": rng.choice((3, 4)),
    }


def check(module: ModuleOp, seed: int, *passes: Pass) -> None:
    """Run a program after each of the passes; all must observe what it did at first."""
    runs = [(seed * RUNS + number, ARGUMENTS) for number in range(RUNS)]
    expected = [run_unchecked(module, "main", *each) for each in runs]
    for transform in passes:
        transform(module)
        module.verify()
        for each, observed in zip(runs, expected, strict=True):
            outcome = run(module, "main", *each)
            assert outcome.observed == observed
            assert not outcome.leaked


def canonicalize(module: ModuleOp) -> None:
    CanonicalizePass().apply(get_context(), module)


STRATEGIES: dict[str, tuple[Pass, ...]] = {
    "clone": (deallocate_with_clones, canonicalize, lower_clones),
    "copy": (deallocate_with_copies, remove_copies, canonicalize),
}


@pytest.mark.volume(sample=6)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("group", range(5))
@pytest.mark.parametrize("write_program", [structured, unstructured])
def test_memory_is_freed_once_and_not_before(
    write_program: Callable[[int], str],
    group: int,
    strategy: str,
    parse: Callable[[str], ModuleOp],
) -> None:
    refused = 0
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        module = parse(write_program(seed))
        try:
            check(module, seed, *STRATEGIES[strategy])
        except EndlessError:
            continue
        except OperationError as error:
            # What was cloned must not be written to.
            assert "would be copied" in error.message
            refused += 1
    assert refused < PROGRAMS_PER_TEST
