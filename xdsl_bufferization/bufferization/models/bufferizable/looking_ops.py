"""Bufferization of ops that look at tensors, and give none.

check.expect_sane(%t) : tensor<4xf32>
check.expect_sane(%b) : memref<4xf32>
"""

from typing_extensions import override
from xdsl.ir import Operation

from ...interfaces.operands import is_tensor
from ...interfaces.state import BufferizationState
from .read_only import ReadOnlyBufferization


class LookingOpBufferization(ReadOnlyBufferization):
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
