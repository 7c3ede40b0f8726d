"""Where buffers of the func dialect come from: the function boundary ABI.

Source: MLIR's documentation, "Ownership-based Buffer Deallocation", "Function boundary
ABI": arguments are never owned by the callee, results always by the caller.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import func
from xdsl.ir import Operation, OpResult
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.func import CallIndirectOp

from ...interfaces.deallocation import (
    Allocated,
    BufferDeallocationOpInterface,
    BufferOrigin,
    is_memref,
)
from ...interfaces.operands import OpOperand, is_tensor


class CallDeallocation(BufferDeallocationOpInterface):
    """`func.call`: each memref result is an allocation that the caller owns.

    So it is with `func.call_indirect`, by which only functions that follow the function
    boundary ABI are called.
    """

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        # The callee may return a view of what it allocated.
        return Allocated(is_base_buffer=False)

    @override
    def get_captured_operands(self, op: Operation) -> Sequence[OpOperand]:
        if not any(is_tensor(result) for result in op.results):
            return ()
        # The callee is not bufferized, and may return an argument's memory as tensor.
        return tuple(
            OpOperand(op, number)
            for number, value in enumerate(op.operands)
            if is_memref(value)
        )


MODELS: dict[type[Operation], OpTrait] = {
    func.CallOp: CallDeallocation(),
    CallIndirectOp: CallDeallocation(),
}
