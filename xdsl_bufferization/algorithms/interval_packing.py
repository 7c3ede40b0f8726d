"""Offsets in one arena for buffers of which it is known when they live.

Two buffers may share memory if their lives do not overlap.

    lives  0..4, 2..6, 4..8      sizes  64, 64, 128
    best-fit                     offsets  0, 64, ...
    trivial                      offsets  0, 64, 128

Best fit goes through the lives in order of their starts, and gives each buffer the
smallest gap that it fits into, the lowest of equal ones; gaps that meet become one. It
is the method of allocators: D. Knuth, "The Art of Computer Programming", 2.5. Cost:
O(n log n).
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from xdsl_bufferization.algorithms.sorted_items import SortedItems


class Life(NamedTuple):
    """When a buffer lives, from `start` up to, but not including, `end`."""

    start: int
    end: int
    size: int


class Packing(NamedTuple):
    """Where each buffer is, in the order in which they were given."""

    offsets: tuple[int, ...]
    size: int
    """The size of the arena."""


def pack_trivial(lives: Sequence[Life]) -> Packing:
    """Memory of its own for each buffer."""
    offsets: list[int] = []
    size = 0
    for life in lives:
        offsets.append(size)
        size += life.size
    return Packing(tuple(offsets), size)


def pack_best_fit(lives: Sequence[Life]) -> Packing:
    """Each buffer in the smallest gap that it fits into."""
    offsets = [0] * len(lives)
    gaps = _Gaps()
    ending: list[tuple[int, int]] = []
    for number in sorted(range(len(lives)), key=lambda n: lives[n][:2]):
        life = lives[number]
        while ending and ending[0][0] <= life.start:
            _, ended = heappop(ending)
            gaps.free(offsets[ended], lives[ended].size)
        offsets[number] = gaps.take(life.size)
        heappush(ending, (life.end, number))
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
