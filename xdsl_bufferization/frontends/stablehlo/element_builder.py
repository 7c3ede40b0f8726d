"""Writes what computes with single elements.

code.value(math.CeilOp(a))                  %0 = math.ceil %a : f32
code.select(condition, a, b)                %1 = arith.select %c, %a, %b : f32
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.dialects.arith.builder import ArithBuilder

INDEX = IndexType()


class ElementBuilder(ArithBuilder):
    """Writes arithmetic on elements; each op comes from where the lowered op comes."""

    def attribute(self, value: Attribute) -> SSAValue:
        """A constant."""
        return self.value(arith.ConstantOp(cast(Any, value)))

    def bits(self, value: SSAValue, type_: Attribute) -> SSAValue:
        """The bits of an element as one of another type."""
        if value.type == type_:
            return value
        return self.value(arith.BitcastOp(value, type_))

    def divide(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The quotient of floating-point numbers."""
        return self.value(arith.DivfOp(a, b))

    def polynomial(self, x: SSAValue, coefficients: Sequence[float]) -> SSAValue:
        """By Horner's rule; the coefficient of the highest power comes first."""
        result = self.number(coefficients[0], x.type)
        for each in coefficients[1:]:
            result = self.add(self.multiply(result, x), self.number(each, x.type))
        return result
