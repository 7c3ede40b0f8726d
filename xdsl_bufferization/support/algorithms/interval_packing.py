"""Where each buffer goes in one arena, given the live range of each buffer.

    live ranges  0..4, 2..6, 4..8      sizes  64, 64, 64
    best fit                         offsets   0, 64, 0
    trivial                          offsets   0, 64, 128

Two buffers may share memory if their live ranges do not overlap. Best fit goes through
the live ranges in the order of their starts. Each buffer gets the smallest gap that it
fits into, and the lowest of equal gaps. Gaps that meet become one gap. Trivial packing
shares nothing.

Cost: O(n log n). Source: best fit is the method of allocators in D. Knuth, "The Art of
Computer Programming", section 2.5.
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from .sorted_items import SortedItems


class LiveRange(NamedTuple):
    """The live range of a buffer, from `start` up to, but not including, `end`."""

    start: int
    end: int
    size: int


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
    """Each buffer in the smallest gap that it fits into."""
    offsets = [0] * len(ranges)
    gaps = _Gaps()
    ending: list[tuple[int, int]] = []
    for number in sorted(range(len(ranges)), key=lambda n: ranges[n][:2]):
        range_ = ranges[number]
        while ending and ending[0][0] <= range_.start:
            _, ended = heappop(ending)
            gaps.free(offsets[ended], ranges[ended].size)
        offsets[number] = gaps.take(range_.size)
        heappush(ending, (range_.end, number))
    return Packing(tuple(offsets), gaps.top)


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
