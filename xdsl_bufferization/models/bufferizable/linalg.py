"""Bufferization of the linalg dialect: the same op on buffers, without results.

%1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import BroadcastOp, ReduceOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.destination_style_bufferization import (
    DestinationStyleBufferization,
    get_tensor_inits,
)
from xdsl_bufferization.interfaces.operands import OpOperand, is_tensor
from xdsl_bufferization.interfaces.state import AnalysisState, BufferizationState
from xdsl_bufferization.models.destination_style.linalg import STRUCTURED_OPS


class PayloadOpBufferization(DestinationStyleBufferization):
    """An op whose region has one argument per operand, and computes one element."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        payload = operand.owner.regions[0].blocks[0]
        return payload.args[operand.number].first_use is not None

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        buffers = [
            state.get_buffer(value) if is_tensor(value) else value
            for value in op.operands
        ]
        inits = get_tensor_inits(op)
        on_buffers = type(op).create(
            operands=buffers,
            properties=op.properties,
            attributes=op.attributes,
            regions=[op.detach_region(0)],
        )
        state.insert(on_buffers)
        state.replace_op(op, [buffers[init.number] for init in inits])


class StructuredOpBufferization(PayloadOpBufferization):
    """A payload op with indexing maps."""

    @override
    def bufferizes_to_elementwise_access(
        self, op: Operation, operands: Sequence[OpOperand], state: AnalysisState
    ) -> bool:
        assert isinstance(op, LinalgStructuredOperation)
        if any(
            iterator.data is not IteratorType.PARALLEL
            for iterator in op.get_iterator_types()
        ):
            return False
        maps = op.get_indexing_maps().data
        return all(_is_identity(maps[operand.number].data) for operand in operands)


def _is_identity(map_: AffineMap) -> bool:
    return map_ == AffineMap.identity(map_.num_dims)


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    **dict.fromkeys(STRUCTURED_OPS, StructuredOpBufferization()),
    BroadcastOp: PayloadOpBufferization(),
    ReduceOp: PayloadOpBufferization(),
}
