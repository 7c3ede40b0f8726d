"""The pass `convert-memref-to-xsmm`: copies of matrices as calls of kernels.

Runs after bufferization; the copies are what packing was lowered to.

    memref.copy %a, %b : memref<32x32xf32, strided<[128, 1], offset: ?>> to ...
        -> %0 = xsmm.unary.dispatch identity [32, 32, 128, 32] flags = (none) ...
           xsmm.unary identity(data_type = f32, %0, %a, %b) : ...

A copy of a matrix, or of one row, of known sizes; its rows lie without gaps. All other
copies stay. Source: the document "Pass Analysis" of tpp-mlir.
"""

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.xsmm.attributes import UnaryKind
from xdsl_bufferization.support.traversal import ops_inside

from .kernel_calls import WHOLE, Source, Target, replace_by_call, unary_call
from .strided_matrices import (
    as_buffer,
    common_data_type,
    leading_dimension,
    row_strides,
)


def convert_memref_to_xsmm(module: ModuleOp) -> None:
    """Replace the copies in `module` that a kernel can do."""
    for op in ops_inside(module):
        if not isinstance(op, memref.CopyOp):
            continue
        call = copy_kernel(op.source, op.destination)
        if call is not None:
            replace_by_call(op, call)


def copy_kernel(source: SSAValue, target: SSAValue) -> list[Operation] | None:
    """The call of a kernel that copies one buffer to another, or nothing."""
    data_type = common_data_type((source, target))
    strides = [row_strides(value.type) for value in (source, target)]
    buffer = as_buffer(target.type)
    if data_type is None or None in strides or buffer is None:
        return None
    shape = buffer.get_shape()
    if not 1 <= len(shape) <= 2:
        return None
    rows, columns = (1, *shape)[-2:]
    leading = [
        leading_dimension(each[0], rows, columns)
        for each in strides
        if each is not None
    ]
    if leading[0] is None or leading[1] is None:
        return None
    return unary_call(
        UnaryKind.IDENTITY,
        Source(source, WHOLE, leading[0]),
        Target(target, rows, columns, leading[1]),
        data_type,
    )


class ConvertMemRefToXsmmPass(TensorPass):
    """Call kernels for copies of matrices."""

    name = "convert-memref-to-xsmm"
    rewrite = staticmethod(convert_memref_to_xsmm)
