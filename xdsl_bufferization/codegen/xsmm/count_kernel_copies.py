"""Kernels that copy, counted like `memref.copy` on a heap that counts copies.

    xsmm.unary identity(data_type = f32, %0, %a, %b) : ...     a matrix of 4 by 8
        -> func.call @_xbuf_count_copy(%c128) : (i64) -> ()
           xsmm.unary identity(data_type = f32, %0, %a, %b) : ...

Without this, a program would seem to copy nothing once its copies are kernels. A kernel
that repeats a row, a column or a number copies nothing: it computes a larger matrix.
"""

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.xsmm import UnaryDispatchOp, UnaryOp
from xdsl_bufferization.dialects.xsmm.attributes import UnaryFlag, UnaryKind
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.traversal import ops_inside


def count_kernel_copies(module: ModuleOp) -> None:
    """Have each kernel of `module` that copies report the bytes that it copies."""
    counted = False
    for op in ops_inside(module):
        if isinstance(op, UnaryOp) and (size := _copied_bytes(op)) is not None:
            number = arith.ConstantOp(IntegerAttr(size, i64))
            call = func.CallOp(abi.COUNT_COPY, [number.result], [])
            Rewriter.insert_op([number, call], InsertPoint.before(op))
            counted = True
    if counted:
        declaration = func.FuncOp.external(abi.COUNT_COPY, [i64], [])
        Rewriter.insert_op(declaration, InsertPoint.at_start(module.body.block))


def _copied_bytes(op: UnaryOp) -> int | None:
    """How many bytes a kernel copies; None if it does something else."""
    dispatch = op.operands[0].owner
    if op.kind.data is not UnaryKind.IDENTITY or not isinstance(
        dispatch, UnaryDispatchOp
    ):
        return None
    if any(flag.data is not UnaryFlag.NONE for flag in dispatch.flags):
        return None
    inputs = dispatch.named_inputs()
    element = abi.ELEMENT_BYTES[str(dispatch.data_type.data)]
    return inputs["m"] * inputs["n"] * element
