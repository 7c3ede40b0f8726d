"""Complex numbers that compiled functions take and return: see `abi`.

codec = ComplexCodec(ScalarSignature("complex<f32>"))
codec.pack(1 + 2j)             [1.0, 2.0]: an argument is passed as two numbers
codec.unpack(memory)           numpy.complex64(1 + 2j): a result is two floats
"""

import ctypes
import numbers
from typing import Any, cast

import numpy as np

from xdsl_bufferization.support import abi

from .descriptor import Array, dtype_of
from .errors import MismatchError

_CTYPES: dict[str, Any] = {"f32": ctypes.c_float, "f64": ctypes.c_double}


class ComplexCodec:
    """Translates between Python or NumPy numbers and one complex type."""

    signature: abi.ScalarSignature
    part: Any
    """What ctypes calls the type of a part."""

    ctype: Any
    """What a number is in memory: an array of two parts."""

    def __init__(self, signature: abi.ScalarSignature):
        self.signature = signature
        self.part = _CTYPES[abi.COMPLEX_PARTS[signature.element]]
        self.ctype = self.part * 2
        self._dtype = dtype_of(signature.element)

    def pack(self, value: object) -> list[float]:
        """Return the parts of `value`; raise `MismatchError` if it is no number."""
        if isinstance(value, np.ndarray):
            value = cast(Array, value)[()]  # A number, if the array has rank 0.
        if not isinstance(value, numbers.Complex):
            raise MismatchError(
                f"expected a number of type {self.signature}, got "
                f"{type(value).__name__}"
            )
        number = complex(value)
        return [number.real, number.imag]

    def unpack(self, parts: Any) -> Any:
        """Return a result as a NumPy scalar of its type."""
        return self._dtype.type(complex(*parts))
