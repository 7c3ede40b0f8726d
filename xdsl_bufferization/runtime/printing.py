"""What compiled code calls to print, on the standard output of Python.

    vector.print %v : vector<2xf32>        ( 1.5, -2 )

The format is that of MLIR's `CRunnerUtils`, which prints numbers with C's `%g`.
"""

import ctypes
import math
import struct
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, cast

from xdsl_bufferization import abi


def print_functions() -> Mapping[str, int]:
    """The addresses of all `abi.PRINT_FUNCTIONS`, which live as long as the process."""
    return {
        name: cast(int, ctypes.cast(callback, ctypes.c_void_p).value)
        for name, callback in _callbacks().items()
    }


@cache
def _callbacks() -> Mapping[str, Any]:
    return {
        abi.PRINT_I64: _callback(ctypes.c_int64, str),
        abi.PRINT_U64: _callback(ctypes.c_uint64, str),
        abi.PRINT_F16: _callback(ctypes.c_uint16, _text_of_half),
        abi.PRINT_BF16: _callback(ctypes.c_uint16, _text_of_bf16),
        abi.PRINT_F32: _callback(ctypes.c_float, _text),
        abi.PRINT_F64: _callback(ctypes.c_double, _text),
        abi.PRINT_STRING: _callback(ctypes.c_char_p, bytes.decode),
        abi.PRINT_OPEN: _constant("( "),
        abi.PRINT_CLOSE: _constant(" )"),
        abi.PRINT_COMMA: _constant(", "),
        abi.PRINT_NEWLINE: _constant("\n"),
    }


def _callback(type_: Any, text_of: Callable[[Any], str]) -> Any:
    def write(value: Any) -> None:
        sys.stdout.write(text_of(value))

    return ctypes.CFUNCTYPE(None, type_)(write)


def _constant(text: str) -> Any:
    def write() -> None:
        sys.stdout.write(text)

    return ctypes.CFUNCTYPE(None)(write)


def _text(value: float) -> str:
    """A number as C writes it, which tells the sign of NaN as well."""
    sign = "-" if math.isnan(value) and math.copysign(1, value) < 0 else ""
    return f"{sign}{value:g}"


def _text_of_half(bits: int) -> str:
    return _text(struct.unpack("<e", struct.pack("<H", bits))[0])


def _text_of_bf16(bits: int) -> str:
    return _text(struct.unpack("<f", struct.pack("<I", bits << 16))[0])
