"""Errors as faults: what is wrong, and where in the document.

ParseError at 12 of a piece that begins at 300      ->  a fault at 312
OperationError about an op                          ->  a fault at the name of the op
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.dialects.messages.messages import (
    Message,
    describe_error,
    notes_of,
)
from xdsl_bufferization.support.errors import OperationError, op_of

from .places import Lines, Range
from .programs import Placed


class Severity(IntEnum):
    """How bad a fault is."""

    ERROR = 1
    WARNING = 2


@dataclass(frozen=True)
class Note:
    """Something to say about another place."""

    range: Range
    text: str


@dataclass(frozen=True)
class Fault:
    """Something that is wrong, and where."""

    range: Range
    text: str
    severity: Severity = Severity.ERROR
    notes: tuple[Note, ...] = ()


_PLACE: Final = re.compile(r"(?P<file>.*):(?P<line>\d+):(?P<column>\d+)", re.DOTALL)
_OP_NAME: Final = re.compile(r'"?[\w$.]*"?')


def fault_of(placed: Placed, error: Exception, files: dict[str, Placed]) -> Fault:
    """An error of a piece; `files` are the pieces that its places may speak of."""
    piece = placed.piece
    message = describe_error(error, piece.file)
    if message is None:
        kind = type(error).__name__
        text = f"internal error, please report it: {kind}: {error}"
        return Fault(_head(placed), text)
    notes = (_note(each, files) for each in notes_of(error))
    return Fault(
        _range(placed, error, message, files),
        message.text,
        notes=tuple(note for note in notes if note is not None),
    )


def _range(
    placed: Placed,
    error: Exception,
    message: Message,
    files: dict[str, Placed],
) -> Range:
    if isinstance(error, ParseError) and message.span is not None:
        return _clamped(placed, message.span.start, message.span.end)
    about = op_about(error)
    if about is not None:
        for each in (placed, *files.values()):
            if about in each.piece.places.ops:
                return range_of_op(each, about)
    at = _range_of_place(message.place, files)
    return _head(placed) if at is None else at


def _note(message: Message, files: dict[str, Placed]) -> Note | None:
    if message.span is not None and (placed := files.get(message.span.input.name)):
        span = message.span
        return Note(_clamped(placed, span.start, span.end), message.text)
    at = _range_of_place(message.place, files)
    return None if at is None else Note(at, message.text)


def _range_of_place(place: str, files: dict[str, Placed]) -> Range | None:
    """The word at `file:line:column`, where the file stands for a piece."""
    found = _PLACE.fullmatch(place)
    placed = None if found is None else files.get(found["file"])
    if found is None or placed is None:
        return None
    line = int(found["line"]) - 1 - placed.piece.lines_before
    inside = Lines(placed.piece.text).position(line, int(found["column"]) - 1)
    word = re.compile(r"[%@^#!\w$.]*").match(placed.piece.text, inside)
    return placed.range(inside, inside if word is None else word.end())


def range_of_op(placed: Placed, op: Operation) -> Range:
    """The name of an op."""
    place = placed.piece.places.ops.get(op)
    if place is None:
        return _head(placed)
    return _word(placed, place[1])


def _word(placed: Placed, start: int) -> Range:
    word = _OP_NAME.match(placed.piece.text, start)
    return placed.range(start, start if word is None else word.end())


def _head(placed: Placed) -> Range:
    """The first line of a piece."""
    end = placed.piece.text.find("\n")
    return placed.range(0, len(placed.piece.text) if end < 0 else end)


def _clamped(placed: Placed, start: int, end: int) -> Range:
    """At least one character of a piece, if it has one."""
    length = len(placed.piece.text)
    start = min(start, max(0, length - 1))
    return placed.range(start, max(start + 1, min(end, length)))


def op_about(error: Exception) -> Operation | None:
    """The op that an error is about, if anybody knows."""
    about = getattr(error, "op", None) if isinstance(error, OperationError) else None
    if about is None and hasattr(error, "__traceback__"):
        about = op_of(error)  # pyright: ignore[reportArgumentType]
    return about
