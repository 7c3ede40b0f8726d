"""arith and math in NumPy, on scalars and on whole arrays alike.

    %2 = arith.addf %0, %1 : f32   ->   float32 addition, rounded once
    %3 = arith.muli %0, %1 : i8    ->   int8 multiplication modulo 2^8

The rules are those of MLIR's documentation of `arith` and `math`. What is undefined
there (a division by zero) is an error here; what is poison (a shift by the width or
more) is some value.
"""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.reference.machine import Handler, HandlerTable, Machine
from xdsl_bufferization.reference.values import (
    Value,
    constant,
    dtype_of,
    of_type,
)

Function: TypeAlias = Callable[..., Any]


def signed(value: Value) -> Value:
    """Integers as signed: a true i1 is -1."""
    if value.dtype == np.bool_:
        return np.asarray(-value.astype(np.int8))
    return value.view(f"i{value.dtype.itemsize}")


def unsigned(value: Value) -> Value:
    """The same bits as unsigned integers: a true i1 is 1."""
    if value.dtype == np.bool_:
        return value.astype(np.uint8)
    return value.view(f"u{value.dtype.itemsize}")


def _floats(function: Function) -> Handler:
    """A function of floating-point values, rounded to the result's precision."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        return [of_type(op.results[0].type, function(*operands), op)]

    return handler


def _same(value: Value) -> Value:
    return value


def _integers(function: Function, view: Callable[[Value], Value] = signed) -> Handler:
    """A function of integers seen through `view`, wrapped to the result's width."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        result = function(*(view(operand) for operand in operands))
        return [_from_integers(op, result)]

    return handler


def _divisions(function: Function, view: Callable[[Value], Value]) -> Handler:
    """As `_integers`, for ops that divide by their second operand."""
    inner = _integers(function, view)

    def handler(op: Operation, operands: list[Value], machine: Machine) -> list[Value]:
        dividend, divisor = operands
        if not np.all(divisor):
            fail_at(op, f"'{op.name}' divides by zero")
        if view is signed and divisor.dtype != np.bool_:
            least = np.iinfo(signed(dividend).dtype).min
            if np.any((signed(dividend) == least) & (signed(divisor) == -1)):
                fail_at(op, f"'{op.name}' overflows: {least} divided by -1")
        return list(inner(op, operands, machine))

    return handler


def _from_integers(op: Operation, result: Any, index: int = 0) -> Value:
    """An integer result in the representation of the type of `op.results[index]`."""
    type_ = op.results[index].type
    dtype = dtype_of(type_, op)
    if dtype == np.bool_:
        return of_type(type_, np.asarray(result).astype(np.int8), op)
    return np.asarray(result).astype(dtype)


def _truncated_division(lhs: Value, rhs: Value) -> Value:
    quotient = lhs // rhs
    inexact = (quotient * rhs != lhs) & ((lhs < 0) != (rhs < 0))
    return np.asarray(quotient + inexact)


def _ceiling_division(lhs: Value, rhs: Value) -> Value:
    quotient = lhs // rhs
    return np.asarray(quotient + (quotient * rhs != lhs))


def _shift(function: Function) -> Function:
    """Shift by the second operand; zero where it reaches the width (poison)."""

    def shift(value: Value, amount: Value) -> Value:
        width = value.dtype.itemsize * 8
        count = unsigned(amount)
        fits = count < width
        shifted = function(value, np.where(fits, count, 0).astype(value.dtype))
        return np.asarray(np.where(fits, shifted, np.zeros((), value.dtype)))

    return shift


def _predicate(op: Operation) -> int:
    predicate = op.properties["predicate"]
    assert isinstance(predicate, IntegerAttr)
    return predicate.value.data


