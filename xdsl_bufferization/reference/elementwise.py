"""arith and math in NumPy, on scalars and on whole arrays alike.

    %2 = arith.addf %0, %1 : f32   ->   float32 addition, rounded once
    %3 = arith.muli %0, %1 : i8    ->   int8 multiplication modulo 2^8

The rules are those of MLIR's documentation of `arith` and `math`. What is undefined
there (a division by zero) is an error here; what is poison (a shift by the width or
more) is some value.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerAttr,
    i64,
)
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.support.errors import fail_at

from .bits import bits_of, value_of
from .machine import Handler, HandlerTable, Machine
from .values import (
    Value,
    as_signed,
    as_unsigned,
    constant,
    element_type,
    of_type,
    width_of,
)

Function: TypeAlias = Callable[..., Any]


View: TypeAlias = Callable[[Attribute, Value], Value]
"""How integers are seen: with a sign, or without."""


def _floats(function: Function) -> Handler:
    """A function of floating-point values, rounded to the result's precision."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        return [of_type(op.results[0].type, function(*operands), op)]

    return handler


def _same(value: Value) -> Value:
    return value


def _seen(view: View, op: Operation, operands: Sequence[Value]) -> list[Value]:
    pairs = zip(op.operands, operands, strict=True)
    return [view(operand.type, value) for operand, value in pairs]


def integers(function: Function, view: View = as_signed) -> Handler:
    """A function of integers seen through `view`, wrapped to the result's width."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        result = function(*_seen(view, op, operands))
        return [_from_integers(op, result)]

    return handler


def divisions(function: Function, view: View = as_signed) -> Handler:
    """As `integers`, for ops that divide by their second operand."""
    inner = integers(function, view)

    def handler(op: Operation, operands: list[Value], machine: Machine) -> list[Value]:
        divisor = operands[1]
        if not np.all(divisor):
            fail_at(op, f"'{op.name}' divides by zero")
        if view is as_signed and divisor.dtype != np.bool_:
            dividend, divisor = _seen(view, op, operands)
            least = -(1 << (width_of(op.operands[0].type) - 1))
            if np.any((dividend == least) & (divisor == -1)):
                fail_at(op, f"'{op.name}' overflows: {least} divided by -1")
        return list(inner(op, operands, machine))

    return handler


def _from_integers(op: Operation, result: Any, index: int = 0) -> Value:
    """An integer result in the representation of the type of `op.results[index]`."""
    type_ = op.results[index].type
    numbers = i64 if isinstance(element_type(type_), IndexType) else type_
    return of_type(numbers, np.asarray(result), op)


def truncated_division(lhs: Value, rhs: Value) -> Value:
    """The quotient rounded towards zero."""
    quotient = lhs // rhs
    inexact = (quotient * rhs != lhs) & ((lhs < 0) != (rhs < 0))
    return np.asarray(quotient + inexact)


def remainder(lhs: Value, rhs: Value) -> Value:
    """What is left of such a division: it has the sign of the dividend."""
    return np.asarray(lhs - truncated_division(lhs, rhs) * rhs)


def ceiling_division(lhs: Value, rhs: Value) -> Value:
    """The quotient rounded up."""
    quotient = lhs // rhs
    return np.asarray(quotient + (quotient * rhs != lhs))


def shifts(function: Function, view: View = as_signed) -> Handler:
    """Shift by the second operand; zero where it reaches the width (poison)."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        type_ = op.operands[1].type
        value = view(type_, operands[0])
        count = as_unsigned(type_, operands[1])
        fits = np.asarray(count < width_of(type_), np.bool_)
        shifted = function(value, np.where(fits, count, 0).astype(value.dtype))
        return [_from_integers(op, np.where(fits, shifted, 0))]

    return handler


def _predicate(op: Operation) -> int:
    predicate = op.properties["predicate"]
    assert isinstance(predicate, IntegerAttr)
    return predicate.value.data


# In the order of MLIR's enumerations.
_INTEGER_COMPARISONS: tuple[tuple[Function, View], ...] = (
    (np.equal, as_signed),
    (np.not_equal, as_signed),
    (np.less, as_signed),
    (np.less_equal, as_signed),
    (np.greater, as_signed),
    (np.greater_equal, as_signed),
    (np.less, as_unsigned),
    (np.less_equal, as_unsigned),
    (np.greater, as_unsigned),
    (np.greater_equal, as_unsigned),
)

_FLOAT_COMPARISONS: tuple[Function, ...] = (
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    np.not_equal,
)


