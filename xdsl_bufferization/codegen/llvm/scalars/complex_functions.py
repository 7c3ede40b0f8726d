"""Functions of complex numbers, in formulas of their parts.

    |x + iy| = sqrt(x x + y y)
    exp(x + iy) = exp(x) cos(y) + i exp(x) sin(y)

The parts are f64 here, whatever they are in the program: no square of an f32 overflows
or vanishes in f64, and a result is rounded once. For parts that are f64 in the program,
large and small numbers are scaled first. Infinities and NaN give what C's functions
give (C23, annex G), where MLIR's lowering does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, log

from .real_numbers import INFINITY, NAN, Real, Truth

_LARGE, _SMALL = 2.0**1000, 2.0**-900
"""Beyond these, a sum of products of two f64 may overflow, or lose digits."""

_STEEP = 709.0
"""The largest whole number whose exponential is an f64."""

_EXP_STEEP = exp(_STEEP)
_LOG_4 = log(4.0)


@dataclass(frozen=True)
class Number:
    """A complex number by its parts, which are f64."""

    re: Real
    im: Real
    is_narrow: bool
    """Whether the parts come from a narrower type: squares are exact enough."""

    def with_parts(self, re: Real, im: Real) -> Number:
        """Return another number that comes from the same type."""
        return replace(self, re=re, im=im)

    def constant(self, re: float, im: float) -> Number:
        """Return a number that is known."""
        return self.with_parts(self.re.like(re), self.re.like(im))

    def scaled(self, factor: Real | float) -> Number:
        """Return the product with a real number."""
        return self.with_parts(self.re * factor, self.im * factor)

    def is_zero(self) -> Truth:
        """Whether this is zero, of whatever signs."""
        return self.re.equals(0.0) & self.im.equals(0.0)

    def extent(self) -> Real:
        """Return the larger magnitude of the parts."""
        return abs(self.re).larger(abs(self.im))


Function = Callable[[Number], Number]


def select(condition: Truth, then: Number, otherwise: Number) -> Number:
    """Return one of two numbers."""
    return then.with_parts(
        condition.select(then.re, otherwise.re), condition.select(then.im, otherwise.im)
    )


# Arithmetic.


def add(a: Number, b: Number) -> Number:
    """Return the sum."""
    return a.with_parts(a.re + b.re, a.im + b.im)


def multiply(a: Number, b: Number) -> Number:
    """Return the product."""
    return a.with_parts(a.re * b.re - a.im * b.im, a.im * b.re + a.re * b.im)


def divide(a: Number, b: Number) -> Number:
    """Return the quotient: by Smith's algorithm, or straight in a wider type."""
    quotient = _divide_straight(a, b) if a.is_narrow else _divide_by_smith(a, b)
    lost = quotient.re.is_nan() & quotient.im.is_nan()
    return select(lost, _recovered_quotient(a, b, quotient), quotient)


def _divide_straight(a: Number, b: Number) -> Number:
    square = b.re * b.re + b.im * b.im
    re = a.re * b.re + a.im * b.im
    return a.with_parts(re / square, (a.im * b.re - a.re * b.im) / square)


def _divide_by_smith(a: Number, b: Number) -> Number:
    """Divide by the larger part of the divisor first."""
    flat = abs(b.re) >= abs(b.im)
    large, small = flat.select(b.re, b.im), flat.select(b.im, b.re)
    first, second = flat.select(a.re, a.im), flat.select(a.im, a.re)
    ratio = small / large
    divisor = large + small * ratio
    re = (first + second * ratio) / divisor
    im = (second - first * ratio) / divisor
    return a.with_parts(re, flat.select(im, -im))


def _recovered_quotient(a: Number, b: Number, quotient: Number) -> Number:
    """Return what a quotient of two NaN should be: C23, G.5.1, example 2."""
    infinite = b.re.like(INFINITY).with_sign_of(b.re)
    by_zero = b.is_zero() & (a.re.is_ordered() | a.im.is_ordered())
    result = select(by_zero, a.scaled(infinite), quotient)

    a_is_infinite = a.re.is_infinite() | a.im.is_infinite()
    b_is_finite = b.re.is_finite() & b.im.is_finite()
    product = multiply(_units(a), b.with_parts(b.re, -b.im)).scaled(INFINITY)
    result = select(a_is_infinite & b_is_finite, product, result)

    a_is_finite = a.re.is_finite() & a.im.is_finite()
    b_is_infinite = b.re.is_infinite() | b.im.is_infinite()
    units = _units(b)
    nothing = multiply(a, units.with_parts(units.re, -units.im)).scaled(0.0)
    return select(a_is_finite & b_is_infinite, nothing, result)


