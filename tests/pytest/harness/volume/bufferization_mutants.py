"""Decisions that are made wrong, executed, and looked at by the proof.

    PYTHONPATH=tests/pytest python -m harness.volume.bufferization_mutants --programs 9

Our decisions on random programs are proven first. Then one copy of each program is left
out, some copies one after the other. The mutant is compiled and runs on several sets of
arguments. If it computes other numbers than the tensor program, the proof must have
found a read. A program without a change must be proven.
"""

import argparse
import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.oracles.proofs import decide, is_wrong, mutants
from harness.programs.random_cfgs import CfgShape, random_cfg
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from xdsl_bufferization.bufferization.analyses.bufferization_proof.prove import prove

MUTANTS = 5
"""How many copies of one program are left out, one at a time."""

SETS = 20
"""How many sets of arguments a mutant gets, half of them for each condition."""


def plain(seed: int) -> str:
    """Loops, branches and slices."""
    return random_program(seed, Shape())


def calls(seed: int) -> str:
    """The same, and functions."""
    return random_program(seed, Shape(calls=True))


def deep(seed: int) -> str:
    """The same, more and deeper."""
    return random_program(seed, Shape(ops=10, depth=3, calls=True))


def rich(seed: int) -> str:
    """All kinds of ops."""
    return random_rich_program(seed, RichShape(ops=6))


def recursion(seed: int) -> str:
    """All kinds of ops, and functions that call each other."""
    shape = RichShape(ops=4, functions=1 + seed % 3, recursion=True)
    return random_rich_program(seed, shape)


def blocks(seed: int) -> str:
    """Branches between blocks."""
    return random_cfg(seed, CfgShape())


def parallel(seed: int) -> str:
    """Loops whose iterations run at once, and may read what others write."""
    shape = ParallelShape(
        ops=5, depth=2, loops=0.4, parallel=True, calls=True, racy=seed % 4 == 0
    )
    return random_parallel_program(seed, shape)


KINDS: Mapping[str, Callable[[int], str]] = {
    kind.__name__: kind
    for kind in (plain, calls, deep, rich, recursion, blocks, parallel)
}

MUTATED = ("plain", "calls", "deep", "rich", "parallel")
"""The kinds whose functions take the arguments below."""


def arguments(seed: int, sets: int = 6) -> list[list[Any]]:
    """Small whole numbers, so that sums are exact."""
    return [
        [
            *(
                random.integers(-8, 8, size).astype(np.float32)
                for size in ((8,), (8,), (4,))
            ),
            np.float32(3),
            3 - seed % 2,
            condition,
        ]
        for condition in (0, 1)
        for random in (np.random.default_rng(seed + n) for n in range(sets // 2))
    ]


@dataclass
class Tally:
    """What became of programs and of their mutants."""

    programs: Counter[str] = field(default_factory=Counter[str])
    unproven: Counter[str] = field(default_factory=Counter[str])
    wrong: Counter[str] = field(default_factory=Counter[str])
    """By kind: mutants that computed other numbers, and were found."""

    unconfirmed: int = 0
    """Mutants that were found, and computed the same numbers in all runs."""

    right: int = 0
    missed: list[str] = field(default_factory=list[str])

    def check(self, kind: str, seed: int) -> None:
        """Look at one program, and at its mutants."""
        text = KINDS[kind](seed)
        decided = decide(text)
        if decided is None:
            return
        self.programs[kind] += 1
        if not prove(decided.module).is_proven:
            self.unproven[kind] += 1
        if kind in MUTATED:
            for mutant in mutants(text, seed, MUTANTS):
                is_found = bool(prove(mutant.module).findings)
                given = arguments(seed, SETS)
                self._note(
                    kind, seed, is_found, is_wrong(text, mutant.compute(), given)
                )

    def _note(self, kind: str, seed: int, is_found: bool, is_bad: bool) -> None:
        if is_bad and is_found:
            self.wrong[kind] += 1
        elif is_bad:
            self.missed.append(f"{kind} {seed}")
        else:
            self.unconfirmed += is_found
            self.right += not is_found


def main(arguments: Sequence[str]) -> int:
    """Check as many programs as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100, help="of each kind")
    parser.add_argument("--first", type=int, default=0, help="number of a program")
    parser.add_argument("--kind", action="append", choices=KINDS, help="default: all")
    options = parser.parse_args(arguments)
    tally = Tally()
    started = time.process_time()
    for seed in range(options.first, options.first + options.programs):
        for kind in options.kind or KINDS:
            tally.check(kind, seed)
        gc.collect()
    sys.stdout.write("".join(f"missed: {each}\n" for each in tally.missed))
    sys.stdout.write(
        f"{dict(tally.programs)} programs, {dict(tally.unproven)} not proven, "
        f"{tally.wrong.total()} wrong mutants found ({dict(tally.wrong)}), "
        f"{len(tally.missed)} missed, {tally.unconfirmed} alarms that no run confirms, "
        f"{tally.right} mutants right, {time.process_time() - started:.0f} s\n"
    )
    return int(bool(tally.missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
