"""What compiled code calls to print, on the standard output of Python.

    vector.print %v : vector<2xf32>        ( 1.5, -2 )

The format is that of MLIR's `CRunnerUtils`, which prints numbers with C's `%g`.

No error gets through compiled code. So what a stream raises is noted, and told when the
call has returned: by one warning, however much was printed.
"""

import ctypes
import inspect
import math
import re
import struct
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.locks import computed_once

from .addresses import address_of
from .descriptor import Array, MemRefCodec
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


# Buffers as text, as MLIR's `RunnerUtils` writes them.
#
#     func.func private @printMemrefF32(memref<*xf32>)
#
# writes "Unranked Memref base@ = 0x7f66 rank = 1 offset = 0 sizes = [2] strides = [1]
# data =", and then "[1.5,  2]". Unlike in MLIR, elements of 8 bits are numbers and not
# characters, and nothing is read of what has no elements.
#
# Source: `MemRefDataPrinter`, mlir/include/mlir/ExecutionEngine/RunnerUtils.h


_NAME: Final = re.compile(
    f"({abi.C_INTERFACE_PREFIX})?{abi.PRINT_MEMREF}"
    rf"(?:(\d)d|(Shape))?({'|'.join(abi.PRINTED_ELEMENTS)})"
)
_WORD: Final = 8


def memref_printer(
    name: str, write: Callable[[str], object], to_text: Callable[[str, Any], str]
) -> tuple[tuple[Any, ...], Callable[..., object]]:
    """What the function `name`, one of `abi.PRINT_FUNCTIONS`, takes from C, and does.

    `to_text` makes text of a number, given its element type in `abi.PRINTED_ELEMENTS`.
    """
    match = _NAME.fullmatch(name)
    assert match is not None
    c_interface, known_rank, shape_only, suffix = match.groups()
    element = abi.PRINTED_ELEMENTS[suffix]
    kind = "Memref" if known_rank else "Unranked Memref"

    def write_memref(rank: int, descriptor: int) -> None:
        words = _words(descriptor, abi.descriptor_words(rank))
        text = f"{kind} {_described(words, rank)}"
        if not shape_only:
            array = _codec(element, rank).unpack(words, None)
            numbers = _data(array, rank, lambda value: to_text(element, value))
            text += f" data = \n{numbers if rank else f'[{numbers}]'}"
        write(text + "\n")

    def write_unranked(both: int) -> None:
        write_memref(*_words(both, 2))

    if known_rank:
        of_rank = partial(write_memref, int(known_rank))
        return (ctypes.c_void_p,), of_rank
    if c_interface:
        return (ctypes.c_void_p,), write_unranked
    return (ctypes.c_int64, ctypes.c_void_p), write_memref


def _words(address: int, count: int) -> list[int]:
    return list((ctypes.c_int64 * count).from_address(address))


def _codec(element: str, rank: int) -> MemRefCodec:
    unknown = (None,) * rank
    layout = abi.StridedLayout(unknown, None)
    return MemRefCodec(abi.MemRefSignature(element, unknown, layout))


def _described(words: Sequence[int], rank: int) -> str:
    sizes = ", ".join(map(str, words[abi.SIZES_FIELD : abi.SIZES_FIELD + rank]))
    strides = ", ".join(map(str, words[abi.SIZES_FIELD + rank :]))
    return (
        f"base@ = {words[abi.ALIGNED_FIELD]:#x} rank = {rank} "
        f"offset = {words[abi.OFFSET_FIELD]} sizes = [{sizes}] strides = [{strides}]"
    )


def _data(array: Array, rank: int, to_text: Callable[[Any], str]) -> str:
    if array.ndim == 0:
        return to_text(array.item())
    comma = ", " if array.ndim == 1 else ", \n"
    separator = comma + " " * (rank - array.ndim + 1)
    return f"[{separator.join(_data(part, rank, to_text) for part in array)}]"
