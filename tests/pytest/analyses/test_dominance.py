"""Dominators are the nodes without which another node cannot be reached."""

import random
import time

import pytest

from xdsl_bufferization.analyses.dominance import (
    NONE,
    dominator_intervals,
    immediate_dominators,
)


def reachable(successors: list[list[int]], without: int | None) -> set[int]:
    seen: set[int] = set()
    todo = [] if without == 0 else [0]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += [s for s in successors[node] if s != without]
    return seen


def random_graph(rng: random.Random) -> list[list[int]]:
    size = rng.randrange(1, 12)
    return [
        [rng.randrange(size) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
        for _ in range(size)
    ]


@pytest.mark.parametrize("seed", range(300))
def test_dominators_of_random_graphs(seed: int) -> None:
    successors = random_graph(random.Random(seed))
    dominators = immediate_dominators(successors)
    intervals = dominator_intervals(dominators)
    alive = reachable(successors, None)
    for first in range(len(successors)):
        lost = alive - reachable(successors, first)
        for second in range(len(successors)):
            dominates = bool(intervals[second]) and (
                intervals[second].start in intervals[first]
            )
            assert dominates == (second in lost)
        assert (dominators[first] == NONE) == (first == 0 or first not in alive)


def test_a_long_ladder_with_one_exit_is_fast() -> None:
    count = 30_000
    ladder = [[n + 1, count] for n in range(count - 1)] + [[count], []]
    start = time.process_time()
    dominators = immediate_dominators(ladder)
    assert dominators[count] == 0
    assert dominators[count - 1] == count - 2
    assert time.process_time() - start < 5
