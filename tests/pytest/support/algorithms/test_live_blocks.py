"""Which values are live where, against a search through all blocks."""

import random
from collections.abc import Container, Iterable, Iterator

import pytest
from support.algorithms.test_block_graph import build, random_edges, reachable
from xdsl.ir import Block

from xdsl_bufferization.support.algorithms.block_dominance import BlockDominance
from xdsl_bufferization.support.algorithms.block_graph import successors_of
from xdsl_bufferization.support.algorithms.live_blocks import Exit, LiveBlocks


def live_in(graph: BlockDominance, home: Block, uses: list[Block]) -> dict[Block, None]:
    """The blocks from which a use is reached without passing `home`."""
    return dict.fromkeys(
        block
        for block in graph.blocks
        if graph.strictly_dominates(home, block)
        and not reachable(block, without=home).isdisjoint(uses)
    )


def exits_of(blocks: Iterable[Block], live: Container[Block]) -> Iterator[Exit]:
    """The exits of `blocks` that lead to none of `live`."""
    for block in blocks:
        successors = successors_of(block)
        left = [n for n, each in enumerate(successors) if each not in live]
        if len(left) == len(successors):
            yield Exit(block, None)
        else:
            yield from (Exit(block, number) for number in left)


def sorted_exits(
    live_blocks: LiveBlocks, exits: Iterable[Exit]
) -> list[tuple[int, int]]:
    """Exits by number; -1 for all successors."""
    return sorted(
        (live_blocks.number(block), -1 if successor is None else successor)
        for block, successor in exits
    )


@pytest.mark.parametrize("seed", range(200))
def test_a_value_is_live_where_a_use_is_ahead(seed: int) -> None:
    rng = random.Random(seed)
    graph = BlockDominance(build(random_edges(seed)))
    live_blocks = LiveBlocks(graph)
    for home in graph.blocks:
        below = [b for b in graph.blocks if graph.strictly_dominates(home, b)]
        uses = rng.sample(below, rng.randint(0, min(len(below), 3)))
        numbers = live_blocks.uses(home, (home, *uses))
        assert numbers == sorted(map(live_blocks.number, uses))
        live = live_in(graph, home, uses)
        for block in graph.blocks:
            assert live_blocks.is_live(home, numbers, block) == (block in live)
        ends = list(live_blocks.ends(home, numbers))
        assert len(set(ends)) == len(ends)
        for block in (home, *live):
            successors = successors_of(block)
            goes_on = successors and all(each in live for each in successors)
            assert goes_on or block in ends
        assert sorted_exits(live_blocks, live_blocks.exits(home, numbers)) == (
            sorted_exits(live_blocks, exits_of((home, *live), live))
        )
