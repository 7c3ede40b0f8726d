"""What frees memory that deallocation frees as well, refused where it stands.

    %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
    memref.dealloc %b : memref<4xf32>                           // refused

Source: `kManualDeallocation` in mlir/include/mlir/Dialect/Bufferization/IR. There the
running program stops where such a deallocation frees what has an owner.
"""

from typing import NoReturn

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.algorithms.reach import reach
from xdsl_bufferization.analyses.buffer_flow import BufferFlow
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.errors import fail_at, op_name
from xdsl_bufferization.interfaces.deallocation import (
    MANUAL_DEALLOCATION,
    Allocated,
    is_manual,
)


def check_frees(flow: BufferFlow) -> None:
    """Raise an `OperationError` at the first op that frees what has an owner."""
    if not flow.freed:
        return
    for use in flow.freed:
        if not is_manual(use.owner):
            _refuse(use.owner)
    owned = _find_owned(flow)
    for use in flow.freed:
        if use.value in owned:
            fail_at(
                use.owner,
                f"'{op_name(use.owner)}' may free what deallocation frees as well; "
                f"mark what allocates it by {MANUAL_DEALLOCATION}, too, or remove it",
            )


def _refuse(op: Operation) -> NoReturn:
    if isinstance(op, ReallocOp):
        fail_at(
            op,
            "'memref.realloc' frees its operand only if it moves it, which cannot be "
            "known; run expand-realloc{emit-deallocs=false} before",
        )
    fail_at(
        op,
        f"'{op_name(op)}' frees memory already, and that memory would be freed twice; "
        "remove it, deallocation inserts what is needed, or mark it and what allocates "
        f"the memory by {MANUAL_DEALLOCATION}",
    )


def _find_owned(flow: BufferFlow) -> set[SSAValue]:
    """All values that may be memory for which deallocation looks for an owner."""
    allocations = (
        value for value, origin in flow.origins.items() if isinstance(origin, Allocated)
    )
    return set(reach(allocations, flow.successors()))
