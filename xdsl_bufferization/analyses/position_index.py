"""Sets of positions and of intervals that answer in logarithmic time.

Both are segment trees over `0 .. size - 1` of which only the nodes in use exist: node 1
spans everything, the children of node n are 2n and 2n + 1.
"""

from collections.abc import Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")


def tree_width(size: int) -> int:
    """The number of leaves of a tree for positions below `size`."""
    return 1 << max(size - 1, 1).bit_length()


def cover(width: int, low: int, high: int) -> Iterator[int]:
    """The largest nodes that together span `low .. high`."""
    left, right = low + width, high + width + 1
    while left < right:
        if left & 1:
            yield left
            left += 1
        if right & 1:
            right -= 1
            yield right
        left >>= 1
        right >>= 1


class PointIndex(Generic[Item]):
    """Items at positions; finds those within an interval."""

    def __init__(self, width: int):
        self._width = width
        self._items: dict[int, list[Item]] = {}
        self._nodes: set[int] = set()

    def add(self, position: int, item: Item) -> None:
        """Add `item` at `position`."""
        node = position + self._width
        self._items.setdefault(node, []).append(item)
        while node and node not in self._nodes:
            self._nodes.add(node)
            node >>= 1

    def within(self, low: int, high: int) -> Iterator[Item]:
        """The items at positions `low .. high`."""
        for node in cover(self._width, low, high):
            if node in self._nodes:
                yield from self._below(node)

    def _below(self, root: int) -> Iterator[Item]:
        todo = [root]
        while todo:
            node = todo.pop()
            if node >= self._width:
                yield from self._items[node]
                continue
            todo.extend(
                child for child in (2 * node + 1, 2 * node) if child in self._nodes
            )


class IntervalIndex(Generic[Item]):
    """Items on intervals; finds those whose interval contains a position."""

    def __init__(self, width: int):
        self._width = width
        self._items: dict[int, list[Item]] = {}

    def add(self, low: int, high: int, item: Item) -> None:
        """Add `item` on the positions `low .. high`."""
        for node in cover(self._width, low, high):
            self._items.setdefault(node, []).append(item)

    def containing(self, position: int) -> Iterator[Item]:
        """The items whose interval contains `position`."""
        items_at = self._items
        node = position + self._width
        while node:
            if node in items_at:
                yield from items_at[node]
            node >>= 1
