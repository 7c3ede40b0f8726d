"""Stretches of a sequence in which the same part comes again and again.

    x a b c a b c a b c a y    ->   Repeat(start=1, stop=11, period=3)

Equal windows of the sequence get equal names, and names of long windows are made of
names of short ones. How far the next window of the same name is may be the period. The
stretch then grows to both sides, element by element.

Not every repeat is found, but what is found is one. A part that comes again and again
has to have a window without an equal one in the same part, and the shortest windows
have two elements.

Source of the names: R. Karp, R. Miller and A. Rosenberg, "Rapid identification of
repeated patterns in strings, trees and arrays", STOC 1972.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_DOUBLINGS: Final = 4
"""The longest windows have two to the power of this many elements."""


class Repeat(NamedTuple):
    """A stretch from `start` to before `stop`.

    Each element is the one that is `period` further on, if that is in the stretch.
    """

    start: int
    stop: int
    period: int


def find_repeats(elements: Sequence[int], least: int) -> Iterator[Repeat]:
    """Stretches that are at least so many times as long as their period, in order.

    A stretch starts behind the one before it. Each element is looked at a few times.
    """
    done = 0
    looked_at: dict[int, int] = {}
    for position, periods in enumerate(zip(*_all_distances(elements), strict=True)):
        for period in periods:
            if period and position >= max(done, looked_at.get(period, 0)):
                start, stop = _grown(elements, position, period, done)
                looked_at[period] = stop - period + 1
                if stop - start >= least * period:
                    yield Repeat(start, stop, period)
                    done = stop


def _all_distances(elements: Sequence[int]) -> list[list[int]]:
    """The distances of windows, the longest first."""
    names, width = list(elements), 1
    distances: list[list[int]] = []
    for _ in range(_DOUBLINGS):
        known: dict[tuple[int, int], int] = {}
        names = [
            known.setdefault(pair, len(known))
            for pair in zip(names, names[width:], strict=False)
        ]
        width *= 2
        missing = len(elements) - len(names)
        distances.insert(0, _distances(names) + [0] * missing)
    return distances


def _distances(names: Sequence[int]) -> list[int]:
    """For each position how far the next equal name is; 0 if there is none."""
    following: dict[int, int] = {}
    distances = [0] * len(names)
    for position in range(len(names) - 1, -1, -1):
        name = names[position]
        distances[position] = following.get(name, position) - position
        following[name] = position
    return distances


def _grown(
    elements: Sequence[int], position: int, period: int, first: int
) -> tuple[int, int]:
    """From where to where elements around a position are equal a period further on."""
    start = position
    while start > first and elements[start - 1] == elements[start - 1 + period]:
        start -= 1
    last = len(elements) - period
    stop = position
    while stop < last and elements[stop] == elements[stop + period]:
        stop += 1
    return start, stop + period
