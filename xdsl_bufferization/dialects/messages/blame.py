"""Errors that nobody has put into words: where xDSL was, and who made the mistake.

    a KeyError in a pass of xDSL's    ->  pass 'lower-affine' of xDSL's fails here: ...
    a KeyError in a pass of ours      ->  None: a defect of this package

xDSL's passes, targets and verifiers raise errors of all kinds for programs that they
do not expect. Who gave the program wants to know where that was, in one line. What
fails in a file of this package, or in xDSL while a pass of ours calls it, stays a
defect.
"""

import os
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

import xdsl
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.support.errors import op_name

from ..parsing import locate

_OURS: Final = f"{Path(__file__).parents[2]}{os.sep}"
_XDSLS: Final = f"{Path(xdsl.__file__).parent}{os.sep}"

_EMIT_ERROR: Final = Operation.emit_error.__name__
_VERIFY: Final = Operation.verify.__name__
_APPLY: Final = ModulePass.apply.__name__
_PRINT: Final = "output_resulting_program"
_PRINT_OP: Final = Operation.print.__name__

_LONGEST: Final = 200
"""How much of an error's own text is shown: it may have all of a program."""


class Failure(NamedTuple):
    """What could not be done, and at which op, if that is known."""

    op: Operation | None
    message: str


def failure_of_xdsl(error: Exception) -> Failure | None:
    """What xDSL could not do with a program, or None if that is not what happened."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    for frame in frames:
        # xDSL prints the program around each error, and that may fail as well.
        op, meant = _op_of(frame, _EMIT_ERROR), frame.f_locals.get("underlying_error")
        if op is not None and isinstance(meant, DiagnosticException):
            return Failure(op, str(frame.f_locals["message"]))
    if not _is_xdsls(frames) or (task := _task(frames)) is None:
        return None
    reason = f"{type(error).__name__}: {' '.join(str(error).split())[:_LONGEST]}"
    return Failure(_place(frames), f"{task}: {reason}")


def _op_of(frame: FrameType, method: str) -> Operation | None:
    """The op whose method this call is."""
    self = frame.f_locals.get("self")
    is_called = frame.f_code.co_name == method and isinstance(self, Operation)
    return self if is_called else None


def _is_xdsls(frames: list[FrameType]) -> bool:
    """Whether the last file of the two packages is one of xDSL's."""
    files = (frame.f_code.co_filename for frame in reversed(frames))
    last = next((file for file in files if file.startswith((_OURS, _XDSLS))), _OURS)
    return last.startswith(_XDSLS)


def _task(frames: list[FrameType]) -> str | None:
    """What xDSL was doing by itself; a pass of ours is not by itself."""
    tasks = [task for frame in frames if (task := _task_of(frame)) is not None]
    return (tasks[-1] if tasks else "") or None


def _task_of(frame: FrameType) -> str | None:
    """What a call begins; empty if that is a task of ours."""
    name, self = frame.f_code.co_name, frame.f_locals.get("self")
    if name == _APPLY and isinstance(self, ModulePass):
        is_xdsls = not frame.f_code.co_filename.startswith(_OURS)
        return f"pass '{self.name}' of xDSL's fails here" if is_xdsls else ""
    if name == _VERIFY and isinstance(self, Operation):
        return f"'{op_name(self)}' does not verify"
    if name == _PRINT_OP and isinstance(self, Operation):
        is_xdsls = not frame.f_code.co_filename.startswith(_OURS)
        return f"'{op_name(self)}' is not printed" if is_xdsls else ""
    if name == _PRINT and frame.f_code.co_filename.startswith(_XDSLS):
        target = frame.f_locals.get("spec")
        return f"target '{target}' fails here"
    return None


def _place(frames: list[FrameType]) -> Operation | None:
    """The last op that a call was about, and that is somewhere in the text."""
    ops = (op for frame in reversed(frames) for op in _ops_of(frame))
    return next((op for op in ops if locate(op) is not None), None)


def _ops_of(frame: FrameType) -> Iterator[Operation]:
    for name in ("op", "self"):
        op = frame.f_locals.get(name)
        # An op that is being made is nowhere yet.
        if isinstance(op, Operation) and hasattr(op, "location"):
            yield op
