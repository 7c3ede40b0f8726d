"""Formulas for the functions of the C library on f32, without branches.

    exp(x):   n = round(x / ln 2),  r = x - n ln 2,  exp(x) = 2**n (1 + r + r**2 Q(r))

How the range of an argument is reduced, and how NaN, infinities and numbers below the
smallest normal one are met, is as in Cephes (S. Moshier, https://netlib.org/cephes) and
SLEEF (https://sleef.org). The coefficients are minimax polynomials, fitted anew in f64
by iterated weighted least squares (C. Lawson). The comment at each polynomial says the
interval and the error of the fit, in units of the last place (ulp) of the result.
`docs/lowering.md` has the error of each function.
"""

from collections.abc import Callable, Mapping
from typing import Final

from xdsl.dialects import math
from xdsl.ir import Operation, SSAValue

from .arithmetic import FormulaBuilder

_LOG2_E = 1.4426950408889634
_LN_2 = 0.6931471805599453
_LN_2_HIGH, _LN_2_LOW = 0.693359375, -2.12194440054690583e-4
"""ln 2 in two parts; a whole number of 15 bits times the first is exact in f32."""

# r in [-ln 2 / 2, ln 2 / 2]. exp(r) = 1 + r + r**2 Q(r), to 0.05 ulp.
_EXP = (
    0.4999999403953552,
    0.1666652113199234,
    0.04166838899254799,
    0.0083687175065279,
    0.0013814596459269524,
)
# The same for exp(r) - 1, to 0.004 ulp.
_EXPM1 = (
    0.5,
    0.1666666567325592,
    0.041666362434625626,
    0.008333389647305012,
    0.0013940627686679363,
    0.00019845877250190824,
)
# r in [-1/2, 1/2]. 2**r = 1 + r P(r), to 0.03 ulp.
_EXP2 = (
    0.6931471824645996,
    0.24022647738456726,
    0.055503323674201965,
    0.009618437848985195,
    0.0013398900628089905,
    0.00015353340131696314,
)
# f in [sqrt(1/2) - 1, sqrt(2) - 1]. log(1 + f) = f - f**2 / 2 + f**3 P(f), to 0.1 ulp.
_LOG = (
    0.3333333134651184,
    -0.250008225440979,
    0.20001226663589478,
    -0.16623356938362122,
    0.14201761782169342,
    -0.131601944565773,
    0.12761549651622772,
    -0.07634429633617401,
)
_ROOT_OF_HALF_BITS = 0x3F3504F3

# |x| in [0, 0.8]. erf(x) = x P(x**2), to 0.05 ulp.
_ERF_NEAR = (
    1.1283791065216064,
    -0.3761260211467743,
    0.11283113062381744,
    -0.02682080678641796,
    0.005085130222141743,
    -0.0006535234861075878,
)
# |x| in [0.8, 4]. erf(|x|) = 1 - exp(-P(|x|)), to 0.05 ulp.
_ERF_FAR = (
    5.684167626895942e-05,
    1.1282713413238525,
    0.6361420750617981,
    0.10487645119428635,
    -0.022697411477565765,
    0.0031649002339690924,
    -0.00020870048319920897,
)
_ERF_BORDER, _ERF_IS_ONE = 0.8, 4.0

_LARGE_ROOT = 4096.0
"""Above this, the roots of `x**2 + 1` and `x**2 - 1` are `x`, up to 0.02 ulp."""

_SMALLEST_NORMAL = 1.1754943508222875e-38
_INFINITY, _NAN = float("inf"), float("nan")


Formula = Callable[[FormulaBuilder, SSAValue], SSAValue]


