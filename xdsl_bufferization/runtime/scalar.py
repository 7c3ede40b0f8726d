"""Numbers that compiled functions take and return by value."""

import ctypes
import numbers
import operator
from typing import Any, Final, cast

import numpy as np

from xdsl_bufferization import abi
from xdsl_bufferization.runtime.descriptor import Array, dtype_of
from xdsl_bufferization.runtime.errors import EngineError, MismatchError

_CTYPES: Final[dict[str, Any]] = {
    "i1": ctypes.c_uint8,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "index": ctypes.c_int64,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}


class ScalarCodec:
    """Translates between Python or NumPy numbers and one scalar type."""

    signature: abi.ScalarSignature
    ctype: Any

    def __init__(self, signature: abi.ScalarSignature):
        element = signature.element
        if element not in _CTYPES:
            raise EngineError(
                f"a value of type {element} cannot be passed by value here; pass a "
                f"buffer of rank 0, or one of {', '.join(_CTYPES)}"
            )
        self.signature = signature
        self.ctype = _CTYPES[element]
        self._dtype = dtype_of(element)
        self._bits = 1 if element == "i1" else 8 * self._dtype.itemsize

    def pack(self, value: object) -> int | float:
        """Return `value` as ctypes takes it; raise `MismatchError` if it is another."""
        if self._dtype.kind == "f":
            return self._pack_float(value)
        return self._pack_int(value)

    def unpack(self, value: int | float) -> Any:
        """Return a result as a NumPy scalar of its type."""
        # LLVM leaves the upper bits of a returned i1 undefined.
        return self._dtype.type(int(value) & 1 if self._bits == 1 else value)

    def _pack_float(self, value: object) -> float:
        if isinstance(value, np.ndarray):
            value = cast(Array, value)[()]  # A number, if the array has rank 0.
        if isinstance(value, numbers.Real):
            return float(value)
        raise self._mismatch(value)

    def _pack_int(self, value: object) -> int:
        if isinstance(value, np.bool_):
            return int(cast(Any, value))
        try:
            number = operator.index(value)  # pyright: ignore[reportArgumentType]
        except TypeError:
            raise self._mismatch(value) from None
        # Integers have no sign: both readings of the bits are accepted.
        if not -(1 << (self._bits - 1)) <= number < (1 << self._bits):
            raise MismatchError(f"{number} does not fit in {self.signature}")
        return number & 1 if self._bits == 1 else number

    def _mismatch(self, value: object) -> MismatchError:
        return MismatchError(
            f"expected a number of type {self.signature}, got {type(value).__name__}"
        )
