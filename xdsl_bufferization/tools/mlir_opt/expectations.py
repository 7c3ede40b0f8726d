"""Diagnostics that comments of a program expect, as of mlir-opt's -verify-diagnostics.

    // expected-error @+1 {{expected a memref}}
    %0 = memref.dim %t, %c0 : tensor<4xf32>

`@+N`, `@-N`, `@above`, `@below` and `@unknown` say in which line. What is expected is
a part of the message. With `-re`, regular expressions stand in `{{...}}` inside.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..common.diagnostics import Diagnostic

_COMMENT = re.compile(
    r"expected-(error|note|remark|warning)(-re)?\s*"
    r"(?:@([+-]\d{1,9}|above|below|unknown))?\s*\{\{(.*)\}\}\s*$"
)

_EXPECTS = re.compile(r"expected-(?:error|note|remark|warning)")


@dataclass(frozen=True)
class Expected:
    """Something that a comment expects to be said."""

    kind: str
    line: int
    pattern: re.Pattern[str]
    text: str
    """What the comment says."""
    written: int
    """The line of the comment."""

    def accepts(self, diagnostic: Diagnostic) -> bool:
        """Whether this is what was expected."""
        return (
            self.accepts_place(diagnostic)
            and self.pattern.search(diagnostic.text) is not None
        )

    def accepts_place(self, diagnostic: Diagnostic) -> bool:
        """Whether something of this kind was said about the expected line."""
        return diagnostic.kind == self.kind and self.line == diagnostic.line


def has_expectations(text: str) -> bool:
    """Whether a program has comments that expect diagnostics."""
    return _EXPECTS.search(text) is not None


def expectations(text: str, lines_before: int = 0) -> list[Expected]:
    """What the comments of a text expect, which begins after `lines_before` lines."""
    found: list[Expected] = []
    below: list[tuple[int, re.Match[str]]] = []
    above = 0
    for number, line in enumerate(text.split("\n"), lines_before + 1):
        comment = _COMMENT.search(line)
        if comment is None:
            found += [_expected(each, number, at) for at, each in below]
            below = []
            above = number
        elif comment[3] == "below":
            below.append((number, comment))
        else:
            found.append(_expected(comment, _line(comment, number, above), number))
    return found


def _line(comment: re.Match[str], number: int, above: int) -> int:
    match comment[3]:
        case None:
            return number
        case "above":
            return above
        case "unknown":
            return 0
        case offset:
            return number + int(offset)


def _expected(comment: re.Match[str], line: int, written: int) -> Expected:
    text = comment[4]
    pattern = _regex(text) if comment[2] else re.compile(re.escape(text))
    return Expected(comment[1], line, pattern, text, written)


def _regex(text: str) -> re.Pattern[str]:
    """Text in which `{{...}}` are regular expressions."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    pieces = [
        f"(?:{part})" if number % 2 else re.escape(part)
        for number, part in enumerate(parts)
    ]
    try:
        return re.compile("".join(pieces))
    except re.error:
        return re.compile(re.escape(text))


def compare(
    expected: Iterable[Expected], produced: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """What is wrong: what was said unexpectedly, and what was not said.

    A note that nobody expects is not wrong, as notes only help.
    """
    left = list(expected)
    for diagnostic in produced:
        found = next((each for each in left if each.accepts(diagnostic)), None)
        if found is not None:
            left.remove(found)
        elif diagnostic.kind != "note":
            text = f"unexpected {diagnostic.kind}: {diagnostic.text}"
            yield Diagnostic("error", diagnostic.line, text)
    for each in left:
        text = f'expected {each.kind} "{each.text}" was not produced'
        yield Diagnostic("error", each.written, text)
