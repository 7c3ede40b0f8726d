"""Scopes have no cycles, and each block has its place in one of them."""

import pytest
from support.algorithms.test_dominance import random_graph, reachable_without

from xdsl_bufferization.support.algorithms.components import components
from xdsl_bufferization.support.algorithms.loop_nest import find_loop_nest


@pytest.mark.parametrize("seed", range(300))
def test_scopes_are_acyclic_and_lead_out(seed: int) -> None:
    graph = random_graph(seed)
    nest = find_loop_nest(graph, 0)
    for scope in nest.scopes:
        successors = scope.successors
        leave = len(scope.members)
        order = components(range(len(successors)), successors.__getitem__)
        assert all(len(component) == 1 for component in order)
        # Components come in reverse: the exit is what all nodes lead to.
        assert order[0] == [leave]
        assert all(successors[node] for node in range(leave))
        assert successors[leave] == []


@pytest.mark.parametrize("seed", range(300))
def test_blocks_have_one_home(seed: int) -> None:
    graph = random_graph(seed)
    nest = find_loop_nest(graph, 0)
    reachable = reachable_without(graph, None)
    for block, home in enumerate(nest.homes):
        assert (home is not None) == (block in reachable)
        if home is not None:
            assert nest.scopes[home.scope].members[home.node] == block
    members = [m for scope in nest.scopes for m in scope.members if m is not None]
    assert sorted(members) == sorted(reachable)
    loops = [m for scope in nest.scopes for m in scope.members if m is None]
    assert len(loops) == len(nest.scopes) - 1


def test_nested_loops() -> None:
    # 0 -> (1 -> (2 -> 2) -> 1) -> 3
    nest = find_loop_nest([[1], [2], [2, 1, 3], []], 0)
    assert [scope.members.count(None) for scope in nest.scopes] == [1, 1, 0]
    assert [home and home.scope for home in nest.homes] == [0, 1, 2, 0]


def test_a_loop_with_two_entries() -> None:
    nest = find_loop_nest([[1, 2], [2], [1, 3], []], 0)
    assert [home and home.scope for home in nest.homes] == [0, 1, 1, 0]
