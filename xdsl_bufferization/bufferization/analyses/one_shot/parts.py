"""Which part of which tensor an operand reads or writes, in one frame of reference.

    %1 = tensor.extract_slice %0[8] [4] [1]     // %1 is %0[8 .. 11]
    %2 = linalg.fill outs(%1)                   // so is %2
    %3 = tensor.insert %v into %2[%c3]          // writes %0[11 .. 11]

A value is followed back to its origin, through slices and through ops that keep the
buffer element by element. Take two uses with the same origin whose parts do not meet in
some dimension. Then the two are never at the same element, whatever buffer they are in.
The reason: a copy of a part starts a buffer of its own, so that a buffer lies around
both parts in the same way.

Offsets may hinge on values that change in a loop. Then the two uses count as apart only
if those values cannot change between the definition of the read and the read.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.support.algorithms.program_points import Repetition

from ...interfaces.boxes import Box, Extent, Linear, extent_of
from ...interfaces.operands import is_ranked_tensor_type, owner_op
from ...interfaces.state import AnalysisState
from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import TensorUse, is_equivalent
from .conflicts import ConflictRules


class Part(NamedTuple):
    """A part of a tensor: its elements are among those described here."""

    origin: SSAValue
    """The tensor."""

    extents: tuple[Extent, ...]
    """Where the elements are, for each dimension of the origin."""

    axes: tuple[tuple[int, int], ...] | None
    """For each dimension of the part: a dimension of the origin, and a step in it.

    None if it is not known which element of the origin an index stands for.
    """

    is_exact: bool = True
    """Whether the part has all of these elements, if the extents are known."""

    def is_disjoint(self, other: Part) -> bool:
        """Whether the two never have an element in common."""
        return self.origin is other.origin and any(
            a.is_disjoint(b) for a, b in zip(self.extents, other.extents, strict=True)
        )

    def is_inside(self, other: Part) -> bool:
        """Whether every element of this part is certainly one of `other`."""
        return (
            self.origin is other.origin
            and other.is_exact
            and all(
                a.is_inside(b) for a, b in zip(self.extents, other.extents, strict=True)
            )
        )


class ReadPart(NamedTuple):
    """What a use reads: one part, without another part that it overwrites."""

    part: Part
    overwritten: Part | None = None

    def misses(self, write: Part) -> bool:
        """Whether a write of a part certainly changes nothing that is read."""
        return self.part.is_disjoint(write) or (
            self.overwritten is not None and write.is_inside(self.overwritten)
        )


class Parts:
    """The parts that the uses of a program work on."""

    def __init__(
        self,
        facts: TensorFacts,
        rules: ConflictRules,
        decisions: AnalysisState | None = None,
    ):
        """Without `decisions`, the parts are those that hold whatever is decided."""
        self._facts = facts
        self._state = decisions or facts
        self._rules = rules
        self._subsets = facts.models.subsets
        self._extractions = facts.models.extractions
        self._values: dict[SSAValue, Part] = {}
        self._reads: dict[TensorUse, ReadPart] = {}
        self._writes: dict[TensorUse, Part] = {}

    def are_disjoint(self, read: TensorUse, write: TensorUse) -> bool:
        """Whether a read sees nothing of a write, even in the same buffer."""
        first, second = self._of_value(read.value), self._of_value(write.value)
        # Most often the origins are two, which no box needs to be made for.
        return first.origin is second.origin and (
            self.of_read(read).misses(self.of_write(write))
        )

    def of_read(self, use: TensorUse) -> ReadPart:
        """The part that a use reads; all parts that it may be, if the part moves."""
        part = self._reads.get(use)
        if part is None:
            part = self._reads[use] = self._find_read(use)
        return part

    def _find_read(self, use: TensorUse) -> ReadPart:
        if not use.writes:
            return ReadPart(self._keep_fixed(self._of_subset(use), use))
        whole, written = self._of_value(use.value), self.of_write(use)
        if written is whole or not self._overwrites_box(use.operand.owner):
            return ReadPart(self._keep_fixed(whole, use))
        # An insertion reads what it does not write.
        return ReadPart(self._keep_fixed(whole, use), self._keep_fixed(written, use))

    def of_write(self, use: TensorUse) -> Part:
        """What a use writes."""
        part = self._writes.get(use)
        if part is None:
            part = self._writes[use] = self._of_subset(use)
        return part

    def _of_subset(self, use: TensorUse) -> Part:
        """The part of a container that `use` is about; otherwise the whole value."""
        whole = self._of_value(use.value)
        op = use.operand.owner
        model = self._subsets[type(op)]
        if model is None or use.operand != model.get_container(op):
            return whole
        return _take(whole, model.get_box(op))

    def _overwrites_box(self, op: Operation) -> bool:
        """Whether an op overwrites a whole box, and nothing else of the container."""
        model = self._subsets[type(op)]
        return model is not None and model.overwrites_box(op)

    def _keep_fixed(self, part: Part, read: TensorUse) -> Part:
        """`part` without the offsets that may change before it is read."""
        definitions = read.definitions
        if definitions is None:
            return part
        repetition = self._rules.get_repetition(read, definitions)
        if repetition is None:
            return part
        extents = tuple(
            Extent(None, None) if self._changes(e.start, repetition) else e
            for e in part.extents
        )
        return part._replace(extents=extents)

    def _changes(self, start: Linear | None, repetition: Repetition) -> bool:
        return start is not None and any(
            self._is_inside(value, repetition) for value, _ in start.terms
        )

    def _is_inside(self, value: SSAValue, repetition: Repetition) -> bool:
        points = self._facts.points
        op = owner_op(value)
        if op is None or not points.knows(op):
            return False
        if isinstance(value.owner, Block):
            return repetition.covers(points.of_block(value.owner).start)
        return repetition.covers(points.of_op(op).start)

    # Values.

    def _of_value(self, value: SSAValue) -> Part:
        if not self._values:
            # In program order, so that what a value is made from comes before it.
            for each in self._facts.values:
                self._values[each] = self._derive(each) or _whole(each)
        return self._values[value]

    def _derive(self, value: SSAValue) -> Part | None:
        """The part of another value that `value` is, if that is known."""
        if not isinstance(value, OpResult) or self._facts.get_model(value.op) is None:
            return None
        aliases = self._state.get_aliasing_op_operands(value)
        if not aliases:
            return None
        extraction = self._extractions[type(value.op)]
        if extraction and len(aliases) == 1 and (box := extraction.get_box(value.op)):
            return _take(self._values[aliases[0].operand.value], box)
        if not all(map(is_equivalent, aliases)):
            return None
        first, *others = (self._values.get(alias.operand.value) for alias in aliases)
        if first is None or any(other != first for other in others):
            return None
        if first.axes is not None and len(first.axes) != _rank(value):
            return first._replace(axes=None, is_exact=False)
        return first


def _whole(value: SSAValue) -> Part:
    return Part(value, *_whole_of_rank(_rank(value)))


@cache
def _whole_of_rank(rank: int) -> tuple[tuple[Extent, ...], tuple[tuple[int, int], ...]]:
    """All extents, and all axes."""
    extents = (Extent(Linear(0), None),) * rank
    return extents, tuple((axis, 1) for axis in range(rank))


def _rank(value: SSAValue) -> int:
    type_ = value.type
    return type_.get_num_dims() if is_ranked_tensor_type(type_) else 0


def _take(part: Part, box: Box | None) -> Part:
    """The elements of `part` that are in `box`."""
    if box is None or part.axes is None:
        return part._replace(axes=None, is_exact=False)
    extents = list(part.extents)
    axes: list[tuple[int, int]] = []
    is_exact = part.is_exact
    for (axis, unit), offset, size, stride in zip(
        part.axes, box.offsets, box.sizes, box.strides, strict=True
    ):
        before = extents[axis]
        step = -1 if stride is None else stride * unit
        axes.append((axis, step))
        if before.start is None or step < 0 or (offset.terms and before.span):
            # Somewhere in what is known already.
            is_exact = False
            continue
        start = before.start.plus(offset.times(unit))
        extents[axis] = extent_of(start, size, step)
    is_known = is_exact and box.kept is not None
    kept = tuple(axes[i] for i in box.kept or ()) if is_known else None
    return Part(part.origin, tuple(extents), kept, is_exact)
