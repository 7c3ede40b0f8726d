"""Formulas of floating-point numbers, written as in Python, emitted as llvm ops.

A `Real` is a number of the compiled function. Its operators append the op that they
are named after; a comparison gives a `Truth`, which selects one of two numbers.

    x = reals.number(value)
    root = (x * x + 1.0).sqrt()    # llvm.fmul, llvm.fadd, llvm.sqrt
    root = (x < 0.0).select(-root, root)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import llvm
from xdsl.dialects.builtin import AnyFloat, FloatAttr
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from ..emission.function import FunctionLowering

INFINITY = float("inf")
NAN = float("nan")


@dataclass(frozen=True)
class Truth:
    """A condition of the compiled function."""

    value: SSAValue
    f: FunctionLowering

    def __and__(self, other: Truth) -> Truth:
        """Whether both hold."""
        both = self.f.integer_op(llvm.AndOp, self.value, other.value)
        return Truth(both, self.f)

    def __or__(self, other: Truth) -> Truth:
        """Whether one holds at least."""
        either = self.f.integer_op(llvm.OrOp, self.value, other.value)
        return Truth(either, self.f)

    def select(self, then: Real, otherwise: Real | float) -> Real:
        """Return one of two numbers."""
        other = then.like(otherwise)
        value = self.f.select(self.value, then.value, other.value)
        return Real(value, self.f, then.op)


@dataclass(frozen=True)
class Real:
    """A floating-point number of the compiled function."""

    value: SSAValue
    f: FunctionLowering
    op: Operation
    """The op that the formula is about; errors point at it."""

    def like(self, number: Real | float) -> Real:
        """Return a number of the program, or a constant, as one of this type."""
        if isinstance(number, Real):
            return number
        type = self.value.type
        assert isa(type, AnyFloat)
        constant = self.f.constant(FloatAttr(number, type), type)
        return Real(constant, self.f, self.op)

    def _apply(self, op: type[Operation], *others: Real | float) -> Real:
        values = [self.like(other).value for other in others]
        return Real(self.f.float_op(op, self.value, *values), self.f, self.op)

    def __add__(self, other: Real | float) -> Real:
        """Return the sum."""
        return self._apply(llvm.FAddOp, other)

    def __sub__(self, other: Real | float) -> Real:
        """Return the difference."""
        return self._apply(llvm.FSubOp, other)

    def __mul__(self, other: Real | float) -> Real:
        """Return the product."""
        return self._apply(llvm.FMulOp, other)

    def __truediv__(self, other: Real | float) -> Real:
        """Return the quotient."""
        return self._apply(llvm.FDivOp, other)

    def __neg__(self) -> Real:
        """Return the number with the other sign."""
        return self._apply(llvm.FNegOp)

    # Comparisons: false if a number is NaN.

    def _compare(self, predicate: str, other: Real | float) -> Truth:
        value = self.like(other).value
        return Truth(self.f.compare_floats(predicate, self.value, value), self.f)

    def __lt__(self, other: Real | float) -> Truth:
        """Whether this is the smaller number."""
        return self._compare("olt", other)

    def __gt__(self, other: Real | float) -> Truth:
        """Whether this is the larger number."""
        return self._compare("ogt", other)

    def __ge__(self, other: Real | float) -> Truth:
        """Whether this is no smaller number."""
        return self._compare("oge", other)

    def equals(self, other: Real | float) -> Truth:
        """Whether both are the same number; zeros of both signs are."""
        return self._compare("oeq", other)

    def differs(self, other: Real | float) -> Truth:
        """Whether both are different numbers, or one is NaN."""
        return self._compare("une", other)

    def is_nan(self) -> Truth:
        """Whether this is not a number."""
        return self._compare("uno", self)

    def is_ordered(self) -> Truth:
        """Whether this is a number."""
        return self._compare("ord", self)

    def is_infinite(self) -> Truth:
        """Whether this is an infinity."""
        return abs(self).equals(INFINITY)

    def is_finite(self) -> Truth:
        """Whether this is neither an infinity nor NaN."""
        return abs(self)._compare("one", INFINITY)  # noqa: SLF001, another Real

    # Functions.

    def _intrinsic(self, name: str, *others: Real | float) -> Real:
        values = [self.value, *(self.like(other).value for other in others)]
        return Real(self.f.typed_intrinsic(name, values), self.f, self.op)

    def _libm(self, name: str, *others: Real | float) -> Real:
        """Call a function of the C library, which takes and returns f64."""
        values = [self.value, *(self.like(other).value for other in others)]
        call = self.f.call_external(name, values, self.value.type, self.op)
        return Real(call.results[0], self.f, self.op)

    def __abs__(self) -> Real:
        """Return the magnitude."""
        return self._intrinsic("llvm.fabs")

    def with_sign_of(self, other: Real | float) -> Real:
        """Return the number with the sign of another."""
        return self._intrinsic("llvm.copysign", other)

    def larger(self, other: Real) -> Real:
        """Return the larger of two numbers, NaN if one is NaN."""
        return self._intrinsic("llvm.maximum", other)

    def smaller(self, other: Real) -> Real:
        """Return the smaller of two numbers, NaN if one is NaN."""
        return self._intrinsic("llvm.minimum", other)

    def sqrt(self) -> Real:
        """Return the square root."""
        return self._intrinsic("llvm.sqrt")

    def exp(self) -> Real:
        """Return the exponential."""
        return self._intrinsic("llvm.exp")

    def log(self) -> Real:
        """Return the natural logarithm."""
        return self._intrinsic("llvm.log")

    def sin(self) -> Real:
        """Return the sine."""
        return self._intrinsic("llvm.sin")

    def cos(self) -> Real:
        """Return the cosine."""
        return self._intrinsic("llvm.cos")

    def power(self, exponent: Real) -> Real:
        """Return the number to the power of another."""
        return self._intrinsic("llvm.pow", exponent)

    def expm1(self) -> Real:
        """Return the exponential less one."""
        return self._libm("expm1")

    def log1p(self) -> Real:
        """Return the logarithm of the number plus one."""
        return self._libm("log1p")

    def tan(self) -> Real:
        """Return the tangent."""
        return self._libm("tan")

    def atan2(self, other: Real) -> Real:
        """Return the angle of the point whose height this is."""
        return self._libm("atan2", other)
