"""The pass `verify-xsmm-calls`: that every call fits the kernel that it calls.

Runs before `convert-xsmm-to-func`, after which nothing knows any more.

    %0 = xsmm.unary.dispatch relu [4, 8, 8, 8] flags = (none) data_type = f32
    xsmm.unary relu(data_type = f32, %0, %in, %out)    // 4 by 8, rows 8 apart

The ops themselves verify what they can see. This pass refuses the rest:

- a handle that does not come from a dispatch,
- a distance of rows that only the running program knows,
- a batch that is more than the number of matrices, or not known.
"""

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.xsmm import BrgemmOp, FusedBrgemmOp
from xdsl_bufferization.dialects.xsmm.invoke import InvokeOp
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from .strided_matrices import as_buffer


def verify_xsmm_calls(module: ModuleOp) -> None:
    """Raise `OperationError` at a call in `module` that may not fit its kernel."""
    for op in ops_inside(module):
        if isinstance(op, InvokeOp):
            _verify(op)


def _verify(op: InvokeOp) -> None:
    try:
        op.verify()
        dispatch = op.dispatch_op()
    except VerifyException as error:
        fail_at(op, str(error))
    if dispatch is None:
        fail_at(
            op,
            "the handle does not come from a dispatch, so that nothing is known of the "
            "kernel; dispatch it in the same function",
        )
    for operand in op.operands:
        if (buffer := as_buffer(operand.type)) is not None:
            _verify_strides(op, buffer)
    if isinstance(op, BrgemmOp | FusedBrgemmOp):
        _verify_batch(op)


def _verify_strides(op: InvokeOp, type_: MemRefType) -> None:
    if None in (type_.get_strides() or ()):
        fail_at(
            op,
            f"the strides of '{type_}' are dynamic, so that they may not be those of "
            "the dispatch; cast it to a type with static strides",
        )


def _verify_batch(op: BrgemmOp | FusedBrgemmOp) -> None:
    batch = const_evaluate_operand(op.batch)
    buffer = as_buffer(op.a.type)
    assert buffer is not None
    matrices = buffer.get_shape()[0]
    if batch is None or not 0 <= batch <= matrices:
        found = "is not a constant" if batch is None else f"is {batch}"
        fail_at(op, f"the batch {found}, but A and B have {matrices} matrices")


class VerifyXsmmCallsPass(TensorPass):
    """Check that calls of kernels fit the kernels."""

    name = "verify-xsmm-calls"
    rewrite = staticmethod(verify_xsmm_calls)
