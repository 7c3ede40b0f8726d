"""Program points: where each op stands, as numbers in the order of execution.

    scf.for {        0   ends at 2
      a              1
      b              2
    }
    c                3

Ops are numbered in pre-order, so that the ops inside an op are an interval right after
it. Whether an op runs before another one, and which ops may run again, are then
comparisons of integers. The blocks of a region are numbered so that the blocks which a
block dominates are an interval right after it.

Cost: linear in the ops, and near-linear in the blocks of a region that has several.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, Region

from .block_graph import BlockGraph, LoopOfBlocks

IsRepetitive = Callable[[Operation, int], bool]
"""Whether a region, given by op and number, may run several times for one run of op."""

Range = tuple[int, int]
"""First and last position."""


@dataclass(slots=True, eq=False)
class RepetitiveRegion:
    """A region that may run several times each time its op runs."""

    op: ProgramPoint
    outer: Repetition | None
    """The innermost repetition around `op`."""

    def covers(self, position: int) -> bool:
        """Whether a position is that of the op or in it."""
        return self.op.start <= position <= self.op.end

    def contains(self, block: BlockPoint) -> bool:
        """Whether a block is in the region or deeper."""
        # The position of a block is that of its first op.
        return self.op.start < block.start <= self.op.end

    def last_point_around(self, point: ProgramPoint) -> ProgramPoint:
        """The op of this repetition that `point` is in, the outermost there is."""
        del point
        return self.op


@dataclass(slots=True, eq=False)
class RepetitiveBlocks:
    """Blocks of a region that lead to each other, so that all may run several times."""

    op: ProgramPoint
    """The op that has the region."""

    outer: Repetition | None
    """The innermost repetition around all these blocks."""

    ranges: list[Range] = field(default_factory=list[Range])
    """The positions in the blocks, in order."""

    rank: int = 0
    """The lowest rank of the blocks."""

    def covers(self, position: int) -> bool:
        """Whether a position is in one of the blocks."""
        at = bisect_right(self.ranges, position, key=lambda range_: range_[0])
        return at > 0 and position <= self.ranges[at - 1][1]

    def contains(self, block: BlockPoint) -> bool:
        """Whether a block is one of the blocks or deeper."""
        return self.covers(block.start)

    def within(self, low: int, high: int) -> Iterator[Range]:
        """The positions `low .. high` that are in the blocks."""
        at = bisect_right(self.ranges, low, key=lambda range_: range_[0])
        for start, end in self.ranges[max(at - 1, 0) :]:
            if start > high:
                break
            if max(start, low) <= min(end, high):
                yield max(start, low), min(end, high)

    def last_point_around(self, point: ProgramPoint) -> ProgramPoint:
        """The op in one of the blocks that `point` is or is in."""
        while point.block.parent is not self.op:
            assert point.block.parent is not None, "the blocks are around the point"
            point = point.block.parent
        return point


Repetition = RepetitiveRegion | RepetitiveBlocks
"""A part of a program that may run several times each time control gets there."""


@dataclass(slots=True, eq=False)
class BlockPoint:
    """Where a block stands: the positions of its ops and of all ops inside them."""

    start: int
    end: int
    region_number: int
    parent: ProgramPoint | None
    repetition: Repetition | None
    """The innermost repetition that the block is in."""

    dominator: BlockPoint | None = None
    """The block that immediately dominates this one, if there is one."""

    path_start: BlockPoint | None = None
    """Where the path of first children in the dominator tree starts."""

    dominated_end: int = 0
    """The last position in the blocks of the region that this one dominates."""

    block: Block | None = None
    """The block itself; the root op's own point has none."""

    first: BlockPoint | None = None
    """The first block of the region, if there are others."""

    rank: int = 0
    """The number in reverse post-order: lower than its successors', but in loops."""

    @property
    def is_one_of_several(self) -> bool:
        """Whether the region has other blocks."""
        return self.path_start is not None

    @property
    def region_end(self) -> int:
        """The last position in the blocks of the region."""
        return (self.first or self).dominated_end

    def contains(self, point: ProgramPoint) -> bool:
        """Whether an op is in the block or in an op of the block."""
        return self.start <= point.start <= self.end

    def dominates(self, point: ProgramPoint) -> bool:
        """Whether an op is in the block or in one that it dominates, at any depth."""
        return self.start <= point.start <= self.dominated_end

    def dominates_block(self, block: BlockPoint) -> bool:
        """Whether a block is this one or, of the same region, dominated by it."""
        return self._is_beside(block) and (
            self.start <= block.start <= self.dominated_end
        )

    def lift(self, point: ProgramPoint) -> ProgramPoint:
        """The op in a block of the same region that `point` is or is in."""
        while not self._is_beside(point.block):
            assert point.block.parent is not None, "the region is around the point"
            point = point.block.parent
        return point

    def _is_beside(self, block: BlockPoint) -> bool:
        return block.parent is self.parent and block.region_number == self.region_number

    def unordered(self) -> Iterator[Range]:
        """The positions of blocks that this one does not dominate, nor they it.

        The dominators of the block are a path in the tree. Positions beside that path
        are the rest after this block, and gaps: a gap wherever the path goes on to a
        child that is not the first.
        """
        at = self.path_start
        while at is not None and at.dominator is not None:
            if at.dominator.end + 1 < at.start:
                yield at.dominator.end + 1, at.start - 1
            at = at.dominator.path_start
        if self.dominated_end < self.region_end:
            yield self.dominated_end + 1, self.region_end


