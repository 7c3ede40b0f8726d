"""What compiled code calls to print, on the standard output of Python.

    vector.print %v : vector<2xf32>        ( 1.5, -2 )

The format is that of MLIR's `CRunnerUtils`, which prints numbers with C's `%g`.
"""

import ctypes
import math
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from xdsl_bufferization import abi
from xdsl_bufferization.locks import computed_once
from xdsl_bufferization.runtime.addresses import address_of


def print_function(name: str) -> int:
    """The address of one of `abi.PRINT_FUNCTIONS`, for the life of the process."""
    return address_of(_callback(name))


@computed_once
def _callback(name: str) -> Any:
    if name in _CONSTANTS:
        text = _CONSTANTS[name]
        return ctypes.CFUNCTYPE(None)(lambda: _write(text))
    if name in _NUMBERS:
        type_, text_of = _NUMBERS[name]

        def write_number(value: Any) -> None:
            _write(text_of(value))

        return ctypes.CFUNCTYPE(None, type_)(write_number)
    if name == abi.PRINT_FLOPS:
        return ctypes.CFUNCTYPE(None, ctypes.c_double)(_write_flops)
    # Most programs print no buffers.
    from xdsl_bufferization.runtime.print_memref import memref_printer

    return memref_printer(name, _write, _text_of_element)


def _write(text: str) -> None:
    # No error gets through compiled code. Whoever writes next meets it as well.
    with suppress(OSError):
        sys.stdout.write(text)


def _write_flops(flops: float) -> None:
    with suppress(OSError):
        sys.stderr.write(f"{flops / 1e9:f} GFLOPS\n")


def _text(value: float) -> str:
    """A number as C writes it, which tells the sign of NaN as well."""
    sign = "-" if math.isnan(value) and math.copysign(1, value) < 0 else ""
    return f"{sign}{value:g}"


def _text_of_half(bits: int) -> str:
    return _text(struct.unpack("<e", struct.pack("<H", bits))[0])


def _text_of_bf16(bits: int) -> str:
    return _text(struct.unpack("<f", struct.pack("<I", bits << 16))[0])


def _text_of_element(element: str, value: Any) -> str:
    """An element of a buffer, as NumPy has it; an index has no sign, as in MLIR."""
    if element == "bf16" and isinstance(value, int):
        return _text_of_bf16(value)
    if element == "index":
        return str(ctypes.c_uint64(value).value)
    if isinstance(value, complex):
        return f"({_text(value.real)},{_text(value.imag)})"
    return _text(value) if isinstance(value, float) else str(value)


_CONSTANTS: Final = {
    abi.PRINT_OPEN: "( ",
    abi.PRINT_CLOSE: " )",
    abi.PRINT_COMMA: ", ",
    abi.PRINT_NEWLINE: "\n",
}

_NUMBERS: Final[dict[str, tuple[Any, Callable[[Any], str]]]] = {
    abi.PRINT_I64: (ctypes.c_int64, str),
    abi.PRINT_U64: (ctypes.c_uint64, str),
    abi.PRINT_F16: (ctypes.c_uint16, _text_of_half),
    abi.PRINT_BF16: (ctypes.c_uint16, _text_of_bf16),
    abi.PRINT_F32: (ctypes.c_float, _text),
    abi.PRINT_F64: (ctypes.c_double, _text),
    abi.PRINT_STRING: (ctypes.c_char_p, bytes.decode),
}
