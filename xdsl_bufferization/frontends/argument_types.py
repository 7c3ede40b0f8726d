"""The type in a program of what a caller passes.

    np.ones((4, 8), np.float32)    tensor<4x8xf32>
    1.5                            f64

Only programs that a Python function builds have their types from their callers.
"""

from typing import Any, Final, cast

import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    ComplexType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute

from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.errors import MismatchError

_BITS: Final = (8, 16, 32, 64)

_ELEMENTS: Final[dict[str, Attribute]] = {
    "bool": IntegerType(1),
    "float16": Float16Type(),
    "bfloat16": BFloat16Type(),
    "float32": Float32Type(),
    "float64": Float64Type(),
    "complex64": ComplexType(Float32Type()),
    "complex128": ComplexType(Float64Type()),
    **{f"{s}int{bits}": IntegerType(bits) for s in ("", "u") for bits in _BITS},
}
"""The element type of arrays, by the name of their dtype. Integers have no sign."""


def type_of(value: object) -> Attribute:
    """The type of an argument in a program: of an array a tensor with its sizes.

    Numbers of Python are `i1`, `i64`, `f64` and `complex<f64>`. Raises `MismatchError`
    for anything that no program can take.
    """
    if isinstance(value, bool):
        return IntegerType(1)
    if isinstance(value, int):
        return IntegerType(64)
    if type(value) is float:
        return Float64Type()
    if type(value) is complex:
        return ComplexType(Float64Type())
    if isinstance(value, np.ndarray | np.generic):
        array = cast(Array, np.asarray(cast(Any, value)))
        if isinstance(value, np.generic):
            return _element(array.dtype.name)
        return TensorType(_element(array.dtype.newbyteorder("=").name), array.shape)
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is None or shape is None or not hasattr(value, "__dlpack__"):
        raise MismatchError(
            "expected a number or an array (NumPy, or anything with __dlpack__), got "
            f"{type(value).__name__}"
        )
    return TensorType(_element(str(dtype).rpartition(".")[2]), tuple(shape))


def _element(dtype: str) -> Attribute:
    element = _ELEMENTS.get(dtype)
    if element is None:
        known = ", ".join(_ELEMENTS)
        raise MismatchError(f"no element type is {dtype}; pass one of {known}")
    return element
