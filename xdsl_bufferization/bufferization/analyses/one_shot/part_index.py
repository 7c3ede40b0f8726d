"""Reads and writes, found by position in the program and by the part of the tensor.

    %1 = tensor.insert_slice %a into %0[0] [4] [1]     // the part 0 .. 3
    %2 = tensor.insert_slice %b into %1[4] [4] [1]     // the part 4 .. 7: apart

In a long chain of uses of disjoint parts, asking about each pair would be quadratic. So
the uses of equal parts are kept together, at each node of the trees of
`position_index`. Their parts are kept in cells. A cell is the smallest box around the
part whose corners are at powers of two. A search for all parts that meet a given part
looks into the cells that meet it, and asks once for each part there.

Cost: a search looks at the cells that meet the part. Parts in these cells that turn out
not to matter are passed over `_BUDGET` times. Beyond that, uses count as meeting, so
that the cost stays near-linear.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from xdsl_bufferization.support.algorithms.position_index import cover

from ...interfaces.boxes import Extent
from ..tensor_facts.tensor_uses import TensorUse
from .conflict_ranges import ConflictRanges
from .parts import Part, Parts, ReadPart

Bounds = tuple[tuple[int, int], ...]
"""First and last index, in each dimension."""

Frame = Hashable
"""The origin of a part, and for each dimension the values that the offset hinges on."""

_FAR = 1 << 62
"""Higher than any index."""

_BIAS = 1 << 40
"""Added to offsets: none is negative after that, though they may be relative."""

_SMALL = 4
"""Up to so many parts are looked through one by one."""

_BUDGET = 256
"""How many parts that meet a cell, but do not matter, a search passes over.

