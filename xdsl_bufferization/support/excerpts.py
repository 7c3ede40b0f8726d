r"""The line of a source below an error, with a caret below the column.

    excerpt("  %0 = foo.bar : i32", 8)      ->        %0 = foo.bar : i32
                                                         ^

Columns count characters, as places in errors do. The caret stands below its character
also behind tabs, and behind characters that are two columns wide. What a terminal would
obey is spelled, as in `escaping.in_terminal`. Of a long line the part around the caret
is shown.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .escaping import in_terminal

WIDTH = 100
"""How many columns of a line are shown at most."""

_TAB = 8
"""Behind a tab a multiple of so many columns begins, as in clang."""

_CUT = "..."


def excerpt(line: str, column: int, length: int = 1, width: int = WIDTH) -> list[str]:
    """`line`, and a caret below `column`, which is counted from 1.

    `length` characters are underlined. The result is empty for an empty line.
    """
    line = line.rstrip("\r\n")
    if not line.strip():
        return []
    at = min(max(column - 1, 0), len(line))
    cells = _laid_out(line, at, width)
    shown = "".join(cell.text for cell in cells)
    before = sum(cell.width for cell in cells if cell.at < at)
    marked = (cell for cell in cells if at <= cell.at < at + length)
    tail = "~" * (sum(cell.width for cell in marked) - 1)
    return [shown.rstrip(), " " * before + "^" + tail]


class _Cell(NamedTuple):
    """One character as it is shown."""

    at: int
    """Where the character is in its line; for `...`, the nearest one that is shown."""
    text: str
    width: int


def _laid_out(line: str, at: int, width: int) -> list[_Cell]:
    """The cells of a line, or of the part around the character at `at`."""
    # Nearly all characters are a column wide or more: the rest has no room.
    start, end = max(0, at - width), min(len(line), at + width)
    cells = _cells(line, range(start, end))
    if start == 0 and end == len(line) and _sum(cells) <= width:
        return cells
    half = width // 2
    left = _fitting(reversed(cells[: at - start]), half)[::-1]
    right = _fitting(cells[at - start :], width - _sum(left))
    if right and right[-1].at < len(line) - 1:
        right.append(_Cell(right[-1].at + 1, _CUT, len(_CUT)))
    if left and left[0].at > 0:
        left.insert(0, _Cell(left[0].at, _CUT, len(_CUT)))
    return left + right


def _fitting(cells: Iterable[_Cell], width: int) -> list[_Cell]:
    """As many of the first cells as have room."""
    fitting: list[_Cell] = []
    for cell in cells:
        width -= cell.width
        if width < 0:
            break
        fitting.append(cell)
    return fitting


def _cells(line: str, indices: range) -> list[_Cell]:
    cells: list[_Cell] = []
    column = 0
    for index in indices:
        character = line[index]
        if character == "\t":
            text = " " * (_TAB - column % _TAB)
            size = len(text)
        else:
            text = in_terminal(character)
            size = _width(text) if text == character else len(text)
        column += size
        cells.append(_Cell(index, text, size))
    return cells


def _width(character: str) -> int:
    """How many cells of a terminal a character takes, by Unicode's annex 11."""
    # Slow to import, and not needed where all goes well.
    from unicodedata import combining, east_asian_width

    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _sum(cells: Sequence[_Cell]) -> int:
    return sum(cell.width for cell in cells)
