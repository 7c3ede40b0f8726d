"""Disjoint sets: which items belong together, after many pairs have been united.

The smaller set joins the larger one. A search for the representative of an item makes
the next search shorter.

Source: R. E. Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", Journal
of the ACM 22, 1975.
"""

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)


class DisjointSets(Generic[Item]):
    """A partition of items; at first every item is on its own."""

    def __init__(self) -> None:
        self._parents: dict[Item, Item] = {}
        self._sizes: dict[Item, int] = {}
        """Of the sets with more than one item, by representative."""

    def find(self, item: Item) -> Item:
        """The item that stands for the set of `item`, until this joins another."""
        parents = self._parents
        while (parent := parents.get(item)) is not None:
            above = parents.get(parent)
            if above is None:
                return parent
            parents[item] = above
            item = above
        return item

    def unite(self, first: Item, second: Item) -> None:
        """Make one set of the sets of both."""
        first, second = self.find(first), self.find(second)
        if first == second:
            return
        sizes = self._sizes
        size, other_size = sizes.get(first, 1), sizes.get(second, 1)
        if size < other_size:
            first, second = second, first
        self._parents[second] = first
        sizes[first] = size + other_size

    def groups(self, items: Iterable[Item]) -> list[list[Item]]:
        """Those of `items` that are in one set together, in order."""
        groups: dict[Item, list[Item]] = {}
        for item in items:
            groups.setdefault(self.find(item), []).append(item)
        return list(groups.values())
