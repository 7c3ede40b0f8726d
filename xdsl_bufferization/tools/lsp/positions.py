"""Positions of the protocol: lines and columns, in units that the editor chose.

Columns of `editing` are characters. Most editors count units of UTF-16, in which a
character such as an emoji is two. To the protocol, a carriage return alone ends a line.
"""

import re
from collections.abc import Callable
from typing import Final

from lsprotocol import types

from xdsl_bufferization.editing.places import Lines, Range


def _utf_8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _utf_16(text: str) -> int:
    return len(text) + sum(letter > "\uffff" for letter in text)


_LENGTHS: Final[dict[str, Callable[[str], int]]] = {
    "utf-8": _utf_8,
    "utf-16": _utf_16,
    "utf-32": len,
}


_LONE_RETURN: Final = re.compile(r"\r(?!\n)")


class Positions:
    """Turns positions of one text into those of the protocol, and back."""

    def __init__(self, lines: Lines, encoding: str) -> None:
        if "\r" in lines.text and _LONE_RETURN.search(lines.text) is not None:
            lines = Lines(_LONE_RETURN.sub("\n", lines.text))
        self._lines = lines
        # In a text of ASCII, all units are the same.
        is_plain = lines.text.isascii()
        self._length = len if is_plain else _LENGTHS.get(encoding, _utf_16)

    def to_protocol(self, position: int) -> types.Position:
        """The line and column of a number of characters."""
        line, column = self._lines.place(position)
        if self._length is not len:
            column = self._length(self._lines.text_of(line)[:column])
        return types.Position(line, column)

    def from_protocol(self, position: types.Position) -> int:
        """The number of characters in front of a line and column."""
        line, column = position.line, position.character
        if self._length is not len and 0 <= line < len(self._lines):
            column = self._characters(self._lines.text_of(line), column)
        return self._lines.position(line, column)

    def _characters(self, text: str, units: int) -> int:
        count = 0
        for number, letter in enumerate(text):
            if count >= units:
                return number
            count += self._length(letter)
        return len(text)

    def range(self, range: Range) -> types.Range:
        """A part of the text."""
        return types.Range(self.to_protocol(range.start), self.to_protocol(range.end))

    def line_of(self, position: int) -> int:
        """The line of a number of characters."""
        return self._lines.line_of(position)

    def from_range(self, range: types.Range) -> Range:
        """A part of the text that the editor speaks of."""
        return Range(self.from_protocol(range.start), self.from_protocol(range.end))
