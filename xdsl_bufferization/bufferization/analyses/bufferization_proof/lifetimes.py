"""Until where tensors are used, so that only those are watched that still matter.

Ops are numbered in the order in which they are interpreted, an op before its regions.
A tensor that a loop uses and does not define is used until the loop ends.
"""

from collections.abc import Iterator

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.support.algorithms.block_graph import number_blocks, post_order
from xdsl_bufferization.support.algorithms.dominating_blocks import DominatingBlocks

from ...interfaces.region_branch import get_region_branch

_NEVER = -1


class Lifetimes:
    """The numbers of the ops inside of `root`, and the last uses of values."""

    def __init__(self, root: Operation, blocks: DominatingBlocks):
        self._blocks = blocks
        self._cycles: dict[Region, int] = {}
        self.start: dict[Operation, int] = {}
        self.end: dict[Operation, int] = {}
        """The number of the last op inside."""
        self._last: dict[SSAValue, int] = {}
        self._number(root)

    def _number(self, root: Operation) -> None:
        todo: list[tuple[Operation, Iterator[Operation]]] = [(root, _inside(root))]
        self.start[root] = 0
        count = 0
        while todo:
            op, inside = todo[-1]
            child = next(inside, None)
            if child is None:
                self.end[op] = count
                todo.pop()
                continue
            count += 1
            self.start[child] = count
            if child.regions:
                todo.append((child, _inside(child)))
            else:
                self.end[child] = count

    def last_use(self, value: SSAValue) -> int:
        """The number of the last op that may use `value`."""
        last = self._last.get(value)
        if last is None:
            last = self._last[value] = self._find_last(value)
        return last

    def _find_last(self, value: SSAValue) -> int:
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        assert block is not None
        last = max(
            (self._end_of_use(use.operation, block) for use in value.uses),
            default=_NEVER,
        )
        return last if owner is not block else max(last, self._end_of_argument(block))

    def _end_of_argument(self, block: Block) -> int:
        """Where a loop takes over the argument of a block as its result."""
        op, region = block.parent_op(), block.parent
        regions = None if op is None else get_region_branch(op)
        if op is None or region is None or regions is None:
            return _NEVER
        if not regions.is_parallel_region(op, op.regions.index(region)):
            return _NEVER
        return self.end[op] + 1

    def _end_of_use(self, user: Operation, block: Block) -> int:
        op, region = user, block.parent
        while op.parent_region() is not region:
            parent = op.parent_op()
            assert parent is not None, "a use is where the value can be seen"
            op = parent
        if op.parent is block or region is None:
            return self.end[op]
        # Blocks are numbered such that only cycles lead back.
        return max(self.end[op], self._end_of_cycles(region))

    def _end_of_cycles(self, region: Region) -> int:
        """The number of the last op in a block that may run again."""
        if region not in self._cycles:
            ends = [
                self.end[block.last_op]
                for block in order_of(region)
                if block.last_op is not None and self._blocks.may_repeat(block)
            ]
            self._cycles[region] = max(ends, default=_NEVER)
        return self._cycles[region]


def order_of(region: Region) -> list[Block]:
    """The blocks that are reached, each as early as may be."""
    blocks = list(region.blocks)
    if len(blocks) < 2:
        return blocks
    _, successors = number_blocks(blocks)
    return [blocks[number] for number in reversed(list(post_order(successors)))]


def _inside(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in order_of(region):
            yield from block.ops
