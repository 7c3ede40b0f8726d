"""Dominance and loops among blocks, against what the words mean."""

import random
from itertools import product

import pytest
from xdsl.dialects import test
from xdsl.ir import Block, Region

from xdsl_bufferization.support.algorithms.block_graph import (
    BlockGraph,
    LoopOfBlocks,
    blocks_in_dominance_order,
    successors_of,
)

Edges = dict[int, list[int]]


def build(edges: Edges) -> Region:
    blocks = [Block() for _ in edges]
    for number, successors in edges.items():
        blocks[number].add_op(
            test.TestTermOp(successors=[blocks[s] for s in successors])
        )
    return Region(blocks)


def random_edges(seed: int) -> Edges:
    rng = random.Random(seed)
    count = rng.randint(2, 10)
    density = rng.choice([(0, 1, 2, 3), (1, 2), (2,), (1, 1, 1, 2)])
    return {
        number: [rng.randrange(1, count) for _ in range(rng.choice(density))]
        for number in range(count)
    }


def reachable(start: Block, without: Block | None = None) -> set[Block]:
    """The blocks on ways of any length from `start` that do not enter `without`."""
    seen: set[Block] = set()
    todo = [] if start is without else [start]
    while todo:
        block = todo.pop()
        if block not in seen and block is not without:
            seen.add(block)
            todo += successors_of(block)
    return seen


@pytest.mark.parametrize("seed", range(200))
def test_dominated_blocks_come_between_before_and_after(seed: int) -> None:
    region = build(random_edges(seed))
    graph = BlockGraph(region)
    first = region.blocks[0]
    around: list[tuple[Block, set[Block]]] = []
    for number, is_done in graph.in_dominance_order():
        block = graph.blocks[number]
        if not is_done:
            around.append((block, {block}))
            continue
        started, dominated = around.pop()
        assert started is block
        assert dominated == reachable(first) - reachable(first, without=block)
        if around:
            around[-1][1].update(dominated)
    assert set(graph.unreachable) == set(region.blocks) - reachable(first)


def test_a_path_leaves_first_children_seldom() -> None:
    # Each block leads to a leaf and on; written such that leaves come first.
    edges: Edges = {n: [n + 1, n + 2] if n % 2 == 0 else [] for n in range(200)}
    edges |= {200: [], 201: []}
    order = list(blocks_in_dominance_order(build(edges)))
    positions = {block: number for number, block in enumerate(order)}
    spine = [block for block in order if successors_of(block)]
    assert [positions[block] for block in spine] == list(range(len(spine)))


def is_on_a_way_around(block: Block, other: Block, without: Block) -> bool:
    there = {b for s in successors_of(block) for b in reachable(s, without)}
    back = {b for s in successors_of(other) for b in reachable(s, without)}
    return other in there and block in back


def loops_around(number: int, graph: BlockGraph) -> list[LoopOfBlocks]:
    loops: list[LoopOfBlocks] = []
    loop = graph.loops[number]
    while loop is not None:
        loops.append(loop)
        loop = loop.outer
    return loops


@pytest.mark.parametrize("seed", range(200))
def test_blocks_lead_to_each_other_below_a_dominator_in_loops_without_it(
    seed: int,
) -> None:
    graph = BlockGraph(region := build(random_edges(seed)))
    first = region.blocks[0]
    found = reachable(first)
    for dominator, block, other in product(found, repeat=3):
        dominated = found - reachable(first, without=dominator)
        if block is dominator or block not in dominated:
            continue
        shared = any(
            other in loop.blocks and dominator not in loop.blocks
            for loop in loops_around(graph.blocks.index(block), graph)
        )
        assert shared == is_on_a_way_around(block, other, without=dominator)


def test_a_loop_with_two_entries_is_one_loop() -> None:
    graph = BlockGraph(region := build({0: [1, 2], 1: [2], 2: [1, 3], 3: []}))
    loop = graph.loops[1]
    assert loop is not None
    assert set(loop.blocks) == {region.blocks[1], region.blocks[2]}
    assert loop.outer is None
    assert graph.loops[3] is None


def test_a_loop_inside_a_loop_names_it() -> None:
    graph = BlockGraph(region := build({0: [1], 1: [2], 2: [2, 1, 3], 3: []}))
    inner = graph.loops[2]
    assert inner is not None
    assert list(inner.blocks) == [region.blocks[2]]
    assert inner.outer is graph.loops[1]
