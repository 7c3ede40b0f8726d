"""The destinations of the vector dialect's ops."""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import vector
from xdsl.ir import Operation

from xdsl_bufferization.dialects.vector.memory import ScatterOp

from ...interfaces.destination_style import DestinationStyleOpInterface
from ...interfaces.operands import OpOperand


class TransferWriteOpDestinationStyle(DestinationStyleOpInterface):
    """`vector.transfer_write`: the second operand is written."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 1),)

    @override
    def get_dps_init_numbers(self, op: Operation) -> Sequence[int]:
        return (1,)


class ScatterOpDestinationStyle(DestinationStyleOpInterface):
    """`vector.scatter`: the first operand is written."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 0),)

    @override
    def get_dps_init_numbers(self, op: Operation) -> Sequence[int]:
        return (0,)


MODELS: dict[type[Operation], DestinationStyleOpInterface] = {
    ScatterOp: ScatterOpDestinationStyle(),
    vector.TransferWriteOp: TransferWriteOpDestinationStyle(),
}
