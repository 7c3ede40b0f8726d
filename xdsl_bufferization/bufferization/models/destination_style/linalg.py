"""The destinations of the linalg dialect's ops: what stands in `outs`."""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import BroadcastOp, ReduceOp
from xdsl.ir import Operation

from xdsl_bufferization.dialects.common.definitions import load_extension
from xdsl_bufferization.dialects.linalg.aggregates import SoftmaxOp
from xdsl_bufferization.dialects.linalg.mapped import MapOp
from xdsl_bufferization.dialects.linalg.pack import PackOp, UnPackOp

from ...interfaces.destination_style import DestinationStyleOpInterface
from ...interfaces.operands import OpOperand, operand_values


class StructuredOpDestinationStyle(DestinationStyleOpInterface):
    """A structured op: its last operands are its `outs`."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return [OpOperand(op, number) for number in self.get_dps_init_numbers(op)]

    @override
    def get_dps_init_numbers(self, op: Operation) -> Sequence[int]:
        # On tensors there is one result per init, and counting them costs little.
        count = len(op.results)
        if not count:
            assert isinstance(op, LinalgStructuredOperation)
            count = len(op.outputs)
        end = len(operand_values(op))
        return range(end - count, end)


class OneInitDestinationStyle(DestinationStyleOpInterface):
    """An op whose last operand is its only init."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return _last_operands(op, 1)


class ReduceOpDestinationStyle(DestinationStyleOpInterface):
    """`linalg.reduce`: as many inits as inputs."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return _last_operands(op, len(op.operands) // 2)


class RelayoutOpDestinationStyle(DestinationStyleOpInterface):
    """`linalg.pack` and `linalg.unpack`: the destination follows the source."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 1),)


def _last_operands(op: Operation, count: int) -> Sequence[OpOperand]:
    end = len(op.operands)
    return [OpOperand(op, number) for number in range(end - count, end)]


STRUCTURED_OPS = tuple(
    op_type
    for op_type in (*Linalg.operations, *load_extension("linalg").operations.values())
    if issubclass(op_type, LinalgStructuredOperation)
)
"""Ops with `ins`, `outs`, indexing maps and a scalar payload."""

MODELS: dict[type[Operation], DestinationStyleOpInterface] = {
    **dict.fromkeys(STRUCTURED_OPS, StructuredOpDestinationStyle()),
    BroadcastOp: OneInitDestinationStyle(),
    MapOp: OneInitDestinationStyle(),
    ReduceOp: ReduceOpDestinationStyle(),
    SoftmaxOp: OneInitDestinationStyle(),
    PackOp: RelayoutOpDestinationStyle(),
    UnPackOp: RelayoutOpDestinationStyle(),
}
