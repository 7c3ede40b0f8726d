"""Which numbers of Python an element type holds, and what is said about the others.

    as_element(7, "i32")            7
    as_element(2**31, "i32")        MismatchError: 2147483648 does not fit in i32, which
                                    is from -2147483648 to 2147483647
    as_element(1e300, "f32")        MismatchError: 1e+300 does not fit in f32, ...

Integers have no sign in MLIR. A number of Python is signed; NumPy's unsigned numbers of
the same width are accepted as bits.
"""

import math
import numbers
import operator
from typing import Any, Final, cast

import numpy as np

from xdsl_bufferization.support import abi

from .errors import MismatchError

_LARGEST: Final = {
    "f16": 65504.0,
    "bf16": float.fromhex("0x1.fep127"),
    "f32": float.fromhex("0x1.fffffep127"),
    "f64": float.fromhex("0x1.fffffffffffffp1023"),
}
"""The largest number of each type."""

_ROUNDED: Final = {
    "f16": 65520.0,
    "bf16": float.fromhex("0x1.ffp127"),
    "f32": float.fromhex("0x1.ffffffp127"),
    "f64": math.inf,
}
"""From where on a number is rounded to infinity."""

_INTEGERS: Final = ("i8", "i16", "i32", "i64", "index")

_BOUNDS: Final = {
    "i1": (0, 1),
    **{
        element: (-(1 << (8 * size - 1)), (1 << (8 * size - 1)) - 1)
        for element, size in abi.ELEMENT_BYTES.items()
        if element in _INTEGERS
    },
}
"""The smallest and the largest integer of each type."""


def is_float(element: str) -> bool:
    """Whether an element type is one of floats."""
    return element in _LARGEST


def dtype_name(value: object) -> str:
    """What NumPy calls the type of one of its numbers; empty for other values.

    A bfloat16 of a package beside NumPy is such a number as well.
    """
    return cast(Any, value).dtype.name if isinstance(value, np.generic) else ""


def as_element(value: object, element: str) -> int | float:
    """A number, or an array of rank 0, as a number of Python that `element` holds.

    Floats are rounded later. Raises `MismatchError`.
    """
    # Calls must be quick: most numbers are found here.
    if type(value) is float:
        largest = _LARGEST.get(element, -1.0)
        if -largest <= value <= largest:
            return value
    elif type(value) is int:
        lowest, highest = _BOUNDS.get(element, (0, -1))
        if lowest <= value <= highest:
            return value
    if isinstance(value, np.ndarray):
        value = cast(Any, value)[()]  # A number, if the array has rank 0.
    return _as_float(value, element) if is_float(element) else _as_int(value, element)


def _as_float(value: object, element: str) -> float:
    if not isinstance(value, numbers.Real) and dtype_name(value) != "bfloat16":
        raise _mismatch(value, element)
    try:
        number = float(cast(Any, value))
    except OverflowError:
        number = math.inf
        is_infinite = False
    else:
        is_infinite = math.isinf(number)
    if abs(number) >= _ROUNDED[element] and not is_infinite:
        raise MismatchError(
            f"{value} does not fit in {element}, whose largest number is "
            f"{_LARGEST[element]:.7g}"
        )
    return number


def _as_int(value: object, element: str) -> int:
    if dtype_name(value) == "bool":
        value = bool(value)
    try:
        number = operator.index(value)  # pyright: ignore[reportArgumentType]
    except TypeError:
        raise _mismatch(value, element) from None
    bounds = _BOUNDS.get(element)
    if bounds is None:
        raise _mismatch(value, element)
    lowest, highest = bounds
    if lowest <= number <= highest:
        return number
    if dtype_name(value) == f"uint{8 * abi.ELEMENT_BYTES[element]}":
        return number
    raise MismatchError(
        f"{number} does not fit in {element}, which is from {lowest} to {highest}"
    )


def _mismatch(value: object, element: str) -> MismatchError:
    return MismatchError(
        f"expected a number of type {element}, got {type(value).__name__}"
    )
