"""The one way this package reports that it cannot go on with a program.

xDSL prints a diagnostic for any `DiagnosticException`, with the message placed under
the operation; a tool that knows source positions takes the operation from the error.

    a.mlir:3:1: error: 'func.func' op: Redefinition of symbol "f"      the error
    a.mlir:1:1: note: the first definition is here                     a place of it
"""

import traceback
from typing import NamedTuple, NoReturn

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException, PassFailedException

from .xdsl_releases.notes import note, noted

_RAISING = (Operation.emit_error.__name__, Operation.verify.__name__)
"""The methods of an op in which xDSL raises an error about it."""

_PLACES = "other_places"
"""The attribute of an error that has its other places."""


class Place(NamedTuple):
    """Another place that has to do with an error."""

    place: str
    """`file:line:col`."""
    message: str
    """What is there."""


class OperationError(PassFailedException):
    """A pass stopped at an operation: what was found there, and what to do."""

    op: Operation
    message: str

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op
        self.message = message


def fail_at(op: Operation, message: str) -> NoReturn:
    """Raise an `OperationError` that xDSL prints underneath `op`.

    xDSL prints all of the program, and not each program can be printed: xDSL has no
    digits for some types, and an invalid op may lack what is printed.
    """
    error = OperationError(op, message)
    try:
        op.emit_error(message, error)
    except OperationError:
        raise
    except Exception:
        # What printing raises says nothing of the program.
        raise error from None


def op_name(op: Operation) -> str:
    """The name of an op in the program, also where no dialect defines the op."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def symbol_around(op: Operation) -> str:
    """The name of the nearest symbol around an op, such as its function; or nothing."""
    around = op.parent_op()
    while around is not None:
        name = around.get_attr_or_prop("sym_name")
        if isinstance(name, StringAttr):
            return name.data
        around = around.parent_op()
    return ""


def add_place(error: Exception, place: str | None, message: str) -> None:
    """Let `error` also say what is at `place`; without a place, nothing is added."""
    if place is not None:
        note(error, _PLACES, (*places_of(error), Place(place, message)))


def places_of(error: Exception) -> tuple[Place, ...]:
    """The other places of an error, in the order in which they were added."""
    return noted(error, _PLACES) or ()


_ABOUT = "op_that_it_is_about"
"""The attribute of an error of xDSL's kind that has its op."""


def name_op(error: DiagnosticException, op: Operation) -> None:
    """Let an error be about `op`, unless it is about another op already."""
    if op_of(error) is None:
        note(error, _ABOUT, op)


def op_of(error: DiagnosticException) -> Operation | None:
    """The op that an error is about.

    `name_op` has said so, or xDSL keeps the op to itself. It raises such errors through
    `Operation.emit_error`, or itself while it verifies an op, which is the `self` of
    the last such call in the traceback.
    """
    if isinstance(error, OperationError):
        return error.op
    op: Operation | None = noted(error, _ABOUT)
    if op is not None:
        return op
    for frame, _ in traceback.walk_tb(error.__traceback__):
        raising = frame.f_locals.get("self")
        if frame.f_code.co_name in _RAISING and isinstance(raising, Operation):
            op = raising
    return op


def message_of(error: DiagnosticException, op: Operation | None) -> str:
    """What an error says, with the name of its op, without its place."""
    if (message := getattr(error, "message", None)) is not None:
        return message
    message = str(error)
    if op is None or f"'{op_name(op)}'" in message:
        return message
    return f"'{op_name(op)}' op: {message}"


def expect_module(value: object, function: str) -> None:
    """Raise a `TypeError` that says what to pass to a function that takes a module."""
    if not isinstance(value, ModuleOp):
        raise TypeError(
            f"{function} takes a module of xDSL, not {type(value).__name__}; call "
            f"{function}(parse(program)) with the text of a program, or with its file"
        )
