"""Where buffers of the memref dialect come from."""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.ir import Operation, OpResult
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.dialects.memref.views import (
    DistinctObjectsOp,
    ReshapeOp,
    TransposeOp,
)

from ...interfaces.deallocation import (
    Allocated,
    Borrowed,
    BufferDeallocationOpInterface,
    BufferOrigin,
    ViewOf,
    is_memref,
)
from ...interfaces.operands import OpOperand


class AllocDeallocation(BufferDeallocationOpInterface):
    """`memref.alloc`: new memory on the heap."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return Allocated()


class AllocaDeallocation(BufferDeallocationOpInterface):
    """`memref.alloca`: new memory that disappears by itself."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return Borrowed(is_distinct=True)


class GetGlobalDeallocation(BufferDeallocationOpInterface):
    """`memref.get_global`: memory of the program."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return Borrowed()


class ViewDeallocation(BufferDeallocationOpInterface):
    """Casts, reshapes and subviews: the memory of operand 0."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return ViewOf(op.operands[0])


class ViewOpDeallocation(BufferDeallocationOpInterface):
    """`memref.view`: its byte shift goes into the aligned pointer, not the offset."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return ViewOf(op.operands[0], moves_aligned_pointer=True)


class EachOperandDeallocation(BufferDeallocationOpInterface):
    """`memref.distinct_objects`: each result is the operand at its place."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return ViewOf(op.operands[result.index])


class ReallocDeallocation(BufferDeallocationOpInterface):
    """`memref.realloc`: new memory, in the place of that of its operand."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return Allocated()

    @override
    def get_freed_operands(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 0),)


class DeallocDeallocation(BufferDeallocationOpInterface):
    """`memref.dealloc`: frees its operand."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        raise NotImplementedError("memref.dealloc has no results")

    @override
    def get_freed_operands(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 0),)


class LoadDeallocation(BufferDeallocationOpInterface):
    """`memref.load` of a memref from a memref: what is stored there is captured."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return Borrowed()


class StoreDeallocation(BufferDeallocationOpInterface):
    """`memref.store` of a memref into a memref: anybody may load it from there."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        raise NotImplementedError("memref.store has no results")

    @override
    def get_captured_operands(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 0),) if is_memref(op.operands[0]) else ()


MODELS: dict[type[Operation], OpTrait] = {
    memref.AllocOp: AllocDeallocation(),
    memref.AllocaOp: AllocaDeallocation(),
    memref.AssumeAlignmentOp: ViewDeallocation(),
    memref.CastOp: ViewDeallocation(),
    memref.CollapseShapeOp: ViewDeallocation(),
    memref.DeallocOp: DeallocDeallocation(),
    DistinctObjectsOp: EachOperandDeallocation(),
    memref.ExpandShapeOp: ViewDeallocation(),
    memref.ExtractStridedMetaDataOp: ViewDeallocation(),
    memref.GetGlobalOp: GetGlobalDeallocation(),
    memref.LoadOp: LoadDeallocation(),
    memref.MemorySpaceCastOp: ViewDeallocation(),
    memref.ReinterpretCastOp: ViewDeallocation(),
    ReallocOp: ReallocDeallocation(),
    ReshapeOp: ViewDeallocation(),
    memref.StoreOp: StoreDeallocation(),
    memref.SubviewOp: ViewDeallocation(),
    TransposeOp: ViewDeallocation(),
    memref.ViewOp: ViewOpDeallocation(),
}
