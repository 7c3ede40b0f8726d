"""Numbers of bf16 in NumPy: those of the package `ml_dtypes`, or their bits.

    show_bfloat16(bits)      `bits`, as ml_dtypes.bfloat16 if that is there
    bits_of_bfloat16(1.5)    0x3fc0

NumPy has no bfloat16. Where `ml_dtypes` is installed, results have its type, as those
of JAX do. Elsewhere results are the bits, as uint16.
"""

import struct
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_UPPER_HALF: Final = 16
_ALMOST_HALF: Final = 0x7FFF
"""What makes anything above half of the last place carry over."""

_NOT_A_NUMBER: Final = 0x7FC0


@cache
def bfloat16() -> np.dtype[Any] | None:
    """The type of `ml_dtypes`; None where that is not installed."""
    try:
        package: Any = import_module("ml_dtypes")
    except ImportError:
        return None
    return np.dtype(package.bfloat16)


def show_bfloat16(bits: NDArray[Any]) -> NDArray[Any]:
    """An array of bits as what callers get."""
    dtype = bfloat16()
    return bits if dtype is None else bits.view(dtype)


def bits_of_bfloat16(number: float) -> int:
    """The bits of the nearest number of bf16, ties to even.

    The number must not be too large for a float32.
    """
    if number != number:
        return _NOT_A_NUMBER
    # The float32 in between keeps a last bit that says what was cut off.
    exact = np.float32(number)
    (bits,) = struct.unpack("<I", struct.pack("<f", exact))
    bits = _to_odd(bits, float(exact), number)
    is_odd = (bits >> _UPPER_HALF) & 1
    return (bits + _ALMOST_HALF + is_odd) >> _UPPER_HALF


def _to_odd(bits: int, rounded: float, number: float) -> int:
    """The bits of a float32 next to `number` that say by a last 1 what was cut off."""
    if rounded == number:
        return bits
    if abs(rounded) > abs(number):
        bits -= 1
    return bits | 1
