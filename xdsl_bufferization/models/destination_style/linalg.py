"""The destinations of the linalg dialect's ops: what stands in `outs`."""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import BroadcastOp, ReduceOp
from xdsl.ir import Operation

from xdsl_bufferization.dialects.linalg import OPERATIONS
from xdsl_bufferization.interfaces.destination_style import (
    DestinationStyleOpInterface,
)
from xdsl_bufferization.interfaces.operands import OpOperand


class StructuredOpDestinationStyle(DestinationStyleOpInterface):
    """A structured op: its last operands are its `outs`."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        assert isinstance(op, LinalgStructuredOperation)
        end = len(op.operands)
        # On tensors there is one result per init, and counting them costs little.
        count = len(op.results) or len(op.outputs)
        return tuple(OpOperand(op, number) for number in range(end - count, end))


class OneInitDestinationStyle(DestinationStyleOpInterface):
    """An op with one input and one init."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 1),)


STRUCTURED_OPS = tuple(
    op_type
    for op_type in (*Linalg.operations, *OPERATIONS)
    if issubclass(op_type, LinalgStructuredOperation)
)
"""Ops with `ins`, `outs`, indexing maps and a scalar payload."""

MODELS: dict[type[Operation], DestinationStyleOpInterface] = {
    **dict.fromkeys(STRUCTURED_OPS, StructuredOpDestinationStyle()),
    BroadcastOp: OneInitDestinationStyle(),
    ReduceOp: OneInitDestinationStyle(),
}
