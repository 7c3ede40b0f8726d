"""Bufferization of ops that look at tensors, and give none.

check.expect_sane(%t) : tensor<4xf32>
check.expect_sane(%b) : memref<4xf32>
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.operands import OpOperand, is_tensor
from xdsl_bufferization.interfaces.state import (
    AliasingValue,
    AnalysisState,
    BufferizationState,
)


class LookingOpBufferization(BufferizableOpInterface):
    """Reads its tensors; the same op on buffers takes its place."""

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
