"""Bufferization of the tensor ops that see elements in another shape.

%1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
%1 = memref.collapse_shape %0 [[0, 1]] : memref<2x4xf32> into memref<8xf32>

A buffer with gaps between its rows cannot be collapsed. It is copied to a dense one,
although the operand is in place: the analysis does not look at layouts.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.memref.views import ReshapeOp

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.layouts import (
    identity_layout_type,
    is_identity_layout,
    with_identity_layout,
)
from ...interfaces.operands import OpOperand
from ...interfaces.state import (
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
)
from ..reshapes import collapsed_type, expanded_type


class ReshapeBufferization(BufferizableOpInterface):
    """An op whose result has the elements of its first operand in another shape."""

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        if operand.number != 0:
            return ()
        return (AliasingValue(operand.owner.results[0], BufferRelation.EQUIVALENT),)


class CollapseShapeOpBufferization(ReshapeBufferization):
    """`tensor.collapse_shape`: a view, or a copy of what has gaps."""

    @override
    def may_copy_in_place(self, op: Operation, state: AnalysisState) -> bool:
        return True

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        op = value.owner
        assert isinstance(op, tensor.CollapseShapeOp)
        source = types.get(op.src)
        if source is None:
            return None
        view = collapsed_type(op, source, _tensor_type(value))
        return view or identity_layout_type(value.type, source.memory_space)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        buffer = state.get_buffer(op.operands[0])
        assert isa(buffer.type, MemRefType)
        result = _tensor_type(op.results[0])
        type_ = collapsed_type(op, buffer.type, result)
        if type_ is None:
            buffer = state.copy_for_layout(buffer, with_identity_layout(buffer.type))
            assert isa(buffer.type, MemRefType)
            type_ = collapsed_type(op, buffer.type, result)
            assert type_ is not None, "a dense buffer can always be collapsed"
        collapse = memref.CollapseShapeOp.create(
            operands=[buffer],
            result_types=[type_],
            properties={"reassociation": op.properties["reassociation"]},
        )
        state.insert(collapse)
        state.replace_op(op, [collapse.result])


class ExpandShapeOpBufferization(ReshapeBufferization):
    """`tensor.expand_shape`: always a view."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        op = value.owner
        assert isinstance(op, tensor.ExpandShapeOp)
        source = types.get(op.src)
        return (
            None if source is None else expanded_type(op, source, _tensor_type(value))
        )

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        source, *sizes = op.operands
        buffer = state.get_buffer(source)
        assert isa(buffer.type, MemRefType)
        expand = memref.ExpandShapeOp.create(
            operands=[buffer, *sizes],
            result_types=[expanded_type(op, buffer.type, _tensor_type(op.results[0]))],
            properties={
                name: op.properties[name]
                for name in ("reassociation", "static_output_shape")
            },
        )
        state.insert(expand)
        state.replace_op(op, [expand.result])


class ReshapeOpBufferization(ReshapeBufferization):
    """`tensor.reshape`: a view of a dense buffer, or of a dense copy."""

    @override
    def may_copy_in_place(self, op: Operation, state: AnalysisState) -> bool:
        return True

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return operand.number == 1

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        op = value.owner
        assert isinstance(op, tensor.ReshapeOp)
        source = types.get(op.source)
        if source is None:
            return None
        return identity_layout_type(value.type, source.memory_space)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        source, shape = (state.get_buffer(operand) for operand in op.operands)
        if isa(source.type, MemRefType) and not is_identity_layout(source.type.layout):
            source = state.copy_for_layout(source, with_identity_layout(source.type))
        reshape = ReshapeOp.create(
            operands=[source, shape],
            result_types=[state.get_buffer_type(op.results[0])],
        )
        state.insert(reshape)
        state.replace_op(op, reshape.results)


def _tensor_type(value: SSAValue) -> TensorType:
    assert isa(value.type, TensorType)
    return value.type


RESHAPES: dict[type[Operation], BufferizableOpInterface] = {
    tensor.CollapseShapeOp: CollapseShapeOpBufferization(),
    tensor.ExpandShapeOp: ExpandShapeOpBufferization(),
    tensor.ReshapeOp: ReshapeOpBufferization(),
}
