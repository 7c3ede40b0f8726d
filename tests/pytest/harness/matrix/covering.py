"""Choices of values that have each pair of values of two dimensions at least once.

The product of all dimensions of an op has millions of forms. Most faults depend on one
or two of them: a diagonal map under a reduction, an init that is read in a loop. So
all values are tried, and all pairs, but not all triples.

    {"a": (1, 2), "b": (1, 2), "c": (1, 2)}   ->   4 choices instead of 8

Source: D. Cohen et al., The AETG System, IEEE Transactions on Software Engineering
23(7), 1997: each choice is the best of some that are completed greedily.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import combinations, product
from random import Random
from typing import Final

Choice = dict[str, str]
Pair = tuple[tuple[str, str], tuple[str, str]]

_CANDIDATES: Final = 4
"""How many completions are compared for each choice."""


def cover_pairs(
    dimensions: Mapping[str, Sequence[str]],
    is_possible: Callable[[Choice], bool],
    seed: str,
) -> Iterator[Choice]:
    """Choices with all pairs, but those pairs that are in no possible choice.

    Each value is in one of the first choices, so that the first few choices are a
    sample of all. `is_possible` looks at complete choices. The same seed gives the
    same choices.
    """
    rng = Random(seed)
    names = list(dimensions)
    pairs = [*all_pairs(dimensions)]
    rng.shuffle(pairs)
    left = dict.fromkeys(pairs)
    seen: set[tuple[str, str]] = set()
    for start in _in_order(pairs, left, seen):
        found = _best(dimensions, names, start, left, is_possible, rng)
        if found is None:
            del left[start]
            continue
        seen.update(found.items())
        for pair in pairs_of(found, names):
            left.pop(pair, None)
        yield found


def _in_order(
    pairs: Sequence[Pair], left: Mapping[Pair, None], seen: Set[tuple[str, str]]
) -> Iterator[Pair]:
    """The pairs that are left: first some with each value that no choice has yet.

    A pair may be in no possible choice. Then another one with the same value follows.
    """
    with_value: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        for value in dict.fromkeys(pair):
            with_value.setdefault(value, []).append(pair)
    for value, several in with_value.items():
        for pair in several:
            if value in seen:
                break
            if pair in left:
                yield pair
    yield from (pair for pair in pairs if pair in left)


def all_pairs(dimensions: Mapping[str, Sequence[str]]) -> Iterator[Pair]:
    """Each pair of values of two dimensions."""
    if len(dimensions) == 1:
        ((name, values),) = dimensions.items()
        yield from (((name, value), (name, value)) for value in values)
    for one, other in combinations(dimensions, 2):
        for pair in product(dimensions[one], dimensions[other]):
            yield ((one, pair[0]), (other, pair[1]))


def pairs_of(choice: Choice, names: Sequence[str]) -> Iterator[Pair]:
    """The pairs that a choice has."""
    if len(names) == 1:
        pair = (names[0], choice[names[0]])
        yield (pair, pair)
    for one, other in combinations(names, 2):
        yield ((one, choice[one]), (other, choice[other]))


def _best(
    dimensions: Mapping[str, Sequence[str]],
    names: Sequence[str],
    start: Pair,
    left: Mapping[Pair, None],
    is_possible: Callable[[Choice], bool],
    rng: Random,
) -> Choice | None:
    """A possible choice with pair `start` and many pairs of those that are left."""
    best: Choice | None = None
    best_score = -1
    tries = 0
    # Where few choices are possible, random ones have to be tried.
    while tries < _CANDIDATES or (best is None and tries < 10 * _CANDIDATES):
        tries += 1
        choice = _complete(dimensions, names, start, left, rng, tries > _CANDIDATES)
        if not is_possible(choice):
            continue
        score = sum(pair in left for pair in pairs_of(choice, names))
        if score > best_score:
            best, best_score = choice, score
    return best


def _complete(
    dimensions: Mapping[str, Sequence[str]],
    names: Sequence[str],
    start: Pair,
    left: Mapping[Pair, None],
    rng: Random,
    at_random: bool,
) -> Choice:
    choice = dict(start)
    rest = [name for name in names if name not in choice]
    rng.shuffle(rest)
    for name in rest:
        values = list(dimensions[name])
        rng.shuffle(values)
        if at_random:
            choice[name] = values[0]
            continue
        choice[name] = max(
            values, key=lambda v, n=name: _gain(choice, n, v, names, left)
        )
    return {name: choice[name] for name in names}


def _gain(
    choice: Choice,
    name: str,
    value: str,
    names: Sequence[str],
    left: Mapping[Pair, None],
) -> int:
    at = names.index(name)
    return sum(
        (
            ((other, chosen), (name, value))
            if names.index(other) < at
            else ((name, value), (other, chosen))
        )
        in left
        for other, chosen in choice.items()
    )
