"""Which ops can end a call, in code whose caller is told of failures.

cf.assert, memref.alloc, checks, calls of functions of the module
"""

from xdsl.dialects import bufferization, cf, func, memref
from xdsl.ir import Operation

from xdsl_bufferization.dialects.func import CallIndirectOp
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.dialects.shape import AssumingOp, CstrRequireOp
from xdsl_bufferization.transforms.lowering.check_ops import CheckOp, CheckStackOp
from xdsl_bufferization.transforms.lowering.llvm.emission.function import (
    FunctionLowering,
)
from xdsl_bufferization.transforms.lowering.llvm.emission.symbols import OnFailure
from xdsl_bufferization.traversal import ops_inside

_FAILING = (
    AssumingOp,
    CallIndirectOp,
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
        return not (isinstance(callee, func.FuncOp) and callee.is_declaration)
    if isinstance(op, memref.DeallocOp):
        return f.symbols.is_tracking
    return isinstance(op, _FAILING)
