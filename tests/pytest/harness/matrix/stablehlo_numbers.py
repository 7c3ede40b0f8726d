"""The functions of numbers of StableHLO in NumPy: products, shifts, roundings.

NUMBERS["stablehlo.shift_left"]     a handler for the reference

Source: https://openxla.org/stablehlo/spec#ops
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from harness.matrix.stablehlo_places import Values
from xdsl_bufferization.reference.machine import Handler, HandlerTable, Machine
from xdsl_bufferization.reference.values import Value, of_type

Compute = Callable[..., Any]


def _plain(compute: Compute) -> Handler:
    """A function of the operands, rounded to the type of the result."""

    def handle(op: Operation, operands: list[Value], _: Machine) -> Values:
        return [of_type(op.results[0].type, compute(*operands), op)]

    return handle


def _sign(x: Value) -> Any:
    return np.where(x == 0, x, np.sign(x))


def _rounded_away(x: Value) -> Any:
    return np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x)


def _logistic(x: Value) -> Any:
    return 1 / (1 + np.exp(-x))


def _reciprocal_root(x: Value) -> Any:
    return 1 / np.sqrt(x)


def _complex(real: Value, imaginary: Value) -> Any:
    return real + 1j * imaginary


def _clamped(low: Value, x: Value, high: Value) -> Any:
    return np.minimum(np.maximum(x, low), high)


def _bits_of(x: Value) -> Any:
    """The bits of integers, as numbers without a sign."""
    return x.view(f"u{x.dtype.itemsize}").astype(object)


def _by_element(compute: Callable[[int, int], int]) -> Compute:
    """A function of bits and of the number of bits, for each element."""

    def apply(x: Value) -> Any:
        width = 8 * x.dtype.itemsize
        found = [compute(int(each), width) for each in _bits_of(x).ravel()]
        return np.array(found, x.dtype).reshape(x.shape)

    return apply


def _quotient(a: Value, b: Value) -> Any:
    """Towards zero; of integers by zero, all bits set."""
    if a.dtype.kind != "i":
        return a / b
    safe = np.where(b == 0, 1, b)
    quotient = np.abs(a) // np.abs(safe) * (np.sign(a) * np.sign(safe))
    return np.where(b == 0, -1, quotient)


def _remainder(a: Value, b: Value) -> Any:
    """With the sign of the first; of integers by zero, the first."""
    if a.dtype.kind != "i":
        return np.fmod(a, b)
    return np.where(b == 0, a, np.fmod(a, np.where(b == 0, 1, b)))


def _power(a: Value, b: Value) -> Any:
    if a.dtype.kind != "i":
        return a**b
    # 1 / a ** -b, without a rest.
    inverse = np.where(a == 1, 1, np.where(a == -1, np.where(b % 2, -1, 1), 0))
    return np.where(b < 0, inverse, a ** np.maximum(b, 0))


def _shifted(left: bool, signed: bool) -> Compute:
    """All bits are shifted out by their number and more, and by what is negative."""

    def apply(a: Value, b: Value) -> Any:
        width = 8 * a.dtype.itemsize
        amounts = b.view(f"u{b.dtype.itemsize}")
        inside = np.minimum(amounts, width - 1).astype(a.dtype)
        if signed:
            return a >> inside
        bits = a.view(f"u{a.dtype.itemsize}")
        unsigned = inside.view(bits.dtype)
        moved = bits << unsigned if left else bits >> unsigned
        return np.where(amounts < width, moved, 0).astype(bits.dtype).view(a.dtype)

    return apply


def _of_bits(bits: Compute, others: Compute) -> Compute:
    """Truth values are added by `or`, and multiplied by `and`."""

    def apply(a: Value, b: Value) -> Any:
        return (bits if a.dtype == np.bool_ else others)(a, b)

    return apply


_FUNCTIONS: Final[dict[str, Compute]] = {
    "abs": np.abs,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "cosine": np.cos,
    "count_leading_zeros": _by_element(lambda bits, width: width - bits.bit_length()),
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "floor": np.floor,
    "imag": np.imag,
    "is_finite": np.isfinite,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": _logistic,
    "negate": np.negative,
    "not": np.invert,
    "popcnt": _by_element(lambda bits, _: bits.bit_count()),
    "real": np.real,
    "round_nearest_afz": _rounded_away,
    "round_nearest_even": np.rint,
    "rsqrt": _reciprocal_root,
    "sign": _sign,
    "sine": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "add": _of_bits(np.logical_or, np.add),
    "and": np.bitwise_and,
    "atan2": np.arctan2,
    "complex": _complex,
    "divide": _quotient,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": _of_bits(np.logical_and, np.multiply),
    "or": np.bitwise_or,
    "power": _power,
    "remainder": _remainder,
    "shift_left": _shifted(left=True, signed=False),
    "shift_right_arithmetic": _shifted(left=False, signed=True),
    "shift_right_logical": _shifted(left=False, signed=False),
    "subtract": np.subtract,
    "xor": np.bitwise_xor,
    "clamp": _clamped,
    "select": np.where,
}

NUMBERS: Final[HandlerTable] = {
    f"stablehlo.{name}": _plain(compute) for name, compute in _FUNCTIONS.items()
}
