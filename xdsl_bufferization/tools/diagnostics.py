"""Turn whatever goes wrong into one plain line that says where.

    OperationError at an operation     ->  mlp.mlir:12:8: error: 'foo.bar' op ...
    xDSL's ParseError                  ->  mlp.mlir:3:1: error: ...
    ProgramError of a call             ->  mlp.mlir:9:8: error: 'memref.load': index ...
    UserError("IN.npz", "not found")   ->  IN.npz: error: not found

What is in none of these forms is a defect of this package, and is reported as one.
"""

import os
import sys
import traceback

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException, ParseError

from xdsl_bufferization.errors import OperationError, op_name
from xdsl_bufferization.escaping import in_terminal
from xdsl_bufferization.parsing import locate
from xdsl_bufferization.runtime.errors import ProgramError, ProgramMemoryError
from xdsl_bufferization.tools.blame import failure_of_xdsl, op_of_diagnostic

EXIT_FAILURE = 1
EXIT_DEFECT = 70
"""As EX_SOFTWARE of sysexits.h."""

TRACEBACK_VARIABLE = "XBUF_TRACEBACK"


class UserError(Exception):
    """Something that the user can put right, and where it is."""

    def __init__(self, place: str, message: str):
        super().__init__(message)
        self.place = place
        self.message = message


def describe(error: Exception, file: str) -> str | None:
    """One line about `error` in the program of `file`, or None if it is a defect."""
    match error:
        case UserError():
            return _line(error.place, error.message)
        case ParseError():
            return _line(str(error.span.get_location()), error.msg)
        case OperationError():
            return _line(locate(error.op) or file, error.message)
        case DiagnosticException():
            return _line(*_diagnostic(error, file))
        case OSError():
            return _line(error.filename or "xbuf", error.strerror or str(error))
        case RecursionError():
            return _line(file, "the program is nested too deeply")
        case ProgramError() | ProgramMemoryError():
            return _line(error.place or file, f"'{error.op}': {error.reason}")
        case MemoryError():
            return _line(file, "there is not enough memory")
        case _:
            failure = failure_of_xdsl(error)
            return failure and _line(_place(failure.op, file), failure.message)


def report(error: Exception, file: str) -> int:
    """Write `error` to stderr in one line; returns the exit code."""
    line = describe(error, file)
    if os.environ.get(TRACEBACK_VARIABLE):
        traceback.print_exception(error)
    if line is not None:
        sys.stderr.write(line + "\n")
        return EXIT_FAILURE
    kind = type(error).__name__
    text = f"internal error, please report it: {kind}: {error}"
    hint = f" ({TRACEBACK_VARIABLE}=1 shows where)"
    sys.stderr.write(_line(file, text) + hint + "\n")
    return EXIT_DEFECT


def _line(place: str, message: str) -> str:
    return in_terminal(f"{place}: error: {' '.join(message.split())}")


def _diagnostic(error: DiagnosticException, file: str) -> tuple[str, str]:
    """Place and text of an error of xDSL's, which keeps its operation to itself."""
    op = op_of_diagnostic(error)
    if op is None:
        return file, str(error)
    message = str(error)
    if f"'{op_name(op)}'" not in message:
        message = f"'{op_name(op)}' op: {message}"
    return _place(op, file), message


def _place(op: Operation | None, file: str) -> str:
    """Where an op was written, if anybody knows."""
    place = None if op is None else locate(op)
    if place is None and op is not None and op.parent is None:
        # The module that nobody wrote begins with the file.
        place = f"{file}:1:1"
    return place or file
