"""What ops answer that write none of their tensors, and result in none of them.

%f = tensor.extract %t[%i] : tensor<4xf32>      // reads %t; %f is a number
check.expect_sane(%t) : tensor<4xf32>
"""

from collections.abc import Sequence

from typing_extensions import override

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.operands import OpOperand
from ...interfaces.state import AliasingValue, AnalysisState


class ReadOnlyBufferization(BufferizableOpInterface):
    """An op that writes no operand, and of which no result is the buffer of one."""

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
