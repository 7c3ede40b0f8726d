"""Which ops can end a call, in code whose caller is told of failures.

cf.assert, memref.alloc, checks, calls of functions of the module
"""

from xdsl.dialects import bufferization, cf, func, memref
from xdsl.ir import Operation

from xdsl_bufferization.dialects.func import CallIndirectOp
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.dialects.shape import AssumingOp, CstrRequireOp
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside

from ...check_ops import CheckOp, CheckStackOp
from ..emission.function import FunctionLowering
from ..emission.symbols import OnFailure

_FAILING = (
    AssumingOp,
    CheckOp,
    CheckStackOp,
    CstrRequireOp,
    ReallocOp,
    bufferization.CloneOp,
    cf.AssertOp,
    memref.AllocOp,
)


def may_fail(op: Operation, f: FunctionLowering) -> bool:
    """Whether an op inside of `op` may end the call. When unsure: True."""
    if f.symbols.options.on_failure is not OnFailure.RAISE:
        return False
    return any(_may_fail(each, f) for each in ops_inside(op))


def _may_fail(op: Operation, f: FunctionLowering) -> bool:
    if isinstance(op, func.CallOp):
        callee = f.symbols.defined.get(op.callee.string_value())
        if isinstance(callee, func.FuncOp) and callee.is_declaration:
            return False
        return _something_fails(f)
    if isinstance(op, CallIndirectOp):
        return _something_fails(f)
    return _fails_itself(op, f)


def _something_fails(f: FunctionLowering) -> bool:
    """Whether any op of the module may end a call."""
    symbols = f.symbols
    if symbols.something_fails is None:
        symbols.something_fails = any(
            _fails_itself(op, f)
            for each in symbols.defined.values()
            for op in ops_inside(each)
        )
    return symbols.something_fails


def _fails_itself(op: Operation, f: FunctionLowering) -> bool:
    if isinstance(op, memref.DeallocOp):
        return f.symbols.is_tracking
    if isinstance(op, memref.AllocaOp):
        return bool(op.dynamic_sizes)
    return isinstance(op, _FAILING)


def names_its_place(op: Operation) -> bool:
    """Whether code for an op may end with a message that says where the op is."""
    return _names_its_place(op)


_names_its_place = of_classes(*_FAILING, memref.AllocaOp, func.CallOp, CallIndirectOp)
