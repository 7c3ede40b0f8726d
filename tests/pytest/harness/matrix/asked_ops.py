"""The ops of a program that models answer for, with the values that they have there.

    for asked in ops_of(program):
        asked.op, asked.values[0][asked.op.operands[0]]

The reference runs the program, and keeps what each op gets when it runs first. Each
program is called more than once, as branches and loops differ by what they get.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from typing_extensions import override
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from harness.matrix.around import Program
from harness.matrix.numbers import Array
from harness.matrix.routes import Stage, plain_passes
from harness.matrix.stablehlo_reference import STABLEHLO
from harness.matrix.walk import arguments_of
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.bufferizable import get_model
from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.pipelines.model_answers.single_op import captured_values
from xdsl_bufferization.reference.evaluator import HANDLERS, by_class
from xdsl_bufferization.reference.machine import Machine
from xdsl_bufferization.reference.values import Value, of_type
from xdsl_bufferization.reference.views import as_memory

_CALLS: Final = 2
"""How often a program is called, with other arguments, unless they are given."""


@dataclass
class Asked:
    """An op of a program, and the values that the reference has found there."""

    program: Program
    op: Operation
    values: Sequence[Mapping[SSAValue, Array]]
    """One for each call in which the op runs."""


class _Watching(Machine):
    """A reference that keeps what ops with tensors get when they run first."""

    seen: dict[Operation, Mapping[SSAValue, Value]]

    @override
    def run_op(self, op: Operation, operands: list[Value]) -> Sequence[Value]:
        if op not in self.seen and _has_answers(op):
            values = dict(zip(op.operands, operands, strict=True))
            values |= {value: self._scope[value] for value in captured_values(op)}
            self.seen[op] = {value: np.array(each) for value, each in values.items()}
        return super().run_op(op, operands)


def _has_answers(op: Operation) -> bool:
    return (
        any(map(is_tensor, (*op.operands, *op.results)))
        and get_model(op) is not None
        and not op.has_trait(IsTerminator)
    )


def ops_of(program: Program) -> list[Asked]:
    """The ops of a form that have tensors and models, and where each first runs.

    If the ops of the form are rewritten before bufferization, all ops count.
    """
    context = get_context()
    module = MLIRParser(context, program.text).parse_module()
    for each in plain_passes(Stage.TENSORS):
        if isinstance(each, OneShotBufferizePass):
            break
        each.apply(context, module)
    count = _CALLS if program.given is None else 1
    calls = [_run(module, program, call) for call in range(count)]
    asked = [
        Asked(program, op, [seen[op] for seen in calls if op in seen])
        for op in module.walk()
        if _has_answers(op)
    ]
    of_form = [each for each in asked if each.op.name in program.ops]
    return of_form or asked


def _run(
    module: ModuleOp, program: Program, call: int
) -> Mapping[Operation, Mapping[SSAValue, Value]]:
    machine = _Watching(module, {**HANDLERS, **STABLEHLO}, by_class)
    machine.seen = {}
    function = machine.functions[program.entry]
    arguments = [
        as_memory(np.array(array))
        if isinstance(type_, MemRefType)
        else of_type(type_, array, function)
        for type_, array in zip(
            function.function_type.inputs, arguments_of(program, call), strict=True
        )
    ]
    with np.errstate(all="ignore"):
        machine.call(function, arguments)
    return machine.seen
