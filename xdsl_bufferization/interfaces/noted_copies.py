"""What an op would copy, without copying it."""

from collections import Counter

from typing_extensions import override
from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.interfaces.state import AnalysisState, CopyInsertion


class NotedCopies(CopyInsertion):
    """Notes down which operands are copied, and how often; for `resolve_conflicts`."""

    def __init__(self, analysis: AnalysisState):
        self.analysis = analysis
        self.operands: Counter[OpOperand] = Counter()

    @override
    def copy_operand(self, operand: OpOperand) -> None:
        self.operands[operand] += 1

    @override
    def copy_value(self, value: SSAValue) -> None:
        """Not what One-Shot Bufferize asks for."""
