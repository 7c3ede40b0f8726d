"""Errors of the Python API that fit on a screen.

    OperationError: mlp.mlir:4:8: op was not bufferized: no model says how to ...

xDSL attaches the text of the whole module to each `DiagnosticException`, and shows the
whole line that a `ParseError` is in. Either may have megabytes. In functions that users
call, an error says its place, its op and its message instead:

    with short_errors():
        OneShotBufferizePass().apply(ctx, module)
"""

from collections.abc import Generator
from contextlib import contextmanager

from typing_extensions import override
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException, ParseError

from xdsl_bufferization.support.errors import (
    add_place,
    message_of,
    op_name,
    op_of,
    places_of,
    symbol_around,
)
from xdsl_bufferization.support.escaping import in_terminal
from xdsl_bufferization.support.excerpts import excerpt
from xdsl_bufferization.support.xdsl_releases.notes import note, noted

from .parsing import locate

_IS_SHORT = "is_short"
"""The attribute of an error that was made short."""

_MOST_CHARACTERS = 2000
"""Of a message, which may quote a type or an attribute."""


class ShortParseError(ParseError):
    """xDSL's error, with the part of the line that is around the place."""

    @override
    def __str__(self) -> str:
        lines = [f"{self.span.get_location()}: {self.msg}"]
        content = self.span.input.content
        if isinstance(content, str):
            start = self.span.input.get_start_of_line(self.span.start)
            end = self.span.input.get_end_of_line(self.span.start)
            length = max(1, min(self.span.end, end) - self.span.start)
            column = self.span.start - start + 1
            lines += excerpt(content[start:end], column, length)
        lines += (f"{place}: {message}" for place, message in places_of(self))
        return "\n".join(lines)


@contextmanager
def short_errors() -> Generator[None]:
    """Within this, errors about a program are short when they leave."""
    try:
        yield
    except ShortParseError:
        raise
    except ParseError as error:
        short = ShortParseError(error.span, error.msg)
        _copy_notes(error, short)
        raise short from None
    except DiagnosticException as error:
        _shorten(error)
        raise


def _shorten(error: DiagnosticException) -> None:
    if noted(error, _IS_SHORT):
        return
    op = op_of(error)
    message = message_of(error, op)
    if len(message) > _MOST_CHARACTERS:
        message = f"{message[:_MOST_CHARACTERS]} ..."
    where = "" if op is None else _where(op, message)
    setattr(error, "message", message)  # noqa: B010, the class has no such field
    error.args = (f"{where}{message}",)
    error.__notes__ = [f"{place}: {text}" for place, text in places_of(error)]
    note(error, _IS_SHORT)


def _copy_notes(error: ParseError, short: ParseError) -> None:
    """Let the short error say all that was added to the other one."""
    for place, text in places_of(error):
        add_place(short, place, text)
    for text in getattr(error, "__notes__", ()):
        short.add_note(text)


def _where(op: Operation, message: str) -> str:
    """The place of an op; without one, what the op is and which function it is in."""
    if (place := locate(op)) is not None:
        return in_terminal(f"{place}: ")
    name = "" if f"'{op_name(op)}'" in message else f"'{op_name(op)}' "
    function = symbol_around(op)
    return in_terminal(f"{name}{function and f'in @{function}'}: ") if function else ""