Each part costs a test: for instance writes of different parts of a tensor that an
insertion overwrites, or parts with different steps. Beyond that number, uses count as
meeting. The price may be a copy, which MLIR makes as well; the cost stays near-linear.
"""


@dataclass(eq=False, slots=True)
class UsesOfPart:
    """A part that some uses have in common, and where cells keep it."""

    read: ReadPart
    """What is read, or what is written, as if it were read."""

    frame: int
    """Stands for what the offsets are relative to."""

    bounds: Bounds
    """Where the part is, relative to the frame."""


class Cells:
    """Parts in one frame."""

    def __init__(self) -> None:
        self.parts: list[UsesOfPart] = []
        self._by_level: dict[
            tuple[int, ...], dict[tuple[int, ...], list[UsesOfPart]]
        ] = {}

    def add(self, part: UsesOfPart) -> None:
        """Add a part."""
        self.parts.append(part)
        bounds = part.bounds
        levels = tuple((low ^ high).bit_length() for low, high in bounds)
        cell = tuple(
            low >> level for (low, _), level in zip(bounds, levels, strict=True)
        )
        cells = self._by_level.setdefault(levels, {})
        cells.setdefault(cell, []).append(part)

    def meeting(self, bounds: Bounds) -> Iterator[UsesOfPart]:
        """The parts that may have an element within the bounds."""
        for levels, cells in self._by_level.items():
            for cell in _cells_around(bounds, levels, cells):
                for part in cell:
                    if _meet(bounds, part.bounds):
                        yield part


def _cells_around(
    bounds: Bounds,
    levels: tuple[int, ...],
    cells: dict[tuple[int, ...], list[UsesOfPart]],
) -> Iterator[list[UsesOfPart]]:
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


def _meet(first: Bounds, second: Bounds) -> bool:
    return all(
        low <= other_high and other_low <= high
        for (low, high), (other_low, other_high) in zip(first, second, strict=True)
    )


class _Node:
    """The uses at one node of a tree."""

    __slots__ = ("_cells", "uses")

    def __init__(self, uses: dict[UsesOfPart, list[TensorUse]]):
        self.uses = uses
        self._cells: dict[int, Cells] | None = None
        """By frame, once there are many parts: most nodes have one or two."""

    def add(self, part: UsesOfPart, use: TensorUse) -> None:
        """Add the first use that works on `part`."""
        self.uses[part] = [use]
        if self._cells is not None:
            self._add_to(self._cells, part)
        elif len(self.uses) > _SMALL:
            self._cells = {}
            for each in self.uses:
                self._add_to(self._cells, each)

    @staticmethod
    def _add_to(cells: dict[int, Cells], part: UsesOfPart) -> None:
        if part.frame not in cells:
            cells[part.frame] = Cells()
        cells[part.frame].add(part)

    def meeting(self, part: UsesOfPart) -> Iterator[UsesOfPart]:
        """The parts here that may have an element in common with `part`."""
        if self._cells is None:
            for other in self.uses:
                if other.frame != part.frame or _meet(other.bounds, part.bounds):
                    yield other
            return
        for frame, cells in self._cells.items():
            if frame == part.frame:
                yield from cells.meeting(part.bounds)
            else:
                yield from cells.parts


class LocatedParts:
    """The parts that uses work on; equal parts are one object."""

    def __init__(self, parts: Parts):
        self._parts = parts
        self._reads: dict[TensorUse, UsesOfPart] = {}
        self._writes: dict[TensorUse, UsesOfPart] = {}
        self._known: dict[ReadPart, UsesOfPart] = {}
        self._frames: dict[Frame, int] = {}
        self._apart: dict[tuple[UsesOfPart, UsesOfPart], bool] = {}

    def of_read(self, read: TensorUse) -> UsesOfPart:
        """What a read reads."""
        part = self._reads.get(read)
        if part is None:
            part = self._reads[read] = self._find(self._parts.of_read(read))
        return part

    def of_write(self, write: TensorUse) -> UsesOfPart:
        """What a write writes."""
        part = self._writes.get(write)
        if part is None:
            part = self._find(ReadPart(self._parts.of_write(write)))
            self._writes[write] = part
        return part

    def are_apart(self, read: UsesOfPart, write: UsesOfPart) -> bool:
        """Whether a write certainly does not change what is read."""
        answer = self._apart.get((read, write))
        if answer is None:
            answer = self._apart[read, write] = read.read.misses(write.read.part)
        return answer

    def _find(self, read: ReadPart) -> UsesOfPart:
        found = self._known.get(read)
        if found is None:
            frame, bounds = locate(read.part)
            number = self._frames.setdefault(frame, len(self._frames))
            found = self._known[read] = UsesOfPart(read, number, bounds)
        return found


class UsesByPart:
    """The reads and writes of an alias set, for those that may meet another use."""

    def __init__(self, parts: LocatedParts, ranges: ConflictRanges):
        self._parts = parts
        self._ranges = ranges
        self._width = ranges.width
        self._reads: dict[int, _Node] = {}
        self._writes: dict[int, _Node] = {}
        self._new_writes: list[TensorUse] = []
        """The writes that are not among `_writes` yet: often nobody looks for any."""

    def add_reads(self, reads: Iterable[TensorUse]) -> None:
        """Add reads, each wherever a write would spoil it."""
        for read in reads:
            part = self._parts.of_read(read)
            for low, high in self._ranges.get(read):
                _add(self._reads, cover(self._width, low, high), part, read)

    def add_writes(self, writes: Iterable[TensorUse]) -> None:
        """Add writes, each where it is."""
        self._new_writes += writes

    def reads_around(self, write: TensorUse) -> Iterator[TensorUse]:
        """The reads that `write` may conflict with."""
        part, are_apart = self._parts.of_write(write), self._parts.are_apart
        numbers = self._nodes_above(write)
        nodes = [self._reads[number] for number in numbers if number in self._reads]
        return _uses_meeting(nodes, part, lambda read: are_apart(read, part))

    def writes_before(self, read: TensorUse) -> Iterator[TensorUse]:
        """The writes that `read` may conflict with."""
        for write in self._new_writes:
            written = self._parts.of_write(write)
            _add(self._writes, self._nodes_above(write), written, write)
        self._new_writes.clear()
        part, are_apart = self._parts.of_read(read), self._parts.are_apart
        nodes = [
            self._writes[number]
            for low, high in self._ranges.get(read)
            for number in cover(self._width, low, high)
            if number in self._writes
        ]
        return _uses_meeting(nodes, part, lambda write: are_apart(part, write))

    def _nodes_above(self, write: TensorUse) -> list[int]:
        """The nodes of the tree that the position of a write is below of."""
        number = write.point.start + self._width
        nodes: list[int] = []
        while number:
            nodes.append(number)
            number >>= 1
        return nodes


def _add(
    nodes: dict[int, _Node], numbers: Iterable[int], part: UsesOfPart, use: TensorUse
) -> None:
    """Add a use that works on `part` at some nodes."""
    for number in numbers:
        if number not in nodes:
            nodes[number] = _Node({part: [use]})
        elif part in (uses := nodes[number].uses):
            uses[part].append(use)
        else:
            nodes[number].add(part, use)


def _uses_meeting(
    nodes: Sequence[_Node], part: UsesOfPart, is_apart: Callable[[UsesOfPart], bool]
) -> Iterator[TensorUse]:
    """The uses at some nodes that may work on an element of `part`."""
    budget = _BUDGET
    for node in nodes:
        for other in node.meeting(part):
            if budget and is_apart(other):
                budget -= 1
            else:
                yield from node.uses[other]


def locate(part: Part) -> tuple[Frame, Bounds]:
    """What the offsets of a part are relative to, and its bounds relative to that."""
    frame = (part.origin, *(e.start and e.start.terms for e in part.extents))
    return frame, tuple(map(_bounds, part.extents))


def _bounds(extent: Extent) -> tuple[int, int]:
    if extent.start is None:
        return 0, _FAR
    low = extent.start.constant + _BIAS
    return low, _FAR if extent.span is None else low + max(extent.span, 1) - 1
