"""Equal steps in a block, and what passes from one to the next.

%h1 = ... %h0, %w1             Steps of one op: each reads a weight of its own, and
%h2 = ... %h1, %w2             carries on what the step before made.
%c = concat %h1, %h2           What they make is collected by a concatenation.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.ir import Operation, SSAValue

from .straight_line import StraightLine, inputs_of


class Input(NamedTuple):
    """What an op of a step reads: which op in the step, and which of its inputs."""

    op: int
    input: int


class Made(NamedTuple):
    """A result of a step: of which op in it, and which of its results."""

    op: int
    result: int


@dataclass(frozen=True)
class Collected:
    """Results of steps that become parts of one tensor."""

    concat: tensor.ConcatOp
    offset: int
    """Where the result of the first step is."""

    distance: int
    """How far behind it that of the next step is."""


@dataclass(frozen=True)
class Steps:
    """A number of equal steps in a block."""

    line: StraightLine
    start: int
    """Where in the line the first step starts."""

    period: int
    """How many ops a step has."""

    count: int

    distances: Mapping[int, Sequence[int]]
    """For a slice whose offsets change: by how much in each step."""

    differing: Collection[Input]
    """The inputs that are other weights in each step."""

    carried: Mapping[Made, SSAValue]
    """What a step reads of the step before it, and what the first step reads."""

    collected: Mapping[Made, Collected]
    """Where a result goes that is read behind the steps."""

    @property
    def stop(self) -> int:
        """Where in the line the last step ends."""
        return self.start + self.count * self.period

    def ops_of(self, step: int) -> Sequence[Operation]:
        """The ops of one step."""
        start = self.start + step * self.period
        return self.line.ops[start : start + self.period]

    def result(self, made: Made, step: int) -> SSAValue:
        """What a step makes."""
        op = self.line.ops[self.start + step * self.period + made.op]
        return op.results[made.result]

    def read(self, input_: Input) -> tuple[SSAValue, ...]:
        """What each step reads as an input."""
        ops = self.line.ops[self.start + input_.op : self.stop : self.period]
        return tuple(inputs_of(op)[input_.input] for op in ops)

    def offsets(self, number: int) -> Sequence[int]:
        """The offsets of a slice in the first step."""
        return static_offsets(self.ops_of(0)[number])


def static_offsets(op: Operation) -> Sequence[int]:
    """The offsets of a slice, without those that are values."""
    assert isinstance(op, tensor.ExtractSliceOp | tensor.InsertSliceOp)
    return op.static_offsets.get_values()
