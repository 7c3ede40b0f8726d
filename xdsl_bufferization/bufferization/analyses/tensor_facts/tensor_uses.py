"""What is known about one use of a tensor: the record that the analyses share.

    %1 = tensor.insert %f into %0[%i]   // reads and writes %0, as which %1 goes on
    %2 = tensor.extract %1[%j]          // reads %1, which %1's own op defines

`tensor_facts` makes one record for each operand, once. Decisions are not among it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.support.algorithms.program_points import (
    BlockPoint,
    ProgramPoint,
)

from ...interfaces.operands import OpOperand
from ...interfaces.state import AliasingOpOperand, AliasingValue, BufferRelation


class Definitions(NamedTuple):
    """The definitions of a value: where the data in its buffer may come from.

    All definitions dominate the value, as the arguments of blocks are definitions
    themselves, and so form a chain. The outermost ones decide every question about
    conflicts, so that these say as much as the whole set.
    """

    result: OpResult | None
    """The earliest definition that is an op result."""

    point: ProgramPoint | None
    """The place of the op with that result."""

    is_only_result_of_op: bool
    """Whether no other result of the same op is a definition as well."""

    argument: BlockArgument | None
    """The outermost definition that is a block argument."""

    argument_block: BlockPoint | None
    """The block with that argument."""

    block: BlockPoint
    """The block of the outermost definition."""

    latest: int
    """The position of the last definition, a block's own start for its arguments."""


@dataclass(slots=True, eq=False)
class TensorUse:
    """A tensor operand with what its model says of it, whatever is decided."""

    operand: OpOperand
    point: ProgramPoint
    value: SSAValue
    number: int
    """That of `value` among all tensors."""

    definitions: Definitions | None
    """Those of `value`; None if its contents are undefined."""

    aliases: Sequence[AliasingValue]
    writes: bool
    hinges: bool
    """Whether `aliases` hinge on decisions: they are those without any in place."""

    is_itself_read: bool | None = None
    """Whether the operand is read, once that has been asked."""

    reads: bool = False
    """Whether the operand, or without a write what it becomes, is read."""

    is_passed_on: bool = False
    """Whether a body or a function gets the buffer."""

    alias_numbers: Sequence[int] = ()
    """The numbers of the values of `aliases` among all tensors."""


def join(first: Definitions | None, second: Definitions | None) -> Definitions | None:
    """The definitions of what is one of two values; None is undefined contents."""
    if first is None or second is None or first == second:
        return first or second
    result = _with_earliest_result(first, second)
    argument = _with_outermost_argument(first, second)
    blocks = [argument.argument_block] if argument.argument_block else []
    if result.point is not None:
        blocks.append(result.point.block)
    return Definitions(
        result.result,
        result.point,
        result.is_only_result_of_op,
        argument.argument,
        argument.argument_block,
        min(blocks, key=lambda block: block.start),
        max(first.latest, second.latest),
    )


def _with_earliest_result(first: Definitions, second: Definitions) -> Definitions:
    if first.point is None or second.point is None:
        return first if second.point is None else second
    if first.point is second.point:
        is_same = first.result is second.result
        only = first.is_only_result_of_op and second.is_only_result_of_op
        return first._replace(is_only_result_of_op=is_same and only)
    return first if first.point.start < second.point.start else second


def _with_outermost_argument(first: Definitions, second: Definitions) -> Definitions:
    if first.argument_block is None or second.argument_block is None:
        return first if second.argument_block is None else second
    is_first = first.argument_block.start <= second.argument_block.start
    return first if is_first else second


def is_equivalent(alias: AliasingValue | AliasingOpOperand) -> bool:
    """Whether an alias is the same buffer, on all paths or where it is one at all."""
    return alias.relation is BufferRelation.EQUIVALENT
