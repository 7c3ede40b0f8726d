"""Whether a module has tensors that may be read after they are overwritten.

    %1 = tensor.insert %f into %0[%i]    // one use of %0 only: no conflict

A quick look at all ops, so that most modules need no analysis.
"""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from xdsl_bufferization.support.traversal import ops_inside

from ..interfaces.operands import is_tensor


def may_conflict(module: ModuleOp) -> bool:
    """Whether a tensor has several uses."""
    return any(
        _has_several_uses(value)
        for op in ops_inside(module)
        for value in op.operands
        if is_tensor(value)
    )


def _has_several_uses(value: SSAValue) -> bool:
    return value.first_use is not None and not value.has_one_use()
