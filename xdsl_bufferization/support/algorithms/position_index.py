"""Sets of positions and of intervals that answer in logarithmic time.

    positions 3, 7         is there one in 4 .. 8?       yes: 7
    intervals 0..4, 2..9   which of them hold 3?         both

Both are segment trees over `0 .. size - 1`, of which only the nodes in use exist. Node
1 spans everything. The children of node n are 2n and 2n + 1.
"""

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")

_SEVERAL = object()
"""Stands for items of several groups."""


def tree_width(size: int) -> int:
    """The number of leaves of a tree for positions below `size`."""
    return 1 << max(size - 1, 1).bit_length()


def cover(width: int, low: int, high: int) -> list[int]:
    """The largest nodes that together span `low .. high`."""
    nodes: list[int] = []
    left, right = low + width, high + width + 1
    while left < right:
        if left & 1:
            nodes.append(left)
            left += 1
        if right & 1:
            right -= 1
            nodes.append(right)
        left >>= 1
        right >>= 1
    return nodes


class PointIndex(Generic[Item]):
    """Items at positions; finds those within an interval.

    Items may belong to a group, which can be left out: each node knows the group of all
    that is below it, if that is one. Items may have a number as well. Those whose
    numbers are in a range can be left out: each node knows the numbers of all that is
    below it. Items without a number have a negative one.
    """

    def __init__(self, width: int):
        self._width = width
        self._items: dict[int, list[tuple[Hashable, int, Item]]] = {}
        self._groups: dict[int, Hashable] = {}
        self._numbers: dict[int, tuple[int, int]] = {}

    def add(
        self, position: int, item: Item, group: Hashable = None, number: int = -1
    ) -> None:
        """Add `item` at `position`."""
        node = position + self._width
        self._items.setdefault(node, []).append((group, number, item))
        self._add_group(node, group)
        self._add_number(node, number)

    def _add_number(self, node: int, number: int) -> None:
        numbers = self._numbers
        while node:
            least, most = numbers.get(node, (number, number))
            if node in numbers and least <= number <= most:
                break
            numbers[node] = min(least, number), max(most, number)
            node >>= 1

    def _add_group(self, node: int, group: Hashable) -> None:
        groups = self._groups
        while node:
            if node not in groups:
                groups[node] = group
            elif groups[node] is _SEVERAL or groups[node] == group:
                break
            else:
                groups[node] = _SEVERAL
            node >>= 1

    def within(
        self,
        low: int,
        high: int,
        group: Hashable = None,
        numbers: tuple[int, int] = (0, -1),
    ) -> Iterator[Item]:
        """The items at positions `low .. high`.

        Without those of `group`, and without those that have one of `numbers`, given as
        the first and the last.
        """
        for node in cover(self._width, low, high):
            if node in self._groups:
                yield from self._below(node, group, numbers)

    def _below(
        self, root: int, group: Hashable, numbers: tuple[int, int]
    ) -> Iterator[Item]:
        first, last = numbers
        todo = [root]
        while todo:
            node = todo.pop()
            if group is not None and self._groups[node] == group:
                continue
            least, most = self._numbers[node]
            if first <= least and most <= last:
                continue
            if node >= self._width:
                for of, number, item in self._items[node]:
                    if (group is None or of != group) and not first <= number <= last:
                        yield item
                continue
            todo.extend(
                child for child in (2 * node + 1, 2 * node) if child in self._groups
            )


class IntervalIndex(Generic[Item]):
    """Items on intervals; finds those whose interval contains a position.

    Items may belong to a group, which can be left out.
    """

    def __init__(self, width: int):
        self._width = width
        self._items: dict[int, list[Item]] = {}
        self._of_groups: dict[int, dict[Hashable, list[Item]]] = {}

    def add(self, low: int, high: int, item: Item, group: Hashable = None) -> None:
        """Add `item` on the positions `low .. high`."""
        for node in cover(self._width, low, high):
            if group is None:
                self._items.setdefault(node, []).append(item)
            else:
                of_groups = self._of_groups.setdefault(node, {})
                of_groups.setdefault(group, []).append(item)

    def containing(self, position: int, group: Hashable = None) -> Iterator[Item]:
        """The items whose interval contains `position`, without those of `group`."""
        items_at, of_groups = self._items, self._of_groups
        node = position + self._width
        while node:
            if node in items_at:
                yield from items_at[node]
            if node in of_groups:
                for other, items in of_groups[node].items():
                    if other != group:
                        yield from items
            node >>= 1