def _units(number: Number) -> Number:
    """Return 1 for each part that is infinite and 0 for others, with their signs."""
    return number.with_parts(*map(_unit, (number.re, number.im)))


def _unit(part: Real) -> Real:
    return part.is_infinite().select(part.like(1.0), 0.0).with_sign_of(part)


# Magnitudes and angles.


def magnitude(z: Number) -> Real:
    """Return the distance from zero, without overflow on the way."""
    if z.is_narrow:
        length = _root_of_squares(z)
    else:
        # Where squares overflow or vanish, a power of two brings them back.
        scale = _scale(z, 2.0**-600, 2.0**600, 2.0**500, 2.0**-450)
        length = _root_of_squares(z.scaled(scale)) / scale
    infinite = z.re.is_infinite() | z.im.is_infinite()
    return infinite.select(length.like(INFINITY), length)


def _root_of_squares(z: Number) -> Real:
    return (z.re * z.re + z.im * z.im).sqrt()


def angle(z: Number) -> Real:
    """Return the angle to the positive numbers, from minus pi to pi."""
    return z.im.atan2(z.re)


def sign(z: Number) -> Number:
    """Return the number of magnitude one at the same angle; zero for zero."""
    scaled = z if z.is_narrow else z.scaled(_scale(z, 2.0**-100, 2.0**200))
    length = magnitude(scaled)
    unit = z.with_parts(scaled.re / length, scaled.im / length)
    return select(z.is_zero(), z, unit)


def _scale(
    z: Number,
    down: float,
    up: float,
    large: float = _LARGE,
    small: float = _SMALL,
) -> Real:
    """Return by what to multiply a number that is large or small, otherwise 1."""
    extent, one = z.extent(), z.re.like(1.0)
    larger = (extent < small).select(one.like(up), one)
    return (extent > large).select(one.like(down), larger)


# Exponentials and logarithms.


def exponential(z: Number) -> Number:
    """Return e to the power of a number."""
    # exp(x) may overflow where exp(x) cos(y) does not.
    shift, factor = _steep(z.re, z)
    growth = (z.re - shift).exp()
    re, im = growth * z.im.cos() * factor, growth * z.im.sin() * factor
    is_real, no_angle = z.im.equals(0.0), z.im.is_nan() | z.im.is_infinite()
    vanishes, grows = z.re.equals(-INFINITY), z.re.equals(INFINITY)
    re = (no_angle & grows).select(z.re, is_real.select(growth * factor, re))
    zero = z.constant(0.0, 0.0)
    result = z.with_parts(re, is_real.select(z.im, im))
    return select(no_angle & vanishes, zero, result)


def _steep(exponent: Real, z: Number) -> tuple[Real, Real]:
    """Return what to subtract from a large exponent, and by what to multiply."""
    zero, one = exponent.like(0.0), exponent.like(1.0)
    if z.is_narrow:
        return zero, one
    steep = exponent > _STEEP
    return (
        steep.select(zero.like(_STEEP), zero),
        steep.select(one.like(_EXP_STEEP), one),
    )


def exponential_minus_one(z: Number) -> Number:
    """Return e to the power of a number, less one: exact near zero."""
    power = exponential(z)
    half = (z.im * 0.5).sin()
    near = z.re.expm1() * z.im.cos() - half * half * 2.0
    near = z.im.equals(0.0).select(z.re.expm1(), near)
    # From here on, one more or less is no difference.
    return z.with_parts((z.re > 40.0).select(power.re, near), power.im)


def logarithm(z: Number) -> Number:
    """Return the natural logarithm, whose imaginary part is the angle."""
    large, small = abs(z.re).larger(abs(z.im)), abs(z.re).smaller(abs(z.im))
    excess = (large - 1.0) * (large + 1.0) + small * small
    return z.with_parts(_log_of_magnitude(z, excess), angle(z))