def _exp(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    rest, bits = _reduced(n, n.at_least(n.at_most(x, 89.5), -104.5), times=2)
    return _scaled(n, _exp_of_rest(n, rest), bits)


def _exp2(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    limited = n.at_least(n.at_most(x, 129.0), -151.0)
    whole, bits = n.rounded(limited, 1, times=2)
    rest = n.subtract(limited, whole)
    power = n.add(n.times(n.polynomial(rest, _EXP2), rest), 1)
    return _scaled(n, power, bits)


def _expm1(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    limited = n.at_least(n.at_most(x, 88.9), -17.5)
    return n.with_sign_of(_expm1_of_limited(n, limited), x)


def _tanh(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    """By `e = exp(-2 |x|) - 1`, which is exact near 0."""
    size = n.at_most(n.magnitude(x), 9.1)
    e = _expm1_of_limited(n, n.times(size, -2))
    return n.with_sign_of(n.divide(e, n.add(e, 2)), x)


def _sinh(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    """`e / 2 + e / (2 (e + 1))` with `e = exp(|x|) - 1`, whose quarter is finite."""
    quarter = _part_of_expm1(n, n.at_most(n.magnitude(x), 89.5), 2)
    double = n.times(quarter, 2)
    other = n.divide(quarter, n.add(double, 0.5))
    return n.with_sign_of(n.add(double, other), x)


def _cosh(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    """`e / 2 + 1 / (2 e)` with `e = exp(|x|)`, whose quarter is finite."""
    rest, bits = _reduced(n, n.at_most(n.magnitude(x), 89.5), plus=-2)
    quarter = n.times(_exp_of_rest(n, rest), n.power_of_two(bits))
    return n.add(n.times(quarter, 2), n.divide(0.125, quarter))


def _asinh(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    """`log(1 + |x| + x**2 / (1 + root(x**2 + 1)))`."""
    size = n.magnitude(x)
    square = n.times(size, size)
    growth = n.divide(square, n.add(n.root(n.add(square, 1)), 1))
    return n.with_sign_of(_log_of_root(n, size, n.add(size, growth)), x)


def _acosh(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    """`log(1 + t + root(t (t + 2)))` with `t = x - 1`."""
    t = n.subtract(x, 1)
    root = n.root(n.times(t, n.add(t, 2)))
    result = _log_of_root(n, x, n.add(t, root))
    return n.select(n.compare("lt", x, 1), _NAN, result)


def _atanh(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    """`log(1 + 2 |x| / (1 - |x|)) / 2`."""
    size = n.magnitude(x)
    ratio = n.divide(n.times(size, 2), n.subtract(1, size))
    return n.with_sign_of(n.times(_log1p(n, ratio), 0.5), x)


def _erf(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    size = n.at_most(n.magnitude(x), _ERF_IS_ONE)
    near = n.times(n.polynomial(n.times(size, size), _ERF_NEAR), x)
    rest, bits = _reduced(n, n.times(n.polynomial(size, _ERF_FAR), -1))
    complement = n.times(_exp_of_rest(n, rest), n.power_of_two(bits))
    far = n.with_sign_of(n.subtract(1, complement), x)
    return n.select(n.compare("lt", size, _ERF_BORDER), near, far)


def _log(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    value, correction, exponent = _log_parts(n, x)
    small = n.add(correction, n.times(exponent, _LN_2_LOW))
    near = n.add(value, small)
    return _log_edges(n, x, n.add(near, n.times(exponent, _LN_2_HIGH)))


def _log2(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    value, correction, exponent = _log_parts(n, x)
    near = n.times(n.add(value, correction), _LOG2_E)
    return _log_edges(n, x, n.add(near, exponent))


def _log1p(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    """`log(u)` of `u = 1 + x`, and what `x` lost in `u`, divided by `u`."""
    u = n.add(x, 1)
    lost = n.divide(n.subtract(x, n.subtract(u, 1)), u)
    # Of -1, of an infinity, and of what has no logarithm, nothing was lost.
    in_range = n.compare("gt", u, 0), n.compare("lt", u, _INFINITY)
    for condition in in_range:
        lost = n.select(condition, lost, 0)
    return n.with_sign_of(n.add(_log(n, u), lost), x)


# Parts of formulas.


def _reduced(
    n: FormulaBuilder, x: SSAValue, times: int = 1, plus: int = 0
) -> tuple[SSAValue, SSAValue]:
    """`r` in [-ln 2 / 2, ln 2 / 2] with `x = r + k ln 2`, and the i32 for `k`."""
    whole, bits = n.rounded(x, _LOG2_E, times, plus)
    rest = n.subtract(x, n.times(whole, _LN_2_HIGH))
    return n.subtract(rest, n.times(whole, _LN_2_LOW)), bits


def _exp_of_rest(n: FormulaBuilder, rest: SSAValue) -> SSAValue:
    square = n.times(rest, rest)
    power = n.add(n.times(n.polynomial(rest, _EXP), square), rest)
    return n.add(power, 1)


def _scaled(n: FormulaBuilder, x: SSAValue, bits: SSAValue) -> SSAValue:
    """`x` times two to a power that may be too large or too small for an f32."""
    for power in n.two_powers(bits):
        x = n.times(x, power)
    return x


def _expm1_of_limited(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    """`exp(x) - 1` for `x` from -18.2 to 88.9, without the sign of zero."""
    return n.times(_part_of_expm1(n, x, 1), 2)


def _part_of_expm1(n: FormulaBuilder, x: SSAValue, halvings: int) -> SSAValue:
    """`(exp(x) - 1) / 2**halvings`, which is `q s + (s - 1 / 2**halvings)`.

    `s` is the power of two of the result. With one halving, `x` is at most 88.9, with
    two 89.5; more, and a sum or a power is not finite.
    """
    rest, bits = _reduced(n, x, plus=-halvings)
    square = n.times(rest, rest)
    q = n.add(n.times(n.polynomial(rest, _EXPM1), square), rest)
    scale = n.power_of_two(bits)
    return n.add(n.times(q, scale), n.subtract(scale, 0.5**halvings))


def _log_of_root(n: FormulaBuilder, x: SSAValue, rest: SSAValue) -> SSAValue:
    """`log(1 + rest)`; for a large `x`, whose square may overflow, `log(2 x)`."""
    is_large = n.compare("gt", x, _LARGE_ROOT)
    near = n.select(is_large, n.subtract(x, 1), rest)
    return n.add(_log1p(n, near), n.select(is_large, _LN_2, 0))


def _log_parts(n: FormulaBuilder, x: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
    """`f`, `c` and `e` with `log(x) = f + c + e ln 2`, for a finite `x` above 0."""
    is_small = n.compare("lt", x, _SMALLEST_NORMAL)
    normal = n.select(is_small, n.times(x, 2.0**23), x)
    mantissa, exponent = n.split(normal, _ROOT_OF_HALF_BITS)
    exponent = n.add(exponent, n.select(is_small, -23, 0))
    f = n.subtract(mantissa, 1)
    square = n.times(f, f)
    cubic = n.times(n.times(n.polynomial(f, _LOG), f), square)
    return f, n.subtract(cubic, n.times(square, 0.5)), exponent


def _log_edges(n: FormulaBuilder, x: SSAValue, log: SSAValue) -> SSAValue:
    """`log` where `x` is finite and above 0; elsewhere what IEEE 754 demands."""
    finite = n.select(n.compare("lt", x, _INFINITY), log, x)
    otherwise = n.select(n.compare("eq", x, 0), -_INFINITY, _NAN)
    return n.select(n.compare("ugt", x, 0), finite, otherwise)


FORMULAS: Final[Mapping[type[Operation], Formula]] = {
    math.ExpOp: _exp,
    math.Exp2Op: _exp2,
    math.ExpM1Op: _expm1,
    math.LogOp: _log,
    math.Log2Op: _log2,
    math.Log1pOp: _log1p,
    math.SinhOp: _sinh,
    math.CoshOp: _cosh,
    math.TanhOp: _tanh,
    math.AsinhOp: _asinh,
    math.AcoshOp: _acosh,
    math.AtanhOp: _atanh,
    math.ErfOp: _erf,
}
"""The formula for each op of one operand."""


# Powers with an exponent that is known.


def _power_of_half(n: FormulaBuilder, x: SSAValue) -> SSAValue:
    """The root, but that of -0 is 0, and that of minus infinity is infinite."""
    root = n.root(n.add(x, 0))
    return n.select(n.compare("eq", x, -_INFINITY), _INFINITY, root)


POWERS: Final[Mapping[float, Formula]] = {
    0.5: _power_of_half,
    1.0: lambda n, x: x,
    2.0: lambda n, x: n.times(x, x),
    3.0: lambda n, x: n.times(n.times(x, x), x),
    4.0: lambda n, x: n.times(n.times(x, x), n.times(x, x)),
    -0.5: lambda n, x: n.divide(1, _power_of_half(n, x)),
    -1.0: lambda n, x: n.divide(1, x),
}
"""What `x` is to a power that is written in the program."""
