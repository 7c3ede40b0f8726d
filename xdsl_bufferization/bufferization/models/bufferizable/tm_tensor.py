"""Bufferization of the tm_tensor dialect: the same op on buffers, without results.

%1 = tm_tensor.sort dimension(0) outs(%0 : tensor<4xf32>) { ... } -> tensor<4xf32>
tm_tensor.sort dimension(0) outs(%0 : memref<4xf32>) { ... }
"""

from typing_extensions import override
from xdsl.ir import Operation

from xdsl_bufferization.dialects.tm_tensor.common import TMTensorOp

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.destination_style_bufferization import (
    DestinationStyleBufferization,
    get_tensor_inits,
)
from ...interfaces.operands import OpOperand
from ...interfaces.state import AnalysisState, BufferizationState
from ..destination_style.tm_tensor import OPS


class TMTensorOpBufferization(DestinationStyleBufferization):
    """An op that reads its inputs, and of its outputs those that it says."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        op, number = operand
        assert isinstance(op, TMTensorOp)
        output = number - len(op.inputs)
        return output < 0 or op.reads_output(output)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        buffers = [state.get_buffer(value) for value in op.operands]
        inits = get_tensor_inits(op)
        on_buffers = type(op).create(
            operands=buffers,
            properties=op.properties,
            attributes=op.attributes,
            regions=[op.detach_region(region) for region in tuple(op.regions)],
        )
        state.insert(on_buffers)
        state.replace_op(op, [buffers[init.number] for init in inits])


MODELS: dict[type[Operation], BufferizableOpInterface] = dict.fromkeys(
    OPS, TMTensorOpBufferization()
)
