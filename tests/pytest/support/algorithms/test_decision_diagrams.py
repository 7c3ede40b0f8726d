"""Decision diagrams against tables of truth."""

import random
from collections.abc import Callable
from itertools import product

import pytest

from xdsl_bufferization.support.algorithms.decision_diagrams import (
    FALSE,
    TRUE,
    DecisionDiagrams,
    TooManyConditionsError,
)

VARIABLES = 4
CASES = list(product((False, True), repeat=VARIABLES))

Table = tuple[bool, ...]
"""By case: whether a condition holds."""


class Both:
    """A condition as a diagram and as a table."""

    def __init__(self, diagrams: DecisionDiagrams, node: int, table: Table):
        self.node, self.table = node, table
        assert tuple(holds(diagrams, node, case) for case in CASES) == table


def holds(diagrams: DecisionDiagrams, node: int, case: tuple[bool, ...]) -> bool:
    for number, value in enumerate(case):
        node = diagrams.restrict(node, number, value)
    assert node in (FALSE, TRUE)
    return node == TRUE


def random_condition(
    diagrams: DecisionDiagrams, rng: random.Random, depth: int = 3
) -> Both:
    number = rng.randrange(VARIABLES)
    table = tuple(case[number] for case in CASES)
    found = Both(diagrams, diagrams.variable(number), table)
    for _ in range(rng.randrange(3) if depth else 0):
        other = random_condition(diagrams, rng, depth - 1)
        node, rule = rng.choice(OPERATIONS)
        pairs = zip(found.table, other.table, strict=True)
        table = tuple(rule(a, b) for a, b in pairs)
        found = Both(diagrams, node(diagrams, found.node, other.node), table)
    return found


OPERATIONS: list[
    tuple[Callable[[DecisionDiagrams, int, int], int], Callable[[bool, bool], bool]]
] = [
    (DecisionDiagrams.conjoin, lambda a, b: a and b),
    (DecisionDiagrams.disjoin, lambda a, b: a or b),
    (DecisionDiagrams.equal, lambda a, b: a == b),
    (DecisionDiagrams.without, lambda a, b: a and not b),
    (lambda d, a, _: d.negate(a), lambda a, _: not a),
]


@pytest.mark.parametrize("seed", range(20))
def test_operations(seed: int) -> None:
    diagrams, rng = DecisionDiagrams(), random.Random(seed)
    first, second, third = (random_condition(diagrams, rng) for _ in range(3))
    # Equal conditions are one number.
    assert (first.node == second.node) == (first.table == second.table)
    tables = zip(first.table, second.table, third.table, strict=True)
    chosen = tuple(b if a else c for a, b, c in tables)
    Both(diagrams, diagrams.choose(first.node, second.node, third.node), chosen)
    implied = all(b or not a for a, b in zip(first.table, second.table, strict=True))
    assert diagrams.implies(first.node, second.node) == implied


@pytest.mark.parametrize("seed", range(20))
def test_variables_are_taken_away(seed: int) -> None:
    diagrams, rng = DecisionDiagrams(), random.Random(seed)
    first, second = (random_condition(diagrams, rng) for _ in range(2))
    by_case = dict(zip(CASES, first.table, strict=True))

    def with_two(case: tuple[bool, ...], value: bool) -> bool:
        return by_case[(*case[:2], value, *case[3:])]

    some = tuple(with_two(case, False) or with_two(case, True) for case in CASES)
    Both(diagrams, diagrams.exists(first.node, lambda number: number == 2), some)
    other = dict(zip(CASES, second.table, strict=True))
    put_in = tuple(with_two(case, other[case]) for case in CASES)
    Both(diagrams, diagrams.substitute(first.node, {2: second.node}), put_in)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_known_makes_smaller(seed: int) -> None:
    diagrams, rng = DecisionDiagrams(), random.Random(seed)
    first, known = (random_condition(diagrams, rng) for _ in range(2))
    smaller = diagrams.given(first.node, known.node)
    assert diagrams.conjoin(smaller, known.node) == diagrams.conjoin(
        first.node, known.node
    )


def test_what_is_known_is_left_out() -> None:
    diagrams = DecisionDiagrams()
    a, b = diagrams.variable(0), diagrams.variable(1)
    assert diagrams.given(diagrams.conjoin(a, b), b) == a
    assert diagrams.given(b, b) == TRUE


@pytest.mark.parametrize("seed", range(20))
def test_a_case_is_as_short_as_can_be(seed: int) -> None:
    diagrams, rng = DecisionDiagrams(), random.Random(seed)
    condition = random_condition(diagrams, rng)
    if condition.node == FALSE:
        with pytest.raises(ValueError, match="never holds"):
            diagrams.shortest_case(condition.node)
        return
    node = condition.node
    for number, value in diagrams.shortest_case(node).items():
        node = diagrams.restrict(node, number, value)
    assert node == TRUE


def test_there_is_a_limit() -> None:
    diagrams = DecisionDiagrams(limit=10)
    with pytest.raises(TooManyConditionsError):
        for number in range(10):
            diagrams.variable(number)


@pytest.mark.parametrize("seed", range(20))
def test_factors(seed: int) -> None:
    diagrams, rng = DecisionDiagrams(), random.Random(seed)
    condition = random_condition(diagrams, rng).node
    pairs = [
        diagrams.choose(
            diagrams.variable(n), diagrams.variable(n + 1), rng.randrange(2)
        )
        for n in range(10, 20, 2)
    ]
    together = diagrams.all_of([condition, *pairs])
    factors = diagrams.factors(together)
    assert diagrams.all_of(factors) == together
    variables = [n for each in factors for n in diagrams.variables_of(each)]
    assert len(variables) == len(set(variables))
    assert together == FALSE or len(factors) >= len(pairs)


def test_no_factors() -> None:
    diagrams = DecisionDiagrams()
    assert diagrams.factors(TRUE) == [TRUE]
    assert diagrams.factors(FALSE) == [FALSE]
