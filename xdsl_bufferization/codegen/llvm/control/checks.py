"""How checks of a running program are lowered, and `cf.assert`.

check %c, "index {0} ..." (%i)   -> llvm.cond_br %c, ^on, ^off; ^off: fail with %i
check_stack %n                   -> llvm.call @_xbuf_check_stack(%n, %number)
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import cf
from xdsl.dialects.builtin import i64

from xdsl_bufferization.runtime.failure_kinds import CHECK_STACK, escaped

from ...check_ops import CheckOp, CheckStackOp
from ..emission.failing import failure_at, require
from ..emission.function import FunctionLowering, Rules
from ..emission.symbols import OnFailure


def _lower_assert(op: cf.AssertOp, f: FunctionLowering) -> None:
    failure = failure_at(op, escaped(op.msg.data))
    require(f.scalar(op.arg), failure, op, f)


def _lower_check(op: CheckOp, f: FunctionLowering) -> None:
    failure = replace(failure_at(op, op.reason.data), op=op.subject.data)
    require(f.scalar(op.condition), failure, op, f, f.scalars(op.values))


def _lower_check_stack(op: CheckStackOp, f: FunctionLowering) -> None:
    if f.symbols.options.on_failure is not OnFailure.RAISE:
        return
    failure = replace(failure_at(op, op.reason.data), op=op.subject.data)
    number = f.integer(f.symbols.failure(failure), i64)
    f.call_external(CHECK_STACK, [f.scalar(op.bytes), number], None, op)


RULES: Rules = {
    cf.AssertOp: _lower_assert,
    CheckOp: _lower_check,
    CheckStackOp: _lower_check_stack,
}
