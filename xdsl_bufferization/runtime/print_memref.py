"""Buffers as text, as MLIR's `RunnerUtils` writes them.

    func.func private @printMemrefF32(memref<*xf32>)

    Unranked Memref base@ = 0x7f66 rank = 1 offset = 0 sizes = [2] strides = [1] data =
    [1.5,  2]

Unlike there, elements of 8 bits are numbers and not characters, and nothing is read of
what has no elements.

Source: `MemRefDataPrinter`, mlir/include/mlir/ExecutionEngine/RunnerUtils.h
"""

import ctypes
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from xdsl_bufferization.support import abi

from .descriptor import Array, MemRefCodec

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
