"""What the rewrite of one-shot-bufferize does about copies by itself.

    %0 = memref.subview %a[0, 0] [4, 4] [1, 1]    // rows with gaps between them
    memref.copy %0, %1                            // a copy for the sake of the layout
    %2 = memref.collapse_shape %1 [[0, 1]]        // which wants one row without gaps

The analysis knows no layouts, and calls the operand in place. So such copies are noted
while the ops are rewritten, for whoever explains them, or proves that they are right.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Operation

from ..interfaces.operands import OpOperand
from ..interfaces.state import BufferType


class LayoutCopy(NamedTuple):
    """A copy of the buffer of an operand."""

    operand: OpOperand
    """The operand of the op on tensors."""

    found: BufferType
    """What the buffer is."""

    wanted: BufferType
    """What the op, or its callee or caller, expects."""


@dataclass(frozen=True)
class RewriteNotes:
    """What a rewrite did that no decision says."""

    layout_copies: list[LayoutCopy] = field(default_factory=list[LayoutCopy])
    unclear: list[Operation] = field(default_factory=list[Operation])
    """Ops that have a copy made; of which operand, their buffers do not tell."""

    left_out: list[Operation] = field(default_factory=list[Operation])
    """Insertions that copy nothing, because their source lies there already."""