def logarithm_of_one_plus(z: Number) -> Number:
    """Return the logarithm of one more than a number: exact near zero."""
    excess = z.re * (z.re + 2.0) + z.im * z.im
    above = z.with_parts(z.re + 1.0, z.im)
    return z.with_parts(_log_of_magnitude(above, excess), angle(above))


def _log_of_magnitude(z: Number, excess: Real) -> Real:
    """Return the logarithm of `|z|`, given `|z|^2 - 1` for numbers near one."""
    factor, shift = z.re.like(1.0), z.re.like(0.0)
    if not z.is_narrow:
        large = z.extent() > _LARGE
        factor = large.select(factor.like(0.25), factor)
        shift = large.select(shift.like(_LOG_4), shift)
    far = magnitude(z.scaled(factor)).log() + shift
    near = excess.log1p() * 0.5
    return (abs(excess) < 0.75).select(near, far)


# Powers and roots.


def square_root(z: Number) -> Number:
    """Return the root whose real part is not negative."""
    if z.is_narrow:
        return _square_root(z)
    scale = _scale(z, 2.0**-10, 2.0**200)
    root = _square_root(z.scaled(scale))
    return root.scaled(_unscale_root(scale, 2.0**-10, 2.0**200))


def _unscale_root(scale: Real, down: float, up: float) -> Real:
    """Return the inverse of the root of a scale, which is one of two, or 1."""
    one = scale.like(1.0)
    larger = scale.equals(up).select(one.like(up**-0.5), one)
    return scale.equals(down).select(one.like(down**-0.5), larger)


def _square_root(z: Number) -> Number:
    half = ((abs(z.re) + magnitude(z)) * 0.5).sqrt()
    other = z.im / (half * 2.0)
    left = z.re < 0.0
    re = left.select(abs(other), half)
    im = left.select(half.with_sign_of(z.im), other)
    root = select(z.is_zero(), z.with_parts(z.re.like(0.0), z.im), z.with_parts(re, im))
    infinite = z.with_parts(z.re.like(INFINITY), z.im)
    return select(z.im.is_infinite(), infinite, root)


def inverse_square_root(z: Number) -> Number:
    """Return one over the root."""
    scale = z.re.like(1.0) if z.is_narrow else _scale(z, 2.0**-10, 2.0**200)
    scaled = z.scaled(scale)
    root, length = _square_root(scaled), magnitude(scaled)
    inverse = z.with_parts(root.re / length, -root.im / length)
    inverse = inverse.scaled(z.re.like(1.0) / _unscale_root(scale, 2.0**-10, 2.0**200))
    zero = z.re.like(0.0)
    vanishing = z.with_parts(zero, -zero.with_sign_of(z.im))
    infinite = z.re.is_infinite() | z.im.is_infinite()
    inverse = select(infinite, vanishing, inverse)
    return select(z.is_zero(), z.constant(INFINITY, NAN), inverse)


def power(base: Number, exponent: Number) -> Number:
    """Return a number to the power of another.

    Zero to the power of zero is one, and so is one to any power.
    """
    length, turn = magnitude(base), angle(base)
    growth = length.power(exponent.re) * (-exponent.im * turn).exp()
    direction = exponent.re * turn + exponent.im * length.log()
    result = base.with_parts(growth * direction.cos(), growth * direction.sin())
    is_real = exponent.im.equals(0.0)
    positive = is_real & (exponent.re > 0.0)
    negative = is_real & (exponent.re < 0.0)
    zero, one = base.constant(0.0, 0.0), base.constant(1.0, 0.0)
    result = select(base.is_zero() & positive, zero, result)
    result = select(exponent.is_zero(), one, result)
    on_line = base.im.equals(0.0)
    result = select(on_line & base.re.equals(1.0), one, result)
    at_infinity = on_line & base.re.equals(INFINITY)
    infinite = base.constant(INFINITY, 0.0)
    result = select(at_infinity & positive, infinite, result)
    return select(at_infinity & negative, zero, result)


def atan2(a: Number, b: Number) -> Number:
    """Return `-i log((b + ia) / sqrt(a^2 + b^2))`, which MLIR defines it as."""
    turned = b.with_parts(b.re - a.im, b.im + a.re)
    length = square_root(add(multiply(a, a), multiply(b, b)))
    logarithm_ = logarithm(divide(turned, length))
    return a.with_parts(logarithm_.im, -logarithm_.re)


