"""What ops answer that write none of their tensors, and result in none of them.

%f = tensor.extract %t[%i] : tensor<4xf32>      // reads %t; %f is a number
check.expect_sane(%t) : tensor<4xf32>
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.ir import Operation

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.state import AliasingValue, AnalysisState, BufferizationState


class ReadOnlyBufferization(BufferizableOpInterface):
    """An op that writes no operand, and of which no result is the buffer of one."""

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return ()


class ResultlessOpBufferization(ReadOnlyBufferization):
    """Reads its tensors; the same op on buffers takes its place."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        on_buffers = type(op).create(
            operands=[
                state.get_buffer(value) if is_tensor(value) else value
                for value in op.operands
            ],
            attributes=op.attributes,
        )
        state.insert(on_buffers)
        state.replace_op(op, [])
