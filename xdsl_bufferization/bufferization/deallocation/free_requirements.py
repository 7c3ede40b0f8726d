"""Refusing ops that free memory which deallocation frees as well.

An op with the attribute below that neither allocates nor frees memory is refused, too.

    %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
    memref.dealloc %b : memref<4xf32>                           // refused

Source: `kManualDeallocation` in mlir/include/mlir/Dialect/Bufferization/IR. With MLIR,
the running program stops where such a deallocation frees a buffer that has an owner.
"""

from typing import NoReturn

from xdsl.ir import Operation, SSAValue
from xdsl.traits import MemoryEffectKind, get_effects

from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.support.algorithms.reach import reach
from xdsl_bufferization.support.errors import fail_at, op_name

from ..analyses.buffers.buffer_flow import BufferFlow
from ..interfaces.deallocation import (
    MANUAL_DEALLOCATION,
    Allocated,
    get_deallocation_model,
    is_manual,
    is_memref,
)

_OF_MEMORY = (MemoryEffectKind.ALLOC, MemoryEffectKind.FREE)


def check_frees(flow: BufferFlow) -> None:
    """Raise an `OperationError` at the first op that frees what has an owner.

    Or that says that the program itself frees memory, without having to do with that.
    """
    for op in flow.manual:
        if not _allocates_or_frees(op):
            fail_at(
                op,
                f"'{op_name(op)}' neither allocates nor frees memory; "
                f"remove the attribute {MANUAL_DEALLOCATION}",
            )
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
                f"'{op_name(use.owner)}' may free a buffer that deallocation frees as "
                f"well; mark the allocation by {MANUAL_DEALLOCATION}, too, or remove "
                "the op",
            )


def _allocates_or_frees(op: Operation) -> bool:
    model = get_deallocation_model(op)
    if model is not None and (
        any(
            isinstance(model.get_buffer_origin(op, result), Allocated)
            for result in op.results
            if is_memref(result)
        )
        or model.get_freed_operands(op)
    ):
        return True
    effects = get_effects(op) or ()
    return any(each.kind in _OF_MEMORY for each in effects)


def _refuse(op: Operation) -> NoReturn:
    if isinstance(op, ReallocOp):
        fail_at(
            op,
            "'memref.realloc' frees its operand only if it moves the memory, which "
            "cannot be known; run expand-realloc{emit-deallocs=false} before",
        )
    fail_at(
        op,
        f"'{op_name(op)}' frees memory that deallocation would free again; remove the "
        "op (deallocation inserts what is needed), or mark the op and the allocation "
        f"by {MANUAL_DEALLOCATION}",
    )


def _find_owned(flow: BufferFlow) -> set[SSAValue]:
    """All values that may be memory for which deallocation looks for an owner."""
    allocations = (
        value for value, origin in flow.origins.items() if isinstance(origin, Allocated)
    )
    return set(reach(allocations, flow.successors()))
