"""Which blocks of one region dominate which, and which lead to them.

    ^a -> ^b, ^c      ^b -> ^d      ^c -> ^d

    predecessors of ^d: ^b and ^c; ^a dominates all; ^b and ^c do not dominate ^d

Regions of one block have no graph: nothing is computed for structured control flow.
Cost: that of `dominance.py` once for a region, then constant for each question.
"""

from xdsl.ir import Block, Region

from .block_graph import number_blocks, post_order, successors_of
from .dominance import DominatorTree, immediate_dominators


class BlockDominance:
    """The graph of a region of several blocks."""

    blocks: tuple[Block, ...]
    """The blocks that can be reached, none before a block that dominates it."""

    predecessors: dict[Block, list[Block]]
    """The blocks that lead to each reachable block; a block may be there twice."""

    numbers: dict[Block, int]
    """The nodes of all blocks in the tree."""

    tree: DominatorTree

    def __init__(self, region: Region):
        blocks = tuple(region.blocks)
        self.numbers, successors = number_blocks(blocks)
        self.tree = DominatorTree(immediate_dominators(successors, 0))
        self.blocks = tuple(
            blocks[number] for number in reversed(list(post_order(successors)))
        )
        self.predecessors = {block: [] for block in self.blocks}
        for block in self.blocks:
            for successor in successors_of(block):
                self.predecessors[successor].append(block)

    def strictly_dominates(self, first: Block, second: Block) -> bool:
        """Whether all paths to `second` pass `first`, which is another block."""
        if first is second or second not in self.predecessors:
            return False
        return self.tree.dominates(self.numbers[first], self.numbers[second])


def unreachable_blocks(region: Region) -> list[Block]:
    """The blocks that never run, since no path leads to them."""
    if region.first_block is region.last_block:
        return []
    graph = BlockDominance(region)
    return [block for block in region.blocks if block not in graph.predecessors]
