"""How ub ops are lowered: undefined behaviour that is announced.

%r = ub.poison : f32   -> llvm.mlir.undef, which may be any value
ub.unreachable         -> llvm.unreachable
"""

from __future__ import annotations

from xdsl.dialects import llvm, ub
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import fail_at

from ..emission.boundary import bind_packed, packed_type
from ..emission.function import FunctionLowering, Rules


def _lower_poison(op: ub.PoisonOp, f: FunctionLowering) -> None:
    if not isinstance(op.value, ub.PoisonAttr):
        fail_at(op, f"{op.value} has no lowering to the llvm dialect: use #ub.poison")
    undefined = f.emit(llvm.UndefOp(packed_type(op.result.type, f, op)))
    bind_packed(op.result, undefined, f, op)


def _lower_unreachable(op: Operation, f: FunctionLowering) -> None:
    f.run(llvm.UnreachableOp())


RULES: Rules = {
    ub.PoisonOp: _lower_poison,
    ub.UnreachableOp: _lower_unreachable,
}
