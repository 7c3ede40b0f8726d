"""Giving a clone to an op that captures a buffer, where the capture is uncertain.

    scf.if %c {                        scf.if %c {
                                         %b = bufferization.clone %a
      %t = bufferization.to_tensor %a    %t = bufferization.to_tensor %b
    }                                  }

A tensor owns the memory of the buffer that it was. If the tensor is made on some paths
only, nobody knows where to free the buffer. A clone is the tensor's in any case, and
the buffer is freed as ever.

Part of deallocation by each strategy, before the analysis. An op that captures the
memory itself, such as one that stores a buffer in a buffer, cannot get a clone.
"""

from collections.abc import Iterable

from xdsl.dialects import bufferization

from xdsl_bufferization.support.errors import fail_at, op_name

from ..analyses.buffers.buffer_aliases import BufferAliases
from ..analyses.liveness.buffer_liveness import find_liveness
from ..analyses.liveness.escapes import find_escapes
from ..interfaces.deallocation import get_deallocation_model
from ..interfaces.operands import OpOperand


def clone_uncertain_captures(aliases: BufferAliases) -> bool:
    """Clone buffers that, where they are freed, may have escaped or not.

    Returns whether there was any. Raises an `OperationError` where a clone will not do.
    """
    if not aliases.flow.captured:
        return False
    uncertain = find_escapes(aliases, find_liveness(aliases)).uncertain
    clone_captures(uncertain)
    return bool(uncertain)


def clone_captures(uses: Iterable[OpOperand]) -> None:
    """Replace captured operands by clones of them.

    Raises an `OperationError` where a clone will not do.
    """
    for use in uses:
        _clone(use)


def _clone(use: OpOperand) -> None:
    op = use.owner
    model = get_deallocation_model(op)
    if model is None or not model.captures_contents(op):
        fail_at(
            op,
            f"'{op_name(op)}' makes operand {use.number} reachable by other means than "
            "memrefs, and only on some of the paths to where that buffer is freed; do "
            "it in the block that defines the buffer, or with a bufferization.clone of "
            "the buffer",
        )
    clone = bufferization.CloneOp(use.value)
    assert op.parent is not None
    op.parent.insert_op_before(clone, op)
    op.operands[use.number] = clone.output
