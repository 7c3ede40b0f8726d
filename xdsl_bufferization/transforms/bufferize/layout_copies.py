"""Copies that one-shot-bufferize makes only because a buffer has another layout.

    %0 = memref.subview %a[0, 0] [4, 4] [1, 1]    // rows with gaps between them
    memref.copy %0, %1                            // such a copy
    %2 = memref.collapse_shape %1 [[0, 1]]        // which wants one row without gaps

The analysis knows no layouts, and calls the operand in place. So these copies are noted
down while the ops are rewritten, for whoever explains them.
"""

from collections.abc import Callable
from typing import NamedTuple

from xdsl_bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.interfaces.state import BufferType


class LayoutCopy(NamedTuple):
    """A copy of the buffer of an operand."""

    operand: OpOperand
    """The operand of the op on tensors."""

    found: BufferType
    """What the buffer is."""

    wanted: BufferType
    """What the op, or its callee or caller, expects."""


NoteLayoutCopy = Callable[[LayoutCopy], object]
"""What is done with such a copy."""


def ignore(copy: LayoutCopy) -> None:
    """Note nothing down."""
    del copy
