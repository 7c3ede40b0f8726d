"""The ops of a module that have tensors, found once for the steps before the rewrite.

    %0 = tensor.empty()                // with its model
    %1 = "my.op"(%0)                   // without one
    %2 = arith.addi %i, %i : index     // not at all: no step asks it anything

Refusing, verifying and copying would each go through all ops, of which most compute
with numbers. Copies that are inserted meanwhile are not among them, as is right.
"""

from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..analyses.one_shot.roots import bufferized_ops
from ..interfaces.bufferizable import BufferizableOpInterface
from ..interfaces.known_models import allowed_models
from ..interfaces.operands import is_tensor, operand_values
from ..interfaces.options import BufferizationOptions

MADE_BY_CORE_BUFFERIZATION = "bufferization.core"
"""Marks a `to_buffer` whose buffer other ops read when they come, not where it is."""


class OpWithTensors(NamedTuple):
    """An op that is to be bufferized, and how."""

    op: Operation
    model: BufferizableOpInterface


class OpsWithTensors:
    """The ops of a module that matter to bufferization, each before its body."""

    bufferizable: list[OpWithTensors]

    unknown: list[Operation]
    """Ops with tensors that may be bufferized, but have no model."""

    made_by_core: Operation | None = None
    """A `to_buffer` that `MADE_BY_CORE_BUFFERIZATION` marks."""

    def __init__(self, module: ModuleOp, options: BufferizationOptions):
        self.bufferizable = []
        self.unknown = []
        models = allowed_models(options)
        for op in bufferized_ops(module, options):
            model = models[type(op)]
            if model is not None:
                if model.has_tensor_semantics(op):
                    self.bufferizable.append(OpWithTensors(op, model))
            elif (
                any(map(is_tensor, operand_values(op)))
                or any(map(is_tensor, op.results))
            ) and options.is_op_allowed(type(op)):
                self.unknown.append(op)
            if op.attributes and MADE_BY_CORE_BUFFERIZATION in op.attributes:
                self.made_by_core = op
