"""A sorted collection in which items are quickly found, added and removed.

    items = SortedItems()
    items.add((64, 0))
    items.add((16, 128))
    items.first_from((32, 0))    # (64, 0)

To add to one sorted list moves all items that come after. Here the items are in many
short lists, one after the other, and a list of the last item of each says which is
which.
"""

from bisect import bisect_left, insort

Item = tuple[int, int]

_LONGEST = 512
"""How many items are in one list at the most."""


class SortedItems:
    """Pairs of numbers, each there once."""

    def __init__(self) -> None:
        self._lists: list[list[Item]] = []
        self._last: list[Item] = []

    def add(self, item: Item) -> None:
        """Add an item that is not there yet."""
        if not self._lists:
            self._lists.append([item])
            self._last.append(item)
            return
        index = min(bisect_left(self._last, item), len(self._last) - 1)
        items = self._lists[index]
        insort(items, item)
        self._last[index] = items[-1]
        if len(items) > _LONGEST:
            middle = len(items) // 2
            self._lists[index : index + 1] = [items[:middle], items[middle:]]
            self._last[index : index + 1] = [items[middle - 1], items[-1]]

    def remove(self, item: Item) -> None:
        """Remove an item that is there."""
        index = bisect_left(self._last, item)
        items = self._lists[index]
        del items[bisect_left(items, item)]
        if items:
            self._last[index] = items[-1]
        else:
            del self._lists[index], self._last[index]

    def first_from(self, item: Item) -> Item | None:
        """The smallest item that is not smaller than another one."""
        index = bisect_left(self._last, item)
        if index == len(self._last):
            return None
        items = self._lists[index]
        return items[bisect_left(items, item)]
