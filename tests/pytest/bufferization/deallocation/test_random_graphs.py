"""Random programs of several blocks, run after each stage of deallocation."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from harness.programs.random_buffers import ARGUMENTS, generate, style_of
from harness.running.memory_machine import EndlessError, run, run_unchecked
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

RUNS = 4
PROGRAMS_PER_TEST = 10


def expected_runs(module: ModuleOp, seed: int) -> dict[int, list[object]]:
    """What the program observes for each seed of a run that ends soon enough."""
    expected: dict[int, list[object]] = {}
    for run_seed in range(seed * RUNS, (seed + 1) * RUNS):
        with suppress(EndlessError):
            expected[run_seed] = run_unchecked(module, "main", run_seed, ARGUMENTS)
    return expected


def check_runs(module: ModuleOp, expected: dict[int, list[object]]) -> None:
    module.verify()
    for run_seed, observed in expected.items():
        outcome = run(module, "main", run_seed, ARGUMENTS)
        assert outcome.observed == observed
        assert not outcome.leaked


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("group", range(15))
def test_memory_is_freed_once_and_not_before(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    ran = 0
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        module = parse(generate(seed))
        expected = expected_runs(module, seed)
        ran += len(expected)
        ownership.deallocate_by_ownership(
            module, private_function_dynamic_ownership=seed % 3 == 0
        )
        check_runs(module, expected)
        simplification.simplify_all_deallocations(module)
        check_runs(module, expected)
        lower_deallocations(module)
        lower_clones(module)
        check_runs(module, expected)
    assert ran > PROGRAMS_PER_TEST * RUNS // 2


@pytest.mark.oracle
@pytest.mark.parametrize("seed", [*range(6), 378])
def test_what_is_freed_is_defined_on_all_ways(
    seed: int, xdsl_opt: Callable[..., str], mlir_opt: Callable[..., str]
) -> None:
    """Program 378 passes on what the arguments of a block may be to other blocks."""
    text = generate(seed, style_of(seed))
    mlir_opt(xdsl_opt(text, "ownership-based-buffer-deallocation"))
