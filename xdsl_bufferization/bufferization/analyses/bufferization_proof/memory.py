"""The tensors of each buffer, and what a write through one of them does to the others.

    %1 = tensor.insert %x into %0[%i]     in place: %0, and each slice of it that may
                                          have this element, is spoiled there

A tensor is watched from its definition to its last use. A write to a buffer also
spoils, in buffers that may be the same one, the part that would be written there.
"""

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...interfaces.operands import OpOperand, is_tensor
from .effects import Effects, NotedEffects
from .findings import Finding, Kind, Verdict
from .lifetimes import Lifetimes
from .locations import Buffer, Location, Locations
from .parallel import ParallelWrites
from .questions import Questions
from .regions import Region, anywhere_in, may_overlap, moved, widened
from .state import Alignment, Condition, Overlap, Spoil, Spoils, State, united

NO_NUMBERS: frozenset[int] = frozenset()

FindEffects = Callable[[Operation], Effects | None]
"""The effects of the function that an op calls; None if nobody knows it."""


@dataclass
class Memory:
    """The tensors that are watched, and what a write does to them."""

    questions: Questions
    locations: Locations
    lifetimes: Lifetimes
    verdict: Verdict
    find_effects: FindEffects
    effects: NotedEffects = field(default_factory=NotedEffects)
    parallel: list[ParallelWrites] = field(default_factory=list[ParallelWrites])
    """The parallel regions around what is interpreted, outermost first."""

    left_out: Set[Operation] = frozenset()
    """Insertions that copy nothing."""

    undefined: Set[SSAValue] = frozenset()
    """Tensors whose contents nobody gave."""

    news: int = 0
    """How often something was noted that is not in a state."""

    def __post_init__(self) -> None:
        self._members: dict[Buffer, dict[SSAValue, None]] = {}
        self._origins: dict[SSAValue, frozenset[int]] = {}
        self._arguments: dict[Buffer, int] = {}
        self._exposed: dict[Buffer, Operation] = {}
        self._now = 0

    # --- values ----------------------------------------------------------------------

    def add_arguments(self, function: FuncOp) -> None:
        """The arguments of a function hold their elements when it is called."""
        for number, argument in enumerate(function.body.blocks[0].args):
            if is_tensor(argument):
                buffer = self.locations.of(argument).buffer
                self._arguments[buffer] = number
                self._members[buffer] = {argument: None}
                self._origins[argument] = frozenset((number,))

    def watch(self, values: Iterable[SSAValue]) -> None:
        """Let arguments and results be watched, also if they have been before."""
        for value in values:
            if is_tensor(value):
                buffer = self.locations.of(value).buffer
                self._members.setdefault(buffer, {})[value] = None

    def define(
        self, value: SSAValue, spoils: Spoils, origins: frozenset[int], state: State
    ) -> None:
        """Let a tensor hold its elements, except for `spoils`."""
        state.set(value, () if value in self.undefined else spoils)
        self._members.setdefault(self.locations.of(value).buffer, {})[value] = None
        old = self._origins.get(value, NO_NUMBERS)
        if not origins <= old:
            self._origins[value] = old | origins
            self.news += 1

    def origins(self, value: SSAValue) -> frozenset[int]:
        """The arguments of the function of which `value` may have elements."""
        return self._origins.get(value, NO_NUMBERS)

    def is_alive(self, value: SSAValue, now: int) -> bool:
        """Whether an op from number `now` on may use a tensor."""
        return self.lifetimes.last_use(value) >= now

    def members(self, buffer: Buffer) -> Iterator[SSAValue]:
        """The tensors in a buffer that matter from here on."""
        members = self._members.get(buffer)
        if members:
            dead = [v for v in members if not self.is_alive(v, self._now)]
            for value in dead:
                del members[value]
            yield from members

    def near_to(self, buffer: Buffer, state: State) -> list[tuple[Buffer, Overlap]]:
        """The other buffers that one may overlap, and that matter from here on."""
        return [
            (other, overlap)
            for other, overlap in state.near_to(buffer).items()
            if self.matters(other)
        ]

    def go_to(self, number: int) -> None:
        """Let the op of this number be the one that runs next."""
        self._now = number

    def matters(self, buffer: Buffer) -> bool:
        """Whether a tensor of this buffer is used from here on, or by the caller."""
        return buffer in self._arguments or self._has_members(buffer)

    def _has_members(self, buffer: Buffer) -> bool:
        members = self._members.get(buffer)
        while members:
            # The newest is the likeliest to be used.
            value, _ = members.popitem()
            if self.is_alive(value, self._now):
                members[value] = None
                return True
        return False

    def connect(
        self,
        named: Location,
        source: Location,
        state: State,
        new: State,
        is_kept: Callable[[Buffer], bool] = lambda _: True,
        *,
        is_aligned: bool = True,
        condition: Condition = None,
    ) -> None:
        """Let a buffer with a name of its own be that of `source`, as in `state`.

        It is if `condition` holds. Nothing is noted of a buffer that overlaps the
        source only if it does not.
        """
        near = self.near_to(source.buffer, state)
        if is_kept(source.buffer):
            alignment = (named.view, source.view) if is_aligned else None
            overlap = Overlap(alignment, condition)
            new.connect(named.buffer, source.buffer, overlap)
        for other, (alignment, other_condition) in near:
            if not is_kept(other) or _is_opposite(condition, other_condition):
                continue
            if alignment is not None:
                here, there = alignment
                if not may_overlap(here.region, source.region):
                    continue
                is_same_part = is_aligned and here == source.view
                alignment = (named.view, there) if is_same_part else None
            overlap = Overlap(alignment, condition or other_condition)
            new.connect(named.buffer, other, overlap)

    def spoils_in(
        self,
        value: SSAValue,
        region: Region,
        state: State,
        *,
        is_inserted: bool = False,
    ) -> Spoils:
        """What is wrong with a part of a tensor.

        `is_inserted`: an iteration of a parallel loop ends by inserting it.
        """
        found = self.spoils_left(value, region, state)
        if self.parallel and value not in self.undefined:
            met = self._met_in_parallel(value, region, state, is_inserted)
            found = united(found, met)
        return found

    def spoils_left(self, value: SSAValue, region: Region, state: State) -> Spoils:
        """What is wrong with a part of a tensor, but for what others write meanwhile.

        These spoils are enough for a tensor that stays in its buffer: whoever reads
        it there, while other iterations run, looks at their writes then.
        """
        if value in self.undefined:
            return ()
        return tuple(
            spoil
            for spoil in state.spoils.get(value, ())
            if may_overlap(spoil.region, region)
        )

    def _met_in_parallel(
        self, value: SSAValue, region: Region, state: State, is_inserted: bool
    ) -> Iterator[Spoil]:
        location = self.locations.of(value)
        for context in self.parallel:
            if not context.written:
                continue
            for spoil in context.meet(location.buffer, region, is_inserted=is_inserted):
                # What the part is named after has other values in other iterations.
                part = widened(spoil.region, context.is_outside)
                yield Spoil(part, spoil.write)
            for near, overlap in state.near_to(location.buffer).items():
                beside = region_beside(region, near, overlap.alignment)
                if beside is None:
                    continue
                for spoil in context.meet(near, beside, is_inserted=is_inserted):
                    yield Spoil(location.region, spoil.write)

    def report(self, read: OpOperand, write: OpOperand, kind: Kind = Kind.LOST) -> None:
        """Note what is wrong at a read."""
        self.verdict.findings[Finding(read, write, kind)] = None

    def _arguments_at(self, buffer: Buffer, state: State) -> Iterator[int]:
        for each in (buffer, *state.near_to(buffer)):
            if each in self._arguments:
                yield self._arguments[each]

    # --- writes ----------------------------------------------------------------------

    def _write_buffer(
        self, buffer: Buffer, region: Region, write: OpOperand, state: State
    ) -> None:
        self._check_writable(buffer, region, write, state)
        self._note_written(buffer, region, write, state)
        self._spoil(buffer, region, write, state)
        for other, overlap in self.near_to(buffer, state):
            spoiled = region_beside(region, other, overlap.alignment)
            if spoiled is not None:
                self._spoil(other, spoiled, write, state)

    def _check_writable(
        self, buffer: Buffer, region: Region, write: OpOperand, state: State
    ) -> None:
        """Nobody may write a constant, not even what is there already."""
        self.effects.written |= set(self._arguments_at(buffer, state))
        near = [
            other
            for other, overlap in self.near_to(buffer, state)
            if region_beside(region, other, overlap.alignment) is not None
        ]
        if not all(each.is_writable for each in (buffer, *near)):
            self.report(write, write, Kind.CONSTANT)

    def _spoil(
        self, buffer: Buffer, region: Region, write: OpOperand, state: State
    ) -> None:
        spoil = [Spoil(region, write)]
        for value in self.members(buffer):
            if value not in self.undefined and may_overlap(
                self.locations.of(value).region, region
            ):
                state.add(value, spoil)

    def _note_written(
        self, buffer: Buffer, region: Region, write: OpOperand, state: State
    ) -> None:
        for context in self.parallel:
            new = context.add(buffer, Spoil(region, write))
            for near, overlap in state.near_to(buffer).items():
                beside = region_beside(region, near, overlap.alignment)
                if beside is not None:
                    new |= context.add(near, Spoil(beside, write))
            self.news += new


def region_beside(region: Region, other: Buffer, alignment: Alignment) -> Region | None:
    """The part of another buffer that `region` may be; None if it is none."""
    if alignment is None:
        return anywhere_in(other.frame)
    here, there = alignment
    if not may_overlap(region, here.region):
        return None
    return moved(region, here, there)


def _is_opposite(first: Condition, second: Condition) -> bool:
    """Whether both cannot hold."""
    return (
        first is not None
        and second is not None
        and first[0] is second[0]
        and first[1] is not second[1]
    )
