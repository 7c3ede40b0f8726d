"""The destinations of the tm_tensor dialect's ops: what stands in `outs`."""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.ir import Operation

from xdsl_bufferization.dialects.tm_tensor.attention import AttentionOp
from xdsl_bufferization.dialects.tm_tensor.common import TMTensorOp
from xdsl_bufferization.dialects.tm_tensor.scan import ScanOp
from xdsl_bufferization.dialects.tm_tensor.scatter import ScatterOp
from xdsl_bufferization.dialects.tm_tensor.sort import SortOp
from xdsl_bufferization.dialects.tm_tensor.topk import TopkOp

from ...interfaces.destination_style import DestinationStyleOpInterface
from ...interfaces.operands import OpOperand

OPS = (AttentionOp, ScanOp, ScatterOp, SortOp, TopkOp)
"""All ops but the terminator."""


class TMTensorOpDestinationStyle(DestinationStyleOpInterface):
    """An op whose last operands are its `outs`."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return [OpOperand(op, number) for number in self.get_dps_init_numbers(op)]

    @override
    def get_dps_init_numbers(self, op: Operation) -> Sequence[int]:
        assert isinstance(op, TMTensorOp)
        return range(len(op.inputs), len(op.operands))


MODELS: dict[type[Operation], DestinationStyleOpInterface] = dict.fromkeys(
    OPS, TMTensorOpDestinationStyle()
)
