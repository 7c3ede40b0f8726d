"""What passes say about the copies that they save, and about those that they cannot.

remark: 'tensor.insert' needs no copy of operand #1: 'tensor.extract' at 5:8 now runs
before 'tensor.insert' at 4:8, which overwrites what is read
"""

from typing import NamedTuple

from typing_extensions import override
from xdsl.ir import Operation

from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.dialects.remarks import remark
from xdsl_bufferization.support.errors import op_name

from ..interfaces.operands import OpOperand


class Note(NamedTuple):
    """What became of an operand that would be copied."""

    operand: OpOperand
    sentence: str
    """What is to be said about the op; the op comes first."""

    why_not: str | None = None
    """Why nothing was changed for the operand; None if something was."""

    @override
    def __str__(self) -> str:
        """The note as a remark, in one line with its place."""
        return remark(self.operand.owner, self.sentence)


def refusal(operand: OpOperand, why_not: str) -> Note:
    """A note about an operand for which nothing was changed."""
    number = operand.number
    return Note(
        operand, f"needs a buffer of its own for operand #{number}: {why_not}", why_not
    )


def name_with_place(op: Operation) -> str:
    """The name of an op, with its line and column if these are known."""
    place = locate(op)
    if place is None:
        return f"'{op_name(op)}'"
    return f"'{op_name(op)}' at {':'.join(place.rsplit(':', 2)[1:])}"
