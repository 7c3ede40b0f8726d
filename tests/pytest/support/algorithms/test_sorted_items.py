"""Sorted items are as a list that is sorted again and again."""

import random
from bisect import bisect_left

from xdsl_bufferization.support.algorithms.sorted_items import SortedItems


def test_finds_the_first_item_whatever_was_added_and_removed() -> None:
    rng = random.Random(0)
    items, expected = SortedItems(), list[tuple[int, int]]()
    for step in range(6000):
        item = rng.randrange(3000), rng.randrange(2)
        if item in expected:
            items.remove(item)
            expected.remove(item)
        elif step < 4000 or not expected:
            items.add(item)
            expected.append(item)
            expected.sort()
        else:
            items.remove(expected.pop(rng.randrange(len(expected))))
        place = rng.randrange(3100), 0
        index = bisect_left(expected, place)
        found = expected[index] if index < len(expected) else None
        assert items.first_from(place) == found


def test_is_empty_after_all_is_removed() -> None:
    items = SortedItems()
    for number in range(2000):
        items.add((number, 0))
    for number in range(2000):
        items.remove((number, 0))
    assert items.first_from((0, 0)) is None
