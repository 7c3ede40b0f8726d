"""Numbers for the arguments and constants of a program, as NumPy and as MLIR's text.

They are small and whole, so that sums are exact in each type and in any order.
"""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from harness.cases.forms.form import DTYPES
from harness.matrix.form import Numbers, Tensor, Type

Array = NDArray[Any]


def element_of(type_: Type) -> str:
    """The element type of a tensor, and a scalar type itself."""
    return type_.element if isinstance(type_, Tensor) else type_


def draw(type_: Type, numbers: Numbers, rng: np.random.Generator) -> Array:
    """Numbers of a type; rank 0 for a scalar."""
    shape = type_.sizes if isinstance(type_, Tensor) else ()
    element = element_of(type_)
    if element == "i1":
        return np.asarray(rng.integers(0, 2, shape)).astype(np.bool_)
    low, high = numbers.value
    is_float = "f" in element
    if is_float and numbers is Numbers.FRACTION:
        values: Any = rng.integers(int(4 * low), int(4 * high) + 1, shape) / 4
    else:
        values = rng.integers(int(low), int(high) + 1, shape)
    if element.startswith("complex"):
        values = values + 1j * rng.integers(int(low), int(high) + 1, shape)
    return np.asarray(values).astype(DTYPES[element])


def for_compiled_code(array: Array, element: str) -> Array:
    """A copy of an argument as compiled code takes it: bf16 as bits."""
    if element == "bf16":
        bits = np.ascontiguousarray(array).view(np.uint32) >> 16
        return bits.astype(np.uint16).reshape(array.shape)
    return np.array(array)


def from_compiled_code(result: object, element: str) -> Array:
    """A result as the reference has it."""
    array = np.asarray(result)
    if element == "bf16":
        bits = np.array(array).view(np.uint16).astype(np.uint32) << 16
        return bits.view(np.float32).reshape(array.shape)
    return array


def literal(array: Array, element: str) -> str:
    """The attribute of a constant tensor, without its type."""
    if not array.size:
        return "dense<>"
    return f"dense<{_nested(array.tolist(), element)}>"


def _nested(values: Any, element: str) -> str:
    if isinstance(values, list):
        items = cast("list[Any]", values)
        return f"[{', '.join(_nested(each, element) for each in items)}]"
    return number(values, element)


def number(value: Any, element: str) -> str:
    """A number in MLIR's text."""
    if element == "i1":
        return "true" if value else "false"
    if element.startswith("complex"):
        return f"({value.real:.6e}, {value.imag:.6e})"
    return f"{value:.6e}" if "f" in element else str(int(value))
