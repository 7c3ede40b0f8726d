"""Decisions for a module in which some functions are not analysed.

one-shot-bufferize{no-analysis-func-filter=slow}    // copies before each write in @slow

In the others the analysis decides; calls of the functions without analysis count there
as reading, writing and returning anything, as those without a known body.
"""

from collections.abc import Sequence, Set

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.traversal import ops_inside

from ..interfaces.operands import OpOperand, owner_op
from ..interfaces.state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    CarriedOperand,
    FunctionSummary,
)
from .copy_before_write import CopyBeforeWrite


class PartialAnalysis(AnalysisState):
    """What `analysis` decided, and in other functions what is always safe."""

    def __init__(self, module: ModuleOp, analysis: AnalysisState):
        self.options = analysis.options
        self._analysis = analysis
        self._conservative = CopyBeforeWrite(analysis.options)
        names = self.options.no_analysis_func_filter
        self._skipped = {
            inner
            for op in module.ops
            if isinstance(op, FuncOp) and op.sym_name.data in names
            for inner in ops_inside(op)
        }

    def _of(self, op: Operation | None) -> AnalysisState:
        return self._conservative if op in self._skipped else self._analysis

    @override
    def bufferizes_to_memory_read(self, operand: OpOperand) -> bool:
        return self._of(operand.owner).bufferizes_to_memory_read(operand)

    @override
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        return self._of(operand.owner).bufferizes_to_memory_write(operand)

    @override
    def value_bufferizes_to_memory_write(self, value: SSAValue) -> bool:
        return self._of(owner_op(value)).value_bufferizes_to_memory_write(value)

    @override
    def get_aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        return self._of(operand.owner).get_aliasing_values(operand)

    @override
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        return self._of(owner_op(value)).get_aliasing_op_operands(value)

    @override
    def is_value_read(self, value: SSAValue) -> bool:
        return self._of(owner_op(value)).is_value_read(value)

    @override
    def is_defined_inside(self, value: SSAValue, op: Operation) -> bool:
        return self._of(op).is_defined_inside(value, op)

    @override
    def is_in_place(self, operand: OpOperand) -> bool:
        return self._of(operand.owner).is_in_place(operand)

    @override
    def are_equivalent_buffers(self, first: SSAValue, second: SSAValue) -> bool:
        return self._of(owner_op(first)).are_equivalent_buffers(first, second)

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        return self._of(call).get_function_summary(call)

    @override
    def copies_before_writes(self, op: Operation) -> bool:
        return op in self._skipped

    @override
    def can_omit_tensor_copy(self, operand: OpOperand) -> bool:
        return self._of(operand.owner).can_omit_tensor_copy(operand)

    @override
    def find_new_buffers(self, carried: Sequence[CarriedOperand]) -> Set[OpOperand]:
        owner = carried[0][0].owner if carried else None
        return self._of(owner).find_new_buffers(carried)

    @override
    def is_permuted(self, operand: OpOperand) -> bool:
        return self._of(operand.owner).is_permuted(operand)

    @override
    def is_written_in_place(self, insertion: Operation) -> bool:
        return self._of(insertion).is_written_in_place(insertion)
