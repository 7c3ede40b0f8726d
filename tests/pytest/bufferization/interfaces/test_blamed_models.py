"""A wrong model of somebody else is an error at its op, which says what is wrong."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from typing_extensions import override
from xdsl.dialects import test
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.ir import Dialect, Operation
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_result_def,
    traits_def,
)

from xdsl_bufferization import bufferize
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.destination_style import (
    DestinationStyleOpInterface,
)
from xdsl_bufferization.bufferization.interfaces.destination_style_bufferization import (  # noqa: E501
    DestinationStyleBufferization,
)
from xdsl_bufferization.bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.interfaces.state import BufferizationState
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.pipelines.pipeline_text import parse_passes
from xdsl_bufferization.support.errors import OperationError

PROGRAM = """\
func.func @f(%f: tensor<4xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "scaling.rows"(%f, %m) : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
"""


class Right(DestinationStyleBufferization, DestinationStyleOpInterface):
    """Nothing is wrong with this one."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, 1),)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        factors, out = (state.get_buffer(value) for value in op.operands)
        state.insert(test.TestOp([factors, out]))
        state.replace_op(op, [out])


class Misspelled(Right):
    """A method of another name is not asked."""

    get_dps_inits: Any = DestinationStyleOpInterface.get_dps_inits

    def get_dps_init(self, op: Operation) -> Sequence[OpOperand]:
        """Nobody asks for this."""
        return (OpOperand(op, 1),)


class NoOperands(Right):
    """Numbers are no operands."""

    @override
    def get_dps_inits(self, op: Operation) -> Any:
        return [1]


class TooFewBuffers(Right):
    """There is no buffer for the result."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        state.replace_op(op, [])


class NoSuchMethod(Right):
    """The state has no method of that name."""

    @override
    def bufferize(self, op: Operation, state: Any) -> None:
        state.get_buffers(op.operands[0])


class DoesNothing(Right):
    """The op stays."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        pass


def bufferized_with(
    model: Right, run: Callable[[ModuleOp], object] = bufferize
) -> ModuleOp:
    @irdl_op_definition
    class RowsOp(IRDLOperation):
        """An op of somebody else."""

        name = "scaling.rows"
        factors = operand_def(base(TensorType) | base(MemRefType))
        out = operand_def(base(TensorType) | base(MemRefType))
        result = opt_result_def(TensorType)
        traits = traits_def(model)

    context = get_context()
    context.load_dialect(Dialect("scaling", [RowsOp]))
    module = parse_module(PROGRAM, "p.mlir", context)
    run(module)
    return module


def test_a_model_without_a_fault() -> None:
    assert "tensor" not in str(bufferized_with(Right()))


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        (Misspelled(), "nobody asks for get_dps_init: did you mean get_dps_inits?;"),
        (NoOperands(), "get_dps_inits answers [1], which is no Sequence of OpOperand;"),
        (
            TooFewBuffers(),
            "bufferize replaces 1 results, but gives state.replace_op 0: give one "
            "value for each result",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Right) else "",
)
def test_a_wrong_model_is_named_at_its_op(model: Right, problem: str) -> None:
    with pytest.raises(OperationError) as found:
        bufferized_with(model)
    name = type(model).__name__
    expected = f"p.mlir:2:8: the model {name} of 'scaling.rows' is wrong: {problem}"
    assert str(found.value).startswith(expected)
    assert found.value.__cause__ is not None


def passes(names: str) -> Callable[[ModuleOp], None]:
    def run(module: ModuleOp) -> None:
        for each in parse_passes(names):
            each.apply(get_context(), module)

    return run


def analyse(module: ModuleOp) -> None:
    OneShotAnalysis(module, BufferizationOptions())


@pytest.mark.parametrize(
    "run",
    [
        passes("eliminate-empty-tensors"),
        passes("bufferize"),
        passes("default-tpp-passes"),
        analyse,
    ],
)
def test_all_that_asks_a_wrong_model_blames_it(
    run: Callable[[ModuleOp], object],
) -> None:
    with pytest.raises(OperationError, match="the model Misspelled of 'scaling"):
        bufferized_with(Misspelled(), run)


def test_a_model_that_does_nothing() -> None:
    with pytest.raises(OperationError) as found:
        bufferized_with(DoesNothing())
    assert str(found.value) == (
        "p.mlir:2:8: op was not bufferized: bufferize leaves the op on tensors: call "
        "state.replace_op with the buffer of each result, or with [] if there are no "
        "results"
    )


def test_what_a_model_raises_itself_names_its_line() -> None:
    with pytest.raises(AttributeError, match="get_buffers"):
        bufferized_with(NoSuchMethod())