# Hyperbolic functions; the others are these, of a number that is turned by 90 degrees.


def _hyperbolic(z: Number) -> tuple[Real, Real, Real]:
    """Return cosh and sinh of the real part, both to be multiplied by a factor."""
    extent = abs(z.re)
    shift, factor = _steep(extent, z)
    growth = (extent - shift).expm1()
    above = growth + 1.0
    steep = extent > _STEEP
    cosh = growth * (growth / (above * 2.0)) + 1.0
    sinh = (growth + growth / above) * 0.5
    both = above * 0.5
    cosh, sinh = steep.select(both, cosh), steep.select(both, sinh)
    return cosh, sinh.with_sign_of(z.re), factor


def hyperbolic_sine(z: Number) -> Number:
    """Return `(exp(z) - exp(-z)) / 2`."""
    cosh, sinh, factor = _hyperbolic(z)
    cosine_ = z.im.cos()
    re, im = sinh * cosine_ * factor, cosh * z.im.sin() * factor
    no_angle = z.im.is_nan() | z.im.is_infinite()
    re = z.im.equals(0.0).select(sinh * factor, re)
    re = (z.re.is_infinite() & no_angle).select(z.re, re)
    signed_zero = z.re * z.re.like(1.0).with_sign_of(cosine_)
    re = z.re.equals(0.0).select(signed_zero, re)
    return z.with_parts(re, z.im.equals(0.0).select(z.im, im))


def hyperbolic_cosine(z: Number) -> Number:
    """Return `(exp(z) + exp(-z)) / 2`."""
    cosh, sinh, factor = _hyperbolic(z)
    sine = z.im.sin()
    re, im = cosh * z.im.cos() * factor, sinh * sine * factor
    no_angle = z.im.is_nan() | z.im.is_infinite()
    re = z.im.equals(0.0).select(cosh * factor, re)
    re = (z.re.is_infinite() & no_angle).select(abs(z.re), re)
    flat = z.im.equals(0.0) | z.re.equals(0.0)
    signs = z.re.like(1.0).with_sign_of(z.re) * z.re.like(0.0).with_sign_of(sine)
    return z.with_parts(re, flat.select(signs, im))


def hyperbolic_tangent(z: Number) -> Number:
    """Return `sinh(z) / cosh(z)`, by Kahan's formula."""
    extent = abs(z.re)
    tangent = z.im.tan()
    stretch = tangent * tangent + 1.0
    growth = extent.expm1()
    sinh = ((growth + growth / (growth + 1.0)) * 0.5).with_sign_of(z.re)
    cosh = (sinh * sinh + 1.0).sqrt()
    divisor = sinh * sinh * stretch + 1.0
    re, im = stretch * cosh * sinh / divisor, tangent / divisor

    far = extent > 22.0
    one = z.re.like(1.0).with_sign_of(z.re)
    turned = z.im.sin() * z.im.cos()
    vanishing = turned * 4.0 * (extent * -2.0).exp()
    no_angle = (z.im.is_nan() | z.im.is_infinite()) & z.re.is_infinite()
    zero = z.re.like(0.0).with_sign_of(turned)
    re, im = far.select(one, re), far.select(no_angle.select(zero, vanishing), im)
    re = (far & z.im.is_nan() & z.re.is_finite()).select(z.im, re)
    re = (far & z.im.is_infinite() & z.re.is_finite()).select(turned, re)
    re = z.re.equals(0.0).select(z.re, re)
    return z.with_parts(re, z.im.equals(0.0).select(z.im, im))


def _turned(function: Function) -> Function:
    """Return `-i f(iz)`: of the hyperbolic sine, the sine."""

    def of(z: Number) -> Number:
        result = function(z.with_parts(-z.im, z.re))
        return z.with_parts(result.im, -result.re)

    return of


sine = _turned(hyperbolic_sine)
tangent = _turned(hyperbolic_tangent)


def cosine(z: Number) -> Number:
    """Return `cosh(iz)`."""
    return hyperbolic_cosine(z.with_parts(-z.im, z.re))
