"""Our decisions on random programs are proven, and those that lack a copy are refused.

A program that lacks a copy is run on several arguments. If its code computes other
numbers than the tensor program, the proof must have failed. If it computes the same, a
failure may be a false alarm, or other arguments would tell.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.oracles.proofs import decide, is_wrong, mutants
from support.programs.random_cfgs import CfgShape, random_cfg
from support.programs.random_programs import Shape, random_program
from support.programs.random_rich_programs import RichShape, random_rich_program

from xdsl_bufferization.analyses.bufferization_proof.prove import prove

PROGRAMS = 1000
AT_ONCE = 20
MUTANTS = 5
"""How many copies of one program are left out, one at a time."""


def plain(seed: int) -> str:
    return random_program(seed, Shape())


def calls(seed: int) -> str:
    return random_program(seed, Shape(calls=True))


def deep(seed: int) -> str:
    return random_program(seed, Shape(ops=10, depth=3, calls=True))


def rich(seed: int) -> str:
    return random_rich_program(seed, RichShape(ops=6))


def recursion(seed: int) -> str:
    shape = RichShape(ops=4, functions=1 + seed % 3, recursion=True)
    return random_rich_program(seed, shape)


def blocks(seed: int) -> str:
    return random_cfg(seed, CfgShape())


KINDS: dict[str, Callable[[int], str]] = {
    kind.__name__: kind for kind in (plain, calls, deep, rich, recursion, blocks)
}

MUTATED = ("plain", "calls", "deep", "rich")


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("start", range(0, PROGRAMS, AT_ONCE))
@pytest.mark.parametrize("name", KINDS)
def test_our_decisions_are_proven(name: str, start: int) -> None:
    for seed in range(start, start + AT_ONCE):
        decided = decide(KINDS[name](seed))
        if decided is not None:
            verdict = prove(decided.module)
            assert not verdict.undecided, [str(each) for each in verdict.undecided]
            assert not verdict.findings, seed


def arguments(seed: int) -> list[list[Any]]:
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
        for random in (np.random.default_rng(seed + n) for n in range(3))
    ]


@pytest.mark.volume(sample=2)
@pytest.mark.unguarded(reason="what lacks a copy may write to a constant")
@pytest.mark.parametrize("seed", range(250))
@pytest.mark.parametrize("name", MUTATED)
def test_what_lacks_a_copy_is_found(name: str, seed: int) -> None:
    text = KINDS[name](seed)
    for mutant in mutants(text, seed, MUTANTS):
        if not prove(mutant.module).findings:
            assert not is_wrong(text, mutant.compute(), arguments(seed))
