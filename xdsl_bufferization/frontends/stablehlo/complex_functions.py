"""Trigonometric and hyperbolic functions of complex numbers, and their inverses.

    chlo.sinh x + iy      ->    sinh x cos y + i cosh x sin y
    chlo.asinh z          ->    -i asin(iz)

Parts of 32 bits are computed in 64. No formula subtracts numbers that are nearly equal,
and signs of zero say on which side of a cut a number is, as in C.

Sources: Hull, Fairgrieve and Tang, Implementing the complex arcsine and arccosine
functions using exception handling (1997), figures 2 to 5; Kahan, Branch cuts for
complex elementary functions (1987).
"""

from collections.abc import Callable
from math import log, pi
from typing import Any, Final, NamedTuple, TypeAlias, cast

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import ComplexType, Float32Type, Float64Type
from xdsl.ir import SSAValue

from .element_builder import ElementBuilder

_A_CROSSOVER: Final = 1.5
_B_CROSSOVER: Final = 0.6417
"""From where on other formulas are the exact ones, as in the paper."""

_LARGE: Final = 1e150
_SMALL: Final = 1e-150
"""Beyond these, squares are infinite or zero."""


class Parts(NamedTuple):
    """The real and the imaginary part."""

    real: SSAValue
    imaginary: SSAValue


ComplexFunction: TypeAlias = Callable[[ElementBuilder, Parts], Parts]


def apply(function: ComplexFunction, code: ElementBuilder, z: SSAValue) -> SSAValue:
    """A function of a complex number of f32 or f64."""
    type_ = cast("ComplexType[Any]", z.type)
    part = type_.element_type
    parts = [
        code.value(kind.create(operands=[z], result_types=[part]))
        for kind in (complex.ReOp, complex.ImOp)
    ]
    if isinstance(part, Float32Type):
        parts = [code.value(arith.ExtFOp(each, Float64Type())) for each in parts]
    results = [*function(code, Parts(*parts))]
    if isinstance(part, Float32Type):
        results = [code.value(arith.TruncFOp(each, part)) for each in results]
    return code.value(complex.CreateOp.create(operands=results, result_types=[type_]))


