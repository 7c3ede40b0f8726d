"""Every reason why an operand is out of place, each of which would do by itself.

    %1 = tensor.insert %f into %0[%i]     // copy of %0: it is a constant,
    %2 = tensor.extract %0[%j]            // this would read what was inserted,
    %3 = tensor.extract %0[%k]            // and so would this

One-Shot Analysis stops at the first reason. To remove a copy you have to know all
reasons at the time of the decision:

- the reads that would see a write, with one conflict for each read,
- the values that must not be written,
- the writes of parallel loops.

If you remove all of them, the operand is in place, given the decisions made before. As
long as one is left, the operand is out of place.

Only operands that are out of place are searched for, with the indexes that found their
first reason. Each search ends after as many steps as the option `reason_steps` says.
Cost: linear in the number of operands out of place.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from ...interfaces.operands import OpOperand
from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import TensorUse
from .alias_sets import AliasSet, AliasSets
from .conflicts import NotWritable, RaWConflict
from .parallel_regions import SharedWrite

Reason = RaWConflict | NotWritable | SharedWrite
"""Why an operand needs a copy."""


@dataclass(frozen=True)
class AllReasons:
    """Why an operand is out of place."""

    reasons: Sequence[Reason]
    """Values that must not be written come first, then by place of read or write."""

    is_complete: bool
    """Whether the search came to its end, so that there are no other reasons."""

    steps: int
    """How many steps the search took: with so many, another one finds the same."""


def find_all_reasons(
    use: TensorUse, first: Reason, facts: TensorFacts, sets: AliasSets
) -> AllReasons:
    """Why `use` is not put in place; its reason `first` is known.

    To be asked when that is decided, before any other decision.
    """
    if facts.options.only_reasons_to_move and not is_mere_read(first, facts):
        return AllReasons([first], is_complete=False, steps=0)
    search, steps = _Search(use, first, facts, sets), facts.options.reason_steps
    conflicts, pairs = search.find_conflicts()
    writes: list[Reason] = list(
        islice(chain(search.find_read_only(), search.find_shared_writes()), steps)
    )
    reasons = [*writes, *search.leave_out_reads_of_aliases(conflicts)]
    taken = max(pairs, len(writes) + 1)
    return AllReasons(reasons or [first], taken <= steps, taken)


def is_mere_read(reason: Reason, facts: TensorFacts) -> bool:
    """Whether a read that does not write as well is in conflict."""
    return isinstance(reason, RaWConflict) and not facts.get_use(reason.read).writes


class _Search:
    """The search for the reasons of one operand."""

    def __init__(
        self, use: TensorUse, first: Reason, facts: TensorFacts, sets: AliasSets
    ):
        self._use = use
        self._first = first if isinstance(first, RaWConflict) else None
        self._facts = facts
        self._steps = facts.options.reason_steps
        self._all_sets = sets
        self._sets = sets.sets_of(use)

    def find_read_only(self) -> Iterator[NotWritable]:
        """The values that must not be written, if there is a write."""
        write = next(self._writes(), None)
        if write is not None:
            for alias_set in self._sets:
                for value in alias_set.read_only:
                    yield NotWritable(value, write.operand)

    def find_shared_writes(self) -> Iterator[SharedWrite]:
        """The writes that only their own iteration should see, if there is a read."""
        first = self._all_sets.find_shared_write(self._use, self._sets)
        if first is not None:
            for write in _in_order(islice(self._writes(), self._steps)):
                if self._all_sets.is_shared_write(write):
                    yield SharedWrite(write.operand, first.read)

    def _writes(self) -> Iterator[TensorUse]:
        if self._use.writes:
            yield self._use
        for alias_set in self._sets:
            yield from alias_set.writes

    def find_conflicts(self) -> tuple[dict[TensorUse, RaWConflict], int]:
        """A conflict of each read that has any, and how many pairs were asked about.

        One pair more than is allowed means that there may be more conflicts.
        """
        found: dict[TensorUse, RaWConflict] = {}
        step = 0
        for step, (read, conflict) in enumerate(self._try_pairs(found), start=1):
            if conflict is not None and (
                read not in found or self._is_earlier(conflict, found[read])
            ):
                found[read] = conflict
            if step > self._steps:
                break
        return found, step

    def _is_earlier(self, first: RaWConflict, second: RaWConflict) -> bool:
        """Whether the write comes first: a read has to be moved before all of them."""
        points = self._facts.points
        return (
            points.of_op(first.write.owner).start
            < points.of_op(second.write.owner).start
        )

    # What follows yields each pair that is asked about, and what comes of it.

    def _try_pairs(
        self, found: dict[TensorUse, RaWConflict]
    ) -> Iterator[tuple[TensorUse, RaWConflict | None]]:
        use = self._use
        if use.writes:
            for alias_set in self._sets:
                yield from self._try_reads(use, alias_set)
        for number, first in enumerate(self._sets):
            for second in self._sets[:number]:
                small, large = sorted((first, second), key=lambda each: each.size)
                for write in small.writes:
                    yield use, None
                    yield from self._try_reads(write, large)
                for read in small.reads:
                    yield use, None
                    if read not in found:
                        yield from self._try_writes(read, large)

    def _try_reads(
        self, write: TensorUse, alias_set: AliasSet
    ) -> Iterator[tuple[TensorUse, RaWConflict | None]]:
        for read in alias_set.reads_around(write):
            yield read, self._find_conflict(read, write, alias_set)

    def _try_writes(
        self, read: TensorUse, alias_set: AliasSet
    ) -> Iterator[tuple[TensorUse, RaWConflict | None]]:
        for write in alias_set.writes_before(read):
            conflict = self._find_conflict(read, write, alias_set)
            yield read, conflict
            if conflict is not None:
                return

    def _find_conflict(
        self, read: TensorUse, write: TensorUse, looked_up_in: AliasSet
    ) -> RaWConflict | None:
        first = self._first
        if first and read.operand is first.read and write.operand is first.write:
            return first
        conflict = self._all_sets.rules.find_conflict(read, write)
        if conflict is None or self._all_sets.is_excused(read, write, looked_up_in):
            return None
        return conflict

    def leave_out_reads_of_aliases(
        self, conflicts: dict[TensorUse, RaWConflict]
    ) -> Iterator[RaWConflict]:
        """The reads, without operands that count as read because of other reads.

        `tensor.extract_slice %0` reads nothing itself, but its result is read. Without
        the reads of the result, the operand would not count as read.
        """
        for read in _in_order(conflicts):
            is_own = read.is_itself_read or read.is_passed_on
            if is_own or not self._has_only_known_readers(read, conflicts):
                yield conflicts[read]

    def _has_only_known_readers(
        self, read: TensorUse, conflicts: dict[TensorUse, RaWConflict]
    ) -> bool:
        return all(
            other in conflicts
            for alias in read.aliases
            for other in self._facts.get_uses_of(alias.value)
            if other.reads
        )


def _in_order(uses: Iterable[TensorUse]) -> list[TensorUse]:
    return sorted(uses, key=_place_and_number)


def _place_and_number(use: TensorUse) -> tuple[int, int]:
    operand: OpOperand = use.operand
    return use.point.start, operand.number
