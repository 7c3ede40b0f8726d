"""An error as a message: what was found, and where; and notes on other places.

    OperationError at an operation     ->  mlp.mlir:12:8: 'foo.bar' op ...
    xDSL's ParseError                  ->  mlp.mlir:3:1, 4 characters: ...
    a KeyError in a verifier of xDSL   ->  mlp.mlir:3:1: 'foo.bar' does not verify: ...

What is in none of these forms is a defect of this package, and has no message.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.utils.exceptions import (
    DiagnosticException,
    MultipleSpansParseError,
    ParseError,
)
from xdsl.utils.lexer import Span

from xdsl_bufferization.support.errors import (
    OperationError,
    Place,
    message_of,
    op_of,
    places_of,
)

from ..parsing import locate
from .blame import failure_of_xdsl
from .model_faults import describe_model_fault
from .related_places import related_places


@dataclass(frozen=True)
class Message:
    """Something to say about a place."""

    place: str
    """`file:line:col`, or only the file."""
    text: str
    span: Span[str] | Span[bytes] | None = None
    """The place as a part of the text, where the parser knows that."""


def describe_error(error: Exception, file: str) -> Message | None:
    """What `error` says about the program of `file`; None if it is a defect."""
    match error:
        case ParseError():
            return _at_span(error.span, error.msg)
        case OperationError():
            return Message(locate(error.op) or file, error.message)
        case DiagnosticException():
            op = op_of(error)
            if op is None:
                return Message(file, str(error))
            return Message(_place(op, file), message_of(error, op))
        case RecursionError():
            return Message(file, "the program is nested too deeply")
        case MemoryError():
            return Message(file, "there is not enough memory")
        case _:
            return _unforeseen(error, file)


def _unforeseen(error: Exception, file: str) -> Message | None:
    """What somebody else's code did, or that it is not there; None if it was ours."""
    if (failure := failure_of_xdsl(error)) is not None:
        return Message(_place(failure.op, file), failure.message)
    if (fault := describe_model_fault(error)) is not None:
        place, text = fault
        return Message(place or file, text)
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        package, _, _ = error.name.partition(".")
        if package != __name__.partition(".")[0]:
            return Message(file, f"this needs {package}, which is not installed")
    return None


def _place(op: Operation | None, file: str) -> str:
    """Where an op was written, if anybody knows."""
    place = None if op is None else locate(op)
    if place is None and op is not None and op.parent is None:
        # The module that nobody wrote begins with the file.
        place = f"{file}:1:1"
    return place or file


def notes_of(error: Exception) -> Iterator[Message]:
    """What else there is to say about `error`, each at its place."""
    if isinstance(error, MultipleSpansParseError):
        for span, text in error.refs:
            yield _at_span(span, text or error.ref_text or "see here")
    for place in places_of(error):
        yield Message(*place)
    if isinstance(error, DiagnosticException):
        for place in _related_places(error):
            yield Message(*place)


def _related_places(error: DiagnosticException) -> list[Place]:
    try:
        return list(related_places(error))
    except Exception:
        # An op that is not valid may lack anything. The error itself is said already.
        return []


def _at_span(span: Span[str] | Span[bytes], text: str) -> Message:
    return Message(str(span.get_location()), text, span)
