"""Bufferization of the tensor dialect.

%1 = tensor.insert %f into %0[%i] : tensor<?xf32>       memref.store %f, %0[%i]
%2 = tensor.extract_slice %1[0] [2] [1] : ...           memref.subview %0[0] [2] [1]
%3 = tensor.extract %2[%i] : tensor<2xf32>              memref.load %2[%i]
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import IndexType, MemRefType, UnrankedMemRefType
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.tensor.sizes import RankOp
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.destination_style_bufferization import DestinationStyleBufferization
from ...interfaces.layouts import fully_dynamic_layout_type, identity_layout_type
from ...interfaces.memory_spaces import default_memory_space
from ...interfaces.operands import OpOperand, is_ranked_tensor_type
from ...interfaces.state import (
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
)
from .. import new_ops
from ..slices import covers, create_subview, subview_type
from .read_only import ReadOnlyBufferization
from .scf_forall import ParallelInsertSliceOpBufferization
from .tensor_creation import CREATION
from .tensor_elements import ELEMENTS
from .tensor_reshapes import RESHAPES


class MetadataBufferization(ReadOnlyBufferization):
    """An op that neither reads nor writes the elements of its tensors."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False


class CastOpBufferization(MetadataBufferization):
    """`tensor.cast`: the same buffer under another type."""

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0], BufferRelation.EQUIVALENT),)

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        op = value.owner
        assert isinstance(op, tensor.CastOp)
        source, result = types.get(op.operands[0]), value.type
        if source is None:
            return None
        if isinstance(source, UnrankedMemRefType) or not is_ranked_tensor_type(result):
            return fully_dynamic_layout_type(result, source.memory_space)
        return MemRefType(
            result.element_type, result.shape, source.layout, source.memory_space
        )

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        buffer = state.get_buffer(op.operands[0])
        type_ = state.get_buffer_type(op.results[0])
        if buffer.type != type_:
            cast = memref.CastOp.get(buffer, type_)
            state.insert(cast)
            buffer = cast.dest
        state.replace_op(op, [buffer])


class DimOpBufferization(MetadataBufferization):
    """`tensor.dim`: the size of the buffer."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        source, index = op.operands
        dim = new_ops.dim(state.get_buffer(source), index)
        state.insert(dim)
        state.replace_op(op, [dim.result])


class RankOpBufferization(MetadataBufferization):
    """`tensor.rank`: the rank of the buffer."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        rank = memref.RankOp.create(
            operands=[state.get_buffer(op.operands[0])], result_types=[IndexType()]
        )
        state.insert(rank)
        state.replace_op(op, rank.results)


class EmptyOpBufferization(BufferizableOpInterface):
    """`tensor.empty`: a new buffer; what it holds is undefined."""

    @override
    def bufferizes_to_allocation(self, value: OpResult) -> bool:
        return True

    @override
    def result_bufferizes_to_memory_write(
        self, value: OpResult, state: AnalysisState
    ) -> bool:
        return False

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType:
        assert isinstance(value, OpResult)
        space = default_memory_space(value.type, value.op, types.options)
        return identity_layout_type(value.type, space)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        if op.results[0].first_use is None:
            return state.replace_op(op, [None])
        type_ = state.get_buffer_type(op.results[0])
        assert isinstance(type_, MemRefType)
        return state.replace_op(op, [state.allocate(type_, op.operands)])


class ExtractOpBufferization(ReadOnlyBufferization):
    """`tensor.extract`: a load."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        source, *indices = op.operands
        load = new_ops.load(state.get_buffer(source), indices)
        state.insert(load)
        state.replace_op(op, [load.res])


class InsertOpBufferization(DestinationStyleBufferization):
    """`tensor.insert`: a store into the destination."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        scalar, destination, *indices = op.operands
        buffer = state.get_buffer(destination)
        state.insert(new_ops.store(scalar, buffer, indices))
        state.replace_op(op, [buffer])


class ExtractSliceOpBufferization(MetadataBufferization):
    """`tensor.extract_slice`: a view of a part of the buffer."""

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0], BufferRelation.UNKNOWN),)

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        op = value.owner
        assert isinstance(op, tensor.ExtractSliceOp)
        source = types.get(op.operands[0])
        assert is_ranked_tensor_type(value.type)
        return None if source is None else subview_type(op, source, value.type)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, tensor.ExtractSliceOp)
        type_ = op.results[0].type
        assert is_ranked_tensor_type(type_)
        subview = create_subview(op, state.get_buffer(op.operands[0]), type_)
        state.insert(subview)
        state.replace_op(op, subview.results)


class InsertSliceOpBufferization(DestinationStyleBufferization):
    """`tensor.insert_slice`: a copy into a view of the destination.

    The copy is left out where the source already lies there.
    """

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        op = operand.owner
        assert isinstance(op, tensor.InsertSliceOp)
        return operand.number == 0 or not covers(op, operand.value)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, tensor.InsertSliceOp)
        tensor_, into = op.operands[:2]
        source, destination = state.get_buffer(tensor_), state.get_buffer(into)
        if not state.is_written_in_place(op):
            assert is_ranked_tensor_type(tensor_.type)
            subview = create_subview(op, destination, tensor_.type)
            state.insert(subview)
            state.insert(new_ops.copy(source, subview.results[0]))
        state.replace_op(op, [destination])


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    **CREATION,
    **ELEMENTS,
    **RESHAPES,
    RankOp: RankOpBufferization(),
    tensor.CastOp: CastOpBufferization(),
    tensor.DimOp: DimOpBufferization(),
    tensor.EmptyOp: EmptyOpBufferization(),
    tensor.ExtractOp: ExtractOpBufferization(),
    tensor.ExtractSliceOp: ExtractSliceOpBufferization(),
    tensor.InsertOp: InsertOpBufferization(),
    tensor.InsertSliceOp: InsertSliceOpBufferization(),
    ParallelInsertSliceOp: ParallelInsertSliceOpBufferization(),
}
