"""Writes arithmetic at one place of a program.

    b = ArithBuilder.before(op)             ops are put in front of `op`
    b.add(b.multiply(%i, 4), %j)            %0 = arith.muli %i, %c4
                                            %1 = arith.addi %0, %j
    b.add(b.multiply(2, 4), 1)              9, and no op

A number that is known stays a Python integer, so that no op is written for what is
known. A value is not looked into: it may be a constant.
"""

from collections.abc import Callable, Sequence
from copy import copy
from operator import add, mul, sub
from typing import Any, Self, TypeAlias, TypeVar, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    LocationAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..common.static_values import OpFoldResult, index_constant

Truth: TypeAlias = SSAValue | bool
"""A condition that is known, or the bit that holds it when the program runs."""

_Op = TypeVar("_Op", bound=Operation)
_Number = TypeVar("_Number", SSAValue, OpFoldResult)
_Truth = TypeVar("_Truth", SSAValue, Truth)

_OF_FLOATS: dict[type[Operation], Callable[[SSAValue, SSAValue], Operation]] = {
    arith.AddiOp: arith.AddfOp,
    arith.SubiOp: arith.SubfOp,
    arith.MuliOp: arith.MulfOp,
}
_OF_KNOWN: dict[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: add,
    arith.SubiOp: sub,
    arith.MuliOp: mul,
}


def _is(number: OpFoldResult, known: int) -> bool:
    return isinstance(number, int) and number == known


class ArithBuilder:
    """Inserts ops at one place, and writes arithmetic there.

    Two classes of MLIR in one: `ImplicitLocOpBuilder`, whose ops all have one location,
    and `ArithBuilder`.
    """

    def __init__(self, place: InsertPoint, location: LocationAttr | None = None):
        self.place = place
        self.location = location
        """Of new ops, unless that is left to who makes them."""

    @staticmethod
    def before(op: Operation) -> "ArithBuilder":
        """What writes in front of `op`; new ops come from where `op` comes from."""
        return ArithBuilder(InsertPoint.before(op), op.location)

    @property
    def block(self) -> Block:
        """The block that is written into."""
        return self.place.block

    def inside(self, arguments: Sequence[Attribute] = ()) -> Self:
        """What writes at the end of a new block, which is not inserted yet."""
        inner = copy(self)
        inner.place = InsertPoint.at_end(Block(arg_types=arguments))
        return inner

    def insert(self, op: _Op) -> _Op:
        """Insert an op behind those inserted before."""
        if self.location is not None:
            op.location = self.location
        Rewriter.insert_op(op, self.place)
        return op

    def value(self, op: Operation) -> SSAValue:
        """Insert an op, and return its first result."""
        return self.insert(op).results[0]

    # Numbers: indices, integers and floating-point numbers.

    def number(self, value: float, type_: Attribute) -> SSAValue:
        """A constant of an integer or floating-point type, or an index."""
        if isinstance(type_, IndexType | IntegerType):
            number = IntegerAttr(
                int(value), cast("IntegerType", type_), truncate_bits=True
            )
        else:
            number = FloatAttr(float(value), cast(AnyFloat, type_))
        return self.value(arith.ConstantOp(number))

    def index(self, number: OpFoldResult) -> SSAValue:
        """An index as a value."""
        if isinstance(number, int):
            return self.value(index_constant(number))
        return number

    def add(self, a: _Number, b: _Number) -> _Number:
        """The sum."""
        if _is(a, 0) or _is(b, 0):
            return b if _is(a, 0) else a
        return self._binary(arith.AddiOp, a, b)

    def subtract(self, a: _Number, b: _Number) -> _Number:
        """The difference."""
        return a if _is(b, 0) else self._binary(arith.SubiOp, a, b)

    def multiply(self, a: _Number, b: _Number) -> _Number:
        """The product."""
        if _is(a, 0) or _is(b, 1):
            return a
        if _is(b, 0) or _is(a, 1):
            return b
        return self._binary(arith.MuliOp, a, b)

    def _binary(self, op: type[Operation], a: OpFoldResult, b: OpFoldResult) -> Any:
        if isinstance(a, int) and isinstance(b, int):
            return _OF_KNOWN[op](a, b)
        return self.apply(op, self.index(a), self.index(b))

    def apply(self, op: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
        """An op of integers on two values, or that of floating-point numbers."""
        if not isinstance(a.type, IndexType) and isinstance(a.type, AnyFloat):
            return self.value(_OF_FLOATS[op](a, b))
        return self.value(cast(Any, op)(a, b))

    def minimum(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The smaller of two indices."""
        return self.value(arith.MinSIOp(a, b))

    # Conditions.

    def compare(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """Whether two numbers compare as `slt`, `ult`, `olt` or another predicate."""
        op = arith.CmpfOp if isinstance(a.type, AnyFloat) else arith.CmpiOp
        return self.value(op(a, b, predicate))

    def both(self, a: _Truth, b: _Truth) -> _Truth:
        """Whether both conditions hold."""
        if isinstance(a, bool):
            return b if a else a
        if isinstance(b, bool):
            return a if b else b
        return cast(Any, self.value(arith.AndIOp(a, b)))

    def either(self, a: _Truth, b: _Truth) -> _Truth:
        """Whether one of two conditions holds, or both."""
        if isinstance(a, bool):
            return a or b
        if isinstance(b, bool):
            return b or a
        return cast(Any, self.value(arith.OrIOp(a, b)))

    def opposite(self, condition: SSAValue) -> SSAValue:
        """Whether a condition does not hold."""
        return self.value(arith.XOrIOp(condition, self.number(1, condition.type)))

    def select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        """One of two values."""
        return self.value(arith.SelectOp(condition, a, b))
