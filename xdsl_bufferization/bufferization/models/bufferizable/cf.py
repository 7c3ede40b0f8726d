"""Bufferization of the branches of the cf dialect.

    cf.br ^bb1(%0 : tensor<4xf32>)
    cf.br ^bb1(%m : memref<4xf32>)

A branch forwards buffers; the arguments of blocks become buffers with the op around
the blocks, such as `func.func`.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import cf
from xdsl.ir import Operation, SSAValue

from ...interfaces.branch import get_passed_argument
from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.operands import OpOperand, tensor_operands
from ...interfaces.state import (
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    is_buffer_type,
)


class BranchLikeOpBufferization(BufferizableOpInterface):
    """`cf.br`, `cf.cond_br` and `cf.switch`, which has no model in MLIR."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        argument = get_passed_argument(operand)
        if argument is None:
            return ()
        # Other branches may pass something else.
        return (AliasingValue(argument, BufferRelation.EQUIVALENT, is_definite=False),)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        operands: list[SSAValue] = list(op.operands)
        for operand in tensor_operands(op):
            argument = get_passed_argument(operand)
            if argument is None or not is_buffer_type(argument.type):
                return  # The block keeps its tensors: nobody has converted it.
            buffer = state.get_buffer(operand.value)
            operands[operand.number] = state.cast(buffer, argument.type)
        on_buffers = type(op).create(
            operands=operands,
            properties=op.properties,
            attributes=op.attributes,
            successors=op.successors,
        )
        state.insert(on_buffers)
        state.replace_op(op, [])


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    cf.BranchOp: BranchLikeOpBufferization(),
    cf.ConditionalBranchOp: BranchLikeOpBufferization(),
    cf.SwitchOp: BranchLikeOpBufferization(),
}
