"""The Bessel function I1 times exp(-|x|), of numbers in f32 or f64.

    chlo.bessel_i1e %x      a sum of Chebyshev polynomials, up to 8 and from 8

Source: the coefficients were computed with 40 digits as in DLMF 3.11.11. Those up to 8
are of exp(-x) I1(x) / x at x = 4 (t + 1). Those from 8 are of exp(-x) I1(x) sqrt(x) at
x = 16 / (t + 1).
"""

from collections.abc import Sequence
from typing import Final

from xdsl.dialects import math
from xdsl.dialects.builtin import Float32Type
from xdsl.ir import SSAValue

from .element_builder import ElementBuilder

_NEAR: Final = (
    0.25258718644363365,
    -0.17641651835783406,
    0.1026436586898471,
    -0.052945981208094991,
    0.024726449030626517,
    -0.010564084894626198,
    0.0041564229443128882,
    -0.0015135724506312531,
    0.00051228595616857577,
    -0.00016176081582589675,
    4.7815651075500542e-5,
    -1.3273163656039436e-5,
    3.4702513081376785e-6,
    -8.5687202646954547e-7,
    2.0032947535521353e-7,
    -4.4450591287963281e-8,
    9.3815373864957718e-9,
    -1.8872497517228293e-9,
    3.625590281552117e-10,
    -6.6634897235020277e-11,
    1.1736186298890902e-11,
    -1.9839743977649437e-12,
    3.2237933659455747e-13,
    -5.0421855047279117e-14,
    7.6006842947354069e-15,
    -1.1055969477353863e-15,
    1.5536319577362005e-16,
    -2.1114212143581661e-17,
    2.7779141127610464e-18,
)
_FAR: Final = (
    0.77857623501828012,
    -0.0097610974913614684,
    -0.00011058893876262372,
    -3.8825648088776904e-6,
    -2.5122362378702089e-7,
    -2.6314688468895195e-8,
    -3.835380385964237e-9,
    -5.5897434621965838e-10,
    -1.8974958123505412e-11,
    3.2526035830154882e-11,
    1.4125807436613781e-11,
    2.0356285441470895e-12,
    -7.1985517762459085e-13,
    -4.0835511110921973e-13,
    -2.1015418427726643e-14,
    4.2724400167119514e-14,
    1.0420276984128803e-14,
    -3.8144030724370078e-15,
    -1.8803547755107824e-15,
    3.3082023109209283e-16,
    2.9626289976459501e-16,
    -3.209525921993424e-17,
    -4.6503053684893583e-17,
    4.4143483230717079e-18,
    7.5172963108421048e-18,
    -9.3141788673268834e-19,
    -1.242193275194891e-18,
)
_COUNTS_32: Final = 18, 8
"""How many coefficients of each f32 needs."""


def bessel_i1e(code: ElementBuilder, x: SSAValue) -> SSAValue:
    """The modified Bessel function of order 1, times exp(-|x|)."""
    type_ = x.type
    is_short = isinstance(type_, Float32Type)
    counts = _COUNTS_32 if is_short else (len(_NEAR), len(_FAR))
    size = code.value(math.AbsFOp(x))
    one = code.number(1.0, type_)
    t = code.subtract(code.multiply(size, code.number(0.25, type_)), one)
    near = code.multiply(_chebyshev(code, t, _NEAR[: counts[0]]), x)
    t = code.subtract(code.divide(code.number(16.0, type_), size), one)
    root = code.value(math.SqrtOp(size))
    far = code.divide(_chebyshev(code, t, _FAR[: counts[1]]), root)
    far = code.value(math.CopySignOp(far, x))
    is_near = code.compare("ole", size, code.number(8.0, type_))
    return code.select(is_near, near, far)


def _chebyshev(
    code: ElementBuilder, t: SSAValue, coefficients: Sequence[float]
) -> SSAValue:
    """By Clenshaw's recurrence; the first coefficient counts half."""
    twice = code.add(t, t)
    last = before = code.number(0.0, t.type)
    for each in reversed(coefficients[1:]):
        product = code.subtract(code.multiply(twice, last), before)
        last, before = code.add(product, code.number(each, t.type)), last
    half = code.number(coefficients[0] / 2, t.type)
    return code.add(code.subtract(code.multiply(t, last), before), half)
