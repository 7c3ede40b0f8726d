"""The corpus in `tests/filecheck/dialects` means the same to mlir-opt 22 and to us.

Each of the two reads the valid programs (`ops.mlir`) that the other one prints, in both
forms. Both refuse the invalid programs (`invalid.mlir`), or a comment says why mlir-opt
accepts one.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from harness.oracles.mlir_text import FILE, BothReaders, ask_mlir, cases, refusal

CORPUS = Path(__file__).parents[2] / "filecheck" / "dialects"

UNKNOWN_TO_MLIR = {
    "check", "chlo", "perf", "sdy", "stablehlo", "tm_tensor", "xsmm",
}  # fmt: skip
"""Dialects that have no other reader: only our own round trip can be checked."""

MINIMUM_INVALID_CASES = 150

ACCEPTED = re.compile(r"// MLIR accepts: *(\S.*)")
NOT_UNDERSTOOD = re.compile(r"is unknown|unregistered|Dialect `.*' not found")
"""A refusal that says nothing about an invariant."""


def corpus(name: str) -> dict[str, str]:
    """Every program of the files `*/NAME.mlir`, by dialect and number."""
    return {
        f"{file.parent.name}-{number}": program
        for file in sorted(CORPUS.glob(f"*/{name}.mlir"))
        for number, program in enumerate(cases(file), start=1)
    }


def known_to_mlir(programs: dict[str, str]) -> dict[str, str]:
    return {
        name: program
        for name, program in programs.items()
        if name.rpartition("-")[0] not in UNKNOWN_TO_MLIR
    }


VALID = corpus("ops")
INVALID = corpus("invalid")
VALID_IN_MLIR = known_to_mlir(VALID)
INVALID_IN_MLIR = known_to_mlir(INVALID)

OURS = BothReaders(VALID)
BOTH = BothReaders(VALID_IN_MLIR)


@cache
def mlir_refusals() -> dict[str, str]:
    replies = ask_mlir(list(INVALID_IN_MLIR.values()))
    return {
        name: reply.errors for name, reply in zip(INVALID_IN_MLIR, replies, strict=True)
    }


@pytest.mark.parametrize("name", VALID)
def test_we_read_what_we_print(name: str) -> None:
    OURS.check_our_round_trip(name)


@pytest.mark.oracle
@pytest.mark.parametrize("name", VALID_IN_MLIR)
def test_mlir_reads_the_same_program_from_our_text(name: str) -> None:
    BOTH.check_mlir_reads_ours(name)


@pytest.mark.oracle
@pytest.mark.parametrize("name", VALID_IN_MLIR)
def test_our_custom_text_is_what_mlir_prints(name: str) -> None:
    BOTH.check_our_text(name)


@pytest.mark.oracle
@pytest.mark.parametrize("name", VALID_IN_MLIR)
def test_we_read_the_same_program_from_mlirs_text(name: str) -> None:
    BOTH.check_we_read_mlirs(name)


@pytest.mark.parametrize("name", INVALID)
def test_we_refuse_with_a_message_that_points_somewhere(name: str) -> None:
    message = refusal(INVALID[name])
    assert message is not None
    assert re.match(rf"{FILE}:\d+:\d+: error: \S", message)


@pytest.mark.oracle
@pytest.mark.parametrize("name", INVALID_IN_MLIR)
def test_mlir_refuses_too_or_the_case_says_why_not(name: str) -> None:
    errors = mlir_refusals()[name]
    assert bool(errors) != bool(ACCEPTED.search(INVALID[name])), errors
    if NOT_UNDERSTOOD.search(errors):
        assert "is not registered" in (refusal(INVALID[name]) or ""), errors


def test_there_are_many_invalid_cases() -> None:
    assert len(INVALID) >= MINIMUM_INVALID_CASES
