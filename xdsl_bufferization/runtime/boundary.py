"""What a call owes its caller: which arrays it copies, and which may not overlap.

    %x: a tensor that the function writes to       a copy is passed, %x stays as it is
    %y: a tensor that the function only reads      passed as it is
    %m: a memref, or donated                       passed as it is, may be written

An array that the function writes to in place must not overlap with any other that it
reads or writes. A program on tensors means that each argument has memory of its own. A
program on memrefs can mean that two are one array: then the caller donates both.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, cast

import numpy as np

from xdsl_bufferization.support import abi

from .descriptor import Array
from .errors import ArgumentError

_OVERLAP_WORK: Final = 1000
"""How hard NumPy looks for a shared element of strided arrays: then it says yes."""


def tuple_of(given: str | int | Iterable[str | int]) -> tuple[str | int, ...]:
    """Names or positions of arguments, of which one may be given alone."""
    return (given,) if isinstance(given, str | int) else tuple(given)


def donate(
    signature: abi.FunctionSignature, given: Iterable[str | int]
) -> abi.FunctionSignature:
    """The signature with arguments given away, by name or position from 0.

    Raises `ArgumentError` if there is no such buffer.
    """
    arguments = list(signature.arguments)
    for name in given:
        number = _number_of(signature, name)
        argument = arguments[number]
        if not isinstance(argument, abi.MemRefSignature):
            raise ArgumentError(
                signature.name,
                number,
                argument.name,
                f"a number, {argument}, cannot be donated; donate arrays",
            )
        arguments[number] = replace(argument, donated=True)
    return replace(signature, arguments=tuple(arguments))


def _number_of(signature: abi.FunctionSignature, name: str | int) -> int:
    if isinstance(name, int) and 0 <= name < len(signature.arguments):
        return name
    names = [each.name for each in signature.arguments]
    if isinstance(name, str) and name and name in names:
        return names.index(name)
    known = ", ".join(each or str(number) for number, each in enumerate(names))
    raise ArgumentError(
        signature.name,
        -1,
        "",
        f"there is no argument {name!r} to donate; there is {known or 'none'}",
    )


def rivals(signature: abi.FunctionSignature) -> Iterator[tuple[int, int]]:
    """The buffers that may not overlap, by their number; the first is written."""
    buffers = [each for _, each in _buffers(signature)]
    for first, written in enumerate(buffers):
        if not written.is_written_in_place:
            continue
        for second, other in enumerate(buffers):
            if second == first or other.is_copied:
                continue
            if other.is_written_in_place and second < first:
                continue
            if _may_share(written, other) and written.donated and other.donated:
                continue
            if other.read or other.written:
                yield first, second


def _may_share(one: abi.MemRefSignature, other: abi.MemRefSignature) -> bool:
    """Whether a program can mean two arguments to be one array: no tensor can be."""
    return not (one.is_value or other.is_value)


def _buffers(
    signature: abi.FunctionSignature,
) -> list[tuple[int, abi.MemRefSignature]]:
    """The buffers among the arguments, with their positions."""
    return [
        (position, each)
        for position, each in enumerate(signature.arguments)
        if isinstance(each, abi.MemRefSignature)
    ]


def overlap(one: Array, other: Array) -> bool:
    """Whether two arrays share an element. When it is hard to tell: True."""
    return np.may_share_memory(one, other) and np.may_share_memory(
        one, other, cast(Any, _OVERLAP_WORK)
    )


def overlapping(
    signature: abi.FunctionSignature, written: int, other: int
) -> ArgumentError:
    """The error that two buffers share memory, by their number."""
    buffers = _buffers(signature)
    position, buffer = buffers[written]
    second, named = buffers[other]
    name = f" (%{named.name})" if named.name else ""
    hint = ", or donate both if that is meant" if _may_share(buffer, named) else ""
    return ArgumentError(
        signature.name,
        position,
        buffer.name,
        f"shares memory with argument {second}{name}, and the function writes into "
        f"argument {position}; pass a copy of one of them{hint}",
    )
