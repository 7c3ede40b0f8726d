"""Whether two steps, one behind the other, do the same.

%h1 = ... %h0, %w1, %x[0]      The second step reads what the first one made, another
%h2 = ... %h1, %w2, %x[1]      weight, and the next slice: the two do the same.
"""

from collections.abc import Sequence
from typing import Final

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.support.equivalence import are_same_programs

from .steps import Input, Made, Steps, static_offsets
from .straight_line import inputs_of, is_fixed

_OFFSETS: Final = "static_offsets"


class Comparison:
    """Of the last of some steps and the step behind it."""

    def __init__(self, steps: Steps):
        self._steps = steps
        self._line = steps.line
        self._last = steps.stop - steps.period
        self.reads: list[Made | None] = []
        """For each input of the step behind, what of the last step it is."""
        self.distances: dict[int, Sequence[int]] = {}
        self.differing: list[Input] = []
        self.carried: dict[Made, SSAValue] = {}

    def is_equal(self) -> bool:
        """Whether the step behind does the same as the last one."""
        pairs = zip(
            self._steps.ops_of(self._steps.count - 1),
            self._steps.ops_of(self._steps.count),
            strict=True,
        )
        return all(
            self._reads_equally(number, op, following)
            and self._is_equal(number, op, following)
            for number, (op, following) in enumerate(pairs)
        )

    def goes_on(self, before: "Comparison") -> bool:
        """Whether the two steps are as different as the two before."""
        return (
            self.distances == before.distances
            and self.reads == before.reads
            and self.differing == before.differing
        )

    def _reads_equally(self, number: int, op: Operation, following: Operation) -> bool:
        inputs, others = inputs_of(op), inputs_of(following)
        return len(inputs) == len(others) and all(
            self._is_same_input(value, other)
            or self._differs(number, place, value, other)
            for place, (value, other) in enumerate(zip(inputs, others, strict=True))
        )

    def _is_same_input(self, value: SSAValue, following: SSAValue) -> bool:
        start = self._last
        place, other = self._line.place_of(value), self._line.place_of(following)
        made = None
        if place >= start:
            is_same = other == place + self._steps.period
            is_same = is_same and _number(value) == _number(following)
        elif other < start:
            is_same = _is_same_constant(value, following)
        elif other < start + self._steps.period and value.type == following.type:
            made = Made(other - start, _number(following))
            is_same = self.carried.setdefault(made, value) is value
        else:
            is_same = False
        if is_same:
            self.reads.append(made)
        return is_same

    def _differs(
        self, number: int, place: int, value: SSAValue, following: SSAValue
    ) -> bool:
        """Whether an input is another weight of the same type."""
        weights = self._line.weights
        is_other = (
            value in weights
            and following in weights
            and value.type == following.type
            and isa(value.type, TensorType)
            and value.type.has_static_shape()
        )
        if is_other:
            self.reads.append(None)
            self.differing.append(Input(number, place))
        return is_other

    def _is_equal(self, number: int, op: Operation, following: Operation) -> bool:
        if op.attributes != following.attributes:
            return False
        if op.properties != following.properties:
            distances = _distances(op, following)
            if distances is None:
                return False
            self.distances[number] = distances
        if not op.regions:
            return True
        known = dict(zip(inputs_of(op), inputs_of(following), strict=True))
        return all(
            are_same_programs(mine, its, {**known})
            for mine, its in zip(op.regions, following.regions, strict=True)
        )


def _number(value: SSAValue) -> int:
    assert isinstance(value, OpResult)
    return value.index


def _is_same_constant(value: SSAValue, other: SSAValue) -> bool:
    op, its = value.owner, other.owner
    return value is other or (
        isinstance(op, Operation)
        and isinstance(its, Operation)
        and op.name == its.name
        and is_fixed(op)
        and is_fixed(its)
        and value.type == other.type
        and op.properties == its.properties
        and op.attributes == its.attributes
        and all(map(_is_same_constant, op.operands, its.operands))
    )


def _distances(op: Operation, following: Operation) -> Sequence[int] | None:
    """How far the offsets of two slices are apart, if all else is equal."""
    if len(op.operands) != _operands_of_static_slice(op):
        return None
    if {**op.properties, _OFFSETS: following.properties[_OFFSETS]} != (
        following.properties
    ):
        return None
    return [
        its - mine
        for mine, its in zip(static_offsets(op), static_offsets(following), strict=True)
    ]


def _operands_of_static_slice(op: Operation) -> int | None:
    if isinstance(op, tensor.ExtractSliceOp):
        return 1
    return 2 if isinstance(op, tensor.InsertSliceOp) else None
