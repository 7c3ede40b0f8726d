"""Where buffers go through the builtin dialect's casts."""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import builtin
from xdsl.ir import Operation, OpResult
from xdsl.traits import OpTrait

from ...interfaces.deallocation import (
    Borrowed,
    BufferDeallocationOpInterface,
    BufferOrigin,
    ViewOf,
    is_memref,
)
from ...interfaces.operands import OpOperand


class UnrealizedCastDeallocation(BufferDeallocationOpInterface):
    """`builtin.unrealized_conversion_cast`: a view, or the way to another world."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        if len(op.operands) == 1 and is_memref(op.operands[0]):
            return ViewOf(op.operands[0])
        return Borrowed()

    @override
    def get_captured_operands(self, op: Operation) -> Sequence[OpOperand]:
        if len(op.operands) == 1 and all(is_memref(result) for result in op.results):
            return ()
        if not any(result.uses for result in op.results):
            return ()
        return tuple(
            OpOperand(op, index)
            for index, value in enumerate(op.operands)
            if is_memref(value)
        )


MODELS: dict[type[Operation], OpTrait] = {
    builtin.UnrealizedConversionCastOp: UnrealizedCastDeallocation()
}
