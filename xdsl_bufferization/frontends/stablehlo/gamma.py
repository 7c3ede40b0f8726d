"""The gamma function and what derives from it, of numbers in f32 or f64.

    chlo.lgamma %x, chlo.digamma %x        by the series of C. Lanczos
    chlo.zeta %s, %q                       1/q^s + 1/(q + 1)^s + 1/(q + 2)^s + ...
    chlo.polygamma %n, %x                  derivative n of digamma, by zeta

Sources: C. Lanczos, A precision approximation of the gamma function (1964), with g = 7
and the nine coefficients of P. Godfrey. DLMF 25.11.28 (the formula of Euler and
Maclaurin for zeta) and 25.11.12 (polygamma).
"""

from math import factorial, inf, nan, pi
from typing import Final

from xdsl.dialects import arith, math
from xdsl.ir import SSAValue

from .element_builder import ElementBuilder

# The logarithm of the gamma function, and its derivative.

_G: Final = 7.0
_LANCZOS: Final = (
    676.520368121885098567009190444019,
    -1259.13921672240287047156078755283,
    771.3234287776530788486528258894,
    -176.61502916214059906584551354,
    12.507343278686904814458936853,
    -0.13857109526572011689554707,
    9.984369578019570859563e-6,
    1.50563273514931155834e-7,
)
_LANCZOS_FIRST: Final = 0.99999999999980993227684700473478


