"""What deallocated programs cost when they run, next to mlir-opt's of the same.

    PYTHONPATH=tests/pytest python -m \
        harness.volume.compare_deallocation --programs 3000

Random programs that mlir-opt's `buffer-deallocation-pipeline` accepts run in its form
and in ours, on a machine that counts allocations, clones and the peak. Both are
canonicalized by mlir-opt, so that what either leaves for later does not count. Many
programs go through mlir-opt at once; where one of them makes it crash, it is left out.

Functions return one buffer at most: of two results that may be one allocation,
mlir-opt hands both to the caller, which frees both. Runs in which its program misuses
memory are not compared.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields

from xdsl.dialects.builtin import ModuleOp

from harness.oracles.decisions import parse
from harness.oracles.mlir_text import print_module
from harness.oracles.tool_runs import ToolFaultError, run_tool
from harness.oracles.tools import MLIR_OPT, find_oracle
from harness.programs import buffer_programs, random_buffers
from harness.running.memory_machine import (
    Costs,
    EndlessError,
    MemoryFaultError,
    Outcome,
    run,
)
from xdsl_bufferization.bufferization.deallocation import (
    buffer_deallocation_simplification as simplification,
)
from xdsl_bufferization.bufferization.deallocation import (
    ownership_based_buffer_deallocation as ownership,
)
from xdsl_bufferization.bufferization.deallocation.lower_deallocations import (
    lower_deallocations,
)

RUNS = 4
BATCH = 50
COMPARED = ("allocs", "clones", "peak_cells")

# What mlir-opt refuses is left out: loops of blocks, switches, two ways to one block.
_GRAPH = random_buffers.GraphStyle(
    max_depth=1,
    size=4,
    forward=True,
    switches=False,
    same_target=False,
    recursion=False,
    globals=False,
    one_result=True,
)
_STRUCTURED = buffer_programs.Style(max_depth=2, size=4, globals=False, one_result=True)


@dataclass
class Comparison:
    """How the runs of programs compare."""

    programs: int = 0
    runs: int = 0
    crashes: int = 0
    """Programs that mlir-opt crashes on, or refuses."""

    less: Counter[str] = field(default_factory=Counter[str])
    """By cost: runs in which ours need less."""

    failures: list[str] = field(default_factory=list[str])

    def add(self, other: "Comparison") -> None:
        """Add up."""
        for each in fields(self):
            sum_ = getattr(self, each.name) + getattr(other, each.name)
            setattr(self, each.name, sum_)


def compare(numbers: Sequence[int]) -> Comparison:
    """Compare the programs of these numbers; every second one has several blocks."""
    text = "\n".join((buffer_programs.HEADER, *map(program_text, numbers)))
    program = _mlir_opt(text, "--canonicalize", "--cse")
    assert program is not None, "canonicalization crashes"
    theirs = _mlir_opt(program, "--buffer-deallocation-pipeline")
    if theirs is None and len(numbers) == 1:
        return Comparison(crashes=1)
    if theirs is None:
        found = compare(numbers[: len(numbers) // 2])
        found.add(compare(numbers[len(numbers) // 2 :]))
        return found
    ours = _mlir_opt(_deallocated(program), "--canonicalize", "--cse")
    assert ours is not None, "ours is no valid program"
    found = Comparison(programs=len(numbers))
    our_module, their_module = parse(ours), parse(theirs)
    for number in numbers:
        _compare_runs(found, number, our_module, their_module)
    return found


def program_text(number: int) -> str:
    """The program of that number, whose function `main` has the number in its name."""
    if number % 2:
        text = random_buffers.generate(number, _GRAPH)
    else:
        text = buffer_programs.generate(number, _STRUCTURED)
    text = text.replace(buffer_programs.HEADER, "")
    return re.sub(r"@(f\d+|main)\b", rf"@p{number}_\1", text)


def _mlir_opt(text: str, *arguments: str) -> str | None:
    try:
        result = run_tool([find_oracle(MLIR_OPT), *arguments, "-"], text)
    except ToolFaultError:
        return None
    return None if result.returncode else result.stdout


def _deallocated(program: str) -> str:
    module = parse(program)
    ownership.deallocate_by_ownership(module)
    simplification.simplify_all_deallocations(module)
    # Clones stay, to be counted.
    lower_deallocations(module)
    return print_module(module, generic=True)


def _compare_runs(
    found: Comparison, number: int, ours: ModuleOp, theirs: ModuleOp
) -> None:
    our_runs = _runs(ours, number)
    for seed, their_run in _runs(theirs, number).items():
        found.runs += 1
        our_run = our_runs.get(seed)
        if our_run is None or our_run.leaked:
            found.failures.append(f"program {number}, run {seed}: misuses memory")
        elif our_run.observed != their_run.observed:
            found.failures.append(f"program {number}, run {seed}: observes otherwise")
        else:
            for cost in COMPARED:
                our_cost = _cost(our_run.costs, cost)
                their_cost = _cost(their_run.costs, cost)
                found.less[cost] += our_cost < their_cost
                if our_cost > their_cost:
                    found.failures.append(
                        f"program {number}, run {seed}: {our_cost} {cost}, "
                        f"mlir-opt's has {their_cost}"
                    )


def _cost(costs: Costs, name: str) -> int:
    return getattr(costs, name)


def _runs(module: ModuleOp, number: int) -> dict[int, Outcome]:
    """The runs that neither misuse memory nor take too long."""
    outcomes: dict[int, Outcome] = {}
    for seed in range(number * RUNS, (number + 1) * RUNS):
        with suppress(EndlessError, MemoryFaultError):
            outcomes[seed] = run(
                module, f"p{number}_main", seed, buffer_programs.ARGUMENTS
            )
    return outcomes


def main(arguments: Sequence[str]) -> int:
    """Compare as many programs as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of a program")
    options = parser.parse_args(arguments)
    total = Comparison()
    for start in range(options.first, options.first + options.programs, BATCH):
        found = compare(range(start, start + BATCH))
        sys.stdout.writelines(f"{failure}\n" for failure in found.failures)
        total.add(found)
        less = ", ".join(f"{n} with fewer {cost}" for cost, n in total.less.items())
        sys.stdout.write(
            f"{total.programs} programs, {total.runs} runs, {less}; "
            f"{total.crashes} refused, {len(total.failures)} failures\n"
        )
        sys.stdout.flush()
    return int(bool(total.failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
