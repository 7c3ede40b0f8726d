"""Pieces at their places in a document, and the programs that they make up."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from .cuts import ChunkCuts, symbols_defined
from .places import Range
from .reading import Piece, symbol_of


@dataclass(frozen=True)
class Placed:
    """A piece, and where it is in the document."""

    piece: Piece
    start: int
    is_alias: bool = False
    gap: tuple[int, int] = (0, 0)
    """Where in the piece something is left out, and how long that is."""

    def place(self, offset: int) -> int:
        """The position in the document of a place in the piece."""
        at, length = self.gap
        return self.start + offset + (length if length and offset >= at else 0)

    def range(self, start: int, end: int) -> Range:
        """The part of the document that is a part of the piece."""
        return Range(self.place(start), self.place(end))

    def offset(self, position: int) -> int:
        """The place in the piece of a position of the document."""
        at, length = self.gap
        offset = position - self.start
        return offset - length if length and offset >= at + length else offset

    @property
    def end(self) -> int:
        """The end in the document."""
        return self.place(len(self.piece.text))


@dataclass(eq=False)
class Program:
    """One program of a document: what stands between two separators."""

    cuts: ChunkCuts
    shell: Placed | None
    placed: list[Placed]
    module: ModuleOp
    """Has all ops that could be read; the module of the text, if that has one."""

    @cached_property
    def starts(self) -> list[int]:
        """Where the pieces begin."""
        return [each.start for each in self.placed]

    @cached_property
    def defined_twice(self) -> frozenset[str]:
        """The names of symbols with more than one definition."""
        names = (symbol_of(op) for placed in self.placed for op in self.top_ops(placed))
        counts = Counter(name for name in names if name is not None)
        return frozenset(name for name, count in counts.items() if count > 1)

    @cached_property
    def symbols(self) -> dict[str, tuple[Placed, Operation]]:
        """What defines the symbols of the module; the first definition counts."""
        found: dict[str, tuple[Placed, Operation]] = {}
        for placed in self.placed:
            for op in self.top_ops(placed):
                name = symbol_of(op)
                if name is not None:
                    found.setdefault(name, (placed, op))
        return found

    def top_ops(self, placed: Placed) -> Sequence[Operation]:
        """The ops of a piece that stand in the module of the program."""
        module = placed.piece.module
        if module is not None and module is self.module:
            return list(module.ops)
        return placed.piece.ops

    @cached_property
    def broken(self) -> frozenset[str]:
        """The names of symbols whose definitions could not be read."""
        names = {
            name
            for placed in self.placed
            if placed.piece.error is not None
            for name in symbols_defined(placed.piece.text)
        }
        return frozenset(names - self.symbols.keys())

    def piece_at(self, position: int) -> Placed | None:
        """The piece that has a position, or ends there; the shell if none does."""
        number = bisect_right(self.starts, position) - 1
        if number >= 0 and position <= self.placed[number].end:
            return self.placed[number]
        shell = self.shell
        if shell is not None and shell.start <= position <= shell.end:
            return shell
        return None

    def all_pieces(self) -> Iterator[Placed]:
        """The shell, and then the pieces."""
        if self.shell is not None:
            yield self.shell
        yield from self.placed
