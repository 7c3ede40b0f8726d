"""Fourteen things that authors of models get wrong, and what `check_model` says.

The op is `rows.scale %m, %by`: a tensor, multiplied row by row. Its model is right, and
each class below changes one thing.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from typing_extensions import override
from xdsl.dialects import test
from xdsl.dialects.builtin import MemRefType, TensorType, f32
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization.bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
)
from xdsl_bufferization.bufferization.interfaces.check_model import check_model
from xdsl_bufferization.bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.bufferization.interfaces.state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
)

MATRIX = TensorType(f32, [4, 8])


class RightModel(BufferizableOpInterface):
    """The matrix is scaled in place, by factors that are only read."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return True

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return operand.number == 0

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        if operand.number != 0:
            return ()
        return (AliasingValue(operand.owner.results[0], BufferRelation.EQUIVALENT),)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        matrix, factors = map(state.get_buffer, op.operands)
        state.insert(test.TestOp(operands=[matrix, factors]))
        state.replace_op(op, [matrix])


class EmptyBody(RightModel):
    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        pass


class TooFewReplacements(RightModel):
    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        state.replace_op(op, [])


class TensorAsReplacement(RightModel):
    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        state.replace_op(op, [op.operands[0]])


class NewOpOnTheOldTensor(RightModel):
    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        matrix = state.get_buffer(op.operands[0])
        state.insert(test.TestOp(operands=[matrix, op.operands[1]]))
        state.replace_op(op, [matrix])


class RaisesAnException(RightModel):
    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        scale: Any = op
        state.replace_op(op, [state.get_buffer(scale.matrix)])


class MisspeltMethod(RightModel):
    def bufferizes_to_memory_wirte(self, operand: OpOperand) -> bool:
        return False


class NoBufferize(RightModel):
    bufferize = BufferizableOpInterface.bufferize


class WriteThatNobodySees(RightModel):
    """The result is new; and the matrix is written all the same."""

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return ()


class AliasInOneDirection(RightModel):
    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        return ()


class AliasOfTheWrongOperand(RightModel):
    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        assert isinstance(value, OpResult)
        operand = OpOperand(value.op, 1)
        return (AliasingOpOperand(operand, BufferRelation.EQUIVALENT),)


class EquivalentInAnotherShape(RightModel):
    """The factors are one row, and the result is a matrix."""

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0], BufferRelation.EQUIVALENT),)


class WrongBufferType(RightModel):
    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        return MemRefType(f32, [8])


class AnswerThatIsNoAnswer(RightModel):
    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return None  # type: ignore[return-value], which is what is tested


class AllocationThatIsAnAlias(RightModel):
    @override
    def bufferizes_to_allocation(self, value: OpResult) -> bool:
        return True


def problems(model: BufferizableOpInterface) -> list[str]:
    """What `check_model` says of the op with a model."""

    @irdl_op_definition
    class ScaleOp(IRDLOperation):
        name = "rows.scale"

        m = operand_def(MATRIX)
        by = operand_def(TensorType(f32, [8]))
        result = result_def(MATRIX)
        traits = traits_def(model)

    operands = [create_ssa_value(MATRIX), create_ssa_value(TensorType(f32, [8]))]
    return check_model(ScaleOp(operands=operands, result_types=[MATRIX]))


WRONG: dict[type[RightModel], str] = {
    EmptyBody: "bufferize leaves the op on tensors: call state.replace_op with the "
    "buffer of each result, or with [] if there are no results",
    TooFewReplacements: "bufferize replaces 1 results, but gives state.replace_op 0: "
    "give one value for each result",
    TensorAsReplacement: "bufferize replaces result #0 by a value of type "
    "tensor<4x8xf32>, which is no buffer",
    NewOpOnTheOldTensor: "bufferize inserts 'test.op', whose operand #1 is a tensor of "
    "the program: use state.get_buffer of the tensor",
    RaisesAnException: "bufferize raises AttributeError: 'ScaleOp' object has no "
    "attribute 'matrix'",
    MisspeltMethod: "nobody asks for bufferizes_to_memory_wirte: did you mean "
    "bufferizes_to_memory_write?",
    NoBufferize: "the model has no bufferize method: add one",
    WriteThatNobodySees: "operand #0 is written, but aliases no result: no later op "
    "can read what was written; make a result alias it, or let must_bufferize_in_place "
    "say that it is the buffer that counts",
    AliasInOneDirection: "operand #0 is said to alias result #0, but result #0 not "
    "operand #0",
    AliasOfTheWrongOperand: "result #0 is said to alias operand #1, but operand #1 not "
    "result #0",
    EquivalentInAnotherShape: "operand #1 is EQUIVALENT to result #0, but "
    "tensor<8xf32> and tensor<4x8xf32> do not have the same elements; say UNKNOWN",
    WrongBufferType: "get_buffer_type of result #0 answers memref<8xf32>, which does "
    "not have the elements of tensor<4x8xf32>",
    AnswerThatIsNoAnswer: "bufferizes_to_memory_read of operand #0 answers None, which "
    "is no bool",
    AllocationThatIsAnAlias: "result #0 is a new buffer, and yet aliases an operand",
}


def test_there_are_fourteen():
    assert len(WRONG) == 14


def test_a_right_model_has_no_problem():
    assert problems(RightModel()) == []


@pytest.mark.parametrize("model", WRONG)
def test_what_is_wrong_is_said(model: type[RightModel]):
    assert WRONG[model] in problems(model())
