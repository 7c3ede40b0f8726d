"""Integers where arith says nothing: division by zero, long shifts, and powers.

    stablehlo.divide          x / 0 is -1, all bits set; INT_MIN / -1 is INT_MIN
    stablehlo.remainder       x rem 0 is x; INT_MIN rem -1 is 0
    stablehlo.shift_left      by as many bits as there are, or more: 0
    stablehlo.power           a negative exponent: 1 / x**n, cut to an integer

Division by zero is as in XLA; StableHLO leaves it open.

Source: https://openxla.org/stablehlo/spec#divide and the ops named there
"""

from xdsl.dialects import arith, scf
from xdsl.ir import Attribute, Region, SSAValue

from .element_builder import INDEX, ElementBuilder
from .types import bits_of


def divide(
    code: ElementBuilder, a: SSAValue, b: SSAValue, *, is_signed: bool
) -> SSAValue:
    """The quotient without its fraction."""
    is_zero, divisor, overflows = _safe_divisor(code, a, b, is_signed=is_signed)
    quotient = (arith.DivSIOp if is_signed else arith.DivUIOp)(a, divisor)
    result = code.value(quotient)
    if overflows is not None:
        result = code.select(overflows, a, result)
    return code.select(is_zero, code.number(-1, a.type), result)


def remainder(
    code: ElementBuilder, a: SSAValue, b: SSAValue, *, is_signed: bool
) -> SSAValue:
    """What is left of a division; it has the sign of the dividend."""
    is_zero, divisor, overflows = _safe_divisor(code, a, b, is_signed=is_signed)
    rest = arith.RemSIOp if is_signed else arith.RemUIOp
    result = code.value(rest(a, divisor))
    if overflows is not None:
        result = code.select(overflows, code.number(0, a.type), result)
    return code.select(is_zero, a, result)


def _safe_divisor(
    code: ElementBuilder, a: SSAValue, b: SSAValue, *, is_signed: bool
) -> tuple[SSAValue, SSAValue, SSAValue | None]:
    """Whether the divisor is zero, one that is not, and if the result overflows."""
    one = code.number(1, b.type)
    is_zero = code.compare("eq", b, code.number(0, b.type))
    divisor = code.select(is_zero, one, b)
    if not is_signed:
        return is_zero, divisor, None
    least = code.number(-(1 << (bits_of(a.type) - 1)), a.type)
    overflows = code.both(
        code.compare("eq", a, least),
        code.compare("eq", b, code.number(-1, b.type)),
    )
    return is_zero, code.select(overflows, one, divisor), overflows


def shift(code: ElementBuilder, kind: str, a: SSAValue, b: SSAValue) -> SSAValue:
    """`a` shifted `left`, or to the right: `logical` or `arithmetic`."""
    width = bits_of(a.type)
    fits = code.compare("ult", b, code.number(width, b.type))
    if kind == "arithmetic":
        last = code.number(width - 1, b.type)
        return code.value(arith.ShRSIOp(a, code.select(fits, b, last)))
    zero = code.number(0, b.type)
    amount = code.select(fits, b, zero)
    shifted = (arith.ShLIOp if kind == "left" else arith.ShRUIOp)(a, amount)
    return code.select(fits, code.value(shifted), zero)


def power(
    code: ElementBuilder, a: SSAValue, b: SSAValue, *, is_signed: bool
) -> SSAValue:
    """By squaring, a bit of the exponent at a time."""
    one = code.number(1, a.type)
    zero = code.number(0, a.type)
    types: list[Attribute] = [INDEX, a.type, a.type, b.type]
    inner = code.inside(types)
    _, product, square, rest = inner.block.args
    unit, nothing = inner.number(1, b.type), inner.number(0, b.type)
    is_odd = inner.compare("ne", inner.both(rest, unit), nothing)
    product = inner.select(is_odd, inner.multiply(product, square), product)
    square = inner.multiply(square, square)
    rest = inner.value(arith.ShRUIOp(rest, unit))
    inner.insert(scf.YieldOp(product, square, rest))
    loop = scf.ForOp(
        code.index(0),
        code.index(bits_of(b.type)),
        code.index(1),
        [one, a, b],
        Region(inner.block),
    )
    result = code.insert(loop).results[0]
    if not is_signed:
        return result
    # 1 and -1 are their own inverses up to the sign, which the loop has right.
    is_negative = code.compare("slt", b, zero)
    minus = code.number(-1, a.type)
    is_unit = code.value(
        arith.OrIOp(code.compare("eq", a, one), code.compare("eq", a, minus))
    )
    vanishes = code.both(is_negative, code.opposite(is_unit))
    return code.select(vanishes, zero, result)


def sign(code: ElementBuilder, a: SSAValue, *, is_signed: bool) -> SSAValue:
    """-1, 0 or 1."""
    zero, one = code.number(0, a.type), code.number(1, a.type)
    is_zero = code.compare("eq", a, zero)
    result = one
    if is_signed:
        minus = code.number(-1, a.type)
        result = code.select(code.compare("slt", a, zero), minus, one)
    return code.select(is_zero, zero, result)
