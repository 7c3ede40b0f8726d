"""What deallocated programs cost when they run, next to mlir-opt's of the same.

Random programs that mlir-opt's `buffer-deallocation-pipeline` accepts run in its form
and in ours: ours make no more allocations and no more clones. Both are canonicalized by
mlir-opt, so that what either leaves for later does not count.

Functions return one buffer at most: of two results that may be one allocation,
mlir-opt hands both to the caller, which frees both. Runs in which its program misuses
memory are not compared.
"""

from collections.abc import Callable
from contextlib import suppress

import pytest
import random_buffers
from transforms.deallocation import buffer_programs
from transforms.deallocation.memory_machine import (
    EndlessError,
    MemoryFaultError,
    Outcome,
    run,
)
from xdsl.dialects.builtin import ModuleOp

pytestmark = pytest.mark.oracle

RUNS = 4
PIPELINE = (
    "ownership-based-buffer-deallocation,buffer-deallocation-simplification,"
    "lower-deallocations"
)
GRAPH = random_buffers.GraphStyle(
    max_depth=1,
    size=3,
    forward=True,
    switches=False,
    same_target=False,
    recursion=False,
    globals=False,
    one_result=True,
)
STRUCTURED = buffer_programs.Style(max_depth=2, size=4, globals=False, one_result=True)


def costs_of_runs(module: ModuleOp, seed: int) -> dict[int, Outcome]:
    """The runs that neither misuse memory nor take too long."""
    outcomes: dict[int, Outcome] = {}
    for run_seed in range(seed * RUNS, (seed + 1) * RUNS):
        with suppress(EndlessError, MemoryFaultError):
            outcomes[run_seed] = run(module, "main", run_seed, random_buffers.ARGUMENTS)
    return outcomes


# Programs on which mlir-opt 22 crashes would fail here; these seeds have none.
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", ["graph", "structured"])
def test_no_more_allocations_and_clones_than_mlir(
    kind: str,
    seed: int,
    parse: Callable[[str], ModuleOp],
    xdsl_opt: Callable[..., str],
    mlir_opt: Callable[..., str],
) -> None:
    if kind == "graph":
        text = random_buffers.generate(seed, GRAPH)
    else:
        text = buffer_programs.generate(seed, STRUCTURED)
    program = mlir_opt(text, "--canonicalize", "--cse")
    theirs = parse(mlir_opt(program, "--buffer-deallocation-pipeline"))
    ours = parse(mlir_opt(xdsl_opt(program, PIPELINE), "--canonicalize", "--cse"))
    our_runs = costs_of_runs(ours, seed)
    for run_seed, their_run in costs_of_runs(theirs, seed).items():
        our_run = our_runs[run_seed]
        assert our_run.observed == their_run.observed
        assert not our_run.leaked
        assert our_run.costs.allocs <= their_run.costs.allocs
        assert our_run.costs.clones <= their_run.costs.clones
