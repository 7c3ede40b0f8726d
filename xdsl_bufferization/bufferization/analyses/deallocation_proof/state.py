"""What is known at one point of a symbolic run: values, and the state of each buffer.

    %a = memref.alloc()              // a buffer, allocated where this place is reached
    scf.if %c { memref.dealloc %a }  // freed: %c
    %s = arith.select %d, %a, %b     // a pointer: to a's buffer if %d, else to b's

There is one state for all paths, and no copy of it is ever made: everything in it is a
condition. What one branch does holds under the condition of that branch, so that the
other branch does not see it. Only loops go back: what an iteration changed is undone
from a journal.
"""

import heapq
from collections.abc import Hashable, Iterable, Mapping
from itertools import count
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE, TRUE

from .buffers import MOST_TARGETS, Buffer, Event, Owner, Pointer, Value
from .conditions import Conditions, Scope
from .findings import Fault, Findings, Undecided
from .histories import Histories, start_to_remember


class Mark(NamedTuple):
    """A point in a run that it can go back to."""

    changes: int
    buffers: int
    faults: int
    undecided: int


class _Change(NamedTuple):
    buffer: Buffer
    freed: int
    given: int
    kept: int
    follower: tuple[Buffer, int] | None
    events: int


class State:
    """The values and buffers of a function."""

    def __init__(self, findings: Findings, *, may_guess: bool):
        """Know nothing yet.

        If the run `may_guess`, a loop in a loop begins with the states of its last
        visit. A guess may have too many states, and so cause a false alarm.
        """
        self.may_guess = may_guess
        self.has_guessed = False
        self.is_draft = False
        """Whether this visit of some loop around is followed by another one."""

        self.has_open_loops = False
        """Whether a loop may have more states than were found in this visit."""

        self.conditions = Conditions()
        self.histories = Histories(self.conditions)
        self.findings = findings
        self.scope = Scope()
        self.values: dict[SSAValue, Value] = {}
        self.buffers: list[Buffer] = []
        self.cells: dict[tuple[Buffer, int], Value] = {}
        """What tables hold: numbers and addresses at constant places."""

        self.outside: dict[tuple[Owner, Hashable], Buffer] = {}
        """Buffers that somebody else owns; there from the start."""

        self.time = 0
        self._journal: list[_Change] = []

    # --- going back ------------------------------------------------------------------

    def mark(self) -> Mark:
        """Remember this point."""
        return Mark(
            len(self._journal),
            len(self.buffers),
            len(self.findings.faults),
            len(self.findings.undecided),
        )

    def go_back(self, mark: Mark, *, forget_findings: bool) -> None:
        """Undo what has happened to buffers, and forget those that are newer."""
        while len(self._journal) > mark.changes:
            change = self._journal.pop()
            buffer = change.buffer
            buffer.freed, buffer.given = change.freed, change.given
            buffer.kept, buffer.follower = change.kept, change.follower
            del buffer.events[change.events :]
            self.histories.forget(buffer)
        del self.buffers[mark.buffers :]
        if forget_findings:
            del self.findings.faults[mark.faults :]
            del self.findings.undecided[mark.undecided :]

    def changed_since(self, mark: Mark) -> Iterable[Buffer]:
        """The buffers with which something has happened, each once."""
        return dict.fromkeys(change.buffer for change in self._journal[mark.changes :])

    # --- buffers ---------------------------------------------------------------------

    def allocate(
        self, key: Hashable, op: Operation, condition: int, *, is_carried: bool = False
    ) -> Buffer:
        """A new buffer that the function owns."""
        self.time += 1
        buffer = Buffer(
            key,
            Owner.FUNCTION,
            op,
            self.scope,
            self.time,
            condition,
            len(self.buffers),
            is_carried=is_carried,
        )
        self.buffers.append(buffer)
        return buffer

    def has(self, buffer: Buffer) -> bool:
        """Whether a buffer has not been forgotten."""
        place = buffer.place
        return place < len(self.buffers) and (
            place < 0 or self.buffers[place] is buffer
        )

    def borrow(self, owner: Owner, key: Hashable, op: Operation) -> Buffer:
        """A buffer that somebody else owns."""
        buffer = self.outside.get((owner, key))
        if buffer is None:
            root = self.scope
            while root.parent is not None:
                root = root.parent
            buffer = Buffer((owner, key), owner, op, root, 0, TRUE)
            self.outside[owner, key] = buffer
        return buffer

    def change(
        self,
        buffer: Buffer,
        *,
        freed: int | None = None,
        given: int | None = None,
        kept: int | None = None,
    ) -> None:
        """Note a new state, and how to go back."""
        self._note(buffer)
        buffer.freed = buffer.freed if freed is None else freed
        buffer.given = buffer.given if given is None else given
        buffer.kept = buffer.kept if kept is None else kept
        self.histories.forget(buffer)

    def _note(self, buffer: Buffer) -> None:
        self._journal.append(
            _Change(
                buffer,
                buffer.freed,
                buffer.given,
                buffer.kept,
                buffer.follower,
                len(buffer.events),
            )
        )

    def end(
        self, buffer: Buffer, condition: int, op: Operation, *, is_free: bool
    ) -> None:
        """Free a buffer under a condition, or give it away."""
        conditions = self.conditions
        self.time += 1
        name = "freed" if is_free else "given"
        known = conditions.disjoin(buffer.condition(name), condition)
        self.change(buffer, **{name: conditions.given(known, buffer.allocated)})
        buffer.events.append(Event(self.time, condition, op, is_free))

    # --- stand-ins -------------------------------------------------------------------

    def collapse(self, key: Hashable, value: Value, reached: int) -> Value:
        """A pointer that is in few buffers, for one that may be in many."""
        if not isinstance(value, Pointer) or len(value.targets) <= MOST_TARGETS:
            return value
        sources = {
            buffer: when
            for buffer, when in value.targets.items()
            if buffer.owner is Owner.FUNCTION and buffer.follower is None
        }
        if len(sources) < 2:
            return value
        targets = {b: w for b, w in value.targets.items() if b not in sources}
        stand_in = self._stand_in(key, sources, reached)
        targets[stand_in] = self._any(sources.values())
        return Pointer(targets, value.view, value.is_shifted)

    def _stand_in(
        self, key: Hashable, sources: Mapping[Buffer, int], reached: int
    ) -> Buffer:
        first = next(iter(sources))
        buffer = self.allocate(("stand-in", key), first.op, reached)
        buffer.sources = sources
        start_to_remember(buffer)
        for source, when in sources.items():
            self._note(source)
            source.follower = (buffer, self.conditions.conjoin(reached, when))
        return buffer

    def _any(self, conditions: Iterable[int]) -> int:
        found = FALSE
        for condition in conditions:
            found = self.conditions.disjoin(found, condition)
        return found

    def settle(self) -> None:
        """At the end: note as `kept` all that ends the life of a buffer.

        After that nothing asks stand-ins any more.
        """
        conditions = self.conditions
        # A stand-in is newer than its sources, and has settled before they do.
        for buffer in reversed(self.buffers):
            over = self._any((buffer.freed, buffer.given, buffer.kept))
            buffer.above.clear()
            if buffer.follower is not None:
                stand_in, when = buffer.follower
                later = conditions.conjoin(when, stand_in.kept)
                over = conditions.disjoin(over, later)
                buffer.follower = None
            buffer.kept = over

    def expand(self, pointer: Pointer, since: int = -1) -> Pointer:
        """The pointer without stand-ins that are newer than `since`."""
        for buffer in pointer.targets:
            if buffer.sources and buffer.born > since:
                return self._expanded(pointer, since)
        return pointer

    def _expanded(self, pointer: Pointer, since: int) -> Pointer:
        targets: dict[Buffer, int] = {}
        waiting = list(pointer.targets.items())
        while waiting:
            buffer, when = waiting.pop()
            if when == FALSE:
                continue
            if not buffer.sources or buffer.born <= since:
                known = targets.get(buffer, FALSE)
                targets[buffer] = self.conditions.disjoin(known, when)
                continue
            for source, this in buffer.sources.items():
                waiting.append((source, self.conditions.conjoin(when, this)))
        return Pointer(targets, pointer.view, pointer.is_shifted)

    def tell_apart(self, targets: Iterable[tuple[Buffer, int]]) -> dict[Buffer, int]:
        """The same buffers under the same conditions, none of which may be another.

        A buffer can only be one of a stand-in that is newer. So the last one stays.
        """
        conditions = self.conditions
        found: dict[Buffer, int] = {}
        waiting: list[tuple[int, int, Buffer]] = []
        numbers = count()

        def add(buffer: Buffer, when: int) -> None:
            if when != FALSE:
                if buffer not in found:
                    heapq.heappush(waiting, (-buffer.born, next(numbers), buffer))
                found[buffer] = conditions.disjoin(found.get(buffer, FALSE), when)

        for buffer, when in targets:
            add(buffer, when)
        while len(waiting) > 1:
            _, _, buffer = heapq.heappop(waiting)
            if buffer.sources:
                condition = found.pop(buffer)
                for source, when in buffer.sources.items():
                    add(source, conditions.conjoin(condition, when))
        return found

    # --- addresses -------------------------------------------------------------------

    def same_address(self, first: Buffer, second: Buffer) -> int:
        """Whether two buffers have one address.

        The address of a buffer that was freed may be given out again. So the answer is
        unknown where one of them was freed before the other was allocated.
        """
        if first is second:
            return TRUE
        if first.born > second.born:
            first, second = second, first
        if second.sources:
            return self._same_as_source(first, second)
        possible = self._may_follow(first, second)
        if possible == FALSE:
            return FALSE
        if first.sources:
            return self._same_as_source(second, first)
        both = ("address", frozenset((first.key, second.key)))
        unknown = self.conditions.unknown(both, second.scope)
        return self.conditions.conjoin(possible, unknown)

    def _same_as_source(self, buffer: Buffer, stand_in: Buffer) -> int:
        conditions = self.conditions
        return self._any(
            conditions.conjoin(when, self.same_address(buffer, source))
            for source, when in stand_in.sources.items()
        )

    def _may_follow(self, first: Buffer, second: Buffer) -> int:
        owners = {first.owner, second.owner}
        if Owner.UNKNOWN in owners:
            return TRUE
        if owners == {Owner.FUNCTION}:
            dead = self._freed_before(first, second.born)
            if first.is_carried and second.is_carried:
                # Which of them is older is not known.
                later = self._freed_before(second, second.born)
                dead = self.conditions.disjoin(dead, later)
            return dead
        is_lent = Owner.FUNCTION not in owners and Owner.STACK not in owners
        return TRUE if is_lent and owners != {Owner.GLOBAL} else FALSE

    def _freed_before(self, buffer: Buffer, time: int) -> int:
        found = FALSE
        if self.histories.of(buffer, "freed") == FALSE:
            return found
        for event in self.histories.events_of(buffer):
            if event.is_free and event.time <= time:
                found = self.conditions.disjoin(found, event.condition)
        return found

    # --- values ----------------------------------------------------------------------

    def point_to(self, buffer: Buffer) -> Pointer:
        """A pointer to one buffer."""
        return Pointer({buffer: TRUE})

    def only_where(self, condition: int, value: Value) -> Value:
        """The value where the condition holds; false, or no buffer, elsewhere."""
        if condition == TRUE:
            return value
        conjoin = self.conditions.conjoin
        if isinstance(value, int):
            return conjoin(condition, value)
        targets = {b: conjoin(condition, when) for b, when in value.targets.items()}
        return Pointer(targets, conjoin(condition, value.view), value.is_shifted)

    def choose(self, condition: int, yes: Value, no: Value) -> Value:
        """One of two values."""
        if condition == TRUE or yes == no:
            return yes
        if condition == FALSE:
            return no
        if isinstance(yes, int):
            assert isinstance(no, int)
            return self.conditions.choose(condition, yes, no)
        assert isinstance(no, Pointer)
        return self._choose_pointer(condition, yes, no)

    def _choose_pointer(self, condition: int, yes: Pointer, no: Pointer) -> Pointer:
        choose = self.conditions.choose
        targets: dict[Buffer, int] = {}
        for buffer in (*yes.targets, *no.targets):
            if buffer not in targets:
                targets[buffer] = choose(
                    condition,
                    yes.targets.get(buffer, FALSE),
                    no.targets.get(buffer, FALSE),
                )
        return Pointer(
            {buffer: when for buffer, when in targets.items() if when != FALSE},
            choose(condition, yes.view, no.view),
            yes.is_shifted or no.is_shifted,
        )

    # --- findings --------------------------------------------------------------------

    def report(self, fault: Fault) -> None:
        """Note a fault, once."""
        for each in self.findings.faults[-8:]:
            if each.op is fault.op and each.kind is fault.kind:
                return
        self.findings.faults.append(fault)

    def leave_open(self, op: Operation, why: str) -> None:
        """Note that something is not decided, once for each op."""
        if all(each.op is not op for each in self.findings.undecided[-8:]):
            self.findings.undecided.append(Undecided(op, why))
