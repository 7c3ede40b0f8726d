"""A list of numbers of which intervals are raised, and the largest is looked up.

    numbers = RangeMax([3, 1, 2])
    numbers.add(1, 3, 5)    # 3, 6, 7
    numbers.max(0, 2)       # 6

The structure is known as a segment tree: the amount by which an interval is raised is
kept at the fewest nodes that cover the interval. Cost: O(log n) for each call.
"""

from collections.abc import Sequence

_LOWEST = -(1 << 62)


class RangeMax:
    """Numbers that change by intervals."""

    def __init__(self, numbers: Sequence[int]):
        self._count = max(len(numbers), 1)
        self._largest = [_LOWEST] * self._count + list(numbers or (0,))
        self._added = [0] * self._count
        for node in range(self._count - 1, 0, -1):
            self._largest[node] = max(self._largest[2 * node : 2 * node + 2])

    def add(self, start: int, end: int, number: int) -> None:
        """Add to all numbers from `start` up to, but not including, `end`."""
        if start >= end:
            return
        for node in self._cover(start, end):
            self._largest[node] += number
            if node < self._count:
                self._added[node] += number
        for node in (start + self._count, end - 1 + self._count):
            self._update_above(node)

    def max(self, start: int, end: int) -> int:
        """The largest number from `start` up to, but not including, `end`."""
        largest = _LOWEST
        for node in self._cover(start, end):
            largest = max(largest, self._largest[node] + self._added_above(node))
        return largest

    def _cover(self, start: int, end: int) -> list[int]:
        """The fewest nodes that have exactly the interval below them."""
        nodes: list[int] = []
        start += self._count
        end += self._count
        while start < end:
            if start & 1:
                nodes.append(start)
                start += 1
            if end & 1:
                end -= 1
                nodes.append(end)
            start >>= 1
            end >>= 1
        return nodes

    def _added_above(self, node: int) -> int:
        total = 0
        while node > 1:
            node >>= 1
            total += self._added[node]
        return total

    def _update_above(self, node: int) -> None:
        largest = self._largest
        while node > 1:
            node >>= 1
            below = max(largest[2 * node], largest[2 * node + 1])
            largest[node] = below + self._added[node]
