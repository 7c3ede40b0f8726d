"""What is known of boxes of elements holds for the elements themselves."""

from itertools import product

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType

from xdsl_bufferization.bufferization.interfaces.boxes import (
    Box,
    Extent,
    Linear,
    extent_of,
)

VALUE, OTHER = test.TestOp(result_types=[IndexType(), IndexType()]).results

EXTENTS = [
    (start, size, stride)
    for start, size, stride in product(range(4), range(4), range(1, 4))
]


def extent(start: int, size: int, stride: int) -> Extent:
    return extent_of(Linear(start), size, stride)


def indices(start: int, size: int, stride: int) -> set[int]:
    return {start + stride * number for number in range(size)}


@pytest.mark.parametrize("first", EXTENTS, ids=str)
def test_disjoint_extents_share_no_index(first: tuple[int, int, int]) -> None:
    for second in EXTENTS:
        if extent(*first).is_disjoint(extent(*second)):
            assert not indices(*first) & indices(*second)


def test_dense_extents_are_disjoint_wherever_they_share_no_index() -> None:
    dense = [each for each in EXTENTS if each[1] and each[2] == 1]
    for first, second in product(dense, repeat=2):
        are_apart = not indices(*first) & indices(*second)
        assert extent(*first).is_disjoint(extent(*second)) == are_apart


def test_extents_with_a_step_in_common_are_disjoint_between_its_multiples() -> None:
    even, odd = extent(0, 8, 2), extent(3, 8, 2)
    assert even.is_disjoint(odd)
    assert not even.is_disjoint(extent(4, 8, 2))


@pytest.mark.parametrize("first", EXTENTS, ids=str)
def test_all_indices_of_an_extent_inside_are_in_the_other(
    first: tuple[int, int, int],
) -> None:
    for second in EXTENTS:
        if extent(*first).is_inside(extent(*second)):
            assert indices(*first) <= indices(*second)


def test_a_dense_extent_is_inside_itself_and_larger_ones() -> None:
    assert extent(2, 2, 1).is_inside(extent(2, 2, 1))
    assert extent(2, 2, 1).is_inside(extent(1, 3, 1))
    assert not extent(2, 2, 1).is_inside(extent(3, 3, 1))


def test_nothing_is_known_without_a_start_a_size_or_a_stride() -> None:
    known = extent(0, 1, 1)
    for unknown in (
        extent_of(None, 1, 1),
        extent_of(Linear(-9), None, 1),
        extent_of(Linear(9), 1, None),
        extent_of(Linear(9), 1, -1),
        extent_of(Linear.of({VALUE: 1}), 1, 1),
    ):
        assert not known.is_disjoint(unknown)
        assert not unknown.is_disjoint(known)
        assert not unknown.is_inside(known)


def test_offsets_from_one_value_are_compared() -> None:
    first = extent_of(Linear.of({VALUE: 4}), 4, 1)
    assert first.is_disjoint(extent_of(Linear.of({VALUE: 4}, 4), 4, 1))
    assert not first.is_disjoint(extent_of(Linear.of({VALUE: 4}, 3), 4, 1))
    assert not first.is_disjoint(extent_of(Linear.of({VALUE: 5}, 4), 4, 1))
    assert not first.is_disjoint(extent_of(Linear.of({OTHER: 4}, 4), 4, 1))


def test_what_cancels_is_no_longer_there() -> None:
    there = Linear.of({VALUE: 2, OTHER: 1}, 3)
    assert there.plus(Linear.of({VALUE: -2}, 1)) == Linear.of({OTHER: 1}, 4)
    assert there.times(0) == Linear(0)
    assert there.times(-2) == Linear.of({VALUE: -4, OTHER: -2}, -6)


def test_boxes_are_disjoint_where_one_known_dimension_is() -> None:
    unknown = Linear.of({VALUE: 1})
    first = Box((unknown, Linear(0)), (4, 2), (1, 1))
    assert first.is_disjoint(Box((Linear(0), Linear(2)), (4, 2), (1, 1)))
    assert not first.is_disjoint(Box((Linear(0), Linear(1)), (4, 2), (1, 1)))
    # Not where all that is known hinges on a value: it may be another by then.
    later = Box((unknown.plus(Linear(4)), Linear(0)), (4, 2), (1, 1))
    assert not first.is_disjoint(later)
