"""The order of nodes in which each loop is one piece."""

import random
from collections.abc import Sequence

import pytest

from xdsl_bufferization.support.algorithms.loop_order import Loop, loop_order


def flat(order: Sequence[int | Loop[int]]) -> list[int]:
    found: list[int] = []
    for each in order:
        found += [each.head, *flat(each.body)] if isinstance(each, Loop) else [each]
    return found


def heads_around(
    order: Sequence[int | Loop[int]], around: tuple[int, ...] = ()
) -> dict[int, tuple[int, ...]]:
    """By node: the heads of the loops that it is in."""
    found: dict[int, tuple[int, ...]] = {}
    for each in order:
        if isinstance(each, Loop):
            inside = (*around, each.head)
            found[each.head] = inside
            found.update(heads_around(each.body, inside))
        else:
            found[each] = around
    return found


def test_a_loop_is_one_piece() -> None:
    graph = {0: [1], 1: [2], 2: [1, 3], 3: []}
    assert loop_order(0, graph.__getitem__) == [0, Loop(1, [2]), 3]


def test_a_loop_in_a_loop() -> None:
    graph = {0: [1], 1: [2], 2: [2, 3], 3: [1, 4], 4: []}
    assert loop_order(0, graph.__getitem__) == [0, Loop(1, [Loop(2, []), 3]), 4]


@pytest.mark.parametrize("seed", range(100))
def test_only_heads_are_led_back_to(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randrange(1, 9)
    graph = [
        [rng.randrange(count) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
        for _ in range(count)
    ]
    order = loop_order(0, graph.__getitem__)
    nodes = flat(order)
    assert nodes[0] == 0
    assert len(nodes) == len(set(nodes))
    assert set(nodes) == {0, *(s for node in nodes for s in graph[node])}
    places = {node: place for place, node in enumerate(nodes)}
    around = heads_around(order)
    for node in nodes:
        for successor in graph[node]:
            # An edge that does not go on leads to the head of a loop around it.
            assert places[node] < places[successor] or successor in around[node]
