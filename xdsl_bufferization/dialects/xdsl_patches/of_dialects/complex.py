"""Folding constant sums, products and quotients of complex numbers, where it is right.

    complex.mul of 1e300 and 1e300     # stays as it is; xDSL raises `OverflowError`
    complex.div of 1 and 1e-160        # stays: the square of 1e-160 has few digits
    complex.mul of 1 + 2i and 3        # 3 + 6i, as in xDSL

xDSL 0.74 divides by the sum of the squares of the parts, as Python computes it.
"""

from fractions import Fraction
from math import copysign, inf, isfinite, isnan
from typing import Any, TypeAlias

from typing_extensions import override
from xdsl.dialects import complex
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, FloatAttr
from xdsl.ir import Operation, SSAValue
from xdsl.traits import ConstantLike, HasFolder
from xdsl.utils.hints import isa

from ..correction import Correction

_Parts: TypeAlias = tuple[float, float]
_Folded: TypeAlias = tuple[ArrayAttr[FloatAttr[AnyFloat]]] | None

_SLACK = 4
"""How many units of the last place a folded product or quotient may be off."""


class _FoldWhatIsRight(HasFolder):
    """Fold as xDSL does, unless that stops, or gives another number."""

    @classmethod
    @override
    def fold(cls, op: Operation) -> _Folded:
        assert isinstance(op, complex.ComplexBinaryOp)
        try:
            folded = op.fold()
        except (OverflowError, ZeroDivisionError):
            return None
        if folded is None or not isinstance(op, complex.MulOp | complex.DivOp):
            return folded
        return folded if _is_right(op, folded[0]) else None


def _is_right(
    op: complex.MulOp | complex.DivOp, folded: ArrayAttr[FloatAttr[AnyFloat]]
) -> bool:
    lhs, rhs, result = _constant(op.lhs), _constant(op.rhs), _parts(folded)
    if isinstance(op, complex.DivOp) and rhs == (0.0, 0.0):
        by_zero = [part * copysign(inf, rhs[0]) for part in lhs]
        return all(map(_are_same, result, by_zero))
    if not all(map(isfinite, (*lhs, *rhs, *result))):
        return False
    exact = _multiply(lhs, rhs)
    if isinstance(op, complex.DivOp):
        square = Fraction(rhs[0]) ** 2 + Fraction(rhs[1]) ** 2
        numerator = _multiply(lhs, (rhs[0], -rhs[1]))
        exact = (numerator[0] / square, numerator[1] / square)
    type_ = folded.data[0].type
    # Of large numbers, the smaller part may be what is left.
    largest = max(map(abs, exact))
    unit = max(largest * _epsilon(type_), _smallest(type_))
    return all(
        abs(Fraction(found) - wanted) <= _SLACK * unit
        for found, wanted in zip(result, exact, strict=True)
    )


def _are_same(a: float, b: float) -> bool:
    return a == b or (isnan(a) and isnan(b))


def _constant(value: SSAValue) -> _Parts:
    constant = ConstantLike.get_constant_value(value)
    assert isa(constant, ArrayAttr[FloatAttr])
    return _parts(constant)


def _parts(number: ArrayAttr[Any]) -> _Parts:
    real, imaginary = (part.value.data for part in number)
    return real, imaginary


def _multiply(lhs: _Parts, rhs: _Parts) -> tuple[Fraction, Fraction]:
    (a, b), (c, d) = (map(Fraction, each) for each in (lhs, rhs))
    return a * c - b * d, a * d + b * c


def _epsilon(type_: AnyFloat) -> Fraction:
    """How far one is from the next number of a type."""
    following = int.from_bytes(type_.pack((1.0,)), "little") + 1
    data = following.to_bytes(type_.compile_time_size, "little")
    return Fraction(type_.unpack(data, 1)[0]) - 1


def _smallest(type_: AnyFloat) -> Fraction:
    """The smallest positive number of a type."""
    data = (1).to_bytes(type_.compile_time_size, "little")
    return Fraction(type_.unpack(data, 1)[0])


CORRECTIONS: tuple[Correction, ...] = (
    Correction(
        tuple(
            op_type
            for op_type in complex.Complex.operations
            if issubclass(op_type, complex.ComplexBinaryOp)
        ),
        HasFolder,
        _FoldWhatIsRight(),
        "ComplexBinaryOp.fold",
        "A product or quotient of complex constants stays as it is where folding would "
        "give another number. xDSL squares the parts of a divisor, which overflows, "
        "or loses digits; and it stops at numbers that are too large for the type.",
        "Scale a divisor before it is squared, and round to the type.",
    ),
)
