"""The destinations of the tensor dialect's ops."""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.ir import Operation

from xdsl_bufferization.dialects.tensor.elements import ScatterOp

from ...interfaces.destination_style import DestinationStyleOpInterface
from ...interfaces.operands import OpOperand


class InsertionDestinationStyle(DestinationStyleOpInterface):
    """Ops that put something into their second operand."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 1),)

    @override
    def get_dps_init_numbers(self, op: Operation) -> Sequence[int]:
        return (1,)


MODELS: dict[type[Operation], DestinationStyleOpInterface] = {
    ScatterOp: InsertionDestinationStyle(),
    tensor.InsertOp: InsertionDestinationStyle(),
    tensor.InsertSliceOp: InsertionDestinationStyle(),
}
