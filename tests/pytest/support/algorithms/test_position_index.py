"""The trees of positions and intervals answer as lists would."""

import random

import pytest

from xdsl_bufferization.support.algorithms.position_index import (
    IntervalIndex,
    PointIndex,
    tree_width,
)

SIZE = 40
GROUPS = (None, None, "a", "b")


@pytest.mark.parametrize("seed", range(20))
def test_points_within_an_interval(seed: int) -> None:
    choose = random.Random(seed)
    index: PointIndex[int] = PointIndex(tree_width(SIZE))
    items: list[tuple[int, str | None]] = []
    for number in range(30):
        position, group = choose.randrange(SIZE), choose.choice(GROUPS)
        index.add(position, number, group)
        items.append((position, group))
        low, high = sorted(choose.choices(range(SIZE), k=2))
        left_out = choose.choice(GROUPS)
        assert sorted(index.within(low, high, left_out)) == [
            number
            for number, (position, group) in enumerate(items)
            if low <= position <= high and (left_out is None or group != left_out)
        ]


@pytest.mark.parametrize("seed", range(20))
def test_points_without_those_of_some_numbers(seed: int) -> None:
    choose = random.Random(seed)
    index: PointIndex[int] = PointIndex(tree_width(SIZE))
    items: list[tuple[int, int]] = []
    for item in range(30):
        position, number = choose.randrange(SIZE), choose.randrange(-1, 10)
        index.add(position, item, None, number)
        items.append((position, number))
        low, high = sorted(choose.choices(range(SIZE), k=2))
        first, last = choose.randrange(10), choose.randrange(10)
        assert sorted(index.within(low, high, None, (first, last))) == [
            item
            for item, (position, number) in enumerate(items)
            if low <= position <= high and not first <= number <= last
        ]


@pytest.mark.parametrize("seed", range(20))
def test_intervals_around_a_position(seed: int) -> None:
    choose = random.Random(seed)
    index: IntervalIndex[int] = IntervalIndex(tree_width(SIZE))
    items: list[tuple[int, int, str | None]] = []
    for number in range(30):
        low, high = sorted(choose.choices(range(SIZE), k=2))
        group = choose.choice(GROUPS)
        index.add(low, high, number, group)
        items.append((low, high, group))
        position, left_out = choose.randrange(SIZE), choose.choice(GROUPS)
        assert sorted(index.containing(position, left_out)) == [
            number
            for number, (low, high, group) in enumerate(items)
            if low <= position <= high and (left_out is None or group != left_out)
        ]