@dataclass(slots=True, eq=False)
class ProgramPoint:
    """Where an op stands."""

    op: Operation
    start: int
    end: int
    """The position of the last op inside this one; `start` if there is none."""

    block: BlockPoint

    def is_proper_ancestor_of(self, other: ProgramPoint) -> bool:
        """Whether `other` is inside a region of this op."""
        return self.start < other.start <= self.end


class ProgramPoints:
    """The points of all ops inside a root op, which is itself position 0.

    What is inside the ops `apart` has no point.
    """

    root: ProgramPoint
    size: int
    """The number of positions."""

    visits: list[ProgramPoint | BlockPoint]
    """The blocks that can be reached, and after what is in them, the ops."""

    unreachable: list[Block]
    """The blocks that no path leads to from the first block of their region."""

    regions_of_blocks: list[Region]
    """The regions that have several blocks."""

    has_blocks_out_of_order: bool
    """Whether positions are in another order than that of the text."""

    def __init__(
        self,
        root: Operation,
        is_repetitive: IsRepetitive,
        apart: Set[Operation] = frozenset(),
    ):
        self._is_repetitive = is_repetitive
        self._apart = apart
        self._ops: dict[Operation, ProgramPoint] = {}
        self._blocks: dict[Block, BlockPoint] = {}
        self.size = 0
        self.regions_of_blocks = []
        self.has_blocks_out_of_order = False
        self.visits = []
        self.unreachable = []
        self.root = self._number_op(root, BlockPoint(0, 0, 0, None, None))
        self.root.block.end = self.root.block.dominated_end = self.root.end

    def of_op(self, op: Operation) -> ProgramPoint:
        """The point of an op inside the root."""
        return self._ops[op]

    def knows(self, op: Operation) -> bool:
        """Whether an op is the root or inside it."""
        return op in self._ops

    def of_block(self, block: Block) -> BlockPoint:
        """The point of a block inside the root."""
        return self._blocks[block]

    def ancestor_in(
        self, region: Region, block: Block
    ) -> tuple[Block, ProgramPoint | None] | None:
        """The block of `region` that `block` is in, and the op there that has it.

        No op for a block of `region`; None if `block` is outside. Looks at the levels
        in between only.
        """
        assert region.parent is not None
        around = self._ops[region.parent]
        point: ProgramPoint | None = None
        while block.parent is not region:
            point = self._blocks[block].parent
            if point is None or point.start <= around.start:
                return None
            assert point.op.parent is not None
            block = point.op.parent
        return block, point

    @property
    def ops(self) -> list[Operation]:
        """The ops inside the root, by position."""
        return list(self._ops)

    def _number_op(self, op: Operation, block: BlockPoint) -> ProgramPoint:
        point = ProgramPoint(op, self.size, self.size, block)
        self._ops[op] = point
        self.size += 1
        if op.regions and op not in self._apart:
            for number, region in enumerate(op.regions):
                self._number_region(region, number, point)
            point.end = self.size - 1
        self.visits.append(point)
        return point

    def _number_region(self, region: Region, number: int, parent: ProgramPoint) -> None:
        first = region.first_block
        if first is None:
            return
        repetition = parent.block.repetition
        if self._is_repetitive(parent.op, number):
            repetition = RepetitiveRegion(parent, repetition)
        point = BlockPoint(self.size, self.size, number, parent, repetition)
        if first.next_block is None:
            self._number_block(first, point)
            point.dominated_end = point.end
        else:
            point.path_start = point
            self._number_blocks(region, point)

    def _number_block(self, block: Block, point: BlockPoint) -> None:
        self._blocks[block] = point
        point.block = block
        point.start = self.size
        self.visits.append(point)
        op = block.first_op
        while op is not None:
            self._number_op(op, point)
            op = op.next_op
        point.end = self.size - 1

    def _number_blocks(self, region: Region, first: BlockPoint) -> None:
        """Number a region of several blocks, of which the first has its point."""
        graph = BlockGraph(region)
        loops = _Loops(first)
        order: list[Block] = []
        self.regions_of_blocks.append(region)
        around: list[BlockPoint] = []
        for number, is_done in graph.in_dominance_order():
            if is_done:
                around.pop().dominated_end = self.size - 1
                continue
            block = graph.blocks[number]
            order.append(block)
            point = self._below(around[-1]) if around else first
            point.repetition = loops.of(graph.loops[number])
            point.rank = graph.ranks[number]
            around.append(point)
            self._number_block(block, point)
        in_text = zip(order, region.blocks, strict=False)
        self.has_blocks_out_of_order |= any(a is not b for a, b in in_text)
        reached = len(self.visits)
        for block in graph.unreachable:
            self._number_block(block, self._below(first))
        del self.visits[reached:]
        first.dominated_end = self.size - 1
        self.unreachable += graph.unreachable
        loops.fill(self)

    def _below(self, dominator: BlockPoint) -> BlockPoint:
        """A point for the next block, which `dominator` immediately dominates."""
        block = BlockPoint(
            self.size, self.size, dominator.region_number, dominator.parent, None
        )
        block.dominator = dominator
        block.first = dominator.first or dominator
        is_first_child = dominator.end + 1 == self.size
        block.path_start = dominator.path_start if is_first_child else block
        return block


