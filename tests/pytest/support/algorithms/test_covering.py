"""The cheapest choice that follows all rules, and bounds below it."""

import random
from itertools import product
from time import perf_counter

import pytest

from xdsl_bufferization.support.algorithms.covering import Covering, Rule


def cover(*items: int) -> Rule:
    return Rule(tuple((item, 1) for item in items), 1)


def later() -> float:
    return perf_counter() + 20


def test_one_item_for_two_rules_is_cheaper_than_one_each() -> None:
    covering = Covering([3.0, 4.0, 3.0])
    covering.add(cover(0, 1))
    covering.add(cover(1, 2))
    choice = covering.choose(later(), wholly=True)
    assert choice is not None
    assert [round(choice.amounts[item]) for item in range(3)] == [0, 1, 0]
    assert choice.bound == pytest.approx(4)
    assert choice.is_whole


def test_a_rule_counts_once() -> None:
    covering = Covering([1.0, 1.0])
    assert covering.add(cover(0, 1))
    assert not covering.add(cover(0, 1))


def test_rules_that_share_no_item_are_solved_apart() -> None:
    covering = Covering([2.0, 5.0, 1.0, 7.0])
    covering.add(cover(0, 1))
    covering.add(cover(2, 3))
    choice = covering.choose(later(), wholly=False)
    assert choice is not None
    assert choice.bound == pytest.approx(3)


def test_parts_of_items_are_a_bound_below_whole_ones() -> None:
    covering = Covering([1.0, 1.0, 1.0])
    for pair in ((0, 1), (1, 2), (0, 2)):
        covering.add(cover(*pair))
    parts = covering.choose(later(), wholly=False)
    whole = covering.choose(later(), wholly=True)
    assert parts is not None
    assert whole is not None
    assert parts.bound == pytest.approx(1.5)
    assert not parts.is_whole
    assert whole.bound == pytest.approx(2)


def test_out_of_time_there_is_no_choice() -> None:
    covering = Covering([1.0, 1.0])
    covering.add(cover(0, 1))
    assert covering.choose(perf_counter() - 1, wholly=True) is None


def test_nothing_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    test_one_item_for_two_rules_is_cheaper_than_one_each()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("seed", range(20))
def test_the_choice_is_the_cheapest_of_all(seed: int) -> None:
    rng = random.Random(seed)
    costs = [float(rng.randint(0, 9)) for _ in range(8)]
    covering, rules = Covering(costs), list[Rule]()
    for _ in range(8):
        items = rng.sample(range(8), rng.randint(1, 4))
        signs = [1, *(rng.choice((1, 1, -1)) for _ in items[1:])]
        least = 1 - signs.count(-1)
        rules.append(Rule(tuple(zip(items, signs, strict=True)), least))
        covering.add(rules[-1])
    cheapest = min(
        sum(cost for cost, amount in zip(costs, amounts, strict=True) if amount)
        for amounts in product((0, 1), repeat=8)
        if all(
            sum(factor * amounts[item] for item, factor in rule.terms) >= rule.least
            for rule in rules
        )
    )
    choice = covering.choose(later(), wholly=True)
    assert choice is not None
    assert choice.bound == pytest.approx(cheapest)
    assert covering.find_bound() <= cheapest + 1e-9
