"""Repeats in sequences, against trying all periods."""

import random

import pytest

from xdsl_bufferization.support.algorithms.repeats import Repeat, find_repeats


def test_a_part_that_comes_again_and_again() -> None:
    elements = [ord(each) for each in "x" + "abc" * 3 + "ay"]
    assert list(find_repeats(elements, 3)) == [Repeat(1, 11, 3)]
    assert list(find_repeats(elements, 4)) == []


def test_what_is_equal_inside_of_a_part_is_no_period() -> None:
    part = [1, 2, 3, 1, 2, 4, 1, 2, 3]
    assert list(find_repeats([0, *part * 5, 7], 5)) == [Repeat(1, 46, 9)]


@pytest.mark.parametrize("seed", range(30))
def test_what_is_found_in_random_sequences_repeats(seed: int) -> None:
    """It cannot be made longer, but into the one before it."""
    rng = random.Random(seed)
    elements: list[int] = []
    for _ in range(rng.randint(1, 6)):
        part = [rng.randrange(4) for _ in range(rng.randint(1, 12))]
        elements += part * rng.randint(1, 6)
    done = 0
    for start, stop, period in find_repeats(elements, 3):
        assert stop - start >= 3 * period
        assert elements[start : stop - period] == elements[start + period : stop]
        assert start == done or elements[start - 1] != elements[start - 1 + period]
        assert stop == len(elements) or elements[stop] != elements[stop - period]
        done = stop


@pytest.mark.parametrize("seed", range(30))
def test_one_part_is_found(seed: int) -> None:
    """A part in which no two elements are equal, among others."""
    rng = random.Random(seed)
    period = rng.randint(2, 40)
    part = rng.sample(range(100), period)
    before = [rng.randrange(100, 1000) for _ in range(rng.randrange(30))]
    elements = [*before, *part * 4, 1000]
    found = Repeat(len(before), len(before) + 4 * period, period)
    assert found in list(find_repeats(elements, 4))


@pytest.mark.parametrize("length", [0, 1, 2, 3, 17])
def test_one_element_again_and_again(length: int) -> None:
    expected = [Repeat(0, length, 1)] if length >= 3 else []
    assert list(find_repeats([5] * length, 3)) == expected