class _Loops:
    """The loops of one region as repetitions."""

    def __init__(self, first: BlockPoint):
        assert first.parent is not None
        self._op = first.parent
        self._around = first.repetition
        self._found: dict[LoopOfBlocks, RepetitiveBlocks] = {}

    def of(self, loop: LoopOfBlocks | None) -> Repetition | None:
        """The repetition that a loop is; without one, what is around the region."""
        new: list[LoopOfBlocks] = []
        while loop is not None and loop not in self._found:
            new.append(loop)
            loop = loop.outer
        found = self._around if loop is None else self._found[loop]
        for inner in reversed(new):
            found = self._found[inner] = RepetitiveBlocks(self._op, found)
        return found

    def fill(self, points: ProgramPoints) -> None:
        """Add the positions, once all blocks have theirs."""
        for loop, repetition in self._found.items():
            blocks = [points.of_block(block) for block in loop.blocks]
            repetition.ranges = merged((block.start, block.end) for block in blocks)
            repetition.rank = min(block.rank for block in blocks)


def merged(ranges: Iterable[Range]) -> list[Range]:
    """The same positions, in order, adjacent ones as one range."""
    joined: list[Range] = []
    for low, high in sorted(ranges):
        if joined and joined[-1][1] + 1 >= low:
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    return joined


def happens_before(first: ProgramPoint, second: ProgramPoint) -> bool:
    """Whether `first` has run to its end each time that `second` runs.

    As in MLIR: neither contains the other. `first`, or an op around it, stands earlier
    in a block that `second` is in, or in a block that dominates such a block.
    """
    if first.block is second.block:
        return first.end < second.start
    while not first.block.dominates(second):
        parent = first.block.parent
        if parent is None:
            return False
        first = parent
    return first.end < second.start