# In the order of MLIR's enumerations.
_INTEGER_COMPARISONS: tuple[tuple[Function, Callable[[Value], Value]], ...] = (
    (np.equal, signed),
    (np.not_equal, signed),
    (np.less, signed),
    (np.less_equal, signed),
    (np.greater, signed),
    (np.greater_equal, signed),
    (np.less, unsigned),
    (np.less_equal, unsigned),
    (np.greater, unsigned),
    (np.greater_equal, unsigned),
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
    compare, view = _INTEGER_COMPARISONS[_predicate(op)]
    return [np.asarray(compare(view(operands[0]), view(operands[1])))]


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


def _to_integer(minimum_of: Callable[[Value], Value]) -> Handler:
    """A floating-point value truncated towards zero; out of range it is poison."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        dtype = minimum_of(np.zeros((), dtype_of(op.results[0].type, op))).dtype
        limits = np.iinfo(dtype)
        value = np.trunc(np.asarray(operands[0], np.float64))
        # 2^63 is a float64, 2^63 - 1 is not: compare with what is just outside.
        inside = (value >= limits.min) & (value < float(limits.max) + 1.0)
        integers = np.where(inside, value, 0.0).astype(dtype)
        return [_from_integers(op, integers)]

    return handler


def _bitcast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    dtype = dtype_of(op.results[0].type, op)
    if operands[0].dtype.itemsize != dtype.itemsize or dtype == np.bool_:
        fail_at(op, "the reference evaluation cannot bitcast between these types")
    return [operands[0].view(dtype)]


def _extended(function: Callable[[int, int], int]) -> Handler:
    """Two results, the low and the high word of an exact integer product or sum."""

    def handler(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        width = max(operands[0].dtype.itemsize * 8, 1)
        exact = np.frompyfunc(function, 2, 1)
        signs = signed if op.name == "arith.mulsi_extended" else unsigned
        lhs, rhs = (signs(operand).astype(object) for operand in operands)
        whole = np.asarray(exact(lhs, rhs), object)
        return [_word(op, whole, 0), _word(op, whole >> width, 1)]

    return handler


def _word(op: Operation, whole: Any, index: int) -> Value:
    dtype = dtype_of(op.results[index].type, op)
    width = 1 if dtype == np.bool_ else dtype.itemsize * 8
    bits = np.asarray(np.asarray(whole, object) % (1 << width), object)
    if dtype == np.bool_:
        return bits.astype(np.bool_)
    return bits.astype(f"u{dtype.itemsize}").view(dtype)


def _per_element(function: Callable[[float], float]) -> Function:
    """What NumPy lacks, by Python's math, one element at a time."""
    return np.vectorize(function, otypes=[float])


def _power(base: Value, exponent: Value) -> Value:
    return np.power(base, exponent.astype(base.dtype))


def _count_bits(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """math.ctpop, math.ctlz and math.cttz on each integer's bits as text."""
    dtype = operands[0].dtype
    width = 1 if dtype == np.bool_ else dtype.itemsize * 8

    def count(value: int) -> int:
        bits = format(int(value), f"0{width}b")
        match op.name:
            case "math.ctpop":
                return bits.count("1")
            case "math.ctlz":
                return width - len(bits.lstrip("0"))
            case _:
                return width - len(bits.rstrip("0"))

    counts = np.vectorize(count, otypes=[np.int64])(unsigned(operands[0]))
    return [_from_integers(op, counts)]


def _integer_power(base: Value, exponent: Value) -> Value:
    if np.any(exponent < 0):
        return np.where(
            np.abs(base) == 1, np.where(exponent % 2 == 0, 1, base), 0
        ).astype(base.dtype)
    return np.power(base, exponent)


def _fused_multiply_add(lhs: Value, rhs: Value, addend: Value) -> Value:
    return np.asarray(np.multiply(lhs, rhs, dtype=np.float64) + addend)


def _clamp(value: Value, lower: Value, upper: Value) -> Value:
    return np.asarray(np.minimum(np.maximum(value, lower), upper))


def _sine_and_cosine(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    sine, cosine = np.sin(operands[0]), np.cos(operands[0])
    type_ = op.results[0].type
    return [of_type(type_, sine, op), of_type(type_, cosine, op)]


def _reciprocal_root(value: Value) -> Value:
    return np.asarray(1 / np.sqrt(value, dtype=np.float64))


def _round_half_away(value: Value) -> Value:
    return np.copysign(np.floor(np.abs(value) + 0.5), value)


ARITH: HandlerTable = {
    "arith.constant": _constant,
    "arith.addi": _integers(np.add),
    "arith.subi": _integers(np.subtract),
    "arith.muli": _integers(np.multiply),
    "arith.divsi": _divisions(_truncated_division, signed),
    "arith.divui": _divisions(np.floor_divide, unsigned),
    "arith.ceildivsi": _divisions(_ceiling_division, signed),
    "arith.ceildivui": _divisions(_ceiling_division, unsigned),
    "arith.floordivsi": _divisions(np.floor_divide, signed),
    "arith.remsi": _divisions(np.fmod, signed),
    "arith.remui": _divisions(np.fmod, unsigned),
    "arith.andi": _integers(np.bitwise_and),
    "arith.ori": _integers(np.bitwise_or),
    "arith.xori": _integers(np.bitwise_xor),
    "arith.shli": _integers(_shift(np.left_shift)),
    "arith.shrsi": _integers(_shift(np.right_shift)),
    "arith.shrui": _integers(_shift(np.right_shift), unsigned),
    "arith.minsi": _integers(np.minimum),
    "arith.maxsi": _integers(np.maximum),
    "arith.minui": _integers(np.minimum, unsigned),
    "arith.maxui": _integers(np.maximum, unsigned),
    "arith.addui_extended": _extended(lambda lhs, rhs: lhs + rhs),
    "arith.mulsi_extended": _extended(lambda lhs, rhs: lhs * rhs),
    "arith.mului_extended": _extended(lambda lhs, rhs: lhs * rhs),
    "arith.cmpi": _compare_integers,
    "arith.cmpf": _compare_floats,
    "arith.select": _select,
    "arith.addf": _floats(np.add),
    "arith.subf": _floats(np.subtract),
    "arith.mulf": _floats(np.multiply),
    "arith.divf": _floats(np.divide),
    "arith.remf": _floats(np.fmod),
    "arith.negf": _floats(np.negative),
    "arith.maximumf": _floats(np.maximum),
    "arith.minimumf": _floats(np.minimum),
    "arith.maxnumf": _floats(np.fmax),
    "arith.minnumf": _floats(np.fmin),
    "arith.extf": _floats(_same),
    "arith.truncf": _floats(_same),
    "arith.extsi": _integers(_same),
    "arith.extui": _integers(_same, unsigned),
    "arith.trunci": _integers(_same),
    "arith.index_cast": _integers(_same),
    "arith.index_castui": _integers(_same, unsigned),
    "arith.sitofp": _floats(signed),
    "arith.uitofp": _floats(unsigned),
    "arith.fptosi": _to_integer(signed),
    "arith.fptoui": _to_integer(unsigned),
    "arith.bitcast": _bitcast,
}

MATH: HandlerTable = {
    "math.absf": _floats(np.abs),
    "math.absi": _integers(np.abs),
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
    "math.fma": _floats(_fused_multiply_add),
    "math.fpowi": _floats(_power),
    "math.ipowi": _integers(_integer_power),
    "math.isfinite": _classes(np.isfinite),
    "math.isinf": _classes(np.isinf),
    "math.isnan": _classes(np.isnan),
    "math.isnormal": _classes(_is_normal),
    "math.log": _floats(np.log),
    "math.log10": _floats(np.log10),
    "math.log1p": _floats(np.log1p),
    "math.log2": _floats(np.log2),
    "math.powf": _floats(np.power),
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
