"""Where buffers of the arith dialect come from."""

from typing_extensions import override
from xdsl.dialects import arith
from xdsl.ir import Operation, OpResult
from xdsl.traits import OpTrait

from ...interfaces.deallocation import (
    BufferDeallocationOpInterface,
    BufferOrigin,
    OneOf,
)


class SelectDeallocation(BufferDeallocationOpInterface):
    """`arith.select`: one of two buffers."""

    @override
    def get_buffer_origin(self, op: Operation, result: OpResult) -> BufferOrigin:
        return OneOf(tuple(op.operands[1:]))


MODELS: dict[type[Operation], OpTrait] = {arith.SelectOp: SelectDeallocation()}
