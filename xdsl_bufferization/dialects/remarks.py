"""What a pass says about the ops that it leaves as they are.

    mlp.mlir:4:8: remark: 'linalg.matmul' is not tiled: no loop has more than one tile

For the option `explain`. What was read without locations is named by its op alone.
"""

import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias, TypeVar

from xdsl.ir import Operation

from xdsl_bufferization.support.errors import op_name
from xdsl_bufferization.support.escaping import in_terminal

from .parsing import locate

_Remark = TypeVar("_Remark")

Report: TypeAlias = Callable[[_Remark], None]
"""What is done with a remark: a line, or a record whose `str` is the line."""


def remark(op: Operation, message: str) -> str:
    """A remark about an op, in one line with its place."""
    place = locate(op)
    prefix = "" if place is None else f"{place}: "
    return f"{prefix}remark: '{op_name(op)}' {message}"


_Collected = tuple[re.Pattern[str], list[str]]
_collected: ContextVar[_Collected | None] = ContextVar("_collected", default=None)


@contextmanager
def collected_remarks(pattern: re.Pattern[str]) -> Generator[list[str]]:
    """Within this, remarks that have `pattern` go into the list, and nowhere else."""
    remarks: list[str] = []
    token = _collected.set((pattern, remarks))
    try:
        yield remarks
    finally:
        _collected.reset(token)


def write_remark(remark: object) -> None:
    """Write a remark where errors go, as the program goes to the standard output."""
    text, collected = str(remark), _collected.get()
    if collected is not None and collected[0].search(text):
        collected[1].append(text)
    else:
        sys.stderr.write(f"{in_terminal(text)}\n")


def ignore_remark(remark: object) -> None:
    """Say nothing."""
    del remark
