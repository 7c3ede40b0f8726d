"""How shape ops are lowered: a condition is checked where it is required.

%w = shape.cstr_require %c, "..."    -> what cf.assert becomes
shape.assuming %w { body }           -> body
"""

from __future__ import annotations

from functools import partial, reduce

from xdsl.dialects import llvm
from xdsl.dialects.builtin import i1

from xdsl_bufferization.dialects.shape import (
    AssumingAllOp,
    AssumingOp,
    ConstWitnessOp,
    CstrRequireOp,
)
from xdsl_bufferization.runtime.failure_kinds import escaped

from ..emission.failing import failure_at, require
from ..emission.function import FunctionLowering, Rules


def _lower_const_witness(op: ConstWitnessOp, f: FunctionLowering) -> None:
    f.bind(op.result, f.integer(int(op.passing.value.data), i1))


def _lower_require(op: CstrRequireOp, f: FunctionLowering) -> None:
    condition = f.scalar(op.pred)
    require(condition, failure_at(op, escaped(op.msg.data)), op, f)
    f.bind(op.result, condition)


def _lower_assuming_all(op: AssumingAllOp, f: FunctionLowering) -> None:
    conditions = map(f.scalar, op.inputs)
    f.bind(op.result, reduce(partial(f.integer_op, llvm.AndOp), conditions))


def _lower_assuming(op: AssumingOp, f: FunctionLowering) -> None:
    # LLVM leaves this out where the condition is a constant or has been required.
    message = "the condition of shape.assuming does not hold"
    require(f.scalar(op.witness), failure_at(op, message), op, f)
    terminator = f.lower_ops(op.do_region.block)
    for result, value in zip(op.outs, terminator.operands, strict=True):
        f.bind(result, f.values[value])


RULES: Rules = {
    AssumingAllOp: _lower_assuming_all,
    AssumingOp: _lower_assuming,
    ConstWitnessOp: _lower_const_witness,
    CstrRequireOp: _lower_require,
}
