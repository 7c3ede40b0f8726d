"""In which part of a program a write may spoil a given read, as intervals of positions.

    %0 = tensor.splat %x                 // position 1: the definition
    %1 = tensor.insert %f into %t[%i]    // position 2: in the interval
    %2 = tensor.extract %0[%i]           // position 3: the read

The part has everything between the definition of the read and the read itself. Two
things may be added:

- If a loop repeats the read, and not the definition: the whole loop.
- In a region with several blocks: all blocks of which it is not certain that the read
  comes before them.

The intervals hold every write that `ConflictRules` finds in conflict, and some writes
that it excuses. Cost: a few intervals for each read, each found once.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.support.algorithms.blocks_between import BlocksBetween
from xdsl_bufferization.support.algorithms.position_index import tree_width
from xdsl_bufferization.support.algorithms.program_points import (
    BlockPoint,
    ProgramPoint,
    Range,
    RepetitiveBlocks,
)

from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import Definitions, TensorUse
from .conflicts import ConflictRules


class _WayOut(NamedTuple):
    """What may have run before a block, in the op around the block."""

    parent: ProgramPoint
    """The op."""

    beside: Sequence[Range]
    """What else in the op may have run before."""

    first: int | None
    """The start of the region, if there are others before it."""


class ConflictRanges:
    """Finds and keeps the ranges of reads."""

    width: int
    """The width of a tree of positions."""

    def __init__(self, facts: TensorFacts, rules: ConflictRules):
        self.width = tree_width(facts.points.size)
        self._facts = facts
        self._rules = rules
        self._blocks = BlocksBetween(facts.points)
        self._outer_ranges: dict[BlockPoint, tuple[Range, ...]] = {}
        self._ways_out: dict[BlockPoint, _WayOut] = {}
        self._sharing_regions: dict[Operation, Sequence[Sequence[int]]] = {}
        self._found: dict[TensorUse, list[Range]] = {}

    def get(self, read: TensorUse) -> list[Range]:
        """The positions at which a write may conflict with `read`."""
        found = self._found.get(read)
        if found is None:
            found = self._found[read] = self._find_all(read)
        return found

    def _find_all(self, read: TensorUse) -> list[Range]:
        found = self._find_with_contents(read)
        if read.is_passed_on and read.writes:
            found.append((read.point.start, read.point.end))
        return found

    def _find_with_contents(self, read: TensorUse) -> list[Range]:
        definitions = read.definitions
        if definitions is None or not read.reads:
            return []
        block, point = read.point.block, definitions.point
        if definitions.block is not block or (point and definitions.argument_block):
            return list(self._find(read, definitions))
        # By far the most: within a block.
        if point is None:
            return [(block.start, read.point.end)]
        if block.is_one_of_several:
            return list(self._find(read, definitions))
        between = point.end + 1, read.point.end
        return [between, (point.start, point.end), *self._around(block)]

    def _find(self, read: TensorUse, definitions: Definitions) -> Iterator[Range]:
        # Invariant: every write that `ConflictRules` finds in conflict with the read is
        # in one of the ranges. Such a write is not before all definitions, and not
        # certainly after the read. Ops are numbered in pre-order, and a block is
        # followed by those that it dominates. So these writes are between the two
        # positions, or where positions do not tell before from after: in the rest of a
        # loop around the read, in other regions of an op around, in blocks of which
        # neither dominates the other.
        repetition = self._rules.get_repetition(read, definitions)
        last = read.point
        if repetition is not None:
            last = repetition.last_point_around(last)
        defined_in = definitions.block
        start = _get_start(definitions)
        is_dominated = definitions.result is None
        for low, high in self._between(defined_in, last, is_dominated=is_dominated):
            if max(low, start) <= high:
                yield max(low, start), high
        if isinstance(repetition, RepetitiveBlocks):
            # What comes after the read in these blocks also comes before it.
            after = last.end + 1, last.block.dominated_end
            yield from repetition.within(*after)
        point = definitions.point
        if point is None:
            return
        # A write by the very op that defines, unless it is what makes the definition,
        # and writes in its regions to what is from outside of it.
        if point.start < start:
            yield point.start, min(point.end, start - 1)
        # An op around the definition runs neither before nor after it, nor do blocks
        # that may or may not have run.
        yield from defined_in.unordered()
        yield from self._around(defined_in)

    def _between(
        self, block: BlockPoint, last: ProgramPoint, *, is_dominated: bool
    ) -> Iterator[Range]:
        """The positions from the start of `block` to the end of `last`, below it.

        Regions that do not run if `last` does are left out. Later regions that may have
        run before are added, and so are blocks that need not come after `last`. With
        `is_dominated`, `block` itself has to run before, which leaves out other blocks.
        """
        high = last.end
        point = last
        while not block.dominates_block(point.block):
            way_out = self._ways_out.get(point.block) or self._find_way_out(point.block)
            yield from way_out.beside
            if way_out.first is not None:
                yield way_out.first, high
                high = way_out.parent.start
            point = way_out.parent
        if is_dominated and point.block is not block:
            yield block.start, block.end
            yield from self._blocks.get(block, point.block)
            yield point.block.start, high
            return
        if point.block.dominated_end < block.dominated_end:
            yield point.block.dominated_end + 1, block.dominated_end
        yield block.start, high

    def _find_way_out(self, block: BlockPoint) -> _WayOut:
        parent = block.parent
        assert parent is not None, "the definition dominates the read"
        beside = *self._later_blocks(block), *self._other_regions(block, parent)
        first = (block.first or block).start
        # Of the regions before, only those among `beside` may have run.
        way_out = _WayOut(parent, beside, first if first > parent.start + 1 else None)
        self._ways_out[block] = way_out
        return way_out

    def _later_blocks(self, block: BlockPoint) -> Iterator[Range]:
        """Blocks with higher positions that need not come after `block`."""
        end = block.region_end
        if block.dominated_end < end:
            yield block.dominated_end + 1, end

    def _around(self, block: BlockPoint) -> tuple[Range, ...]:
        """The ops around `block` that write, their other regions and other blocks."""
        ranges = self._outer_ranges.get(block)
        if ranges is None:
            ranges = ()
            parent = block.parent
            if parent is not None:
                ranges = (
                    *self._beside(block, parent),
                    *parent.block.unordered(),
                    *self._around(parent.block),
                )
            self._outer_ranges[block] = ranges
        return ranges

    def _beside(self, block: BlockPoint, parent: ProgramPoint) -> Iterator[Range]:
        if any(use.writes for use in self._facts.get_uses(parent.op)):
            yield parent.start, parent.start
        yield from self._other_regions(block, parent)

    def _other_regions(
        self, block: BlockPoint, parent: ProgramPoint
    ) -> Iterator[Range]:
        """The other regions of `parent` that may run if that of `block` does."""
        op = parent.op
        sharing = self._sharing_regions.get(op)
        if sharing is None:
            region_branch = self._facts.get_region_branch(op)
            sharing = (
                _all_pairs(len(op.regions))
                if region_branch is None
                else region_branch.get_sharing_regions(op)
            )
            self._sharing_regions[op] = sharing
        for number in sharing[block.region_number]:
            first = op.regions[number].first_block
            if first is not None:
                point = self._facts.points.of_block(first)
                yield point.start, point.dominated_end


def _all_pairs(count: int) -> Sequence[Sequence[int]]:
    return [[*range(n), *range(n + 1, count)] for n in range(count)]


def _get_start(definitions: Definitions) -> int:
    """The position from which on a write comes after some definition."""
    point, block = definitions.point, definitions.argument_block
    if point is None:
        assert block is not None, "there is a definition"
        return block.start
    after = point.end + 1
    return after if block is None else min(after, block.start)
