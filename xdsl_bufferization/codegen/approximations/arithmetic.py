"""Arithmetic on f32, or on vectors of f32, as short calls that write ops of arith.

    n = FormulaBuilder(f32)
    n.add(n.times(a, b), c)   ->   %0 = arith.mulf %a, %b fastmath<contract> : f32
                                   %1 = arith.addf %0, %c fastmath<contract> : f32

A product may be contracted with the sum that uses it, where the processor has an
instruction for both. No formula depends on it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
    f32,
    i1,
    i32,
)
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.elementwise import with_element_type

_CONTRACT = arith.FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])
_NONE = arith.FastMathFlagsAttr("none")
_PREDICATES = {"eq": 1, "gt": 2, "lt": 4, "ugt": 9}
_EXPONENT_AT, _EXPONENT_OF_ONE = 23, 127
"""Of an f32: how far left the bits of the exponent are, and what they are for 1."""

_MAGIC = 12582912.0
"""Adding 1.5 * 2**23 rounds to a whole number, which is then in the lowest bits. Above
them are none that count for an exponent, if a small number is added as well."""

Operand = SSAValue | float


class FormulaBuilder:
    """Writes arithmetic on values of one shape, as a list of ops."""

    def __init__(self, type_: Attribute):
        self.floats = with_element_type(type_, f32)
        self.integers = with_element_type(type_, i32)
        self.truths = with_element_type(type_, i1)
        self.ops: list[Operation] = []
        self._known: dict[str, SSAValue] = {}

    # Numbers.

    def constant(self, value: float) -> SSAValue:
        """A number in each element: an f32, or an i32 for an `int`."""
        key = repr(value)
        if key not in self._known:
            type_ = self.integers if isinstance(value, int) else self.floats
            op = arith.ConstantOp(_attribute(value, type_))
            self._known[key] = self._emit(op)
        return self._known[key]

    def add(self, a: Operand, b: Operand) -> SSAValue:
        """`a + b`."""
        return self._float(arith.AddfOp, a, b)

    def subtract(self, a: Operand, b: Operand) -> SSAValue:
        """`a - b`."""
        return self._float(arith.SubfOp, a, b)

    def times(self, a: Operand, b: Operand) -> SSAValue:
        """`a * b`."""
        return self._float(arith.MulfOp, a, b)

    def divide(self, a: Operand, b: Operand) -> SSAValue:
        """`a / b`."""
        return self._float(arith.DivfOp, a, b)

    def polynomial(self, x: SSAValue, coefficients: Sequence[float]) -> SSAValue:
        """The sum of the coefficients, lowest first, times powers of `x`."""
        *lower, highest = coefficients
        total = self.constant(highest)
        for coefficient in reversed(lower):
            total = self.add(self.times(total, x), coefficient)
        return total

    def magnitude(self, x: SSAValue) -> SSAValue:
        """`x` without its sign."""
        return self._math(math.AbsFOp, x)

    def root(self, x: SSAValue) -> SSAValue:
        """The square root of `x`."""
        return self._math(math.SqrtOp, x)

    def with_sign_of(self, x: SSAValue, sign: SSAValue) -> SSAValue:
        """The magnitude of `x` with the sign of `sign`."""
        return self._math(math.CopySignOp, x, sign)

    # Choices. No comparison is true for NaN, so that NaN stays.

    def at_most(self, x: SSAValue, limit: float) -> SSAValue:
        """The smaller one of `x` and `limit`, or NaN."""
        return self.select(self.compare("gt", x, limit), limit, x)

    def at_least(self, x: SSAValue, limit: float) -> SSAValue:
        """The larger one of `x` and `limit`, or NaN."""
        return self.select(self.compare("lt", x, limit), limit, x)

    def compare(self, predicate: str, a: SSAValue, b: Operand) -> SSAValue:
        """Whether `a` is equal to, larger than, or less than `b`."""
        operands = [a, self._value(b)]
        number = IntegerAttr(_PREDICATES[predicate], 64)
        properties = {"predicate": number, "fastmath": _NONE}
        return self._create(arith.CmpfOp, operands, self.truths, properties)

    def select(self, condition: SSAValue, a: Operand, b: Operand) -> SSAValue:
        """`a` where the condition holds, and `b` elsewhere."""
        values = [condition, self._value(a), self._value(b)]
        return self._create(arith.SelectOp, values, values[1].type)

    # Powers of two.

    def rounded(
        self, x: SSAValue, factor: float, times: int = 1, plus: int = 0
    ) -> tuple[SSAValue, SSAValue]:
        """The whole number `k` next to `x * factor`, and an i32 for powers of two.

        For `power_of_two`, if `times` is 1, and for `two_powers`, if it is 2. `plus` is
        added to `k` there. The magnitude of `k` is less than 2**22. NaN stays NaN; the
        i32 is then any number.
        """
        magic = _MAGIC + times * _EXPONENT_OF_ONE + plus
        shifted = self.add(x if factor == 1 else self.times(x, factor), magic)
        whole = self.subtract(shifted, magic)
        return whole, self._create(arith.BitcastOp, [shifted], self.integers)

    def power_of_two(self, bits: SSAValue) -> SSAValue:
        """Two to a power from -126 to 127 that `rounded` has found."""
        bits = self._integer(arith.ShLIOp, bits, _EXPONENT_AT)
        return self._create(arith.BitcastOp, [bits], self.floats)

    def two_powers(self, bits: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Two powers of two whose product may be too large or too small for an f32."""
        half = self._integer(arith.ShRSIOp, bits, 1)
        rest = self._create(arith.SubiOp, [bits, half], self.integers)
        return self.power_of_two(half), self.power_of_two(rest)

    def split(self, x: SSAValue, least_bits: int) -> tuple[SSAValue, SSAValue]:
        """`m` and `e` with `x = m * 2**e`, for a normal number above 0.

        `least_bits` are the bits of the least `m`; the largest is less than its double.
        """
        bits = self._create(arith.BitcastOp, [x], self.integers)
        above = self._integer(arith.SubiOp, bits, least_bits)
        exponent = self._integer(arith.ShRSIOp, above, _EXPONENT_AT)
        moved = self._integer(arith.ShLIOp, exponent, _EXPONENT_AT)
        rest = self._create(arith.SubiOp, [bits, moved], self.integers)
        return (
            self._create(arith.BitcastOp, [rest], self.floats),
            self._create(arith.SIToFPOp, [exponent], self.floats),
        )

    # Ops.

    def convert(self, op: type[Operation], x: SSAValue, type_: Attribute) -> SSAValue:
        """`x` in another type."""
        return self._create(op, [x], type_)

    def _float(self, op: type[Operation], a: Operand, b: Operand) -> SSAValue:
        operands = [self._value(a), self._value(b)]
        return self._create(op, operands, self.floats, {"fastmath": _CONTRACT})

    def _integer(self, op: type[Operation], a: SSAValue, b: int) -> SSAValue:
        return self._create(op, [a, self.constant(b)], self.integers)

    def _math(self, op: type[Operation], *operands: SSAValue) -> SSAValue:
        return self._create(op, operands, self.floats, {"fastmath": _NONE})

    def _value(self, operand: Operand) -> SSAValue:
        if isinstance(operand, SSAValue):
            return operand
        return self.constant(float(operand))

    def _create(
        self,
        op: type[Operation],
        operands: Sequence[SSAValue],
        type_: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """Write an op; the constructors of arith cost more than all else here."""
        return self._emit(
            op.create(
                operands=operands, result_types=[type_], properties=properties or {}
            )
        )

    def _emit(self, op: Operation) -> SSAValue:
        self.ops.append(op)
        return op.results[0]


def _attribute(value: float, type_: Any) -> Any:
    if isa(type_, VectorType):
        return DenseIntOrFPElementsAttr.from_list(cast(Any, type_), [value])
    if isinstance(value, int):
        return IntegerAttr(value, i32)
    return FloatAttr(value, f32)
