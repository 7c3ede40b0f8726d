"""Reductions whose elements may be combined in any order.

%s = arith.addf %in, %out fastmath<reassoc> : f32     as the flag says
%m = arith.maximumf %in, %out : f32                   a maximum is the same anyway
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

_FLOATS: Final[dict[type[Operation], float]] = {
    arith.AddfOp: -0.0,
    arith.MulfOp: 1.0,
    arith.MaximumfOp: float("-inf"),
    arith.MinimumfOp: float("inf"),
}
"""What changes no number that it is combined with."""

_INTEGERS: Final[dict[type[Operation], int]] = {
    arith.AddiOp: 0,
    arith.MuliOp: 1,
    arith.OrIOp: 0,
    arith.XOrIOp: 0,
    arith.AndIOp: -1,
    arith.MaxUIOp: 0,
    arith.MinUIOp: -1,
}

_ROUNDED = (arith.AddfOp, arith.MulfOp)
"""Ops whose results depend on the order."""


@dataclass(frozen=True)
class Reduction:
    """How an output is combined with what an iteration computes."""

    combiner: Operation
    total: BlockArgument
    """The argument of the body that is the output."""

    @property
    def neutral(self) -> Attribute:
        """What changes no number that it is combined with."""
        return neutral_number(self.combiner)

    @property
    def element(self) -> SSAValue:
        """What an iteration computes."""
        lhs, rhs = self.combiner.operands
        return rhs if lhs is self.total else lhs


def is_combiner(op: Operation) -> bool:
    """Whether an op combines numbers in a way that has a neutral number."""
    return type(op) in _FLOATS or type(op) in _INTEGERS


def neutral_number(combiner: Operation) -> Attribute:
    """The number that changes no other one."""
    type_ = combiner.results[0].type
    if isinstance(type_, AnyFloat):
        return FloatAttr(_FLOATS[type(combiner)], type_)
    assert isa(type_, IntegerType | IndexType)
    return IntegerAttr(_INTEGERS[type(combiner)], type_)


def combiner_of(
    body: Block, argument: BlockArgument, result: SSAValue
) -> Operation | None:
    """The op that combines an output with the rest; None if it is not only combined."""
    combiner = result.owner
    if not isinstance(combiner, Operation) or not is_combiner(combiner):
        return None
    is_only = (
        combiner.parent is body
        and argument.has_one_use()
        and result.has_one_use()
        and argument in combiner.operands
    )
    return combiner if is_only else None


def may_reorder(combiner: Operation) -> bool:
    """Whether the elements may be combined in another order."""
    if not isinstance(combiner, _ROUNDED):
        return True
    return FastMathFlag.REASSOC in combiner.fastmath.data


def reductions_of(body: Block, outputs: int) -> list[Reduction] | None:
    """How each output is combined; None if the order of iterations matters."""
    terminator = body.last_op
    assert terminator is not None
    arguments = body.args[len(body.args) - outputs :]
    found: list[Reduction] = []
    for argument, result in zip(arguments, terminator.operands, strict=True):
        combiner = combiner_of(body, argument, result)
        if combiner is None or not may_reorder(combiner):
            return None
        found.append(Reduction(combiner, argument))
    return found
