"""Which values may share one buffer, and which ops read and write that buffer.

    %1 = tensor.insert %f into %0[%i]    // in place: one alias set for %0 and %1,
    %2 = tensor.extract %1[%j]           // with a write of %0 and a read of %1

An alias set has no conflict inside. If an operand shall be in place, its alias sets
become one. They can become one if no write of one set is in conflict with a read of the
other. A conflict between two sets never goes away.

So only the reads and the writes of the smaller set are looked up, in the larger set.

Cost: each read and each write is looked up a logarithmic number of times in all. Source
of the sets: `OneShotAnalysisState` of MLIR, which compares all pairs instead.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from xdsl.ir import SSAValue

from xdsl_bufferization.support.algorithms.position_index import (
    IntervalIndex,
    PointIndex,
)

from ..tensor_facts.subsets import Subsets
from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import TensorUse
from .conflict_ranges import ConflictRanges
from .conflicts import ConflictRules, RaWConflict
from .parallel_regions import ParallelRegions, SharedWrite
from .part_index import LocatedParts, UsesByPart
from .parts import Parts

_SMALL = 4
"""Up to this number, reads or writes are looked through one by one."""

_FAR = 1 << 62
"""After every position."""

_FEW = 16
"""How many pairs are excused, as their parts do not meet, before an index is made."""


class Lookup(NamedTuple):
    """An index of uses by position, from which those of one group can be left out."""

    ranges: ConflictRanges
    subsets: Subsets


class AliasSet:
    """The reads and in-place writes of buffers that may be one.

    A use that passes its buffer on to a body or a function, which may write to it,
    counts as a read.
    """

    __slots__ = (
        "_lookup",
        "_read_index",
        "_uses_by_part",
        "_write_index",
        "first_write",
        "last_write",
        "merged_into",
        "read_only",
        "reads",
        "shared_write",
        "size",
        "values",
        "writes",
    )

    def __init__(
        self,
        value: SSAValue,
        reads: list[TensorUse],
        lookup: Lookup,
        *,
        is_writable: bool,
    ):
        self._lookup = lookup
        self.values = [value]
        self.reads = reads
        self.writes: list[TensorUse] = []
        self.first_write = _FAR
        self.last_write = -1
        self.shared_write: TensorUse | None = None
        self.read_only = [] if is_writable else [value]
        self.size = 1 + len(reads)
        """How much work it is to move the set into another set."""

        self.merged_into: AliasSet | None = None
        self._read_index: IntervalIndex[TensorUse] | None = None
        self._write_index: PointIndex[TensorUse] | None = None
        self._uses_by_part: UsesByPart | None = None

    @property
    def not_writable(self) -> SSAValue | None:
        """A value that must not be written, if there is one."""
        return self.read_only[0] if self.read_only else None

    @property
    def is_by_part(self) -> bool:
        """Whether uses of parts that do not meet are told apart already."""
        return self._uses_by_part is not None

    def tell_parts_apart(self, uses: UsesByPart) -> None:
        """From now on, leave out uses that are known to work on another part."""
        self._uses_by_part = uses
        uses.add_reads(self.reads)
        uses.add_writes(self.writes)

    def reads_around(self, write: TensorUse) -> Iterable[TensorUse]:
        """The reads that `write` may conflict with."""
        if self._uses_by_part is not None:
            return self._uses_by_part.reads_around(write)
        if len(self.reads) <= _SMALL:
            return self.reads
        lookup = self._lookup
        if self._read_index is None:
            self._read_index = IntervalIndex(lookup.ranges.width)
            self._index_reads(self.reads)
        group = lookup.subsets.get_group_of_write(write)
        return self._read_index.containing(write.point.start, group)

    def writes_before(self, read: TensorUse) -> Iterator[TensorUse]:
        """The writes that `read` may conflict with."""
        if self._uses_by_part is not None:
            yield from self._uses_by_part.writes_before(read)
            return
        for low, high in self._lookup.ranges.get(read):
            if low <= self.last_write and self.first_write <= high:
                subsets = self._lookup.subsets
                yield from self._writes_within(
                    low,
                    high,
                    subsets.get_group_of_read(read),
                    subsets.get_harmless_writes(read),
                )

    def is_written_within(self, low: int, high: int) -> bool:
        """Whether a write in place is at one of the positions."""
        return any(True for _ in self.writes_within(low, high))

    def writes_within(self, low: int, high: int) -> Iterable[TensorUse]:
        """The writes in place at the positions `low .. high`."""
        return self._writes_within(low, high)

    def _writes_within(
        self,
        low: int,
        high: int,
        group: Hashable = None,
        harmless: tuple[int, int] = (0, -1),
    ) -> Iterable[TensorUse]:
        """The writes at the positions, most of those of `group` left out.

        As are most of the writes with one of the numbers that are `harmless`.
        """
        if len(self.writes) <= _SMALL:
            return (w for w in self.writes if low <= w.point.start <= high)
        lookup = self._lookup
        if self._write_index is None:
            self._write_index = PointIndex(lookup.ranges.width)
            self._index_writes(self.writes)
        return self._write_index.within(low, high, group, harmless)

    def add_write(self, write: TensorUse) -> None:
        """Add a write that has been decided to be in place."""
        self.size += 1
        self.writes.append(write)
        position = write.point.start
        if position < self.first_write:
            self.first_write = position
        if position > self.last_write:
            self.last_write = position
        self._index_writes((write,))

    def absorb(self, other: AliasSet) -> None:
        """Take over all values, reads and writes of `other`."""
        self.size += other.size
        self.values += other.values
        if other.reads:
            self.reads += other.reads
            self._index_reads(other.reads)
        if other.writes:
            self.writes += other.writes
            self.first_write = min(self.first_write, other.first_write)
            self.last_write = max(self.last_write, other.last_write)
            self._index_writes(other.writes)
        self.read_only += other.read_only
        if self.shared_write is None:
            self.shared_write = other.shared_write
        other.merged_into = self

    def _index_reads(self, reads: Iterable[TensorUse]) -> None:
        if self._uses_by_part is not None:
            self._uses_by_part.add_reads(reads)
        index, lookup = self._read_index, self._lookup
        if index is not None:
            for read in reads:
                group = lookup.subsets.get_group_of_read(read)
                for low, high in lookup.ranges.get(read):
                    index.add(low, high, read, group)

    def _index_writes(self, writes: Iterable[TensorUse]) -> None:
        if self._uses_by_part is not None:
            self._uses_by_part.add_writes(writes)
        index, subsets = self._write_index, self._lookup.subsets
        if index is not None:
            for write in writes:
                group = subsets.get_group_of_write(write)
                number = subsets.get_node_number(write)
                index.add(write.point.start, write, group, number)


class AliasSets:
    """The decisions as they are made, with the alias sets: at first one for each value.

    All that deciding changes is here; the facts stay as they are.
    """

    in_place: set[TensorUse]
    """The operands put in place so far. Their order means nothing."""

    has_excused: bool
    """Whether uses were taken for independent because their parts do not meet."""

    def __init__(
        self,
        facts: TensorFacts,
        rules: ConflictRules,
        ranges: ConflictRanges | None = None,
        *,
        tells_parts_apart: bool,
    ):
        self.rules = rules
        self.ranges = ranges or ConflictRanges(facts, rules)
        self._parts = Parts(facts, rules) if tells_parts_apart else None
        self._located = LocatedParts(self._parts) if self._parts else None
        self._parallel = ParallelRegions(facts)
        self._facts = facts
        self.start_anew()

    def start_anew(self) -> None:
        """Forget all decisions: nothing is in place, each value has its own set."""
        facts = self._facts
        self.rules.start_anew()
        self.in_place = set()
        self.has_excused = False
        lookup = Lookup(self.ranges, self.rules.subsets)
        self._sets = [
            AliasSet(
                value,
                [use for use in uses if use.reads or (use.is_passed_on and use.writes)],
                lookup,
                is_writable=facts.is_writable(value),
            )
            for value, uses in facts.values_with_uses()
        ]

    def unite_values(self, values: Iterable[SSAValue]) -> None:
        """Make one set of those of `values`, before anything is decided."""
        sets = list({self.find(value): None for value in values})
        for alias_set in sets[1:]:
            sets[0].absorb(alias_set)

    def find(self, value: SSAValue) -> AliasSet:
        """The alias set that `value` is in."""
        return self._find(self._facts.get_number(value))

    def _find(self, number: int) -> AliasSet:
        """The alias set of the value with a number among all tensors."""
        found = self._sets[number]
        if found.merged_into is None:
            return found
        while found.merged_into is not None:
            if found.merged_into.merged_into is not None:
                found.merged_into = found.merged_into.merged_into
            found = found.merged_into
        self._sets[number] = found
        return found

    def sets_of(self, use: TensorUse) -> list[AliasSet]:
        """The sets that become one if `use` is in place."""
        first = self._find(use.number)
        aliases = use.alias_numbers
        if not aliases:
            return [first]
        if len(aliases) == 1:
            second = self._find(aliases[0])
            return [first] if first is second else [first, second]
        return list(dict.fromkeys((first, *map(self._find, aliases))))

    def unite(self, use: TensorUse, sets: Sequence[AliasSet]) -> None:
        """Put a `use` in place: make one set of `sets`, its own, and add its write."""
        self.in_place.add(use)
        largest = sets[0]
        for alias_set in sets[1:]:
            if alias_set.size > largest.size:
                largest = alias_set
        for alias_set in sets:
            if alias_set is not largest:
                largest.absorb(alias_set)
        if use.writes:
            largest.add_write(use)
            if self.is_shared_write(use):
                largest.shared_write = use

    def find_shared_write(
        self, use: TensorUse, sets: Sequence[AliasSet]
    ) -> SharedWrite | None:
        """A write, were `use` in place, that only its own iteration should see.

        None if nothing would be read: then it does not matter.
        """
        if not self._parallel.is_used:
            return None
        reads = (r for alias_set in sets for r in alias_set.reads if r.reads)
        read = next(reads, None)
        if read is None:
            return None
        if use.writes and self.is_shared_write(use):
            return SharedWrite(use.operand, read.operand)
        writes = (alias_set.shared_write for alias_set in sets)
        write = next((write for write in writes if write is not None), None)
        return None if write is None else SharedWrite(write.operand, read.operand)

    def is_shared_write(self, use: TensorUse) -> bool:
        """Whether `use` is a write that only its own iteration should see."""
        return self._parallel.is_shared_write(use)

    def find_conflict(
        self, use: TensorUse, sets: Sequence[AliasSet]
    ) -> RaWConflict | None:
        """The conflict that there would be if `use`, with its `sets`, were in place."""
        # Invariant: no read of an alias set is in conflict with a write in place of the
        # same set. At first no write is in place. If the sets become one, a pair of
        # the union is of one of three kinds: of one old set, where the invariant held,
        # as the rules ask for no decision; the new write with any read; a write of one
        # old set with a read of another. The last two are looked at here. So in the end
        # each read finds the data of its definitions. MLIR looks at all pairs instead:
        # `wouldCreateReadAfterWriteInterference` in OneShotAnalysis.cpp.
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
        # The reads and the writes of one side are enough: each pair has one of them.
        small, large = first, second
        if small.size > large.size:
            small, large = large, small
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
        if not alias_set.reads:
            return None
        reads = alias_set.reads_around(write)
        conflict, is_settled = self._first_conflict(
            alias_set, zip(reads, repeat(write))
        )
        return conflict if is_settled else self._conflict_of_write(write, alias_set)

    def _conflict_of_read(
        self, read: TensorUse, alias_set: AliasSet
    ) -> RaWConflict | None:
        if not alias_set.writes:
            return None
        writes = alias_set.writes_before(read)
        conflict, is_settled = self._first_conflict(
            alias_set, zip(repeat(read), writes)
        )
        return conflict if is_settled else self._conflict_of_read(read, alias_set)

    def is_excused(
        self, read: TensorUse, write: TensorUse, looked_up_in: AliasSet
    ) -> bool:
        """Whether a conflict is excused, as the parts read and written do not meet."""
        parts = self._parts
        return (
            parts is not None
            # Such a set has left out what does not meet already.
            and not looked_up_in.is_by_part
            and parts.are_disjoint(read, write)
        )

    def _first_conflict(
        self, alias_set: AliasSet, pairs: Iterator[tuple[TensorUse, TensorUse]]
    ) -> tuple[RaWConflict | None, bool]:
        """The first pair of a read and a write that conflict.

        If many pairs are excused because their parts do not meet, the set learns to
        leave such pairs out, and the answer is not settled.
        """
        excused = 0
        for read, write in pairs:
            conflict = self.rules.find_conflict(read, write)
            if conflict is None:
                continue
            located = self._located
            if located is None or not self.is_excused(read, write, alias_set):
                return conflict, True
            self.has_excused = True
            excused += 1
            if excused == _FEW:
                alias_set.tell_parts_apart(UsesByPart(located, self.ranges))
                return None, False
        return None, True
