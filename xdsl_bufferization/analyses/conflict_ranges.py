"""The stretch of a program in which a write would spoil a read.

Everything between the definition of a read and the read itself, or all of a loop that
repeats the read, and with several blocks in a region whatever the read does not come
before for sure: a few intervals of positions. They hold every write that
`ConflictRules` finds in conflict, and some that it excuses.
"""

from collections.abc import Iterator

from xdsl_bufferization.analyses.blocks_between import BlocksBetween
from xdsl_bufferization.analyses.conflicts import ConflictRules
from xdsl_bufferization.analyses.places import (
    BlockPlace,
    Place,
    Range,
    RepetitiveBlocks,
)
from xdsl_bufferization.analyses.tensor_facts import (
    Definitions,
    TensorFacts,
    TensorUse,
)
from xdsl_bufferization.interfaces.region_branch import get_region_branch


class ConflictRanges:
    """Finds and keeps the ranges of reads."""

    def __init__(self, facts: TensorFacts, rules: ConflictRules):
        self._facts = facts
        self._rules = rules
        self._blocks = BlocksBetween(facts.places)
        self._outer_ranges: dict[BlockPlace, tuple[Range, ...]] = {}

    def get(self, read: TensorUse) -> list[Range]:
        """The positions at which a write may conflict with `read`."""
        if read.ranges is None:
            definitions = self._facts.get_definitions(read.value)
            read.ranges = (
                [] if definitions is None else list(self._find(read, definitions))
            )
        return read.ranges

    def _find(self, read: TensorUse, definitions: Definitions) -> Iterator[Range]:
        repetition = self._rules.get_repetition(read, definitions)
        last = read.place
        if repetition is not None:
            last = repetition.last_place_around(last)
        defined_in = self._rules.get_outermost_block(definitions)
        start = self._get_start(definitions)
        is_dominated = definitions.result is None
        for low, high in self._between(defined_in, last, is_dominated=is_dominated):
            if max(low, start) <= high:
                yield max(low, start), high
        if isinstance(repetition, RepetitiveBlocks):
            # What comes after the read in these blocks also comes before it.
            after = last.end + 1, last.block.dominated_end
            yield from repetition.within(*after)
        if definitions.result is None:
            return
        # A write by the very op that defines, unless it is what makes the definition.
        place = self._facts.places.of_op(definitions.result.op)
        if place.start < start:
            yield place.start, place.start
        # An op around the definition runs neither before nor after it, nor do blocks
        # that may or may not have run.
        yield from defined_in.unordered()
        yield from self._around(defined_in)

    def _get_start(self, definitions: Definitions) -> int:
        """The position from which on a write comes after some definition."""
        places = self._facts.places
        starts: list[int] = []
        if definitions.result is not None:
            starts.append(places.of_op(definitions.result.op).end + 1)
        if definitions.argument is not None:
            starts.append(places.of_block(definitions.argument.block).start)
        return min(starts)

    def _between(
        self, block: BlockPlace, last: Place, *, is_dominated: bool
    ) -> Iterator[Range]:
        """From the start of `block` to the end of `last`, which it dominates.

        Leaves out regions that do not run if `last` does, and adds later ones that may
        have run before, and blocks that need not come after `last`. `is_dominated` says
        that `block` itself has to run before: that leaves out other blocks.
        """
        high = last.end
        place = last
        while not block.dominates_block(place.block):
            parent = place.block.parent
            assert parent is not None, "the definition dominates the read"
            yield from self._later_blocks(place.block)
            for sibling, is_exclusive in self._siblings(place.block, parent):
                low, end = sibling.start, sibling.dominated_end
                if not is_exclusive and low > place.start:
                    yield low, end
                elif is_exclusive and end < place.start:
                    yield end + 1, high
                    high = low - 1
            place = parent
        if is_dominated and place.block is not block:
            yield block.start, block.end
            yield from self._blocks.get(block, place.block)
            yield place.block.start, high
            return
        if place.block.dominated_end < block.dominated_end:
            yield place.block.dominated_end + 1, block.dominated_end
        yield block.start, high

    def _later_blocks(self, block: BlockPlace) -> Iterator[Range]:
        """Blocks with higher positions that need not come after `block`."""
        end = block.region_end
        if block.dominated_end < end:
            yield block.dominated_end + 1, end

    def _around(self, block: BlockPlace) -> tuple[Range, ...]:
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

    def _beside(self, block: BlockPlace, parent: Place) -> Iterator[Range]:
        if any(use.writes for use in self._facts.get_uses(parent.op)):
            yield parent.start, parent.start
        for sibling, is_exclusive in self._siblings(block, parent):
            if not is_exclusive:
                yield sibling.start, sibling.dominated_end

    def _siblings(
        self, block: BlockPlace, parent: Place
    ) -> Iterator[tuple[BlockPlace, bool]]:
        """The other regions of `parent`, last first, and whether one excludes ours."""
        region_branch = get_region_branch(parent.op)
        regions = parent.op.regions
        for number in reversed(range(len(regions))):
            if number == block.region_number or not regions[number].blocks:
                continue
            is_exclusive = (
                region_branch is not None
                and region_branch.regions_are_mutually_exclusive(
                    parent.op, block.region_number, number
                )
            )
            yield self._facts.places.of_block(regions[number].blocks[0]), is_exclusive
