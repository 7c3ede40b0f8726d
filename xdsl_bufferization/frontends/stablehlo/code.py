"""The end of a block, where ops are added that compute with single elements.

code.value(arith.AddfOp(a, b))              %0 = arith.addf %a, %b : f32
code.choose(condition, a, b)                %1 = arith.select %c, %a, %b : f32
"""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

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

from .types import wrapped

_Op = TypeVar("_Op", bound=Operation)

INDEX = IndexType()


class Code:
    """Adds ops at the end of a block; each comes from where the lowered op comes."""

    def __init__(self, block: Block, location: LocationAttr):
        self.block = block
        self.location = location

    def insert(self, op: _Op) -> _Op:
        """Add an op."""
        op.location = self.location
        self.block.add_op(op)
        return op

    def value(self, op: Operation) -> SSAValue:
        """Add an op; returns its only result."""
        (result,) = self.insert(op).results
        return result

    def inside(self, arguments: Sequence[Attribute]) -> "Code":
        """The code of a new block with arguments of these types."""
        return Code(Block(arg_types=arguments), self.location)

    # Elements.

    def attribute(self, value: Attribute) -> SSAValue:
        """A constant."""
        return self.value(arith.ConstantOp(cast(Any, value)))

    def number(self, value: float, type_: Attribute) -> SSAValue:
        """A constant of an integer or floating-point type, or an index."""
        if isinstance(type_, IntegerType):
            integer = cast("IntegerType", type_)
            return self.attribute(IntegerAttr(wrapped(int(value), integer), integer))
        if isinstance(type_, IndexType):
            return self.attribute(IntegerAttr(int(value), type_))
        return self.attribute(FloatAttr(float(value), cast(AnyFloat, type_)))

    def index(self, value: int) -> SSAValue:
        """A constant index."""
        return self.number(value, INDEX)

    def compare(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """Whether integers or numbers compare as `slt`, `ult`, `olt`, ... says."""
        if isinstance(a.type, AnyFloat):
            return self.value(arith.CmpfOp(a, b, predicate))
        return self.value(arith.CmpiOp(a, b, predicate))

    def choose(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        """One of two values."""
        return self.value(arith.SelectOp(condition, a, b))

    def opposite(self, condition: SSAValue) -> SSAValue:
        """Whether a condition does not hold."""
        true = self.number(1, condition.type)
        return self.value(arith.XOrIOp(condition, true))

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Whether both conditions hold."""
        return self.value(arith.AndIOp(a, b))

    def bits(self, value: SSAValue, type_: Attribute) -> SSAValue:
        """The bits of an element as one of another type."""
        if value.type == type_:
            return value
        return self.value(arith.BitcastOp(value, type_))

    def plus(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The sum of integers, indices or numbers."""
        is_float = isinstance(a.type, AnyFloat)
        return self.value((arith.AddfOp if is_float else arith.AddiOp)(a, b))

    def minus(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The difference of integers, indices or numbers."""
        is_float = isinstance(a.type, AnyFloat)
        return self.value((arith.SubfOp if is_float else arith.SubiOp)(a, b))

    def times(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The product of integers, indices or numbers."""
        is_float = isinstance(a.type, AnyFloat)
        return self.value((arith.MulfOp if is_float else arith.MuliOp)(a, b))

    def over(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The quotient of numbers."""
        return self.value(arith.DivfOp(a, b))

    def polynomial(self, x: SSAValue, coefficients: Sequence[float]) -> SSAValue:
        """By Horner's rule; the coefficient of the highest power comes first."""
        result = self.number(coefficients[0], x.type)
        for each in coefficients[1:]:
            result = self.plus(self.times(result, x), self.number(each, x.type))
        return result