class _Numbers:
    """Arithmetic on numbers of 64 bits."""

    def __init__(self, code: ElementBuilder):
        self.code = code

    def constant(self, value: float) -> SSAValue:
        return self.code.number(value, Float64Type())

    def add(self, *terms: SSAValue) -> SSAValue:
        result = terms[0]
        for each in terms[1:]:
            result = self.code.add(result, each)
        return result

    def half(self, x: SSAValue) -> SSAValue:
        return self.code.multiply(x, self.constant(0.5))

    def call(self, op: Any, *values: SSAValue) -> SSAValue:
        return self.code.value(op(*values))

    def is_below(self, x: SSAValue, bound: float) -> SSAValue:
        return self.code.compare("olt", x, self.constant(bound))

    def scaled(self, x: SSAValue, y: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The larger of two numbers that are not negative, and the quotient below 1."""
        larger = self.call(arith.MaximumfOp, x, y)
        smaller = self.call(arith.MinimumfOp, x, y)
        quotient = self.code.divide(smaller, larger)
        zero = self.constant(0)
        is_odd = self.code.either(
            self.code.compare("oeq", larger, zero),
            self.code.compare("oeq", larger, self.constant(float("inf"))),
        )
        return larger, self.code.select(is_odd, zero, quotient)

    def hypotenuse(self, x: SSAValue, y: SSAValue) -> SSAValue:
        larger, quotient = self.scaled(x, y)
        squares = self.add(self.constant(1), self.code.multiply(quotient, quotient))
        return self.code.multiply(larger, self.call(math.SqrtOp, squares))


class _Arcs(NamedTuple):
    """Of a number whose parts are not negative."""

    sine: SSAValue
    """The real part of the arcsine."""

    cosine: SSAValue
    """That of the arccosine."""

    height: SSAValue
    """The imaginary part of the arcsine."""


def _arcs(code: ElementBuilder, x: SSAValue, y: SSAValue) -> _Arcs:
    n, one = _Numbers(code), code.number(1, Float64Type())
    times, over = code.multiply, code.divide
    is_inside = code.compare("ole", x, one)
    x_more, x_less = n.add(x, one), code.subtract(x, one)
    r, s = n.hypotenuse(x_more, y), n.hypotenuse(n.call(math.AbsFOp, x_less), y)
    a = n.half(n.add(r, s))
    b = over(x, a)
    right, left = n.add(r, x_more), n.add(s, x_less)
    left_inside = n.add(s, code.subtract(one, x))
    square, a_and_x = times(y, y), n.add(a, x)
    # The real parts.
    inside = n.half(times(a_and_x, n.add(over(square, right), left_inside)))
    beyond = n.half(n.add(over(a_and_x, right), over(a_and_x, left)))
    root_inside = n.call(math.SqrtOp, inside)
    root_beyond = times(y, n.call(math.SqrtOp, beyond))
    root = code.select(is_inside, root_inside, root_beyond)
    is_usual = code.compare("ole", b, n.constant(_B_CROSSOVER))
    sine = code.select(is_usual, n.call(math.AsinOp, b), n.call(math.Atan2Op, x, root))
    cosine = code.select(
        is_usual, n.call(math.AcosOp, b), n.call(math.Atan2Op, root, x)
    )
    # The imaginary part.
    is_left = code.compare("olt", x, one)
    rest = code.select(is_left, over(square, left_inside), left)
    a_less = n.half(n.add(over(square, right), rest))
    grown = n.call(math.SqrtOp, times(a_less, n.add(a, one)))
    near = n.call(math.Log1pOp, n.add(a_less, grown))
    wide = n.call(math.SqrtOp, code.subtract(times(a, a), one))
    far = n.call(math.LogOp, n.add(a, wide))
    height = code.select(n.is_below(a, _A_CROSSOVER), near, far)
    flat = over(y, n.call(math.SqrtOp, times(code.subtract(one, x), x_more)))
    is_flat = code.both(is_left, n.is_below(y, _SMALL))
    height = code.select(is_flat, flat, height)
    # Squares would be infinite.
    larger, quotient = n.scaled(x, y)
    is_large = code.compare("oge", larger, n.constant(_LARGE))
    more = n.half(n.call(math.Log1pOp, times(quotient, quotient)))
    large = n.add(n.call(math.LogOp, larger), n.constant(log(2)), more)
    return _Arcs(
        code.select(is_large, n.call(math.Atan2Op, x, y), sine),
        code.select(is_large, n.call(math.Atan2Op, y, x), cosine),
        code.select(is_large, large, height),
    )


def _arcs_of(code: ElementBuilder, z: Parts) -> _Arcs:
    x, y = (code.value(math.AbsFOp(part)) for part in z)
    return _arcs(code, x, y)


def _like(code: ElementBuilder, size: SSAValue, sign: SSAValue) -> SSAValue:
    return code.value(math.CopySignOp(size, sign))


def _full_cosine(code: ElementBuilder, cosine: SSAValue, x: SSAValue) -> SSAValue:
    """Between 0 and pi: above a half of it for negative numbers, -0 among them."""
    one = code.number(1, Float64Type())
    is_negative = code.compare("olt", _like(code, one, x), code.number(0, x.type))
    turned = code.subtract(code.number(pi, Float64Type()), cosine)
    return code.select(is_negative, turned, cosine)


def asin(code: ElementBuilder, z: Parts) -> Parts:
    """The arcsine."""
    arcs = _arcs_of(code, z)
    return Parts(_like(code, arcs.sine, z.real), _like(code, arcs.height, z.imaginary))


def acos(code: ElementBuilder, z: Parts) -> Parts:
    """The arccosine."""
    arcs = _arcs_of(code, z)
    height = _like(code, arcs.height, code.value(arith.NegfOp(z.imaginary)))
    return Parts(_full_cosine(code, arcs.cosine, z.real), height)


def acosh(code: ElementBuilder, z: Parts) -> Parts:
    """The inverse of the hyperbolic cosine."""
    arcs = _arcs_of(code, z)
    angle = _full_cosine(code, arcs.cosine, z.real)
    return Parts(arcs.height, _like(code, angle, z.imaginary))


def asinh(code: ElementBuilder, z: Parts) -> Parts:
    """The inverse of the hyperbolic sine."""
    return _turned_back(code, asin(code, _turned(code, z)))


def atan(code: ElementBuilder, z: Parts) -> Parts:
    """The arctangent."""
    return _turned_back(code, atanh(code, _turned(code, z)))


def atanh(code: ElementBuilder, z: Parts) -> Parts:
    """The inverse of the hyperbolic tangent."""
    n, one = _Numbers(code), code.number(1, Float64Type())
    x, y = (n.call(math.AbsFOp, part) for part in z)
    less, square = code.subtract(one, x), code.multiply(y, y)
    below = n.add(code.multiply(less, less), square)
    four = code.multiply(n.constant(4), x)
    grown = n.call(math.Log1pOp, code.divide(four, below))
    real = code.multiply(n.constant(0.25), grown)
    adjacent = code.subtract(code.multiply(less, n.add(one, x)), square)
    angle = n.half(n.call(math.Atan2Op, n.add(y, y), adjacent))
    # Far away, the real part is x / (x**2 + y**2), and the angle a right one.
    larger, quotient = n.scaled(x, y)
    is_large = code.compare("oge", larger, n.constant(_LARGE))
    squares = n.add(one, code.multiply(quotient, quotient))
    far = code.divide(code.divide(code.divide(x, larger), larger), squares)
    is_infinite = code.compare("oeq", larger, n.constant(float("inf")))
    far = code.select(is_infinite, n.constant(0), far)
    real = code.select(is_large, far, real)
    angle = code.select(is_large, n.constant(pi / 2), angle)
    return Parts(_like(code, real, z.real), _like(code, angle, z.imaginary))


def sinh(code: ElementBuilder, z: Parts) -> Parts:
    """The hyperbolic sine."""
    n = _Numbers(code)
    along, across = n.call(math.SinhOp, z.real), n.call(math.CoshOp, z.real)
    real = code.multiply(along, n.call(math.CosOp, z.imaginary))
    imaginary = code.multiply(across, n.call(math.SinOp, z.imaginary))
    is_real = code.compare("oeq", z.imaginary, n.constant(0))
    return Parts(
        code.select(is_real, along, real),
        code.select(is_real, z.imaginary, imaginary),
    )


def cosh(code: ElementBuilder, z: Parts) -> Parts:
    """The hyperbolic cosine."""
    n = _Numbers(code)
    along, across = n.call(math.CoshOp, z.real), n.call(math.SinhOp, z.real)
    real = code.multiply(along, n.call(math.CosOp, z.imaginary))
    imaginary = code.multiply(across, n.call(math.SinOp, z.imaginary))
    is_real = code.compare("oeq", z.imaginary, n.constant(0))
    sign = _like(code, n.constant(1), z.real)
    return Parts(
        code.select(is_real, along, real),
        code.select(is_real, code.multiply(z.imaginary, sign), imaginary),
    )


def _turned(code: ElementBuilder, z: Parts) -> Parts:
    """`iz`."""
    return Parts(code.value(arith.NegfOp(z.imaginary)), z.real)


def _turned_back(code: ElementBuilder, z: Parts) -> Parts:
    """`-iz`."""
    return Parts(z.imaginary, code.value(arith.NegfOp(z.real)))
