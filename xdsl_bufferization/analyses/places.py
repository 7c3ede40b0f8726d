"""Where each op stands: the order of execution as numbers.

Ops are numbered in pre-order, so that the ops inside an op are an interval right after
it. What runs before what, and what may run again, are then comparisons of integers.

    scf.for {        0   ends at 2
      a              1
      b              2
    }
    c                3
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import Block, Operation, Region

IsRepetitive = Callable[[Operation, int], bool]
"""Whether a region, given by op and number, may run several times for one run of op."""


@dataclass(slots=True, eq=False)
class RepetitiveRegion:
    """A region that may run several times each time its op runs."""

    op: Place
    outer: RepetitiveRegion | None
    """The innermost repetitive region around `op`."""


@dataclass(slots=True, eq=False)
class BlockPlace:
    """Where a block stands: the positions of its ops and of all ops inside them."""

    start: int
    end: int
    region_number: int
    parent: Place | None
    repetitive_region: RepetitiveRegion | None
    """The innermost repetitive region that the block is in."""

    def contains(self, place: Place) -> bool:
        """Whether an op is in the block or in an op of the block."""
        return self.start <= place.start <= self.end


@dataclass(slots=True, eq=False)
class Place:
    """Where an op stands."""

    op: Operation
    start: int
    end: int
    """The position of the last op inside this one; `start` if there is none."""

    block: BlockPlace

    def is_proper_ancestor_of(self, other: Place) -> bool:
        """Whether `other` is inside a region of this op."""
        return self.start < other.start <= self.end

    def is_ancestor_of(self, other: Place) -> bool:
        """Whether `other` is this op or inside it."""
        return self.start <= other.start <= self.end


class Places:
    """The places of all ops inside a root op, which is itself position 0."""

    root: Place
    size: int
    """The number of positions."""

    def __init__(self, root: Operation, is_repetitive: IsRepetitive):
        self._is_repetitive = is_repetitive
        self._ops: dict[Operation, Place] = {}
        self._blocks: dict[Block, BlockPlace] = {}
        self.size = 0
        self.root = self._number_op(root, BlockPlace(0, 0, 0, None, None))
        self.root.block.end = self.root.end

    def of_op(self, op: Operation) -> Place:
        """The place of an op inside the root."""
        return self._ops[op]

    def of_block(self, block: Block) -> BlockPlace:
        """The place of a block inside the root."""
        return self._blocks[block]

    def _number_op(self, op: Operation, block: BlockPlace) -> Place:
        place = Place(op, self.size, self.size, block)
        self._ops[op] = place
        self.size += 1
        for number, region in enumerate(op.regions):
            self._number_region(region, number, place)
        place.end = self.size - 1
        return place

    def _number_region(self, region: Region, number: int, parent: Place) -> None:
        repetitive = parent.block.repetitive_region
        if region.blocks and self._is_repetitive(parent.op, number):
            repetitive = RepetitiveRegion(parent, repetitive)
        for block in region.blocks:
            place = BlockPlace(self.size, self.size, number, parent, repetitive)
            self._blocks[block] = place
            for op in block.ops:
                self._number_op(op, place)
            place.end = self.size - 1


def happens_before(first: Place, second: Place) -> bool:
    """Whether `first` has run to its end each time that `second` runs.

    As in MLIR: `first` or an op around it stands earlier in a block that `second` is
    in, and neither contains the other. Holds for single-block regions.
    """
    while not first.block.contains(second):
        parent = first.block.parent
        if parent is None:
            return False
        first = parent
    return first.end < second.start
