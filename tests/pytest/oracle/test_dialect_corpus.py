"""The corpus in `tests/filecheck/dialects` means the same to mlir-opt 22 and to us.

Valid programs (`ops.mlir`) go both ways in both forms. Invalid ones (`invalid.mlir`)
are refused by both, or say in a comment why mlir-opt accepts them.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from mlir_text import GENERIC, Reply, ask_mlir, cases, read, refusal, without_names, write
from xdsl.dialects.builtin import ModuleOp

CORPUS = Path(__file__).parents[2] / "filecheck" / "dialects"

UNKNOWN_TO_MLIR = {"xsmm"}
"""Dialects that have no other reader: only our own round trip can be checked."""

MINIMUM_INVALID_CASES = 150

ACCEPTED = re.compile(r"// MLIR accepts: *(\S.*)")
NOT_UNDERSTOOD = re.compile(r"is unknown|unregistered|Dialect `.*' not found")
"""A refusal that says nothing about the invariant under test."""


def corpus(name: str, *, with_mlir: bool = True) -> list[tuple[str, str]]:
    """Every program of the files `*/NAME.mlir`, with a name for it."""
    return [
        (f"{file.parent.name}-{number}", program)
        for file in sorted(CORPUS.glob(f"*/{name}.mlir"))
        if not (with_mlir and file.parent.name in UNKNOWN_TO_MLIR)
        for number, program in enumerate(cases(file))
    ]


VALID = dict(corpus("ops"))
VALID_HERE = dict(corpus("ops", with_mlir=False))
INVALID = dict(corpus("invalid"))
INVALID_HERE = dict(corpus("invalid", with_mlir=False))


@cache
def ours(name: str) -> ModuleOp:
    return read(VALID_HERE[name])


def our_text(name: str, *, generic: bool) -> str:
    """What we print; empty if we cannot read it, so that only its own test fails."""
    try:
        return write(ours(name), generic=generic)
    except Exception:  # noqa: BLE001 whatever it is, `ours` raises it again
        return "builtin.module {}"


@cache
def mlir_replies(*arguments: str) -> dict[str, Reply]:
    """What mlir-opt makes of every valid program as it is written."""
    return dict(zip(VALID, ask_mlir(list(VALID.values()), *arguments), strict=True))


@cache
def mlir_replies_to_us(*arguments: str, generic: bool) -> dict[str, Reply]:
    """What mlir-opt makes of every valid program as we print it."""
    texts = [our_text(name, generic=generic) for name in VALID]
    return dict(zip(VALID, ask_mlir(texts, *arguments), strict=True))


@cache
def mlir_refusals() -> dict[str, str]:
    return {
        name: reply.errors
        for name, reply in zip(INVALID, ask_mlir(list(INVALID.values())), strict=True)
    }


@pytest.mark.parametrize("name", VALID_HERE)
@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
def test_we_read_what_we_print(name: str, generic: bool) -> None:
    module = ours(name)
    printed = write(module, generic=generic)
    again = read(printed)
    assert module.is_structurally_equivalent(again)
    assert write(again, generic=generic) == printed


@pytest.mark.oracle
@pytest.mark.parametrize("name", VALID)
@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
def test_mlir_reads_the_same_program_from_our_text(name: str, generic: bool) -> None:
    ours(name)
    reply = mlir_replies_to_us(GENERIC, generic=generic)[name]
    assert reply.errors == ""
    assert reply.printed == mlir_replies(GENERIC)[name].printed


@pytest.mark.oracle
@pytest.mark.parametrize("name", VALID)
def test_our_custom_text_is_what_mlir_prints(name: str) -> None:
    reply = mlir_replies_to_us(generic=False)[name]
    assert reply.errors == ""
    assert without_names(write(ours(name))) == without_names(reply.printed)


@pytest.mark.oracle
@pytest.mark.parametrize("name", VALID)
@pytest.mark.parametrize("form", [(), (GENERIC,)], ids=["custom", "generic"])
def test_we_read_the_same_program_from_mlirs_text(
    name: str, form: tuple[str, ...]
) -> None:
    reply = mlir_replies(*form)[name]
    assert reply.errors == ""
    assert read(reply.printed).is_structurally_equivalent(ours(name))


@pytest.mark.parametrize("name", INVALID_HERE)
def test_we_refuse_with_a_diagnostic(name: str) -> None:
    assert refusal(INVALID_HERE[name])


@pytest.mark.oracle
@pytest.mark.parametrize("name", INVALID)
def test_mlir_refuses_too_or_the_case_says_why_not(name: str) -> None:
    errors = mlir_refusals()[name]
    assert bool(errors) != bool(ACCEPTED.search(INVALID[name])), errors
    assert not NOT_UNDERSTOOD.search(errors), errors


def test_there_are_many_invalid_cases() -> None:
    assert len(INVALID_HERE) >= MINIMUM_INVALID_CASES
