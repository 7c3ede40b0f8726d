"""Values whose buffers may be one, with the reads and writes of those buffers.

An alias set is free of conflicts. Whether it stays so when two sets become one is a
question about pairs with one side in each, and a conflict between two sets is there to
stay. So each read and each write is looked up in the other set when its own is the
smaller one: a logarithmic number of times in all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import SSAValue

from xdsl_bufferization.analyses.conflict_ranges import ConflictRanges
from xdsl_bufferization.analyses.conflicts import ConflictRules, RaWConflict
from xdsl_bufferization.analyses.parallel_regions import (
    ParallelRegions,
    SharedWrite,
)
from xdsl_bufferization.analyses.position_index import (
    IntervalIndex,
    PointIndex,
    tree_width,
)
from xdsl_bufferization.analyses.tensor_facts import TensorFacts, TensorUse

_SMALL = 4
"""Up to so many reads or writes are looked through one by one."""


class AliasSet:
    """The reads and in-place writes of buffers that may be one."""

    __slots__ = (
        "_read_index",
        "_write_index",
        "merged_into",
        "not_writable",
        "reads",
        "shared_write",
        "values",
        "writes",
    )

    def __init__(self, value: SSAValue, reads: list[TensorUse], is_writable: bool):
        self.values = [value]
        self.reads = reads
        self.writes: list[TensorUse] = []
        self.shared_write: TensorUse | None = None
        self.not_writable = None if is_writable else value
        self.merged_into: AliasSet | None = None
        self._read_index: IntervalIndex[TensorUse] | None = None
        self._write_index: PointIndex[TensorUse] | None = None

    @property
    def size(self) -> int:
        """How much work it is to move the set into another."""
        return len(self.reads) + len(self.writes) + len(self.values)

    def reads_around(
        self, position: int, ranges: ConflictRanges, width: int
    ) -> Iterable[TensorUse]:
        """The reads that a write at `position` may conflict with."""
        if len(self.reads) <= _SMALL:
            return self.reads
        if self._read_index is None:
            self._read_index = IntervalIndex(width)
            self._index_reads(self.reads, ranges)
        return self._read_index.containing(position)

    def writes_within(self, low: int, high: int, width: int) -> Iterable[TensorUse]:
        """The writes at positions `low .. high`."""
        if len(self.writes) <= _SMALL:
            return (w for w in self.writes if low <= w.place.start <= high)
        if self._write_index is None:
            self._write_index = PointIndex(width)
            self._index_writes(self.writes)
        return self._write_index.within(low, high)

    def add_write(self, write: TensorUse) -> None:
        """Add a write that has been decided to be in place."""
        self.writes.append(write)
        self._index_writes((write,))

    def absorb(self, other: AliasSet, ranges: ConflictRanges) -> None:
        """Take over all that `other` has."""
        self.values += other.values
        self.reads += other.reads
        self.writes += other.writes
        self._index_reads(other.reads, ranges)
        self._index_writes(other.writes)
        if self.not_writable is None:
            self.not_writable = other.not_writable
        if self.shared_write is None:
            self.shared_write = other.shared_write
        other.merged_into = self

    def _index_reads(self, reads: Iterable[TensorUse], ranges: ConflictRanges) -> None:
        if self._read_index is not None:
            for read in reads:
                for low, high in ranges.get(read):
                    self._read_index.add(low, high, read)

    def _index_writes(self, writes: Iterable[TensorUse]) -> None:
        if self._write_index is not None:
            for write in writes:
                self._write_index.add(write.place.start, write)


class AliasSets:
    """The alias sets of a program, at first one for each value."""

    def __init__(self, facts: TensorFacts, rules: ConflictRules):
        self._rules = rules
        self._ranges = ConflictRanges(facts, rules)
        self._parallel = ParallelRegions(facts)
        self._width = tree_width(facts.places.size)
        self._sets = {
            value: AliasSet(
                value,
                [use for use in facts.get_uses_of(value) if use.reads],
                facts.is_writable(value),
            )
            for value in facts.values
        }

    def find(self, value: SSAValue) -> AliasSet:
        """The alias set that `value` is in."""
        found = self._sets[value]
        while found.merged_into is not None:
            if found.merged_into.merged_into is not None:
                found.merged_into = found.merged_into.merged_into
            found = found.merged_into
        self._sets[value] = found
        return found

    def sets_of(self, use: TensorUse) -> list[AliasSet]:
        """The sets that become one if `use` is in place."""
        values = [use.value, *(alias.value for alias in use.aliases)]
        return list(dict.fromkeys(self.find(value) for value in values))

    def unite(self, use: TensorUse, sets: Sequence[AliasSet]) -> None:
        """Make one set of `sets`, those of a `use` in place, and add its write."""
        largest = max(sets, key=lambda alias_set: alias_set.size)
        for alias_set in sets:
            if alias_set is not largest:
                largest.absorb(alias_set, self._ranges)
        if use.writes:
            largest.add_write(use)
            if self._parallel.is_shared_write(use):
                largest.shared_write = use

    def find_shared_write(
        self, use: TensorUse, sets: Sequence[AliasSet]
    ) -> SharedWrite | None:
        """A write, were `use` in place, that only a round of its own should see.

        None if nothing would be read: then it does not matter.
        """
        if not any(alias_set.reads for alias_set in sets):
            return None
        if use.writes and self._parallel.is_shared_write(use):
            return SharedWrite(use.operand)
        writes = (alias_set.shared_write for alias_set in sets)
        write = next((write for write in writes if write is not None), None)
        return None if write is None else SharedWrite(write.operand)

    def find_conflict(
        self, use: TensorUse, sets: Sequence[AliasSet]
    ) -> RaWConflict | None:
        """The conflict that there would be if `use`, with its `sets`, were in place."""
        if use.writes:
            for alias_set in sets:
                conflict = self._conflict_of_write(use, alias_set)
                if conflict is not None:
                    return conflict
        for number, first in enumerate(sets):
            for second in sets[:number]:
                conflict = self._conflict_between(first, second)
                if conflict is not None:
                    return conflict
        return None

    def _conflict_between(
        self, first: AliasSet, second: AliasSet
    ) -> RaWConflict | None:
        small, large = sorted((first, second), key=lambda alias_set: alias_set.size)
        for write in small.writes:
            conflict = self._conflict_of_write(write, large)
            if conflict is not None:
                return conflict
        for read in small.reads:
            conflict = self._conflict_of_read(read, large)
            if conflict is not None:
                return conflict
        return None

    def _conflict_of_write(
        self, write: TensorUse, alias_set: AliasSet
    ) -> RaWConflict | None:
        position = write.place.start
        for read in alias_set.reads_around(position, self._ranges, self._width):
            conflict = self._rules.find_conflict(read, write)
            if conflict is not None:
                return conflict
        return None

    def _conflict_of_read(
        self, read: TensorUse, alias_set: AliasSet
    ) -> RaWConflict | None:
        if not alias_set.writes:
            return None
        for low, high in self._ranges.get(read):
            for write in alias_set.writes_within(low, high, self._width):
                conflict = self._rules.find_conflict(read, write)
                if conflict is not None:
                    return conflict
        return None
