"""Where each buffer goes in one arena, given the live range of each buffer.

    live ranges  0..4, 2..6, 4..8      sizes  64, 64, 64
    best fit                         offsets   0, 64, 0
    trivial                          offsets   0, 64, 128

Two buffers may share memory if their live ranges do not overlap. Best fit goes through
the live ranges in the order of their starts. Each buffer gets the smallest gap that it
fits into, and the lowest of equal gaps. Gaps that meet become one gap. Trivial packing
shares nothing.

A live range may have holes, in which the memory of its buffer is idle. A buffer whose
live range is inside of a hole may be a guest there, and needs no memory of its own:

    live ranges  0..9 with the hole 3..7, and 4..6     sizes  64, 32     offsets  0, 0

The guests of a hole are packed by themselves, and those that do not fit get memory as
the others do. Guests do not overlap with their host, and the hole is theirs alone. So
no memory has two buffers at a time.

Cost: O(n log n) in the live ranges and holes. Best fit is the method of allocators in
D. Knuth, "The Art of Computer Programming", section 2.5. Holes are those of C. Wimmer
and H. Mössenböck, "Optimized Interval Splitting in a Linear Scan Register Allocator"
(VEE 2005).
"""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from .sorted_items import SortedItems


class LiveRange(NamedTuple):
    """The live range of a buffer, from `start` up to, but not including, `end`."""

    start: int
    end: int
    size: int
    holes: tuple[tuple[int, int], ...] = ()
    """In these parts, each from a start to before an end, nobody needs the memory. The
    live range starts before its first hole.
    """


_HOLES_TRIED = 4
"""So many of the holes around a live range, from the last to start, may be its host."""


class Packing(NamedTuple):
    """Where each buffer is, in the order in which they were given."""

    offsets: tuple[int, ...]
    size: int
    """The size of the arena."""


def pack_trivial(ranges: Sequence[LiveRange]) -> Packing:
    """Memory of its own for each buffer."""
    offsets: list[int] = []
    size = 0
    for range_ in ranges:
        offsets.append(size)
        size += range_.size
    return Packing(tuple(offsets), size)


def pack_best_fit(ranges: Sequence[LiveRange]) -> Packing:
    """Each buffer in the smallest gap that it fits into, or in a hole of another."""
    offsets, size = _best_fit(ranges, range(len(ranges)))
    guests = _guests(ranges)
    if guests:
        others = [number for number in range(len(ranges)) if number not in guests]
        smaller, less = _best_fit(ranges, others)
        # Fewer buffers do not always need less, as best fit is a heuristic.
        if less < size:
            # A host starts before its guests, so that its offset is known.
            for number in sorted(guests, key=lambda n: ranges[n].start):
                host, offset = guests[number]
                smaller[number] = smaller[host] + offset
            offsets, size = smaller, less
    return Packing(tuple(offsets[number] for number in range(len(ranges))), size)


def _best_fit(
    ranges: Sequence[LiveRange], numbers: Iterable[int]
) -> tuple[dict[int, int], int]:
    """The offsets of some buffers, and how much memory they need together."""
    offsets: dict[int, int] = {}
    gaps = _Gaps()
    ending: list[tuple[int, int]] = []
    for number in sorted(numbers, key=lambda n: ranges[n][:2]):
        range_ = ranges[number]
        while ending and ending[0][0] <= range_.start:
            _, ended = heappop(ending)
            gaps.free(offsets[ended], ranges[ended].size)
        offsets[number] = gaps.take(range_.size)
        heappush(ending, (range_.end, number))
    return offsets, gaps.top


def _guests(ranges: Sequence[LiveRange]) -> dict[int, tuple[int, int]]:
    """The buffers that fit into a hole: in which buffer, and at which offset of it."""
    found: dict[int, tuple[int, int]] = {}
    for (_, _, host), wanted in _wanted_holes(ranges).items():
        offsets, _ = _best_fit(ranges, wanted)
        for number, offset in offsets.items():
            if offset + ranges[number].size <= ranges[host].size:
                found[number] = host, offset
    return found


_Hole = tuple[int, int, int]
"""Start, end, and the number of the buffer."""


def _wanted_holes(ranges: Sequence[LiveRange]) -> dict[_Hole, list[int]]:
    """For each hole the buffers that are live inside of it, and nowhere else."""
    wanted: dict[_Hole, list[int]] = {}
    holes = sorted(
        (start, end, number)
        for number, range_ in enumerate(ranges)
        for start, end in range_.holes
    )
    if not holes:
        return wanted
    open_: list[_Hole] = []
    following = iter(holes)
    hole = next(following, None)
    for number in sorted(range(len(ranges)), key=lambda n: ranges[n][:2]):
        range_ = ranges[number]
        while hole is not None and hole[0] <= range_.start:
            open_.append(hole)
            hole = next(following, None)
        while open_ and open_[-1][1] <= range_.start:
            open_.pop()
        for around in reversed(open_[-_HOLES_TRIED:]):
            _, end, host = around
            if range_.end <= end and range_.size <= ranges[host].size:
                wanted.setdefault(around, []).append(number)
                break
    return wanted


class _Gaps:
    """The free parts of an arena that grows when nothing fits."""

    def __init__(self) -> None:
        self.top = 0
        self._by_size = SortedItems()
        """Size and offset of each gap."""

        self._size_at: dict[int, int] = {}
        self._start_of: dict[int, int] = {}
        """The offset of the gap that ends at an offset."""

    def take(self, size: int) -> int:
        """The offset of free memory of `size`."""
        if size == 0:
            return 0
        if (gap := self._by_size.first_from((size, 0))) is not None:
            found, offset = gap
            self._remove(offset)
            if found > size:
                self._add(offset + size, found - size)
            return offset
        offset = self._start_of.get(self.top, self.top)
        if offset < self.top:
            self._remove(offset)
        self.top = offset + size
        return offset

    def free(self, offset: int, size: int) -> None:
        """Make memory a gap, together with the gaps next to it."""
        if size == 0:
            return
        end = offset + size
        if (before := self._start_of.get(offset)) is not None:
            self._remove(before)
            offset = before
        if (after := self._size_at.get(end)) is not None:
            self._remove(end)
            end += after
        self._add(offset, end - offset)

    def _add(self, offset: int, size: int) -> None:
        self._by_size.add((size, offset))
        self._size_at[offset] = size
        self._start_of[offset + size] = offset

    def _remove(self, offset: int) -> None:
        size = self._size_at.pop(offset)
        del self._start_of[offset + size]
        self._by_size.remove((size, offset))
