"""Buffers as the matrices that kernels know: rows, columns, and the distance of rows.

memref<4x8xf32>                                  4 by 8, leading dimension 8
memref<4x8xf32, strided<[16, 1], offset: ?>>     4 by 8, leading dimension 16
memref<4x8xf32, strided<[1, 4]>>                 none: columns lie together, not rows
"""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.dialects.linalg.structure import element_type_of
from xdsl_bufferization.dialects.xsmm.attributes import DataType


def as_buffer(type_: Attribute) -> MemRefType | None:
    """`type_` if it is that of a buffer; much faster than to ask `isa`."""
    return cast(MemRefType, type_) if isinstance(type_, MemRefType) else None


def common_data_type(values: Sequence[SSAValue]) -> DataType | None:
    """The data type of all these buffers and scalars, if kernels have one for them."""
    for data_type in DataType:
        if all(element_type_of(v.type) == data_type.element_type for v in values):
            return data_type
    return None


def row_strides(type_: Attribute) -> tuple[int, ...] | None:
    """The strides of a buffer of known sizes whose rows lie without gaps, else None.

    Kernels take sizes and strides when they are requested, which is before they run.
    """
    buffer = as_buffer(type_)
    if buffer is None or not buffer.has_static_shape():
        return None
    strides = buffer.get_strides()
    if strides is None or (strides and strides[-1] != 1) or 0 in buffer.get_shape():
        return None
    known = tuple(stride for stride in strides if stride is not None)
    return known if len(known) == len(strides) and min(known, default=0) >= 0 else None


def leading_dimension(stride: int, rows: int, columns: int) -> int | None:
    """The distance of rows; None if they overlap. A single row may have any."""
    if rows == 1:
        return max(stride, columns)
    return stride if stride >= columns else None
