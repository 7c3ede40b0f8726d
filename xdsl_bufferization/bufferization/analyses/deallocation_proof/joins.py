"""What holds where a loop begins an iteration, or where it ends: a relation.

    scf.for ... iter_args(%p = %a, %own = %false) {   // %p is %a, and %own is false; or
      %b = memref.alloc()                             // %p is a buffer of an earlier
      ...                                             // iteration, and %own is true
      scf.yield %b, %true
    }

A loop carries finitely many numbers of type `i1`. Some are numbers of the program. The
others say which buffer a pointer is in, whether two pointers are in one, and whether a
buffer was freed. The possible states are a condition over these. It grows until an
iteration adds nothing.

A buffer that an earlier iteration allocated is known by the first pointer that carries
it. From then on nobody else can reach it.

To go on, the relation is turned into functions: a number that the others determine is a
function of these, and a number that is free stays unknown. So no path has to repeat the
relation. Source: O. Coudert, C. Berthet, J. Madre, "Verification of synchronous
sequential machines based on symbolic execution", 1989.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE, TRUE

from .buffers import FIELDS, Buffer, Event, Pointer, Value
from .conditions import Scope
from .state import Mark, State


class Edge(NamedTuple):
    """One way to a place, and the values that are passed there."""

    condition: int
    values: Sequence[Value]


_NOTHING = -1
"""In the place of a buffer: the value has not been computed on this path."""


@dataclass
class _Carried:
    """What a pointer may be: one of `outer`, what an earlier one is, or its own."""

    may_be_nothing: bool = False
    outer: dict[Buffer, int] = field(default_factory=dict[Buffer, int])
    """By buffer its place among them."""

    partners: dict[int, None] = field(default_factory=dict[int, None])
    own: Operation | None = None
    """Where a buffer comes from that is known by this pointer, if there may be one."""

    happened: dict[str, Operation] = field(default_factory=dict[str, Operation])
    """What may have happened to that buffer, and where."""

    may_be_view: bool = False
    is_shifted: bool = False

    def size(self) -> int:
        """How much is known: it only grows."""
        return (
            self.may_be_nothing
            + len(self.outer)
            + len(self.partners)
            + (self.own is not None)
            + len(self.happened)
            + self.may_be_view
            + self.is_shifted
        )


class _Touched(NamedTuple):
    """A buffer from before a loop with which something may have happened."""

    place: int
    """Among all of these."""

    op: Operation
    """Where it happened."""


@dataclass(frozen=True)
class Guess:
    """The states of a loop in the last visit of the loop around it."""

    entered_with: list[list[Buffer]]
    """By pointer: the buffers that it may be in where the loop is entered."""

    carried: dict[int, _Carried]
    touched: dict[tuple[Buffer, str], _Touched]
    first: int
    """The states in which the loop is entered."""

    relation: int
    is_open: bool
    """Whether there may be more of them: the visit of that loop was a draft."""


class Join:
    """The states in which a place is reached, again and again."""

    def __init__(
        self,
        state: State,
        key: Hashable,
        inputs: Sequence[SSAValue | None],
        inner: Scope,
        own: Scope,
        around: int,
        start: int | None = None,
    ):
        """Know of no way to the place yet; `inner` is forgotten on the way there.

        `inputs` are what a place gets; None for one that is no value of the program.

        No way comes from where `around` does not hold. States are told apart within
        it: otherwise each of a hundred loops in a row would repeat all before it.

        Buffers that are known since `start`, or are newer, are those of the loop.
        """
        self._state = state
        self._key = key
        self._inputs = inputs
        self._inner = inner
        self._own = own
        self._around = around
        self._start = state.time if start is None else start
        self._carried: dict[int, _Carried] = {}
        self._touched: dict[tuple[Buffer, str], _Touched] = {}
        self._numbers: dict[Hashable, int] = {}
        self._nexts: dict[Hashable, int] = {}
        self.relation = FALSE

    # --- what may come -------------------------------------------------------------

    def grow(self, edges: Sequence[Edge], since: Mark | None) -> bool:
        """Whether something may come that could not before, also among buffers."""
        before = self._size()
        for edge in edges:
            self._grow_by(edge)
        if since is not None:
            reached = FALSE
            for edge in edges:
                reached = self._state.conditions.disjoin(reached, edge.condition)
            for buffer in self._state.changed_since(since):
                pointer = self._state.point_to(buffer)
                for root in self._state.expand(pointer, self._start).targets:
                    if root.born <= self._start:
                        self._touch(root, reached)
        return self._size() != before

    def expanded(self, edges: Sequence[Edge]) -> list[Edge]:
        """Ways from inside, with buffers for the stand-ins of the loop."""
        return [
            Edge(
                condition,
                [
                    self._state.expand(value, self._start)
                    if isinstance(value, Pointer)
                    else value
                    for value in values
                ],
            )
            for condition, values in edges
        ]

    def _size(self) -> int:
        return len(self._touched) + sum(each.size() for each in self._carried.values())

    def _touch(self, buffer: Buffer, reached: int) -> None:
        for name in FIELDS:
            happened = self._state.histories.since(buffer, name, self._start)
            if self._state.conditions.conjoin(reached, happened) != FALSE:
                op = self._state.histories.last_op(buffer)
                touched = _Touched(len(self._touched), op)
                self._touched.setdefault((buffer, name), touched)

    def _grow_by(self, edge: Edge) -> None:
        first: dict[Buffer, list[int]] = {}
        for number, value in enumerate(edge.values):
            if not isinstance(value, Pointer):
                continue
            carried = self._carried.setdefault(number, _Carried())
            carried.may_be_view |= value.view != FALSE
            carried.is_shifted |= value.is_shifted
            if not carried.may_be_nothing:
                nothing = self._nothing(value)
                there = self._state.conditions.conjoin(edge.condition, nothing)
                carried.may_be_nothing = there != FALSE
            for buffer, when in value.targets.items():
                there = self._state.conditions.conjoin(edge.condition, when)
                if there == FALSE:
                    continue
                if buffer.born <= self._start:
                    carried.outer.setdefault(buffer, len(carried.outer))
                    continue
                others = first.setdefault(buffer, [])
                carried.partners.update(dict.fromkeys(others))
                others.append(number)
                self._own_buffer(carried, buffer, there)

    def _nothing(self, value: Pointer) -> int:
        """Where a value has not been computed."""
        rest = TRUE
        for when in value.targets.values():
            rest = self._state.conditions.without(rest, when)
        return rest

    def _own_buffer(self, carried: _Carried, buffer: Buffer, there: int) -> None:
        carried.own = carried.own or buffer.op
        for name in FIELDS:
            happened = self._state.histories.of(buffer, name)
            if self._state.conditions.conjoin(there, happened) != FALSE:
                carried.happened.setdefault(name, self._state.histories.last_op(buffer))

    # --- guesses ---------------------------------------------------------------------

    def entered_with(self) -> list[list[Buffer]]:
        """By pointer: the buffers from before that it may be in, so far."""
        return [list(each.outer) for each in self._carried.values()]

    def as_guess(
        self, entered_with: list[list[Buffer]], first: int, is_open: bool
    ) -> Guess:
        """What is known by now, for the next visit of the loop around this one."""
        return Guess(
            entered_with, self._carried, self._touched, first, self.relation, is_open
        )

    def adopt(self, guess: Guess) -> bool:
        """Expect the states of another visit, if buffers are in the place of those."""
        now = self.entered_with()
        if [len(each) for each in now] != [len(each) for each in guess.entered_with]:
            return False
        heirs: dict[Buffer, Buffer] = {}
        for old, new in zip(guess.entered_with, now, strict=True):
            for buffer, heir in zip(old, new, strict=True):
                if heirs.setdefault(buffer, heir) is not heir:
                    return False
        met = {buffer for each in guess.carried.values() for buffer in each.outer}
        met.update(buffer for buffer, _ in guess.touched)
        for buffer in met:
            if buffer not in heirs:
                if not self._state.has(buffer):
                    return False
                heirs[buffer] = buffer
        if len(set(heirs.values())) != len(heirs):
            return False
        self._carried = {
            number: replace(each, outer={heirs[b]: n for b, n in each.outer.items()})
            for number, each in guess.carried.items()
        }
        self._touched = {(heirs[b], name): t for (b, name), t in guess.touched.items()}
        self.relation = guess.relation
        return True

    # --- the relation ----------------------------------------------------------------

    def first_states(self, edges: Sequence[Edge]) -> int:
        """The states that come by `edges` from outside of the loop."""
        conditions = self._state.conditions
        found, keys = FALSE, self._keys()
        for edge in edges:
            parts = self._parts(edge, keys, self._number)
            found = conditions.disjoin(found, conditions.all_of(parts))
        return found

    def states_of(self, edges: Sequence[Edge]) -> int:
        """The states that come by `edges` from inside, as far as buffers are now."""
        conditions = self._state.conditions
        found, keys = FALSE, self._keys()
        for edge in edges:
            parts = self._parts(edge, keys, self._next_number)
            values = {
                number: conditions.variable(self._number(key))
                for key, number in self._nexts.items()
            }
            states = conditions.outside_of(parts, self._inner, values)
            found = conditions.disjoin(found, states)
        return found

    def _parts(
        self,
        edge: Edge,
        keys: Sequence[Hashable],
        number_of: Callable[[Hashable], int],
    ) -> list[int]:
        """Conditions all of which hold in the states that come by an edge."""
        conditions, around = self._state.conditions, self._around
        found = [conditions.given(edge.condition, around)]
        fields = self._fields(edge)
        for key in keys:
            value = conditions.given(fields[key], around)
            number = conditions.variable(number_of(key))
            found.append(conditions.equal(number, value))
        return found

    def _next_number(self, key: Hashable) -> int:
        return self._number(key, is_next=True)

    def _number(self, key: Hashable, *, is_next: bool = False) -> int:
        known = self._nexts if is_next else self._numbers
        number = known.get(key)
        if number is None:
            name = None
            if not is_next and isinstance(key, int):
                name = self._inputs[key]
            full = ("join", self._key, self._place_of(key), is_next)
            number = self._state.conditions.number_of(full, self._own, name)
            known[key] = number
        return number

    def _place_of(self, key: Hashable) -> Hashable:
        """What a number is known by in all visits; buffers are new in each."""
        match key:
            case (Buffer() as buffer, str() as name):
                return "touched", self._touched[buffer, name].place
            case (int() as number, Buffer() as buffer):
                return number, "outer", self._carried[number].outer[buffer]
            case _:
                return key

    def _keys(self) -> list[Hashable]:
        """The numbers of a state, in one order.

        What happens to a buffer depends on who points to it. So these numbers are next
        to each other: with all of one kind first, a relation of ten buffers is large.
        """
        keys: list[Hashable] = []
        touched: set[Hashable] = set()
        for number in range(len(self._inputs)):
            carried = self._carried.get(number)
            if carried is None:
                keys.append(number)
                continue
            keys += [(number, way) for way in self._ways(carried)[:-1]]
            if carried.may_be_view:
                keys.append((number, "view"))
            keys += [(number, name) for name in carried.happened]
            for buffer in carried.outer:
                for name in FIELDS:
                    key = (buffer, name)
                    if key in self._touched and key not in touched:
                        touched.add(key)
                        keys.append(key)
        return [*keys, *(key for key in self._touched if key not in touched)]

    @staticmethod
    def _ways(carried: _Carried) -> list[Buffer | int | None]:
        """What a pointer may be: a buffer, what another pointer is, or its own."""
        nothing = [_NOTHING] if carried.may_be_nothing else []
        own = [] if carried.own is None else [None]
        return [*nothing, *carried.outer, *carried.partners, *own]

    def _fields(self, edge: Edge) -> Mapping[Hashable, int]:
        """By number of a state what it is on an edge."""
        owns: dict[int, int] = {}
        found: dict[Hashable, int] = {}
        for number, value in enumerate(edge.values):
            if isinstance(value, int):
                found[number] = value
                continue
            carried = self._carried[number]
            ways = self._conditions_of_ways(carried, value, edge, owns)
            owns[number] = own = ways.get(None, FALSE)
            found |= {(number, way): when for way, when in ways.items()}
            found[number, "view"] = value.view
            for name in carried.happened:
                found[number, name] = self._of_own(value, name, own)
        for buffer, name in self._touched:
            happened = self._state.histories.since(buffer, name, self._start)
            found[buffer, name] = happened
        return found

    def _conditions_of_ways(
        self, carried: _Carried, value: Pointer, edge: Edge, owns: dict[int, int]
    ) -> dict[Buffer | int | None, int]:
        conditions = self._state.conditions
        ways: dict[Buffer | int | None, int] = {
            buffer: value.targets.get(buffer, FALSE) for buffer in carried.outer
        }
        ways[_NOTHING] = self._nothing(value) if carried.may_be_nothing else FALSE
        rest = self._inner_part(value, lambda buffer: TRUE)
        for partner in carried.partners:
            other = edge.values[partner]
            assert isinstance(other, Pointer)
            same = self._inner_part(value, lambda b, o=other: o.targets.get(b, FALSE))
            ways[partner] = conditions.conjoin(same, owns.get(partner, FALSE))
            rest = conditions.without(rest, ways[partner])
        ways[None] = rest
        return ways

    def _inner_part(self, value: Pointer, rule: Callable[[Buffer], int]) -> int:
        """Whether it is in a buffer of the loop for which the rule holds."""
        conditions = self._state.conditions
        found = FALSE
        for buffer, when in value.targets.items():
            if buffer.born > self._start:
                part = conditions.conjoin(when, rule(buffer))
                found = conditions.disjoin(found, part)
        return found

    def _of_own(self, value: Pointer, name: str, own: int) -> int:
        happened = self._inner_part(
            value, lambda each: self._state.histories.of(each, name)
        )
        return self._state.conditions.conjoin(own, happened)

    # --- going on --------------------------------------------------------------------

    def install(self, phase: int = TRUE) -> tuple[int, list[Value]]:
        """Let buffers be what may come; whether the place is reached, and its inputs.

        Nothing comes, and buffers are as they were, where `phase` does not hold.
        """
        conditions = self._state.conditions
        keys = self._keys()
        own = {self._number(key): key for key in keys}
        reached = conditions.exists(self.relation, own.__contains__)
        functions = self._functions(own)
        reached = conditions.conjoin(reached, conditions.conjoin(phase, self._around))
        for (buffer, name), touched in self._touched.items():
            self._restore(buffer, name, touched.op, functions[buffer, name], reached)
        slots = self._slots(functions, reached)
        values: list[Value] = []
        for number, value in enumerate(self._inputs):
            carried = self._carried.get(number)
            if carried is None:
                values.append(functions[number])
                continue
            pointer = self._pointer(number, carried, slots, functions)
            key = (self._key, number) if value is None else value
            values.append(self._state.collapse(key, pointer, reached))
        return reached, values

    def _functions(self, own: Mapping[int, Hashable]) -> dict[Hashable, int]:
        """For each number a function of those that are free, one for each state.

        What the relation says of some numbers alone is looked at alone.
        """
        conditions = self._state.conditions
        found = {number: conditions.variable(number) for number in own}
        for factor in conditions.factors(self.relation):
            numbers = [n for n in conditions.variables_of(factor) if n in own]
            found |= conditions.functions(factor, sorted(numbers))
        return {key: found[number] for number, key in own.items()}

    def _restore(
        self, buffer: Buffer, name: str, op: Operation, now: int, reached: int
    ) -> None:
        conditions = self._state.conditions
        self._state.time += 1
        before: int = getattr(buffer, name)
        after = conditions.choose(reached, now, before)
        after = conditions.given(after, buffer.allocated)
        self._state.change(buffer, **{name: after})
        if name != "kept":
            happened = conditions.conjoin(reached, now)
            event = Event(self._state.time, happened, op, name == "freed")
            buffer.events.append(event)

    def _slots(self, functions: dict[Hashable, int], reached: int) -> dict[int, Buffer]:
        """The buffers that are known by the pointers that carry them."""
        slots: dict[int, Buffer] = {}
        for number, carried in self._carried.items():
            if carried.own is None:
                continue
            is_own = self._way(number, carried, None, functions)
            when = self._state.conditions.conjoin(reached, is_own)
            slot = self._state.allocate(
                ("slot", self._key, number), carried.own, when, is_carried=True
            )
            for name, op in carried.happened.items():
                happened = functions[number, name]
                slot.set_condition(name, happened)
                if name != "kept":
                    is_free = name == "freed"
                    event = Event(slot.born, happened, op, is_free, is_earlier=True)
                    slot.events.append(event)
            slots[number] = slot
        return slots

    def _way(
        self,
        number: int,
        carried: _Carried,
        way: Buffer | int | None,
        functions: dict[Hashable, int],
    ) -> int:
        ways = self._ways(carried)
        if way != ways[-1]:
            return functions[number, way]
        rest = TRUE
        for other in ways[:-1]:
            rest = self._state.conditions.without(rest, functions[number, other])
        return rest

    def _pointer(
        self,
        number: int,
        carried: _Carried,
        slots: dict[int, Buffer],
        functions: dict[Hashable, int],
    ) -> Pointer:
        targets: dict[Buffer, int] = {}
        for way in self._ways(carried):
            when = self._way(number, carried, way, functions)
            if when == FALSE or way == _NOTHING:
                continue
            if isinstance(way, Buffer):
                targets[way] = when
            else:
                targets[slots[number if way is None else way]] = when
        view = functions[number, "view"] if carried.may_be_view else FALSE
        return Pointer(targets, view, carried.is_shifted)
