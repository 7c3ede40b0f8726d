"""Reads and writes by position in the program and by the part that they work on.

Where many uses of disjoint parts follow each other, asking about every pair of them
would be quadratic. So each node of the trees of `position_index` keeps its items in
cells: a cell is the smallest box with corners at powers of two that holds the part.
Whoever looks for what may meet a part looks into the cells that do, and leaves out
the others of the same origin.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Generic, TypeVar

from xdsl_bufferization.analyses.conflict_ranges import ConflictRanges
from xdsl_bufferization.analyses.parts import Part, Parts
from xdsl_bufferization.analyses.position_index import cover
from xdsl_bufferization.analyses.tensor_facts import TensorUse
from xdsl_bufferization.interfaces.boxes import Extent

Item = TypeVar("Item")

_Bounds = tuple[tuple[int, int], ...]
"""First and last index, in each dimension."""

_FAR = 1 << 62
"""Higher than any index."""

_BIAS = 1 << 40
"""Added to offsets: none is negative after that, though they may be relative."""


class _Cells(Generic[Item]):
    """Items of one origin, with offsets that hinge on the same values."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._by_level: dict[
            tuple[int, ...], dict[tuple[int, ...], list[tuple[_Bounds, Item]]]
        ] = {}

    def add(self, bounds: _Bounds, item: Item) -> None:
        """Add an item with the bounds of its part."""
        self.items.append(item)
        levels = tuple((low ^ high).bit_length() for low, high in bounds)
        cell = tuple(
            low >> level for (low, _), level in zip(bounds, levels, strict=True)
        )
        cells = self._by_level.setdefault(levels, {})
        cells.setdefault(cell, []).append((bounds, item))

    def meeting(self, bounds: _Bounds) -> Iterator[Item]:
        """The items whose parts may meet a part with such bounds."""
        for levels, cells in self._by_level.items():
            for cell in _cells_around(bounds, levels, cells):
                for others, item in cell:
                    if _meet(bounds, others):
                        yield item


def _cells_around(
    bounds: _Bounds,
    levels: tuple[int, ...],
    cells: dict[tuple[int, ...], list[tuple[_Bounds, Item]]],
) -> Iterator[list[tuple[_Bounds, Item]]]:
    ranges = [
        range(low >> level, (high >> level) + 1)
        for (low, high), level in zip(bounds, levels, strict=True)
    ]
    if prod(each.stop - each.start for each in ranges) > len(cells):
        yield from cells.values()
        return
    for numbers in product(*ranges):
        cell = cells.get(numbers)
        if cell is not None:
            yield cell


def _meet(first: _Bounds, second: _Bounds) -> bool:
    return all(
        low <= other_high and other_low <= high
        for (low, high), (other_low, other_high) in zip(first, second, strict=True)
    )


class _Node(Generic[Item]):
    """The items at one node of a tree."""

    def __init__(self) -> None:
        self._cells: dict[object, _Cells[Item]] = {}

    def add(self, part: Part, item: Item) -> None:
        """Add an item that works on `part`."""
        frame, bounds = _locate(part)
        cells = self._cells.get(frame)
        if cells is None:
            cells = self._cells[frame] = _Cells()
        cells.add(bounds, item)

    def meeting(self, part: Part) -> Iterator[Item]:
        """The items that may work on an element of `part`."""
        frame, bounds = _locate(part)
        for other, cells in self._cells.items():
            yield from cells.meeting(bounds) if other == frame else cells.items


def _locate(part: Part) -> tuple[object, _Bounds]:
    """What a part's offsets are relative to, and its bounds relative to that."""
    frame = (part.origin, *(e.start and e.start.terms for e in part.extents))
    return frame, tuple(map(_bounds, part.extents))


def _bounds(extent: Extent) -> tuple[int, int]:
    if extent.start is None:
        return 0, _FAR
    low = extent.start.constant + _BIAS
    return low, _FAR if extent.span is None else low + max(extent.span, 1) - 1


class PartPointIndex(Generic[Item]):
    """Items at positions; finds those within an interval that may meet a part."""

    def __init__(self, width: int):
        self._width = width
        self._nodes: dict[int, _Node[Item]] = {}

    def add(self, position: int, part: Part, item: Item) -> None:
        """Add `item`, which works on `part` at `position`."""
        node = position + self._width
        while node:
            self._nodes.setdefault(node, _Node()).add(part, item)
            node >>= 1

    def within(self, low: int, high: int, part: Part) -> Iterator[Item]:
        """The items at positions `low .. high` that may work on `part`."""
        for number in cover(self._width, low, high):
            node = self._nodes.get(number)
            if node is not None:
                yield from node.meeting(part)


class PartIntervalIndex(Generic[Item]):
    """Items on intervals; finds those around a position that may meet a part."""

    def __init__(self, width: int):
        self._width = width
        self._nodes: dict[int, _Node[Item]] = {}

    def add(self, low: int, high: int, part: Part, item: Item) -> None:
        """Add `item`, which works on `part`, on the positions `low .. high`."""
        for node in cover(self._width, low, high):
            self._nodes.setdefault(node, _Node()).add(part, item)

    def containing(self, position: int, part: Part) -> Iterator[Item]:
        """The items whose interval contains `position` and that may work on `part`."""
        number = position + self._width
        while number:
            node = self._nodes.get(number)
            if node is not None:
                yield from node.meeting(part)
            number >>= 1


class UsesByPart:
    """The reads and writes of an alias set, for those that may meet another use."""

    def __init__(self, parts: Parts, ranges: ConflictRanges, width: int):
        self._parts = parts
        self._ranges = ranges
        self._reads: PartIntervalIndex[TensorUse] = PartIntervalIndex(width)
        self._writes: PartPointIndex[TensorUse] = PartPointIndex(width)

    def add_reads(self, reads: Iterable[TensorUse]) -> None:
        """Add reads."""
        for read in reads:
            part = self._parts.of_read(read)
            for low, high in self._ranges.get(read):
                self._reads.add(low, high, part, read)

    def add_writes(self, writes: Iterable[TensorUse]) -> None:
        """Add writes."""
        for write in writes:
            part = self._parts.of_write(write)
            self._writes.add(write.place.start, part, write)

    def reads_around(self, write: TensorUse) -> Iterator[TensorUse]:
        """The reads that `write` may conflict with."""
        part = self._parts.of_write(write)
        return self._reads.containing(write.place.start, part)

    def writes_before(self, read: TensorUse) -> Iterator[TensorUse]:
        """The writes that `read` may conflict with."""
        part = self._parts.of_read(read)
        for low, high in self._ranges.get(read):
            yield from self._writes.within(low, high, part)
