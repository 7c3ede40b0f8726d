"""Functions of the bits of a number: fewer bits, and the next number.

    stablehlo.reduce_precision %x, format = e5m10     as a conversion to f16 and back
    chlo.next_after %x, %y                            the next number from %x to %y

Numbers are taken for integers of as many bits: a sign, an exponent, and a fraction.
"""

from collections.abc import Sequence
from typing import Final

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
)
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.dialects.stablehlo.elementwise import ReducePrecisionOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp
from xdsl_bufferization.support.errors import fail_at

from .element_builder import ElementBuilder
from .types import bits_of

_FRACTION_BITS: Final[dict[type[Attribute], int]] = {
    BFloat16Type: 7,
    Float16Type: 10,
    Float32Type: 23,
    Float64Type: 52,
}


def reduce_precision(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    """A number with fewer bits, rounded to the nearest one, ties to even.

    What has too large an exponent becomes infinite, and what has too small a one zero:
    there are no denormal numbers. NaN stays what it is.

    Source: https://openxla.org/stablehlo/spec#reduce_precision; what becomes of small
    numbers is as XLA has it
    """
    assert isinstance(op, ReducePrecisionOp)
    (x,) = args
    numbers = _FloatLayout(op, code, x)
    bits = numbers.bits(x)
    cut = numbers.fraction - op.integer("mantissa_bits")
    if cut > 0:
        bits = _rounded(code, bits, cut)
    exponent = op.integer("exponent_bits")
    if exponent < numbers.exponent:
        bits = _in_range(code, bits, numbers, exponent)
    is_number = code.compare("ord", x, x)
    return code.select(is_number, code.bits(bits, x.type), x)


def next_after(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    """The number next to the first on the way to the second, as `nextafter` of C."""
    x, y = args
    numbers = _FloatLayout(op, code, x)
    x_bits, y_bits = numbers.bits(x), numbers.bits(y)
    x_size, y_size = (numbers.masked(each, numbers.size) for each in (x_bits, y_bits))
    one, minus_one = numbers.constant(1), numbers.constant(-1)
    # Away from zero, or towards it: also where zero is on the way.
    sign = numbers.masked(code.value(arith.XOrIOp(x_bits, y_bits)), numbers.sign)
    differs = code.compare("ne", sign, numbers.constant(0))
    is_larger = code.compare("ugt", x_size, y_size)
    shrinks = code.value(arith.OrIOp(differs, is_larger))
    step = code.select(shrinks, minus_one, one)
    stepped = code.add(x_bits, step)
    # From zero: the smallest number that has the sign of the second.
    smallest = code.value(arith.OrIOp(numbers.masked(y_bits, numbers.sign), one))
    is_zero = code.compare("eq", x_size, numbers.constant(0))
    result = code.bits(code.select(is_zero, smallest, stepped), x.type)
    result = code.select(code.compare("oeq", x, y), y, result)
    is_number = code.compare("ord", x, y)
    return code.select(is_number, result, code.add(x, y))


class _FloatLayout:
    """How the numbers of a type are laid out."""

    def __init__(self, op: StableHLOOp, code: ElementBuilder, x: SSAValue):
        fraction = _FRACTION_BITS.get(type(x.type))
        if fraction is None:
            fail_at(op, f"'{op.name}' of {op.element()} is not lowered")
        self._code = code
        width = bits_of(x.type)
        self.type = IntegerType(width)
        self.fraction = fraction
        """How many bits the fraction has, and below, the exponent."""
        self.exponent = width - 1 - fraction
        self.sign = 1 << (width - 1)
        self.size = self.sign - 1
        self.infinity = self.size - ((1 << fraction) - 1)

    def bits(self, x: SSAValue) -> SSAValue:
        """A number as an integer."""
        return self._code.bits(x, self.type)

    def constant(self, value: int) -> SSAValue:
        """An integer."""
        return self._code.number(value, self.type)

    def masked(self, bits: SSAValue, mask: int) -> SSAValue:
        """Some of the bits."""
        return self._code.value(arith.AndIOp(bits, self.constant(mask)))


def _rounded(code: ElementBuilder, bits: SSAValue, cut: int) -> SSAValue:
    """Without the last bits; what is cut off may carry over into the exponent."""
    type_ = bits.type
    last = code.value(arith.ShRUIOp(bits, code.number(cut, type_)))
    last = code.value(arith.AndIOp(last, code.number(1, type_)))
    almost_half = code.number((1 << (cut - 1)) - 1, type_)
    bits = code.add(bits, code.add(last, almost_half))
    return code.value(arith.AndIOp(bits, code.number(-(1 << cut), type_)))


def _in_range(
    code: ElementBuilder, bits: SSAValue, numbers: _FloatLayout, width: int
) -> SSAValue:
    """Infinite or zero where an exponent of `width` bits is too narrow."""
    bias, narrow = (1 << (numbers.exponent - 1)) - 1, (1 << (width - 1)) - 1
    largest, smallest = bias + narrow, bias - narrow
    sign = numbers.masked(bits, numbers.sign)
    exponent = numbers.masked(bits, numbers.infinity)
    infinite = code.value(arith.OrIOp(sign, numbers.constant(numbers.infinity)))
    overflows = code.compare(
        "ugt", exponent, numbers.constant(largest << numbers.fraction)
    )
    underflows = code.compare(
        "ule", exponent, numbers.constant(smallest << numbers.fraction)
    )
    return code.select(underflows, sign, code.select(overflows, infinite, bits))
