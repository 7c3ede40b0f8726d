"""Turn whatever goes wrong into a plain message that says where.

    OperationError at an operation     ->  mlp.mlir:12:8: error: 'foo.bar' op ...
    xDSL's ParseError                  ->  mlp.mlir:3:1: error: ...
    ProgramError of a call             ->  mlp.mlir:9:8: error: 'memref.load': index ...
    UserError("IN.npz", "not found")   ->  IN.npz: error: not found

The message is one line. Below it are the line of the program with a caret, and notes on
other places that have to do with the error:

    a.mlir:3:1: error: 'func.func' op: Redefinition of symbol "f", which line 1 defines
    func.func private @f()
    ^
    a.mlir:1:1: note: the first definition is here
    func.func private @f()
    ^

What is in none of these forms is a defect of this package, and is reported as one.
"""

import os
import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xdsl.utils.lexer import Span

from xdsl_bufferization.dialects.messages import messages
from xdsl_bufferization.runtime.disk_cache.settings import is_off
from xdsl_bufferization.runtime.errors import ProgramError, ProgramMemoryError
from xdsl_bufferization.support.escaping import in_terminal
from xdsl_bufferization.support.excerpts import excerpt

from .colours import BOLD, GREEN, PLAIN, RED, wants_colour
from .sources import text_of

EXIT_FAILURE = 1
EXIT_USAGE = 2  # As in `xbuf.py`, which is quick to load.
EXIT_DEFECT = 70
"""As EX_SOFTWARE of sysexits.h."""

TRACEBACK_VARIABLE = "XBUF_TRACEBACK"

_IN_FILE = re.compile(
    r"(?P<file>.*):(?P<line>\d{1,18}):(?P<column>\d{1,18})", re.DOTALL
)


class UserError(Exception):
    """Something that the user can put right, and where it is."""

    exit_code = EXIT_FAILURE

    def __init__(self, place: str, message: str):
        super().__init__(message)
        self.place = place
        self.message = message


class UsageError(UserError):
    """Something that is wrong in the command line itself."""

    exit_code = EXIT_USAGE


@dataclass(frozen=True)
class Message:
    """Something to say about a place."""

    place: str
    text: str
    source: str | None = None
    """The line of the program at the place, if it is known."""
    column: int = 1
    """The column in `source`, from 1."""
    length: int = 1
    """How many characters are underlined."""


@dataclass(frozen=True)
class Diagnostic:
    """Something that was said about a line of a program."""

    kind: str
    """One of error, note, remark and warning."""
    line: int
    """From 1; 0 if nobody knows."""
    text: str


def describe(error: Exception, file: str) -> str | None:
    """One line about `error` in the program of `file`, or None if it is a defect."""
    message = _message(error, file)
    return None if message is None else _line(message)


def show(error: Exception, file: str, colour: bool = False) -> list[str] | None:
    """The lines about `error`: the first as `describe` has it, an excerpt, notes.

    None if the error is a defect.
    """
    message = _message(error, file)
    if message is None:
        return None
    lines = [_line(message, "error", colour), *_excerpt(message, colour)]
    shown = {message.place}
    for note in _notes(error):
        # What is said already helps nobody.
        if note.place not in shown:
            shown.add(note.place)
            lines += [_line(note, "note", colour), *_excerpt(note, colour)]
    return lines


def report(error: Exception, file: str) -> int:
    """Write `error` to stderr, with its place in the program; returns the exit code."""
    wanted = os.environ.get(TRACEBACK_VARIABLE)
    if wanted and not is_off(wanted):
        traceback.print_exception(error)
    lines = show(error, file, wants_colour(sys.stderr))
    if lines is not None:
        sys.stderr.write("\n".join(lines) + "\n")
        return error.exit_code if isinstance(error, UserError) else EXIT_FAILURE
    kind = type(error).__name__
    text = f"internal error, please report it: {kind}: {error}"
    hint = f" ({TRACEBACK_VARIABLE}=1 shows where)"
    sys.stderr.write(_line(Message(file, text)) + hint + "\n")
    return EXIT_DEFECT


def diagnostics_of(error: Exception, file: str) -> list[Diagnostic] | None:
    """What `show` says, line by line of the program; None if the error is a defect."""
    message = _message(error, file)
    if message is None:
        return None
    said = [("error", message), *(("note", note) for note in _notes(error))]
    return [Diagnostic(kind, _line_of(each), each.text) for kind, each in said]


def _line_of(message: Message) -> int:
    found = _IN_FILE.fullmatch(message.place)
    return 0 if found is None else int(found["line"])


def _message(error: Exception, file: str) -> Message | None:
    match error:
        case UserError():
            return _located(error.place, error.message)
        case ProgramError() | ProgramMemoryError():
            return _located(error.place or file, f"'{error.op}': {error.reason}")
        case OSError():
            return Message(error.filename or "xbuf", error.strerror or str(error))
        case _:
            found = messages.describe_error(error, file)
            return None if found is None else _shown(found)


def _notes(error: Exception) -> Iterator[Message]:
    return map(_shown, messages.notes_of(error))


def _shown(message: messages.Message) -> Message:
    """A message with the line of the program that it is about."""
    if message.span is None:
        return _located(message.place, message.text)
    return _at_span(message.span, message.text)


def _located(place: str, text: str) -> Message:
    """A message at `file:line:col`, with the line if the file was parsed."""
    message = Message(place, text)
    found = _IN_FILE.fullmatch(place)
    source = None if found is None else text_of(found["file"])
    if found is None or source is None:
        return message
    number = int(found["line"])
    lines = source.split("\n", number)
    if not 0 < number <= len(lines):
        return message
    return replace(message, source=lines[number - 1], column=int(found["column"]))


def _at_span(span: Span[str] | Span[bytes], text: str) -> Message:
    """A message at a place in a text, which the span has."""
    message = Message(str(span.get_location()), text)
    content = span.input.content
    if isinstance(content, bytes):
        return message
    start = span.input.get_start_of_line(span.start)
    end = span.input.get_end_of_line(span.start)
    return replace(
        message,
        source=content[start:end],
        column=span.start - start + 1,
        length=max(1, min(span.end, end) - span.start),
    )


def _line(message: Message, kind: str = "error", colour: bool = False) -> str:
    place = in_terminal(f"{message.place}:")
    text = in_terminal(" ".join(message.text.split()))
    if not colour:
        return f"{place} {kind}: {text}"
    style = RED if kind == "error" else BOLD
    return f"{BOLD}{place}{PLAIN} {style}{kind}:{PLAIN} {text}"


def _excerpt(message: Message, colour: bool) -> list[str]:
    if message.source is None:
        return []
    lines = excerpt(message.source, message.column, message.length)
    if colour and lines:
        lines[1] = f"{GREEN}{lines[1]}{PLAIN}"
    return lines
