"""What an op would copy, without copying it.

%1 = tensor.insert %f into %0[%i]         // out of place: %0 is copied
%2 = tensor.extract_slice %0[0][4][1]     // out of place: the slice %2 is copied
"""

from collections import Counter

from typing_extensions import override
from xdsl.dialects.builtin import TensorType
from xdsl.ir import OpResult, SSAValue

from .operands import OpOperand
from .state import AnalysisState, CopyInsertion


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


def find_copied_value(operand: OpOperand, analysis: AnalysisState) -> SSAValue:
    """What to copy for an operand that is out of place: its value, or a result.

    The result is copied if the op only reads the operand, and the operand becomes part
    of that one result. The result of `tensor.extract_slice`, for instance, is smaller
    than its operand, so that it is cheaper to copy.
    """
    aliases = analysis.get_aliasing_values(operand)
    if len(aliases) != 1 or analysis.bufferizes_to_memory_write(operand):
        return operand.value
    value = aliases[0].value
    if not isinstance(value, OpResult) or not isinstance(value.type, TensorType):
        return operand.value
    is_sole = len(analysis.get_aliasing_op_operands(value)) == 1
    return value if is_sole else operand.value
