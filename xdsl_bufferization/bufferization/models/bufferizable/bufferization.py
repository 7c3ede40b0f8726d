"""Bufferization of the bufferization dialect.

%1 = bufferization.alloc_tensor() copy(%0) : tensor<4xf32>

%1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
memref.copy %0, %1 : memref<4xf32> to memref<4xf32>
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import bufferization, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
)
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.bufferization import DeallocTensorOp
from xdsl_bufferization.support.errors import fail_at

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.layouts import identity_layout_type
from ...interfaces.memory_spaces import as_memory_space, default_memory_space
from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.state import (
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
)
from .. import new_ops
from .read_only import ReadOnlyBufferization


class AllocTensorOpBufferization(ReadOnlyBufferization):
    """`alloc_tensor`: a new buffer, undefined or with the contents of `copy`."""

    @override
    def bufferizes_to_allocation(self, value: OpResult) -> bool:
        return True

    @override
    def result_bufferizes_to_memory_write(
        self, value: OpResult, state: AnalysisState
    ) -> bool:
        return _get_copy(value.op) is not None

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        op = value.owner
        assert isinstance(op, Operation)
        space = op.properties.get("memory_space")
        copy = _get_copy(op)
        if space is None and copy is not None:
            source = types.get(copy)
            if source is None:
                return None
            space = source.memory_space
        elif space is None:
            space = default_memory_space(value.type, op, types.options)
        return identity_layout_type(value.type, as_memory_space(space, op))

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        if op.results[0].first_use is None:
            return state.replace_op(op, [None])
        type_ = state.get_buffer_type(op.results[0])
        if not isinstance(type_, MemRefType):
            fail_at(op, f"cannot allocate a buffer of type {type_}; give it a rank")
        copy = _get_copy(op)
        if copy is None:
            count = sum(size == DYNAMIC_INDEX for size in type_.get_shape())
            buffer = state.allocate(type_, op.operands[:count])
        else:
            buffer = state.allocate_copy(state.get_buffer(copy), type_)
        return state.replace_op(op, [buffer])


class DeallocTensorOpBufferization(ReadOnlyBufferization):
    """`dealloc_tensor`: a dealloc."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        state.insert(memref.DeallocOp.get(state.get_buffer(op.operands[0])))
        state.replace_op(op, [])


class ToTensorOpBufferization(BufferizableOpInterface):
    """`to_tensor`: its tensor has a buffer already."""

    @override
    def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
        op = value.owner
        assert isinstance(op, bufferization.ToTensorOp)
        return op.writable is not None

    @override
    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        assert isinstance(op, bufferization.ToTensorOp)
        if op.restrict is None:
            fail_at(
                op,
                "to_tensor ops without `restrict` are not supported by One-Shot "
                "Analysis; add it if no other tensor is made of this buffer",
            )

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType:
        op = value.owner
        assert isinstance(op, bufferization.ToTensorOp)
        return _buffer_type(op.memref)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        state.replace_op(op, [op.operands[0]])


class ToBufferOpBufferization(BufferizableOpInterface):
    """`to_buffer`: the buffer of its tensor, which whoever asks may use at will."""

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        op = operand.owner
        assert isinstance(op, bufferization.ToBufferOp)
        return op.read_only is None

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return ()

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        if state.stays_on_tensors(op.operands[0]):
            return  # Another buffer than the one that is asked for would be copied.
        buffer = state.get_buffer(op.operands[0])
        type_ = _buffer_type(op.results[0])
        state.replace_op(op, [state.cast(buffer, type_, may_change_space=True)])


class MaterializeInDestinationOpBufferization(BufferizableOpInterface):
    """`materialize_in_destination`: a copy into a destination that is never copied."""

    @override
    def bufferizes_to_elementwise_access(
        self, op: Operation, operands: Sequence[OpOperand], state: AnalysisState
    ) -> bool:
        return True

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return operand.number == 0

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return operand.number == 1

    @override
    def must_bufferize_in_place(self, operand: OpOperand, state: AnalysisState) -> bool:
        return True

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        if operand.number == 0:
            return ()
        return (AliasingValue(operand.owner.results[0], BufferRelation.EQUIVALENT),)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        source, destination = op.operands
        if is_tensor(destination):
            destination = state.get_buffer(destination)
        state.insert(new_ops.copy(state.get_buffer(source), destination))
        state.replace_op(op, [destination] * len(op.results))


def _get_copy(op: Operation) -> SSAValue | None:
    return next(filter(is_tensor, op.operands), None)


def _buffer_type(value: SSAValue) -> BufferType:
    assert isa(value.type, BufferType)
    return value.type


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    DeallocTensorOp: DeallocTensorOpBufferization(),
    bufferization.AllocTensorOp: AllocTensorOpBufferization(),
    bufferization.MaterializeInDestinationOp: MaterializeInDestinationOpBufferization(),
    bufferization.ToBufferOp: ToBufferOpBufferization(),
    bufferization.ToTensorOp: ToTensorOpBufferization(),
}
