"""Whether an op may run between a block and an op that the block dominates."""

from itertools import product

import pytest
from support.algorithms.test_block_graph import build, random_edges, reachable
from xdsl.dialects import test
from xdsl.ir import Block

from xdsl_bufferization.support.algorithms import block_paths
from xdsl_bufferization.support.algorithms.block_graph import successors_of
from xdsl_bufferization.support.algorithms.block_paths import BlockPaths
from xdsl_bufferization.support.algorithms.program_points import (
    ProgramPoint,
    ProgramPoints,
)


def place_of(block: Block, points: ProgramPoints) -> ProgramPoint:
    assert block.last_op is not None
    return points.of_op(block.last_op)


def random_blocks(seed: int) -> tuple[list[Block], ProgramPoints]:
    region = build(random_edges(seed))
    root = test.TestOp(regions=[region])
    return list(region.blocks), ProgramPoints(root, lambda _op, _number: False)


@pytest.mark.parametrize("seed", range(150))
def test_there_is_a_way_that_does_not_pass_the_dominator(seed: int) -> None:
    blocks, points = random_blocks(seed)
    found = reachable(blocks[0])
    paths = BlockPaths(points)
    for dominator, start, goal in product(found, repeat=3):
        dominated = found - reachable(blocks[0], without=dominator)
        if start is dominator or goal not in dominated:
            continue
        expected = start in dominated and (
            start is goal
            or any(
                goal in reachable(next_, without=dominator)
                for next_ in successors_of(start)
            )
        )
        answer = paths.runs_between(
            place_of(start, points),
            points.of_block(dominator),
            place_of(goal, points),
        )
        assert answer == expected


def test_without_patience_there_is_a_way(monkeypatch: pytest.MonkeyPatch) -> None:
    # From block 1 to block 4, which 3 leads to: one step is too few to find out.
    edges = {0: [1, 4], 1: [2, 3], 2: [], 3: [5], 4: [], 5: []}
    region = build(edges)
    points = ProgramPoints(test.TestOp(regions=[region]), lambda _op, _number: False)
    start, goal = (place_of(region.blocks[n], points) for n in (1, 4))
    first = points.of_block(region.blocks[0])
    assert not BlockPaths(points).runs_between(start, first, goal)
    monkeypatch.setattr(block_paths, "_PATIENCE", 0)
    assert BlockPaths(points).runs_between(start, first, goal)
