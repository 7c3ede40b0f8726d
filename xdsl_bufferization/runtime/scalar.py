"""Numbers that compiled functions take and return by value."""

import ctypes
import struct
from typing import Any, Final, cast

import numpy as np

from xdsl_bufferization.support import abi

from .bfloat16 import bits_of_bfloat16, show_bfloat16
from .descriptor import dtype_of
from .errors import EngineError
from .number_ranges import as_element, dtype_name

_CTYPES: Final[dict[str, Any]] = {
    "i1": ctypes.c_uint8,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "index": ctypes.c_int64,
    "f16": ctypes.c_float,
    "bf16": ctypes.c_uint16,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}
"""What each type is called with. A half is in the lower bits of a register for floats,
for which ctypes has no type of 16 bits; code that computes with bf16 takes its bits."""

_FIELDS: Final[dict[str, Any]] = {**_CTYPES, "f16": ctypes.c_uint16}
"""What each type is in memory."""


class ScalarCodec:
    """Translates between Python or NumPy numbers and one scalar type."""

    signature: abi.ScalarSignature
    ctype: Any
    """What ctypes passes and returns."""

    field: Any
    """What a number is in memory."""

    def __init__(self, signature: abi.ScalarSignature):
        element = signature.element
        if element not in _CTYPES:
            raise EngineError(
                f"a value of type {element} cannot be passed by value here; pass a "
                f"buffer of rank 0, or one of {', '.join(_CTYPES)}"
            )
        self.signature = signature
        self.ctype = _CTYPES[element]
        self.field = _FIELDS[element]
        self._dtype = dtype_of(element)

    def pack(self, value: object) -> int | float:
        """Return `value` as ctypes takes it; raise `MismatchError` if it is another."""
        element = self.signature.element
        if element == "bf16":
            if isinstance(value, np.ndarray):
                value = cast(Any, value)[()]  # A number, if the array has rank 0.
            if dtype_name(value) == "uint16":
                return int(cast(Any, value))  # Bits, as in arrays and results.
        number = as_element(value, element)
        if element == "bf16":
            return bits_of_bfloat16(number)
        return _half_in_float(number) if element == "f16" else number

    def unpack(self, value: int | float) -> Any:
        """Return a result, of a call or in memory, as a NumPy scalar of its type."""
        element = self.signature.element
        if element == "i1":
            value = int(value) & 1  # LLVM leaves the other bits undefined.
        if element == "bf16":
            return show_bfloat16(np.array(value, np.uint16))[()]
        if element == "f16":
            memory = _memory_of_half(value)
            return np.frombuffer(memory, np.float16, 1)[0]
        return self._dtype.type(value)


def _half_in_float(number: float) -> float:
    """The float whose lower bits are those of a half."""
    half = np.float16(number).tobytes()
    return struct.unpack("<f", half + bytes(2))[0]


def _memory_of_half(value: int | float) -> bytes:
    """The bits of a half that a call returned in a float, or that lay in memory."""
    return struct.pack("<H" if isinstance(value, int) else "<f", value)
