"""Comments that expect diagnostics are read and compared as by mlir-opt."""

import pytest

from xdsl_bufferization.tools.common.diagnostics import Diagnostic
from xdsl_bufferization.tools.mlir_opt.expectations import (
    compare,
    expectations,
    has_expectations,
)

TEXT = """\
// expected-error @+2 {{one}}
// expected-note @below {{two}}
// expected-warning@below {{three}}
op
// expected-remark @above {{four}}
// expected-error @unknown {{five}}
op // expected-error-re {{a{{[0-9]+}}b.}}
// expected-error @-1 {{six}}
"""


def test_lines() -> None:
    found = [(each.kind, each.line, each.text) for each in expectations(TEXT)]
    assert sorted(found, key=lambda each: each[2]) == [
        ("error", 7, "a{{[0-9]+}}b."),
        ("error", 0, "five"),
        ("remark", 4, "four"),
        ("error", 3, "one"),
        ("error", 7, "six"),
        ("warning", 4, "three"),
        ("note", 4, "two"),
    ]


def test_lines_of_a_part() -> None:
    (found,) = expectations("// expected-error @+1 {{x}}\n", 10)
    assert (found.line, found.written) == (12, 11)


def test_presence() -> None:
    assert has_expectations(TEXT)
    assert not has_expectations("// what is expected: error")


@pytest.mark.parametrize(
    ("comment", "text", "is_right"),
    [
        ("expected-error {{is wrong}}", "this is wrong here", True),
        ("expected-error {{i. wrong}}", "this is wrong here", False),
        ("expected-error-re {{i{{.}} wr}}", "this is wrong here", True),
        ("expected-error-re {{i{{.}}. wr}}", "this is wrong here", False),
        ("expected-warning {{is wrong}}", "this is wrong here", False),
        ("expected-error @+1 {{is wrong}}", "this is wrong here", False),
    ],
)
def test_what_is_expected(comment: str, text: str, is_right: bool) -> None:
    wrong = compare(expectations(f"op // {comment}"), [Diagnostic("error", 1, text)])
    assert ([*wrong] == []) is is_right


def test_each_is_said_once() -> None:
    expected = expectations("op // expected-error {{a}}")
    twice = [Diagnostic("error", 1, "a"), Diagnostic("error", 1, "a")]
    assert [each.text for each in compare(expected, twice)] == ["unexpected error: a"]


def test_unexpected_notes_help() -> None:
    assert [*compare([], [Diagnostic("note", 1, "a")])] == []


def test_what_was_not_said() -> None:
    (wrong,) = compare(expectations("\n// expected-note {{a}}"), [])
    assert wrong == Diagnostic("error", 2, 'expected note "a" was not produced')
