"""Dominators are those that the definition gives, whatever the graph."""

import random
from itertools import product

import pytest

from xdsl_bufferization.support.algorithms.dominance import (
    UNREACHABLE,
    DominatorTree,
    immediate_dominators,
    reverse,
)


def random_graph(seed: int) -> list[list[int]]:
    rng = random.Random(seed)
    count = rng.randrange(1, 12)
    return [
        [rng.randrange(count) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
        for _ in range(count)
    ]


def reachable_without(graph: list[list[int]], avoided: int | None) -> set[int]:
    seen: set[int] = set()
    todo = [0]
    while todo:
        node = todo.pop()
        if node != avoided and node not in seen:
            seen.add(node)
            todo.extend(graph[node])
    return seen


@pytest.mark.parametrize("seed", range(300))
def test_as_the_definition_says(seed: int) -> None:
    graph = random_graph(seed)
    tree = DominatorTree(immediate_dominators(graph, 0))
    reachable = reachable_without(graph, None)
    nodes = range(len(graph))
    dominated = {node: reachable - reachable_without(graph, node) for node in reachable}
    for first, second in product(reachable, reachable):
        assert tree.dominates(first, second) == (second in dominated[first])
        common = tree.nearest_common(first, second)
        both = {n for n in reachable if {first, second} <= dominated[n]}
        assert common in both
        assert all(common in dominated[other] for other in both)
    for node in nodes:
        assert tree.is_reachable(node) == (node in reachable)


def test_long_chains_and_ladders_are_no_problem() -> None:
    count = 50_000
    chain = [[number + 1] for number in range(count)] + [[]]
    assert immediate_dominators(chain, 0)[-1] == count - 1
    ladder = [[number + 1, count] for number in range(count)] + [[]]
    tree = DominatorTree(immediate_dominators(ladder, 0))
    assert tree.parent[count] == 0
    assert tree.nearest_common(count - 1, count) == 0


def test_reverse() -> None:
    assert reverse([[1, 2], [2], []]) == [[], [0], [0, 1]]
    assert immediate_dominators([[], [0]], 0) == [0, UNREACHABLE]
