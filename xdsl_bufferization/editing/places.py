r"""Numbers of characters as lines and columns, and back; all count from 0.

"ab\ncd"     4  ->  line 1, column 1
"""

from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple


class Range(NamedTuple):
    """A part of a text, in characters."""

    start: int
    end: int


class Lines:
    """Where the lines of a text begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        lengths = (len(line) + 1 for line in text.split("\n"))
        self._starts = list(accumulate(lengths, initial=0))[:-1]

    def __len__(self) -> int:
        return len(self._starts)

    def place(self, position: int) -> tuple[int, int]:
        """The line and column of a position."""
        line = bisect_right(self._starts, position) - 1
        return line, position - self._starts[line]

    def line_of(self, position: int) -> int:
        """The line of a position."""
        return bisect_right(self._starts, position) - 1

    def position(self, line: int, column: int) -> int:
        """The position of a line and column; of the nearest that there is."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        return min(self._starts[line] + max(0, column), self.end_of(line))

    def start_of(self, line: int) -> int:
        """Where a line begins; the end of the text behind the last one."""
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def end_of(self, line: int) -> int:
        """Where a line ends, before its line break."""
        if line + 1 < len(self._starts):
            return self._starts[line + 1] - 1
        return len(self.text)

    def text_of(self, line: int) -> str:
        """A line without its line break."""
        return self.text[self._starts[line] : self.end_of(line)]
