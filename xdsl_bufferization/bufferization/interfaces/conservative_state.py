"""What is true of a program of which nothing is known: copy before every write.

Answers every question of `AnalysisState` from the model of one op, in the safe way
where that is not enough. For `copy-before-write`, and for `check_model`.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.common.symbols import lookup_symbol

from .bufferizable import BufferizableOpInterface, get_model
from .layouts import fully_dynamic_layout_type
from .operands import OpOperand, owner_op
from .options import BufferizationOptions
from .state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    BufferType,
    BufferTypes,
    FunctionSummary,
)


class ConservativeState(AnalysisState):
    """An analysis without analysing: what is written is out of place."""

    def __init__(self, options: BufferizationOptions | None = None):
        self.options = options or BufferizationOptions()

    def _get_model(self, op: Operation | None) -> BufferizableOpInterface | None:
        if op is None or not self.options.is_op_allowed(type(op)):
            return None
        return get_model(op)

    @override
    def bufferizes_to_memory_read(self, operand: OpOperand) -> bool:
        model = self._get_model(operand.owner)
        return model is None or model.bufferizes_to_memory_read(operand, self)

    @override
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        model = self._get_model(operand.owner)
        return model is None or model.bufferizes_to_memory_write(operand, self)

    @override
    def value_bufferizes_to_memory_write(self, value: SSAValue) -> bool:
        if not isinstance(value, OpResult):
            return True
        model = self._get_model(value.op)
        return model is None or model.result_bufferizes_to_memory_write(value, self)

    @override
    def get_aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        model = self._get_model(operand.owner) or BufferizableOpInterface()
        return model.get_aliasing_values(operand, self)

    @override
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        model = self._get_model(owner_op(value)) or BufferizableOpInterface()
        return model.get_aliasing_op_operands(value, self)

    @override
    def is_value_read(self, value: SSAValue) -> bool:
        return True

    @override
    def is_defined_inside(self, value: SSAValue, op: Operation) -> bool:
        return True

    @override
    def is_in_place(self, operand: OpOperand) -> bool:
        model = self._get_model(operand.owner)
        if model is None:
            return False
        if not self.bufferizes_to_memory_write(operand):
            return True
        # What an op writes and does not result in would be lost in a copy. A result
        # may be one, although the analysis would refuse to copy what it is made of.
        return model.must_bufferize_in_place(
            operand, self
        ) and not model.get_aliasing_values(operand, self)

    @override
    def are_equivalent_buffers(self, first: SSAValue, second: SSAValue) -> bool:
        return first is second

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        return None


class ConservativeTypes(BufferTypes):
    """Buffer types without inference: every tensor has any layout."""

    def __init__(self, state: ConservativeState):
        self.options = state.options
        self._state = state

    @override
    def get(self, value: SSAValue) -> BufferType | None:
        return self.unknown(value)

    @override
    def unknown(self, value: SSAValue) -> BufferType:
        return fully_dynamic_layout_type(value.type)

    @override
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        return self._state.get_aliasing_op_operands(value)

    @override
    def get_callee(self, call: Operation) -> Operation | None:
        callee = call.properties.get("callee")
        if not isinstance(callee, SymbolRefAttr):
            return None
        return lookup_symbol(call, callee)

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        return self._state.get_function_summary(call)
