"""Bufferization without an analysis, one dialect after the other.

    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>

    %m = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
    %c = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %m, %c : memref<4xf32> to memref<4xf32>
    memref.store %f, %c[%i] : memref<4xf32>
    %1 = bufferization.to_tensor %c : memref<4xf32> to tensor<4xf32>

An op always writes to a copy that no other op knows. So a buffer never changes once
another op can see it, and loops, calls and conversions to buffers need no copies.
Buffers are dense and slices are copied, so that the passes can run in any order. If
One-Shot Bufferize has run before, a tensor that is handed on is copied if its buffer is
written later.

Source: "One-Shot Function Bufferization of Tensor Programs", 2022, "Core Bufferization"
and "Switch Core Bufferization Passes"; and the passes themselves, MLIR 14 and 19.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from typing_extensions import override
from xdsl.dialects import bufferization, func, scf, tensor
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.buffers.changed_buffers import ChangedBuffers
from ..analyses.calls.call_graph import declared_access
from ..bufferize.buffer_types import Callees
from ..bufferize.bufferize_ops import bufferize_ops
from ..bufferize.ops_with_tensors import MADE_BY_CORE_BUFFERIZATION
from ..bufferize.tensor_copy_insertion import TensorCopyInsertion, insert_tensor_copies
from ..interfaces.conservative_state import ConservativeState
from ..interfaces.operands import OpOperand
from ..interfaces.options import BufferizationOptions, LayoutMapOption
from ..interfaces.state import AnalysisState
from ..models import attach_all

_COPY_OPS = (bufferization.AllocTensorOp, tensor.DimOp)
"""The ops that copies are made by; they go with the op that needs the copy."""


@dataclass(frozen=True)
class _CoreOptions(BufferizationOptions):
    """The options of core bufferization: dense buffers, copied before each write."""

    @override
    def is_op_allowed(self, op_type: type[Operation]) -> bool:
        return issubclass(op_type, _COPY_OPS) or super().is_op_allowed(op_type)

    @property
    @override
    def looks_through_to_tensor(self) -> bool:
        """Each pass leaves its conversions, for `finalizing-bufferize`."""
        return False


@without_garbage_collection()
def bufferize_dialects(module: ModuleOp, *dialects: str) -> None:
    """Bufferize the ops of `dialects`, each write into a copy of its own.

    All other ops stay on tensors, between `to_tensor` and `to_buffer`. Raises an
    `OperationError` at an op that cannot be bufferized; the module is then partly
    rewritten.
    """
    attach_all()
    options = _CoreOptions(
        bufferize_function_boundaries="func" in dialects,
        copy_before_write=True,
        dialect_filter=frozenset(dialects),
        function_boundary_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
        unknown_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
    )
    state = CoreState(module, options)
    copy_changing_tensors(module, state, state.may_keep)
    insert_tensor_copies(module, state)
    known = set(_to_buffers(module))
    bufferize_ops(module, state)
    for op in _to_buffers(module):
        if op not in known:
            op.attributes[MADE_BY_CORE_BUFFERIZATION] = UnitAttr()


def _to_buffers(module: ModuleOp) -> Iterator[Operation]:
    return (op for op in ops_inside(module) if isinstance(op, bufferization.ToBufferOp))


def copy_changing_tensors(
    module: ModuleOp, state: AnalysisState, may_keep: Callable[[OpOperand], bool]
) -> None:
    """Copy tensors whose buffers are written later, where they are handed on.

    `may_keep` says whether the buffer of an operand may become that of another value.
    """
    to_tensors = [
        op for op in ops_inside(module) if isinstance(op, bufferization.ToTensorOp)
    ]
    if not to_tensors:
        return
    changed = ChangedBuffers(module)
    copies = TensorCopyInsertion(state)
    for op in to_tensors:
        uses = op.tensor.uses
        is_kept = any(may_keep(OpOperand(use.operation, use.index)) for use in uses)
        if is_kept and changed.may_change(op):
            copies.copy_value(op.tensor)


class CoreState(ConservativeState):
    """What holds where every op that writes does so into a copy of its own."""

    def __init__(self, module: ModuleOp, options: BufferizationOptions):
        super().__init__(options)
        self._callees = Callees(module)

    @override
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        match operand.owner:
            case scf.ForOp() | scf.WhileOp() | bufferization.ToBufferOp():
                return False
            case func.CallOp() as call:
                return self._may_write(call, operand.number)
            case _:
                return super().bufferizes_to_memory_write(operand)

    def _may_write(self, call: func.CallOp, argument: int) -> bool:
        """Whether the function that is called may write an argument.

        Only one whose body is elsewhere may, unless it says that it does not.
        """
        callee = self._callees.get(call)
        if not isinstance(callee, func.FuncOp):
            return True
        if callee.body.blocks:
            return False
        return "write" in declared_access(callee, argument)

    def may_keep(self, operand: OpOperand) -> bool:
        """Whether the buffer of `operand` may become that of another value here."""
        op = operand.owner
        if self._get_model(op) is None:
            return False
        return op.has_trait(IsTerminator) or bool(self.get_aliasing_values(operand))

    @override
    def is_in_place(self, operand: OpOperand) -> bool:
        # A slice is copied: all buffers are dense.
        is_slice = isinstance(operand.owner, tensor.ExtractSliceOp)
        return not is_slice and super().is_in_place(operand)

    @override
    def can_omit_tensor_copy(self, operand: OpOperand) -> bool:
        # The contents of a slice are what it is copied for.
        return self.bufferizes_to_memory_write(
            operand
        ) and not self.bufferizes_to_memory_read(operand)
