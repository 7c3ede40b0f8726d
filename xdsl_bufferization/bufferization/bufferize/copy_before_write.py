"""The decisions of `copy-before-write`: every operand that is written is copied.

    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>

    %c = bufferization.alloc_tensor() copy(%0) : tensor<4xf32>
    %1 = tensor.insert %f into %c[%i] : tensor<4xf32>

In place of an analysis, in the whole module or in the functions of
`no-analysis-func-filter`. An op that writes and does not read gets an empty buffer.
"""

from typing_extensions import override
from xdsl.ir import SSAValue

from ..interfaces.conservative_state import ConservativeState
from ..interfaces.operands import OpOperand
from ..interfaces.options import BufferizationOptions
from ..interfaces.value_reads import ValueReads, are_contents_unused


class CopyBeforeWrite(ConservativeState):
    """No decisions, but knowledge of what is read.

    Copies do not change that: what an op reads is then read by the copy for it.
    """

    def __init__(self, options: BufferizationOptions):
        super().__init__(options)
        self._reads = ValueReads(self)

    @override
    def is_value_read(self, value: SSAValue) -> bool:
        return self._reads.is_read(value)

    @override
    def can_omit_tensor_copy(self, operand: OpOperand) -> bool:
        return are_contents_unused(operand, self)
