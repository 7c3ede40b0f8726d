"""Our decisions on random programs are proven, and those that lack a copy are refused.

A program that lacks a copy is run on several arguments. If its code computes other
numbers than the tensor program, the proof must have failed. If it computes the same, a
failure may be a false alarm, or other arguments would tell.
"""

import pytest
from harness.oracles.decisions import parse
from harness.oracles.proofs import decide, is_wrong, mutants
from harness.programs.simulated_programs import SimulatedProgram
from harness.volume.bufferization_mutants import (
    KINDS,
    MUTANTS,
    MUTATED,
    Tally,
    arguments,
)

from xdsl_bufferization.bufferization.analyses.bufferization_proof.findings import (
    Verdict,
)
from xdsl_bufferization.bufferization.analyses.bufferization_proof.prove import prove

PROGRAMS = 1000
AT_ONCE = 20


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


@pytest.mark.volume(sample=2)
@pytest.mark.unguarded(reason="what lacks a copy may write to a constant")
@pytest.mark.parametrize("seed", range(250))
@pytest.mark.parametrize("name", MUTATED)
def test_what_lacks_a_copy_is_found(name: str, seed: int) -> None:
    text = KINDS[name](seed)
    for mutant in mutants(text, seed, MUTANTS):
        if not prove(mutant.module).findings:
            assert not is_wrong(text, mutant.compute(), arguments(seed))


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("start", range(0, 10_000, 200))
def test_what_is_proven_without_a_copy_is_right(start: int) -> None:
    proven = 0
    for seed in range(start, start + 200):
        program = SimulatedProgram(seed)
        if prove(parse(program.text)).is_proven:
            assert not program.is_wrong(), f"seed {seed}\n{program.text}"
            proven += 1
    assert proven > 20


@pytest.mark.unguarded(reason="what lacks a copy may write to a constant")
def test_a_mutant_that_is_missed_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the count of mutants would say of a proof that finds nothing."""
    from harness.volume import bufferization_mutants

    def find_nothing(_module: object) -> Verdict:
        return Verdict()

    monkeypatch.setattr(bufferization_mutants, "prove", find_nothing)
    tally = Tally()
    for seed in range(5):
        tally.check("deep", seed)
    assert tally.missed
