"""What compiled code calls to print, on the standard output of Python.

    vector.print %v : vector<2xf32>        ( 1.5, -2 )

The format is that of MLIR's `CRunnerUtils`, which prints numbers with C's `%g`.

No error gets through compiled code. So what a stream raises is noted, and told when the
call has returned: by one warning, however much was printed.
"""

import ctypes
import inspect
import math
import struct
import sys
import warnings
from collections.abc import Callable
from typing import Any, Final

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.locks import computed_once

from .addresses import address_of
from .errors import LostOutputWarning


def print_function(name: str) -> int:
    """The address of one of `abi.PRINT_FUNCTIONS`, for the life of the process."""
    return address_of(_callback(name))


@computed_once
def _callback(name: str) -> Any:
    types, write = _typed(name)

    def call(*arguments: Any) -> None:
        try:
            write(*arguments)
        except BrokenPipeError:
            pass  # Nobody reads on. Whoever writes next meets the error as well.
        except BaseException as error:
            # The first one is told; what ends the process must not be missed.
            if not _lost or not isinstance(error, Exception):
                _lost.append(error.with_traceback(None))

    return ctypes.CFUNCTYPE(None, *types)(call)


def _typed(name: str) -> tuple[tuple[Any, ...], Callable[..., object]]:
    """The types of the parameters of a function that prints, and what it does."""
    if name in _CONSTANTS:
        text = _CONSTANTS[name]
        return (), lambda: _write(text)
    if name in _NUMBERS:
        type_, text_of = _NUMBERS[name]

        def write_number(value: Any) -> None:
            _write(text_of(value))

        return (type_,), write_number
    if name == abi.PRINT_FLOPS:
        return (ctypes.c_double,), _write_flops
    # Most programs print no buffers.
    from .print_memref import memref_printer

    return memref_printer(name, _write, _text_of_element)


_lost: Final[list[BaseException]] = []
"""What was raised where a program printed, until somebody is told."""


def tell_what_was_lost() -> None:
    """Warn that the output of a call that has returned is not all there, if so.

    Raises what is no `Exception`, such as a `SystemExit`.
    """
    errors = _lost.copy()
    if not errors:
        return
    _lost.clear()
    for error in errors:
        if not isinstance(error, Exception):
            raise error
    warnings.warn(
        f"what the program printed is lost, or parts of it: {_reason(errors[0])}",
        LostOutputWarning,
        stacklevel=_level_of_caller(),
    )


def _level_of_caller() -> int:
    """How far from the function that warns the caller is who is not of this package."""
    level, frame = 0, inspect.currentframe()
    while frame is not None:
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package != __name__.partition(".")[0]:
            return level
        level, frame = level + 1, frame.f_back
    return level


def _reason(error: BaseException) -> str:
    system = getattr(error, "strerror", None)
    return system or str(error) or type(error).__name__


def _write(text: str) -> None:
    _write_to("stdout", text)


def _write_flops(flops: float) -> None:
    _write_to("stderr", f"{flops / 1e9:f} GFLOPS\n")


def _write_to(name: str, text: str) -> None:
    stream: Any = getattr(sys, name, None)
    if stream is None:
        raise OSError(f"there is no sys.{name}")
    stream.write(text)


def _text_of_string(text: bytes) -> str:
    return text.decode(errors="backslashreplace")


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
    abi.PRINT_STRING: (ctypes.c_char_p, _text_of_string),
}
