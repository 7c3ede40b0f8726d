"""Which block comes before which, across regions.

    ^bb0: scf.if { ^a } else { ^b }       ^a, ^b and ^bb1 are below ^bb0
          cf.br ^bb1

The blocks of all regions make one tree. Above a block is its immediate dominator. Above
the first block of a region is the block of the op that has the region. All paths to
several blocks pass the nearest block above all of them, and no later block.

Cost: that of `dominance.py` for each region. Source of the tree: MLIR's
`DominanceInfo`, which asks the regions one by one.
"""

from xdsl.ir import Block, Operation, Region

from ..traversal import ops_inside
from .block_graph import number_blocks
from .dominance import UNREACHABLE, DominatorTree, immediate_dominators, reverse


class DominatingBlocks:
    """The blocks inside of one op, as a tree."""

    def __init__(self, root: Operation):
        self._root = root
        self._blocks: list[Block] = []
        self._above: list[int] = []
        self._cyclic: set[Block] = set()
        self._numbers: dict[Block, int] = {}
        for op in ops_inside(root):
            for region in op.regions:
                self._add(region, op)
        self._tree = DominatorTree(self._above)

    def _add(self, region: Region, op: Operation) -> None:
        first = len(self._blocks)
        for block in region.blocks:
            self._numbers[block] = len(self._blocks)
            self._blocks.append(block)
        if first == len(self._blocks):
            return
        outer = op.parent if op is not self._root else None
        above = first if outer is None else self._numbers[outer]
        self._above.append(above)
        if first + 1 < len(self._blocks):
            self._add_graph(first)

    def _add_graph(self, first: int) -> None:
        """Note the dominators of the blocks of one region, from number `first` on."""
        blocks = self._blocks[first:]
        _, successors = number_blocks(blocks)
        dominators = immediate_dominators(successors, 0)
        self._above += (
            UNREACHABLE if number == UNREACHABLE else number + first
            for number in dominators[1:]
        )
        self._cyclic.update(blocks[number] for number in around_cycles(successors))

    # --- questions -------------------------------------------------------------------

    def is_reachable(self, block: Block) -> bool:
        """Whether some path leads to `block`."""
        return self._tree.depth[self._numbers[block]] != UNREACHABLE

    def may_repeat(self, block: Block) -> bool:
        """Whether branches may lead from `block` back to it. When unsure: True."""
        return block in self._cyclic

    def above(self, block: Block) -> Block | None:
        """The next block above a reachable one."""
        number = self._numbers[block]
        above = self._above[number]
        return None if above == number else self._blocks[above]

    def is_strictly_above(self, first: Block, second: Block) -> bool:
        """Whether `first` is above `second`, and another block."""
        return first is not second and self.is_above(first, second)

    def is_above(self, first: Block, second: Block) -> bool:
        """Whether `first` is `second`, or above it."""
        return self._tree.dominates(self._numbers[first], self._numbers[second])

    def nearest_common(self, first: Block, second: Block) -> Block:
        """The nearest block that is above both of two reachable blocks, or is one."""
        numbers = self._numbers[first], self._numbers[second]
        return self._blocks[self._tree.nearest_common(*numbers)]


def around_cycles(successors: list[list[int]]) -> list[int]:
    """The nodes on cycles, and those that lead from one cycle to another."""
    rest = set(range(len(successors)))
    for edges, opposite in (
        (successors, reverse(successors)),
        (reverse(successors), successors),
    ):
        open_edges = [len(targets) for targets in edges]
        todo = [node for node, count in enumerate(open_edges) if count == 0]
        while todo:
            node = todo.pop()
            rest.discard(node)
            for other in opposite[node]:
                open_edges[other] -= 1
                if open_edges[other] == 0:
                    todo.append(other)
    return sorted(rest)
