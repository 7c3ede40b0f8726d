"""The one way this package reports that it cannot go on with a program.

xDSL prints a diagnostic for any `DiagnosticException`, with the message placed under
the operation; a tool that knows source positions takes the operation from the error.
"""

from typing import NoReturn

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException


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
        raise error from None


def op_name(op: Operation) -> str:
    """The name of an op in the program, also where no dialect defines the op."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name
