"""Test the answers of models by running their ops.

    for problem in check_model_by_execution(op):
        print(problem)
    # operand #1 is said not to be read, but result #0 changes with it

A program of the op alone is bufferized, with all tensors in place, and compiled. It
then runs on buffers whose bits are watched. An answer that claims too little is a
problem. One that claims too much costs copies, and is none.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from typing_extensions import override
from xdsl.dialects.bufferization import ToBufferOp
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.bufferization.bufferize.bufferize_ops import bufferize_ops
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import decide
from xdsl_bufferization.bufferization.bufferize.ops_with_tensors import OpsWithTensors
from xdsl_bufferization.bufferization.bufferize.partial_analysis import PartialAnalysis
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    insert_tensor_copies,
)
from xdsl_bufferization.bufferization.bufferize.verified_analysis import (
    refuse_unknown_ops,
)
from xdsl_bufferization.bufferization.interfaces.bufferizable import get_model
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    is_tensor,
)
from xdsl_bufferization.bufferization.interfaces.options import (
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.bufferization.interfaces.state import AnalysisState
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.support.errors import OperationError, op_name

from .answers import Answers, ask
from .checks import Findings, compare
from .memory import Array
from .runs import Runs
from .single_op import NAME, LeftOutError, OpProgram, program_of

_OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True,
    function_boundary_type_conversion=LayoutMapOption.INFER_LAYOUT_MAP,
    allow_return_allocs_from_loops=True,
)


@dataclass(frozen=True)
class Trial:
    """The program of one op, on buffers, and what the models have said before."""

    program: OpProgram
    answers: Answers

    @property
    def module(self) -> ModuleOp:
        """What is to be compiled."""
        return self.program.module

    def run(
        self,
        compiled: CompiledModule,
        values: Mapping[SSAValue, Array],
        name: str = NAME,
    ) -> Findings:
        """Compare what compiled code does with the answers.

        Raises what the program raises.
        """
        return compare(self.answers, Runs(self.program, compiled, name, values))


def bufferized(program: OpProgram) -> Trial:
    """The trial of a program, which is bufferized.

    Raises `OperationError` if that is impossible, and whatever the models raise.
    """
    attach_all()
    module = program.module
    ops = OpsWithTensors(module, _OPTIONS)
    refuse_unknown_ops(ops, _OPTIONS)
    analysis = decide(module, _OPTIONS, ops)
    answers = ask(program.op, analysis)
    in_place = _InPlace(module, analysis, program.op)
    insert_tensor_copies(module, in_place, ops)
    bufferize_ops(module, in_place)
    return Trial(program, answers)


class _InPlace(PartialAnalysis):
    """The decisions about a program, but that one op has all operands in place.

    So have those that hand its results to the caller, also where they share a buffer.
    """

    def __init__(self, module: ModuleOp, analysis: AnalysisState, op: Operation):
        super().__init__(module, analysis)
        self._op = op

    @override
    def is_in_place(self, operand: OpOperand) -> bool:
        op = operand.owner
        if isinstance(op, ToBufferOp) and op.parent is self._op.parent:
            return True
        # The body of an op with regions was decided about with its operands.
        is_alone = op is self._op and not op.regions
        return is_alone or super().is_in_place(operand)


def check_model_by_execution(
    op: Operation, values: Mapping[SSAValue, object] | None = None
) -> list[str]:
    """What runs of `op` show to be wrong in its models, one sentence each.

    `values` has arrays for operands, and for what the regions of `op` use from outside.
    Others are chosen: small numbers, and sizes of 4 where the type leaves them open. If
    the op cannot be run, the one sentence says why. Buffers are dense first, and then
    have gaps, which a model may refuse with an `OperationError`.
    """
    attach_all()
    if get_model(op) is None:
        return [f"'{op_name(op)}' has no model of BufferizableOpInterface to test"]
    if not any(map(is_tensor, (*op.operands, *op.results))):
        return [f"'{op_name(op)}' has no tensors: nothing to test"]
    arrays = {value: np.asarray(each) for value, each in (values or {}).items()}
    try:
        problems = dict.fromkeys(_problems(op, arrays, is_strided=False))
    except (LeftOutError, OperationError) as error:
        return [f"'{op_name(op)}' cannot be run, so nothing was tested: {error}"]
    except Exception as error:
        # Whatever goes wrong in a model is what its author wants to know.
        kind = type(error).__name__
        return [f"'{op_name(op)}' cannot be run: a model raises {kind}: {error}"]
    with suppress(OperationError):
        problems |= dict.fromkeys(_problems(op, arrays, is_strided=True))
    return [*problems]


def _problems(
    op: Operation, values: Mapping[SSAValue, Array], *, is_strided: bool
) -> list[str]:
    trial = bufferized(program_of(op, is_strided=is_strided))
    compiled = compile_module(trial.module, poison=True, opt_level=0)
    return trial.run(compiled, values).problems
