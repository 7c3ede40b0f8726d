"""Where buffers of the bufferization dialect come from, and where they leave it.

A buffer that `to_tensor` turns into a tensor belongs to whoever consumes the tensor:
nothing frees it afterwards, since the tensor may outlive every memref.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import bufferization
from xdsl.ir import Operation, OpResult
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.bufferization import DeallocOp

from ...interfaces.deallocation import (
    Allocated,
    Borrowed,
    BufferDeallocationOpInterface,
    BufferOrigin,
)
from ...interfaces.operands import OpOperand


class CloneDeallocation(BufferDeallocationOpInterface):
    """`bufferization.clone`: new memory."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return Allocated()


class ToBufferDeallocation(BufferDeallocationOpInterface):
    """`bufferization.to_buffer`: the memory of a tensor."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return Borrowed()


class ToTensorDeallocation(BufferDeallocationOpInterface):
    """`bufferization.to_tensor`: a tensor that is used keeps its buffer."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        raise NotImplementedError("bufferization.to_tensor has no memref result")

    @override
    def get_captured_operands(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 0),) if op.results[0].uses else ()

    @override
    def captures_contents(self, op: Operation) -> bool:
        # A tensor is a value: who writes to its buffer does what MLIR leaves undefined.
        return True


class DeallocDeallocation(BufferDeallocationOpInterface):
    """`bufferization.dealloc`: frees its memrefs."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        raise NotImplementedError("bufferization.dealloc has no memref result")

    @override
    def get_freed_operands(self, op: Operation) -> Sequence[OpOperand]:
        assert isinstance(op, DeallocOp)
        return tuple(OpOperand(op, index) for index in range(len(op.memrefs)))


MODELS: dict[type[Operation], OpTrait] = {
    bufferization.CloneOp: CloneDeallocation(),
    bufferization.ToBufferOp: ToBufferDeallocation(),
    bufferization.ToTensorOp: ToTensorDeallocation(),
    DeallocOp: DeallocDeallocation(),
}
