"""How the blocks of one region lead to each other.

Regions of one block have no graph: nothing is computed for structured control flow.

    ^a -> ^b, ^c      ^b -> ^d      ^c -> ^d

    predecessors of ^d: ^b and ^c; ^a dominates all; ^b and ^c do not dominate ^d
"""

from xdsl.ir import Block, Region

from xdsl_bufferization.analyses.dominance import DominatorTree, immediate_dominators


class BlockGraph:
    """The graph of a region of several blocks."""

    blocks: tuple[Block, ...]
    """The blocks that can be reached, none before a block that dominates it."""

    predecessors: dict[Block, list[Block]]
    """The blocks that lead to each reachable block; a block may be there twice."""

    def __init__(self, region: Region):
        blocks = tuple(region.blocks)
        self._numbers = {block: number for number, block in enumerate(blocks)}
        successors = [
            [self._numbers[successor] for successor in successors_of(block)]
            for block in blocks
        ]
        self._tree = DominatorTree(immediate_dominators(successors, 0))
        self.blocks = tuple(
            blocks[number] for number in _reverse_post_order(successors)
        )
        self.predecessors = {block: [] for block in self.blocks}
        for block in self.blocks:
            for successor in successors_of(block):
                self.predecessors[successor].append(block)

    def strictly_dominates(self, first: Block, second: Block) -> bool:
        """Whether all paths to `second` pass `first`, which is another block."""
        if first is second or second not in self.predecessors:
            return False
        return self._tree.dominates(self._numbers[first], self._numbers[second])


class BlockGraphs:
    """The graphs of regions, each computed when first asked for."""

    def __init__(self) -> None:
        self._graphs: dict[Region, BlockGraph | None] = {}

    def of(self, region: Region | None) -> BlockGraph | None:
        """The graph of a region, or None if it has a single block."""
        if region is None:
            return None
        if region not in self._graphs:
            is_single = region.first_block is region.last_block
            self._graphs[region] = None if is_single else BlockGraph(region)
        return self._graphs[region]


def successors_of(block: Block) -> tuple[Block, ...]:
    """The blocks that a block leads to; one is there as often as it is named."""
    last = block.last_op
    return () if last is None else tuple(last.successors)


def unreachable_blocks(region: Region) -> list[Block]:
    """The blocks that never run, since no path leads to them."""
    if region.first_block is region.last_block:
        return []
    graph = BlockGraph(region)
    return [block for block in region.blocks if block not in graph.predecessors]


def _reverse_post_order(successors: list[list[int]]) -> list[int]:
    seen = [False] * len(successors)
    seen[0] = True
    order: list[int] = []
    todo = [(0, iter(successors[0]))]
    while todo:
        node, rest = todo[-1]
        for successor in rest:
            if not seen[successor]:
                seen[successor] = True
                todo.append((successor, iter(successors[successor])))
                break
        else:
            todo.pop()
            order.append(node)
    order.reverse()
    return order
