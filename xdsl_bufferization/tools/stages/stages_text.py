"""Stages for a terminal: under each a line about it, then its changes side by side.

    02 one-shot-bufferize: 0.012 s, 9 ops (+1), 1 allocations, 64 bytes
      %0 = tensor.empty() : tensor<4x4xf32> | %0 = memref.alloc() : memref<4x4xf32>

Between the columns, as `diff -y` has it: `|` changed, `<` gone, `>` new, `~` renamed.
"""

from collections.abc import Iterator
from itertools import zip_longest

from ..common.side_by_side import Kind, Row, compare, fold

CONTEXT = 2
"""Lines that are shown before and after a change."""

_INDENT = 2
_GREEN, _RED, _GREY, _PLAIN = "\033[32m", "\033[31m", "\033[90m", "\033[0m"

STYLES = (_GREEN, _RED, _GREY, _PLAIN)
"""The escape codes in lines of changes."""


def format_changes(before: str, after: str, width: int, colour: bool) -> Iterator[str]:
    """The lines that show the differences, none wider than `width`."""
    column = max(20, (width - _INDENT - 3) // 2)
    for is_far, rows in fold(compare(before, after), CONTEXT):
        if is_far:
            yield _paint(f"{'':{_INDENT}}... {len(rows)} lines", _GREY, colour)
            continue
        for row in rows:
            yield from _format_row(row, column, colour)


def _format_row(row: Row, column: int, colour: bool) -> Iterator[str]:
    mark = _mark(row)
    is_changed = row.kind is Kind.CHANGED
    for left, right in zip_longest(
        _wrap(row.left, column), _wrap(row.right, column), fillvalue=""
    ):
        both = (
            _paint(f"{left:{column}}", _RED if is_changed else _PLAIN, colour),
            _paint(right, _GREEN if is_changed else _PLAIN, colour),
        )
        line = f"{'':{_INDENT}}{both[0]} {mark} {both[1]}"
        yield line if colour else line.rstrip()


def _mark(row: Row) -> str:
    if row.left is None:
        return ">"
    if row.right is None:
        return "<"
    return {Kind.SAME: " ", Kind.RENAMED: "~", Kind.CHANGED: "|"}[row.kind]


def _wrap(line: str | None, column: int) -> list[str]:
    """`line` in pieces that fit; later ones are indented as the first one and more."""
    if not line:
        return [""]
    pieces = [line[:column]]
    rest = line[column:]
    indent = min(len(line) - len(line.lstrip()) + 4, column // 2)
    step = column - indent
    pieces += (
        " " * indent + rest[start : start + step] for start in range(0, len(rest), step)
    )
    return pieces


def _paint(text: str, colour: str, is_wanted: bool) -> str:
    if not is_wanted or colour == _PLAIN or not text.strip():
        return text
    return f"{colour}{text}{_PLAIN}"