def _compare_integers(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    return compared(_predicate(op), op, operands)


def compared(predicate: int, op: Operation, operands: list[Value]) -> list[Value]:
    """Compare integers; the predicates have the numbers of `arith.cmpi`."""
    compare, view = _INTEGER_COMPARISONS[predicate]
    return [np.asarray(compare(*_seen(view, op, operands)), np.bool_)]


def _compare_floats(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """Predicates 1 to 6 are ordered, 7 is ord, 8 to 13 unordered, 14 is uno."""
    lhs, rhs = operands
    predicate = _predicate(op)
    unordered = np.asarray(np.isnan(lhs) | np.isnan(rhs))
    if predicate in (0, 15):
        return [np.full(unordered.shape, predicate == 15)]
    if predicate in (7, 14):
        return [unordered if predicate == 14 else np.asarray(~unordered)]
    if predicate < 7:
        result = _FLOAT_COMPARISONS[predicate - 1](lhs, rhs) & ~unordered
    else:
        result = _FLOAT_COMPARISONS[predicate - 8](lhs, rhs) | unordered
    return [np.asarray(result)]


def _constant(op: arith.ConstantOp, _: list[Value], __: Machine) -> list[Value]:
    return [constant(op.value, op)]


def _classes(is_of_class: Callable[[Value], Any]) -> Handler:
    """Whether a floating-point value is of a class."""

    def handler(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
        return [np.asarray(is_of_class(operands[0]), np.bool_)]

    return handler


def _is_normal(value: Value) -> Value:
    # bf16 is represented by float32, which has the same smallest normal number.
    return np.asarray(
        np.isfinite(value) & (np.abs(value) >= np.finfo(value.dtype).tiny)
    )


def _select(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    condition, true_value, false_value = operands
    # A scalar condition chooses between whole tensors, which must not be broadcast.
    if condition.ndim == 0:
        return [true_value if condition else false_value]
    return [np.where(condition, true_value, false_value)]


def _to_integer(unsigned: bool) -> Handler:
    """A floating-point value truncated towards zero; out of range it is poison.

    The nearest integer of the type stands for poison, and zero for that of NaN.
    """

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        width = width_of(op.results[0].type)
        least = 0 if unsigned else -(1 << (width - 1))
        most = least + (1 << width) - 1
        value = np.trunc(np.nan_to_num(np.asarray(operands[0], np.float64)))
        # 2^63 is a float64, 2^63 - 1 is not: compare with what is just outside.
        low, high = value < least, value >= float(most) + (float(most) == most)
        inside = np.where(low | high, 0.0, value)
        integers = np.asarray(_WHOLE(inside) if width > 32 else inside.astype(np.int64))
        integers = np.where(low, least, np.where(high, most, integers))
        return [_from_integers(op, integers)]

    return handler


_WHOLE = np.frompyfunc(int, 1, 1)


def _to_float(view: View) -> Handler:
    """An integer rounded once to the nearest floating-point value."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        value, type_ = view(op.operands[0].type, operands[0]), op.results[0].type
        # By way of float32, as NumPy does it, an f16 would be rounded twice.
        if not isinstance(element_type(type_), Float32Type | Float64Type):
            value = _short(value)
        elif value.dtype == object:
            value = _short(value) if width_of(type_) == 32 else value.astype(float)
        return [of_type(type_, value, op)]

    return handler


_KEPT_BITS = 53
"""The integers that are float64s have no more bits."""


def _short(value: Value) -> Value:
    """Float64s whose nearest number of a smaller precision is that of the integers.

    Of more than 53 bits, the lowest that is kept is set where any below it is.
    """

    def short(number: int) -> float:
        surplus = abs(number).bit_length() - _KEPT_BITS
        if surplus <= 0:
            return float(number)
        kept = abs(number) >> surplus
        sticky = int(kept << surplus != abs(number))
        return math.copysign(math.ldexp(float(kept | sticky), surplus), number)

    if value.dtype.itemsize <= 4 and value.dtype != object:
        return value.astype(np.float64)
    return np.asarray(np.frompyfunc(short, 1, 1)(value)).astype(np.float64)


def _bitcast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, target = op.operands[0].type, op.results[0].type
    if width_of(source) != width_of(target):
        fail_at(op, "the reference evaluation cannot bitcast between these types")
    return [value_of(target, bits_of(source, operands[0]), op)]


def _extended(function: Callable[[int, int], int], view: View) -> Handler:
    """Two results, the low and the high word of an exact integer product or sum."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        width = width_of(op.operands[0].type)
        exact = np.frompyfunc(function, 2, 1)
        lhs, rhs = (each.astype(object) for each in _seen(view, op, operands))
        whole = np.asarray(exact(lhs, rhs), object)
        high = np.asarray(whole >> width, object)
        return [_from_integers(op, whole, 0), _from_integers(op, high, 1)]

    return handler


def _per_element(function: Callable[[float], float]) -> Function:
    """What NumPy lacks, by Python's math, one element at a time."""
    return np.vectorize(function, otypes=[float])


def _power(base: Value, exponent: Value) -> Value:
    return np.power(base.astype(np.float64), exponent.astype(np.float64))


def _float_power(base: Value, exponent: Value) -> Value:
    """C's `pow`. NumPy takes a square root instead, if each exponent is one half.

    They differ at -inf, where the power is inf, and at -0.0, where it is 0.0: C99,
    Annex F.9.4.4.
    """
    is_half, power = exponent == 1 / 2, np.power(base, exponent)
    power = np.where(is_half & (base == -np.inf), np.inf, power)
    return np.where(is_half & (base == 0), 0.0, power)


def _real_power(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    base, exponent = operands
    exponent = as_signed(op.operands[1].type, exponent)
    return [of_type(op.results[0].type, _power(base, exponent), op)]


def _count_bits(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """math.ctpop, math.ctlz and math.cttz on each integer's bits as text."""
    type_ = op.operands[0].type
    width = width_of(type_)

    def count(value: int) -> int:
        bits = format(int(value), f"0{width}b")
        match op.name:
            case "math.ctpop":
                return bits.count("1")
            case "math.ctlz":
                return width - len(bits.lstrip("0"))
            case _:
                return width - len(bits.rstrip("0"))

    counts = np.frompyfunc(count, 1, 1)(as_unsigned(type_, operands[0]))
    return [_from_integers(op, np.asarray(counts, object))]


def _integer_power(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """Of a negative exponent, one divided by the power: mostly zero."""
    base, exponent = _seen(as_signed, op, operands)
    modulus = 1 << width_of(op.results[0].type)

    def power(base: int, exponent: int) -> int:
        if exponent >= 0:
            return pow(base, exponent, modulus)
        if not base:
            fail_at(op, f"'{op.name}' divides by zero: 0 to the power of {exponent}")
        return base ** (exponent % 2) if abs(base) == 1 else 0

    powers = np.frompyfunc(power, 2, 1)(base.astype(object), exponent.astype(object))
    return [_from_integers(op, np.asarray(powers, object))]


def fused_multiply_add(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """A product and a sum, rounded once."""
    lhs, rhs, addend = operands
    type_ = op.results[0].type
    if width_of(type_) == 64:
        exact = np.frompyfunc(_fused, 3, 1)(lhs, rhs, addend)
        return [of_type(type_, np.asarray(exact).astype(np.float64), op)]
    # A product of two float32s is a float64.
    product = np.multiply(lhs, rhs, dtype=np.float64)
    return [of_type(type_, _odd_sum(product, addend.astype(np.float64)), op)]


def _fused(lhs: float, rhs: float, addend: float) -> float:
    product = lhs * rhs
    if not math.isfinite(lhs + rhs + addend):
        return product + addend if math.isfinite(addend) else lhs * 0 * rhs + addend
    exact = Fraction(lhs) * Fraction(rhs) + Fraction(addend)
    if not exact:
        # The sign of a zero is that of the rounded sum, which is a zero too.
        return product + addend
    try:
        return float(exact)
    except OverflowError:
        return math.copysign(math.inf, exact)


def _odd_sum(lhs: Value, rhs: Value) -> Value:
    """A sum of float64s that is odd where it is inexact, to be rounded once more."""
    total = lhs + rhs
    part = total - lhs
    rest = (lhs - (total - part)) + (rhs - part)
    is_even = (np.asarray(total).view(np.uint64) & np.uint64(1)) == 0
    moved = is_even & np.isfinite(rest) & (rest != 0)
    towards = np.copysign(np.inf, rest)
    return np.where(moved, np.nextafter(total, towards), total)


def maximum(lhs: Value, rhs: Value) -> Value:
    """The larger number, of which -0 is smaller than 0; NaN if one is NaN."""
    zeros = (lhs == 0) & (rhs == 0)
    return np.where(zeros, lhs + rhs, np.maximum(lhs, rhs))


def minimum(lhs: Value, rhs: Value) -> Value:
    """The smaller number, in the same way."""
    zeros = (lhs == 0) & (rhs == 0)
    return np.where(zeros, -(-lhs + -rhs), np.minimum(lhs, rhs))


def _clamp(value: Value, lower: Value, upper: Value) -> Value:
    return minimum(maximum(value, lower), upper)


def _sine_and_cosine(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    sine, cosine = np.sin(operands[0]), np.cos(operands[0])
    type_ = op.results[0].type
    return [of_type(type_, sine, op), of_type(type_, cosine, op)]


def _reciprocal_root(value: Value) -> Value:
    return np.asarray(1 / np.sqrt(value, dtype=np.float64))


def _round_half_away(value: Value) -> Value:
    whole = np.trunc(np.abs(value))
    return np.copysign(whole + (np.abs(value) - whole >= 0.5), value)


ARITH: HandlerTable = {
    "arith.constant": _constant,
    "arith.addi": integers(np.add),
    "arith.subi": integers(np.subtract),
    "arith.muli": integers(np.multiply),
    "arith.divsi": divisions(truncated_division),
    "arith.divui": divisions(np.floor_divide, as_unsigned),
    "arith.ceildivsi": divisions(ceiling_division),
    "arith.ceildivui": divisions(ceiling_division, as_unsigned),
    "arith.floordivsi": divisions(np.floor_divide),
    "arith.remsi": divisions(remainder),
    "arith.remui": divisions(remainder, as_unsigned),
    "arith.andi": integers(np.bitwise_and),
    "arith.ori": integers(np.bitwise_or),
    "arith.xori": integers(np.bitwise_xor),
    "arith.shli": shifts(np.left_shift),
    "arith.shrsi": shifts(np.right_shift),
    "arith.shrui": shifts(np.right_shift, as_unsigned),
    "arith.minsi": integers(np.minimum),
    "arith.maxsi": integers(np.maximum),
    "arith.minui": integers(np.minimum, as_unsigned),
    "arith.maxui": integers(np.maximum, as_unsigned),
    "arith.addui_extended": _extended(lambda lhs, rhs: lhs + rhs, as_unsigned),
    "arith.mulsi_extended": _extended(lambda lhs, rhs: lhs * rhs, as_signed),
    "arith.mului_extended": _extended(lambda lhs, rhs: lhs * rhs, as_unsigned),
    "arith.cmpi": _compare_integers,
    "arith.cmpf": _compare_floats,
    "arith.select": _select,
    "arith.addf": _floats(np.add),
    "arith.subf": _floats(np.subtract),
    "arith.mulf": _floats(np.multiply),
    "arith.divf": _floats(np.divide),
    "arith.remf": _floats(np.fmod),
    "arith.negf": _floats(np.negative),
    "arith.maximumf": _floats(maximum),
    "arith.minimumf": _floats(minimum),
    "arith.maxnumf": _floats(np.fmax),
    "arith.minnumf": _floats(np.fmin),
    "arith.extf": _floats(_same),
    "arith.truncf": _floats(_same),
    "arith.extsi": integers(_same),
    "arith.extui": integers(_same, as_unsigned),
    "arith.trunci": integers(_same),
    "arith.index_cast": integers(_same),
    "arith.index_castui": integers(_same, as_unsigned),
    "arith.sitofp": _to_float(as_signed),
    "arith.uitofp": _to_float(as_unsigned),
    "arith.fptosi": _to_integer(unsigned=False),
    "arith.fptoui": _to_integer(unsigned=True),
    "arith.bitcast": _bitcast,
}

MATH: HandlerTable = {
    "math.absf": _floats(np.abs),
    "math.absi": integers(np.abs),
    "math.acos": _floats(np.arccos),
    "math.acosh": _floats(np.arccosh),
    "math.asin": _floats(np.arcsin),
    "math.asinh": _floats(np.arcsinh),
    "math.atan": _floats(np.arctan),
    "math.atan2": _floats(np.arctan2),
    "math.atanh": _floats(np.arctanh),
    "math.cbrt": _floats(np.cbrt),
    "math.ceil": _floats(np.ceil),
    "math.clampf": _floats(_clamp),
    "math.copysign": _floats(np.copysign),
    "math.cos": _floats(np.cos),
    "math.cosh": _floats(np.cosh),
    "math.ctlz": _count_bits,
    "math.cttz": _count_bits,
    "math.ctpop": _count_bits,
    "math.erf": _floats(_per_element(math.erf)),
    "math.erfc": _floats(_per_element(math.erfc)),
    "math.exp": _floats(np.exp),
    "math.exp2": _floats(np.exp2),
    "math.expm1": _floats(np.expm1),
    "math.floor": _floats(np.floor),
    "math.fma": fused_multiply_add,
    "math.fpowi": _real_power,
    "math.ipowi": _integer_power,
    "math.isfinite": _classes(np.isfinite),
    "math.isinf": _classes(np.isinf),
    "math.isnan": _classes(np.isnan),
    "math.isnormal": _classes(_is_normal),
    "math.log": _floats(np.log),
    "math.log10": _floats(np.log10),
    "math.log1p": _floats(np.log1p),
    "math.log2": _floats(np.log2),
    "math.powf": _floats(_float_power),
    "math.round": _floats(_round_half_away),
    "math.roundeven": _floats(np.rint),
    "math.rsqrt": _floats(_reciprocal_root),
    "math.sin": _floats(np.sin),
    "math.sincos": _sine_and_cosine,
    "math.sinh": _floats(np.sinh),
    "math.sqrt": _floats(np.sqrt),
    "math.tan": _floats(np.tan),
    "math.tanh": _floats(np.tanh),
    "math.trunc": _floats(np.trunc),
}
