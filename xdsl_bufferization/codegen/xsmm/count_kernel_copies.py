"""Kernels that copy, counted like `memref.copy` on a heap that counts copies.

    xsmm.unary identity(data_type = f32, %0, %a, %b) : ...     a matrix of 4 by 8
        -> func.call @_xbuf_count_copy(%c128) : (i64) -> ()
           xsmm.unary identity(data_type = f32, %0, %a, %b) : ...

Without this, a program would seem to copy nothing once its copies are kernels.
"""

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.xsmm import UnaryOp
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.traversal import ops_inside


def count_kernel_copies(module: ModuleOp) -> None:
    """Have each kernel of `module` that copies report the bytes that it copies."""
    counted = False
    for op in ops_inside(module):
        if isinstance(op, UnaryOp) and (size := op.copied_bytes) is not None:
            number = arith.ConstantOp(IntegerAttr(size, i64))
            call = func.CallOp(abi.COUNT_COPY, [number.result], [])
            Rewriter.insert_op([number, call], InsertPoint.before(op))
            counted = True
    if counted:
        declaration = func.FuncOp.external(abi.COUNT_COPY, [i64], [])
        Rewriter.insert_op(declaration, InsertPoint.at_start(module.body.block))
