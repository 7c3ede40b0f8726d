"""What a pass says about the ops that it leaves as they are.

    mlp.mlir:4:8: remark: 'linalg.matmul' is not tiled: no loop has more than one tile

For the option `explain`. What was read without locations is named by its op alone.
"""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

from xdsl.ir import Operation

from xdsl_bufferization.support.errors import op_name
from xdsl_bufferization.support.escaping import in_terminal

from .parsing import locate

Report = Callable[[str], None]
"""What to do with a remark."""


def remark(op: Operation, message: str) -> str:
    """A remark about an op, in one line with its place."""
    place = locate(op)
    prefix = "" if place is None else f"{place}: "
    return f"{prefix}remark: '{op_name(op)}' {message}"


_collected: ContextVar[list[str] | None] = ContextVar("_collected", default=None)


@contextmanager
def collected_remarks() -> Generator[list[str]]:
    """Within this, remarks go into the list instead of being written."""
    remarks: list[str] = []
    token = _collected.set(remarks)
    try:
        yield remarks
    finally:
        _collected.reset(token)


def write_remark(text: str) -> None:
    """Write a remark where errors go, as the program goes to the standard output."""
    if (remarks := _collected.get()) is not None:
        remarks.append(text)
        return
    sys.stderr.write(f"{in_terminal(text)}\n")


def ignore_remark(text: str) -> None:
    """Say nothing."""
    del text
