"""What is different between two texts of one program, line beside line.

    %0 = "a"()          %0 = "a"()         same
                        %1 = "new"()       changed
    "use"(%0)           "use"(%1)          renamed

A line in which nothing but names of values and blocks is different is the same line:
one op more, and all numbers after it are others.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from itertools import zip_longest

from xdsl_bufferization.explanation.program_text import shorten

_NAME = re.compile(r"[%^][\w$.#-]+")
_OP = re.compile(r'\s*(?:%[^=]*=\s*)?("?[\w.]+)')


class Kind(Enum):
    """How two lines beside each other compare."""

    SAME = "same"
    RENAMED = "renamed"
    CHANGED = "changed"


@dataclass(frozen=True)
class Row:
    """A line of the first text beside one of the second; None where there is none."""

    left: str | None
    right: str | None
    kind: Kind


def compare(before: str, after: str) -> list[Row]:
    """Both texts as rows, from top to bottom."""
    left, right = shorten(before).splitlines(), shorten(after).splitlines()
    rows: list[Row] = []
    for is_equal, lefts, rights in _match(left, right, _without_names):
        if is_equal:
            rows += (_matched(*pair) for pair in zip(lefts, rights, strict=True))
        else:
            rows += _changed(lefts, rights)
    return rows


def _match(
    left: list[str], right: list[str], key: Callable[[str], str]
) -> Iterator[tuple[bool, list[str], list[str]]]:
    """Runs of lines with equal keys, and the lines between them, in order."""
    matcher = SequenceMatcher(None, [*map(key, left)], [*map(key, right)])
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        yield tag == "equal", left[start:end], right[other_start:other_end]


def _changed(left: list[str], right: list[str]) -> Iterator[Row]:
    """Lines that differ: those of one op beside each other where there are such."""
    for _, lefts, rights in _match(left, right, _op_name):
        yield from (Row(*pair, Kind.CHANGED) for pair in zip_longest(lefts, rights))


def _without_names(line: str) -> str:
    return _NAME.sub("%", line)


def _op_name(line: str) -> str:
    found = _OP.match(line)
    return found[1] if found else line


def _matched(left: str, right: str) -> Row:
    return Row(left, right, Kind.SAME if left == right else Kind.RENAMED)


def fold(rows: list[Row], context: int) -> Iterator[tuple[bool, list[Row]]]:
    """Runs of rows, each with whether it is far from every change.

    Rows are far if none of the `context` rows before and after them is changed.
    """
    is_far = [True] * len(rows)
    for index, row in enumerate(rows):
        if row.kind is Kind.CHANGED:
            start = max(0, index - context)
            end = min(len(rows), index + context + 1)
            is_far[start:end] = [False] * (end - start)
    start = 0
    for index in range(1, len(rows) + 1):
        if index == len(rows) or is_far[index] != is_far[start]:
            yield is_far[start], rows[start:index]
            start = index