def _from_half(code: ElementBuilder, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Whether x is below 1/2, and z with gamma(z + 1) = gamma(x) or gamma(1 - x)."""
    is_low = code.compare("olt", x, code.number(0.5, x.type))
    one = code.number(1.0, x.type)
    minus = code.value(arith.NegfOp(x))
    return is_low, code.select(is_low, minus, code.subtract(x, one))


def _lanczos(code: ElementBuilder, z: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The sum of the series at z, and minus its derivative."""
    total = code.number(_LANCZOS_FIRST, z.type)
    slope = code.number(0.0, z.type)
    for number, coefficient in enumerate(_LANCZOS, 1):
        term = code.add(z, code.number(float(number), z.type))
        value = code.number(coefficient, z.type)
        quotient = code.divide(value, term)
        total = code.add(total, quotient)
        slope = code.add(slope, code.divide(quotient, term))
    return total, slope


def lgamma(code: ElementBuilder, x: SSAValue) -> SSAValue:
    """The logarithm of the absolute value of the gamma function."""
    type_ = x.type
    is_low, z = _from_half(code, x)
    total, _ = _lanczos(code, z)
    half = code.number(0.5, type_)
    t = code.add(z, code.number(_G + 0.5, type_))
    # log(z + g + 1/2), so that small z keep their digits.
    log_t = code.add(
        code.number(2.0149030205422647, type_),
        code.value(math.Log1pOp(code.divide(z, code.number(_G + 0.5, type_)))),
    )
    exponent = code.subtract(code.add(z, half), code.divide(t, log_t))
    gamma = code.add(
        code.number(0.9189385332046727, type_),
        code.add(code.multiply(exponent, log_t), code.value(math.LogOp(total))),
    )
    # Below 1/2: log(pi / |sin(pi x)|) - lgamma(1 - x).
    magnitude = code.value(math.AbsFOp(x))
    part = code.subtract(magnitude, code.value(math.FloorOp(magnitude)))
    other = code.subtract(code.number(1.0, type_), part)
    part = code.select(code.compare("ogt", part, half), other, part)
    sine = code.value(math.SinOp(code.multiply(code.number(pi, type_), part)))
    log_sine = code.value(math.LogOp(sine))
    mirrored = code.subtract(
        code.subtract(code.number(1.1447298858494002, type_), log_sine), gamma
    )
    infinity = code.number(inf, type_)
    is_finite = code.compare("olt", code.value(math.AbsFOp(log_sine)), infinity)
    mirrored = code.select(is_finite, mirrored, code.value(arith.NegfOp(log_sine)))
    result = code.select(is_low, mirrored, gamma)
    is_infinite = code.compare("oeq", magnitude, infinity)
    return code.select(is_infinite, infinity, result)


def digamma(code: ElementBuilder, x: SSAValue) -> SSAValue:
    """The derivative of the logarithm of the gamma function."""
    type_ = x.type
    is_low, z = _from_half(code, x)
    total, slope = _lanczos(code, z)
    t = code.add(z, code.number(_G + 0.5, type_))
    log_t = code.add(
        code.number(2.0149030205422647, type_),
        code.value(math.Log1pOp(code.divide(z, code.number(_G + 0.5, type_)))),
    )
    correction = code.add(
        code.divide(slope, total), code.divide(code.number(_G, type_), t)
    )
    gamma = code.subtract(log_t, correction)
    # Below 1/2: digamma(1 - x) - pi / tan(pi x), with x moved near zero.
    half = code.number(0.5, type_)
    nearest = code.value(math.FloorOp(code.add(x, half)))
    angle = code.multiply(code.number(pi, type_), code.subtract(x, nearest))
    cotangent = code.divide(
        code.value(math.CosOp(angle)), code.value(math.SinOp(angle))
    )
    mirrored = code.subtract(gamma, code.multiply(code.number(pi, type_), cotangent))
    result = code.select(is_low, mirrored, gamma)
    zero = code.number(0.0, type_)
    is_whole = code.compare("oeq", x, code.value(math.FloorOp(x)))
    is_pole = code.both(is_whole, code.compare("ole", x, zero))
    return code.select(is_pole, code.number(nan, type_), result)


# The zeta function of Hurwitz, and the other derivatives.

_TERMS: Final = 9
"""How many terms are added before the formula stands for the others, as in XLA."""

_BERNOULLI: Final = (
    *(1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510),
    *(43867 / 798, -174611 / 330, 854513 / 138, -236364091 / 2730),
)
"""The Bernoulli numbers 2, 4, 6 and so on."""


def zeta(code: ElementBuilder, s: SSAValue, q: SSAValue) -> SSAValue:
    """The zeta function of Hurwitz.

    Below zero it is a number for whole s only.
    """
    one, zero = code.number(1.0, s.type), code.number(0.0, s.type)
    not_a_number, infinity = code.number(nan, s.type), code.number(inf, s.type)
    is_low = code.compare("ole", q, zero)
    is_even = _is_whole(code, code.multiply(s, code.number(0.5, s.type)))
    result = code.select(
        is_low, _zeta_below(code, s, q, is_even), _zeta_above(code, s, q)
    )
    result = code.select(code.compare("olt", s, one), not_a_number, result)
    is_root = code.both(is_low, code.opposite(_is_whole(code, s)))
    result = code.select(is_root, not_a_number, result)
    pole = code.select(is_even, infinity, not_a_number)
    result = code.select(code.both(is_low, _is_whole(code, q)), pole, result)
    return code.select(code.compare("oeq", s, one), infinity, result)


def _zeta_below(
    code: ElementBuilder, s: SSAValue, q: SSAValue, is_even: SSAValue
) -> SSAValue:
    """For q below zero: the terms above zero, and those below with their sign.

    The terms below are those from the nearest to zero without those that begin at
    1 - q. XLA has none of this, so that its numbers for q below -9 are of no use.
    """
    above = code.subtract(q, code.value(math.FloorOp(q)))
    nearest = code.subtract(code.value(math.CeilOp(q)), q)
    beyond = code.subtract(code.number(1.0, q.type), q)
    below = code.subtract(_zeta_above(code, s, nearest), _zeta_above(code, s, beyond))
    below = code.select(is_even, below, code.value(arith.NegfOp(below)))
    return code.add(_zeta_above(code, s, above), below)


def _zeta_above(code: ElementBuilder, s: SSAValue, q: SSAValue) -> SSAValue:
    """For q above zero."""
    type_ = s.type
    minus_s = code.value(arith.NegfOp(s))

    def power(k: int) -> tuple[SSAValue, SSAValue]:
        base = code.add(q, code.number(float(k), type_))
        return base, code.value(math.PowFOp(base, minus_s))

    total = power(0)[1]
    for k in range(1, _TERMS):
        total = code.add(total, power(k)[1])
    a, term = power(_TERMS)
    integral = code.divide(a, code.subtract(s, code.number(1.0, type_)))
    rest = code.add(integral, code.number(0.5, type_))
    rest = code.multiply(term, code.add(rest, _corrections(code, s, a)))
    # The factor of a term that vanishes may be infinite.
    vanishes = code.compare("oeq", term, code.number(0.0, type_))
    return code.select(vanishes, total, code.add(total, rest))


def _corrections(code: ElementBuilder, s: SSAValue, a: SSAValue) -> SSAValue:
    """The sum of B(2j) / (2j)! * s (s + 1) ... (s + 2j - 2) / a^(2j - 1)."""
    type_ = s.type
    factor = code.divide(s, a)
    total = code.number(0.0, type_)
    for j, number in enumerate(_BERNOULLI, 1):
        coefficient = code.number(number / factorial(2 * j), type_)
        total = code.add(total, code.multiply(factor, coefficient))
        for offset in (2 * j - 1, 2 * j):
            moved = code.add(s, code.number(float(offset), type_))
            factor = code.multiply(factor, code.divide(moved, a))
    return total


def _is_whole(code: ElementBuilder, x: SSAValue) -> SSAValue:
    return code.compare("oeq", x, code.value(math.FloorOp(x)))


def polygamma(code: ElementBuilder, n: SSAValue, x: SSAValue) -> SSAValue:
    """Derivative n of digamma: (-1)^(n + 1) n! zeta(n + 1, x)."""
    type_ = n.type
    zero, one = code.number(0.0, type_), code.number(1.0, type_)
    next_ = code.add(n, one)
    size = code.multiply(
        code.value(math.ExpOp(lgamma(code, next_))), zeta(code, next_, x)
    )
    is_even = _is_whole(code, code.multiply(n, code.number(0.5, type_)))
    result = code.select(is_even, code.value(arith.NegfOp(size)), size)
    result = code.select(code.compare("oeq", n, zero), digamma(code, x), result)
    is_count = code.both(_is_whole(code, n), code.compare("oge", n, zero))
    return code.select(is_count, result, code.number(nan, type_))
