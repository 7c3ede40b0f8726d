"""Bufferization of the vector ops that read and write tensors.

%1 = vector.transfer_write %v, %0[%i] : vector<4xf32>, tensor<16xf32>
vector.transfer_write %v, %0[%i] : vector<4xf32>, memref<16xf32>
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, VectorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.vector.masks import MaskOp, YieldOp
from xdsl_bufferization.dialects.vector.memory import GatherOp, ScatterOp
from xdsl_bufferization.support.errors import fail_at

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.destination_style_bufferization import (
    DestinationStyleBufferization,
    get_tensor_inits,
)
from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    CopyInsertion,
)
from ..slices import constant_value
from ..subset.vector import is_masked
from .read_only import ReadOnlyBufferization


class VectorReadBufferization(ReadOnlyBufferization):
    """`vector.transfer_read`, `vector.gather`: they read elements into a vector."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        on_buffers = _on_buffers(op, state)
        state.replace_op(op, on_buffers.results)


class TransferWriteOpBufferization(DestinationStyleBufferization):
    """`vector.transfer_write`: it writes a vector into its destination."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        op = operand.owner
        assert isinstance(op, vector.TransferWriteOp)
        return not _overwrites_destination(op)

    @override
    def resolve_conflicts(self, op: Operation, copies: CopyInsertion) -> None:
        super().resolve_conflicts(op, copies)
        mask, block = op.parent_op(), op.parent_block()
        if not isinstance(mask, MaskOp) or block is None:
            return
        # A mask is for one op: copies are made before it.
        while (copy := block.first_op) is not None and copy is not op:
            copy.detach()
            Rewriter.insert_op(copy, InsertPoint.before(mask))

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        destinations = [state.get_buffer(init.value) for init in get_tensor_inits(op)]
        _on_buffers(op, state)
        state.replace_op(op, destinations)


class ScatterOpBufferization(DestinationStyleBufferization):
    """`vector.scatter`: it writes some elements of its destination."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        # What no position names stays as it is.
        return True

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        destinations = [state.get_buffer(init.value) for init in get_tensor_inits(op)]
        _on_buffers(op, state)
        state.replace_op(op, destinations)


class MaskOpBufferization(BufferizableOpInterface):
    """`vector.mask`: its results are what its region yields."""

    @override
    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return False

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        if not isinstance(value, OpResult):
            return ()
        yield_ = value.op.regions[0].block.last_op
        assert yield_ is not None
        operand = OpOperand(yield_, value.index)
        return (AliasingOpOperand(operand, BufferRelation.EQUIVALENT),)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, MaskOp)
        if op.passthru is not None and is_tensor(op.passthru):
            fail_at(op, "a mask with a tensor to pass through cannot be bufferized")
        yield_ = op.mask_region.block.last_op
        assert yield_ is not None
        on_buffers = MaskOp.create(
            operands=op.operands,
            result_types=[r.type for r in op.results if not is_tensor(r)],
            attributes=op.attributes,
            regions=[op.detach_region(0)],
        )
        state.insert(on_buffers)
        others = iter(on_buffers.results)
        state.replace_op(
            op,
            [
                state.get_buffer(_get_destination(value, op))
                if is_tensor(value)
                else next(others)
                for value in yield_.operands
            ],
        )


class YieldOpBufferization(BufferizableOpInterface):
    """`vector.yield` in a `vector.mask`: the buffers are known outside."""

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False

    @override
    def must_bufferize_in_place(self, operand: OpOperand, state: AnalysisState) -> bool:
        return True

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        mask = operand.owner.parent_op()
        if not isinstance(mask, MaskOp):
            return ()
        return (AliasingValue(mask.results[operand.number], BufferRelation.EQUIVALENT),)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        values = [value for value in op.operands if not is_tensor(value)]
        state.insert(YieldOp.create(operands=values, attributes=op.attributes))
        state.replace_op(op, [])


def _get_destination(value: SSAValue, mask: MaskOp) -> SSAValue:
    """The tensor outside of `mask` whose buffer `value` is."""
    owner = value.owner
    if not isinstance(value, OpResult) or not isinstance(owner, vector.TransferWriteOp):
        fail_at(mask, f"cannot bufferize what '{value.owner}' yields from a mask")
    return get_tensor_inits(owner)[value.index].value


def _on_buffers(op: Operation, state: BufferizationState) -> Operation:
    """The same op with buffers for tensors, without results that are tensors."""
    on_buffers = type(op).create(
        operands=[
            state.get_buffer(operand) if is_tensor(operand) else operand
            for operand in op.operands
        ],
        result_types=[result.type for result in op.results if not is_tensor(result)],
        properties=op.properties,
        attributes=op.attributes,
    )
    state.insert(on_buffers)
    return on_buffers


def _overwrites_destination(op: vector.TransferWriteOp) -> bool:
    """Whether every element of the destination is known to be replaced.

    MLIR 22 also takes a vector of fewer dimensions than the destination for enough.
    """
    type_, vector_type = op.source.type, op.vector.type
    if is_masked(op) or not isa(type_, TensorType):
        return False
    if any(constant_value(index) != 0 for index in op.indices):
        return False
    written = [0] * type_.get_num_dims()
    assert isa(vector_type, VectorType)
    for size, expr in zip(
        vector_type.get_shape(), op.permutation_map.data.results, strict=True
    ):
        if isinstance(expr, AffineDimExpr):
            written[expr.position] = size
    return all(
        size != DYNAMIC_INDEX and count >= size
        for size, count in zip(type_.get_shape(), written, strict=True)
    )


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    MaskOp: MaskOpBufferization(),
    YieldOp: YieldOpBufferization(),
    ScatterOp: ScatterOpBufferization(),
    GatherOp: VectorReadBufferization(),
    vector.TransferReadOp: VectorReadBufferization(),
    vector.TransferWriteOp: TransferWriteOpBufferization(),
}
