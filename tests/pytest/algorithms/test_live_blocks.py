"""What is needed where, against a search through all blocks."""

import random

import pytest
from algorithms.test_block_graph import build, random_edges, reachable
from xdsl.ir import Block

from xdsl_bufferization.algorithms.block_dominance import BlockDominance
from xdsl_bufferization.algorithms.block_graph import successors_of
from xdsl_bufferization.algorithms.live_blocks import LiveBlocks


def needed_in(
    graph: BlockDominance, home: Block, uses: list[Block]
) -> dict[Block, None]:
    """The blocks from which a use is reached without passing `home`."""
    return dict.fromkeys(
        block
        for block in graph.blocks
        if graph.strictly_dominates(home, block)
        and not reachable(block, without=home).isdisjoint(uses)
    )


@pytest.mark.parametrize("seed", range(200))
def test_something_is_needed_where_a_use_is_ahead(seed: int) -> None:
    rng = random.Random(seed)
    graph = BlockDominance(build(random_edges(seed)))
    live_blocks = LiveBlocks(graph)
    for home in graph.blocks:
        below = [b for b in graph.blocks if graph.strictly_dominates(home, b)]
        uses = rng.sample(below, rng.randint(0, min(len(below), 3)))
        numbers = sorted(map(live_blocks.number, uses))
        needed = needed_in(graph, home, uses)
        for block in graph.blocks:
            assert live_blocks.is_live(home, numbers, block) == (block in needed)
        ends = list(live_blocks.ends(home, numbers))
        assert len(set(ends)) == len(ends)
        for block in (home, *needed):
            successors = successors_of(block)
            goes_on = successors and all(each in needed for each in successors)
            assert goes_on or block in ends
