"""How memref ops that look at the same memory differently are lowered.

They only compute new offsets, sizes and strides; no memory moves. The formulas are
those of MLIR's memref documentation and of its pass expand-strided-metadata.

    %v = memref.subview %m[%i, 2] [4, 8] [1, 1]
        -> offset + %i * stride0 + 2 * stride1, sizes (4, 8), strides unchanged
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, llvm, memref
from xdsl.dialects.builtin import i8
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.dialects.arith.casts import IndexCastUIOp
from xdsl_bufferization.dialects.common.reshape_algebra import numbers_of
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.memref.views import (
    DistinctObjectsOp,
    ReshapeOp,
    TransposeOp,
)
from xdsl_bufferization.support.errors import fail_at

from ..emission.descriptor import Buffer, make_buffer
from ..emission.function import FunctionLowering, Rules
from ..emission.types import BufferType, Extent, check_memory_space
from ..scalars.casts import resize_integer
from . import unranked
from .memref import dynamic_sizes, load_element, row_major


def _lower_subview(op: memref.SubviewOp, f: FunctionLowering) -> None:
    source = f.buffer(op.source)
    type = f.buffer_type(op.result.type, op)
    offsets = f.mixed_values(op.static_offsets.get_values(), op.offsets)
    sizes = f.mixed_values(op.static_sizes.get_values(), op.sizes)
    steps = f.mixed_values(op.static_strides.get_values(), op.strides)
    offset = source.offset
    for distance, stride in zip(offsets, source.strides, strict=True):
        offset = f.add(offset, f.multiply(distance, stride))
    strides = list(map(f.multiply, steps, source.strides))
    kept = _kept_dimensions(sizes, strides, type)
    if kept is None:
        fail_at(op, f"the sizes of the view do not fit its type {op.result.type}")
    sizes, strides = ([each[d] for d in kept] for each in (sizes, strides))
    f.bind(op.result, source.view(type, offset, sizes, strides))


def _kept_dimensions(
    sizes: Sequence[OpFoldResult], strides: Sequence[OpFoldResult], type: BufferType
) -> list[int] | None:
    """Return which dimensions of a view its rank-reduced type keeps, None if unclear.

    Only dimensions of size 1 may be dropped. Of equal candidates the later is dropped;
    its stride is never used, because its index is always 0.
    """
    to_drop = len(sizes) - type.rank
    kept: list[int] = []
    for dimension, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        position = len(kept)
        if position < type.rank and (
            to_drop == 0
            or (
                type.sizes[position] == (size if isinstance(size, int) else None)
                and _may_equal(type.strides[position], stride)
            )
        ):
            kept.append(dimension)
        elif to_drop > 0 and size == 1:
            to_drop -= 1
        else:
            return None
    return kept if len(kept) == type.rank else None


def _may_equal(static: Extent, actual: OpFoldResult) -> bool:
    """Whether a static number of a type may describe `actual`."""
    if isinstance(actual, int):
        return static is None or static == actual
    return static is None


def _lower_cast(op: memref.CastOp, f: FunctionLowering) -> None:
    if unranked.is_unranked(op.source) or unranked.is_unranked(op.dest):
        unranked.cast(op, f)
        return
    type = f.buffer_type(op.dest.type, op)
    f.bind(op.dest, f.buffer(op.source).retyped(type))


def _lower_dim(op: memref.DimOp, f: FunctionLowering) -> None:
    if unranked.is_unranked(op.source):
        unranked.dim(op, f)
        return
    source = f.buffer(op.source)
    index = f.known(f.scalar(op.index))
    if isinstance(index, int):
        if not 0 <= index < source.type.rank:
            fail_at(op, f"dimension {index} does not exist in {op.source.type}")
        f.bind_index(op.result, source.sizes[index])
        return
    size = f.integer(0)
    for dimension, candidate in enumerate(source.sizes):
        hit = f.compare("eq", index, f.integer(dimension))
        size = f.select(hit, f.index(candidate), size)
    f.bind(op.result, size)


def _lower_rank(op: memref.RankOp, f: FunctionLowering) -> None:
    if unranked.is_unranked(op.source):
        f.bind(op.rank, f.unranked(op.source).rank)
    else:
        f.bind(op.rank, f.integer(f.buffer(op.source).type.rank))


def _lower_reinterpret_cast(op: memref.ReinterpretCastOp, f: FunctionLowering) -> None:
    allocated, aligned, _ = unranked.base_of(op.source, f)
    offsets = f.mixed_values(op.static_offsets.get_values(), op.offsets)
    sizes = f.mixed_values(op.static_sizes.get_values(), op.sizes)
    strides = f.mixed_values(op.static_strides.get_values(), op.strides)
    type = f.buffer_type(op.result.type, op)
    (offset,) = offsets
    f.bind(op.result, make_buffer(type, allocated, aligned, offset, sizes, strides))


def _lower_extract_strided_metadata(
    op: memref.ExtractStridedMetaDataOp, f: FunctionLowering
) -> None:
    source = f.buffer(op.source)
    base = f.buffer_type(op.base_buffer.type, op)
    f.bind(op.base_buffer, source.view(base, 0, (), ()))
    f.bind_index(op.offset, source.offset)
    for results, values in ((op.sizes, source.sizes), (op.strides, source.strides)):
        for result, value in zip(results, values, strict=True):
            f.bind_index(result, value)


def _lower_extract_aligned_pointer(
    op: memref.ExtractAlignedPointerAsIndexOp, f: FunctionLowering
) -> None:
    _, pointer, _ = unranked.base_of(op.source, f)
    address = f.cast(llvm.PtrToIntOp, pointer, f.types.index)
    f.bind(op.aligned_pointer, f.drop_if_unused(address))


def _lower_int_to_ptr(op: llvm.IntToPtrOp, f: FunctionLowering) -> None:
    """Keep the op, but take the pointer itself where the number is that of a buffer.

    On its way to C functions the number is an index, which may lose bits of it.
    """
    buffer = _addressed_buffer(op.input)
    if buffer is not None and buffer in f.values:
        f.bind(op.output, unranked.base_of(buffer, f)[1])
    elif buffer is not None and f.types.is_narrow:
        fail_at(
            op,
            "an index is too narrow for the address of a buffer from outside of "
            "omp.parallel: take the address inside",
        )
    else:
        f.keep(op)


def _addressed_buffer(number: SSAValue) -> SSAValue | None:
    """Return the buffer whose address `number` is, cast from an index; None if none."""
    cast = number.owner
    if not isinstance(cast, arith.IndexCastOp | IndexCastUIOp):
        return None
    address = cast.input.owner
    if not isinstance(address, memref.ExtractAlignedPointerAsIndexOp):
        return None
    return address.source


def _lower_expand_shape(op: memref.ExpandShapeOp, f: FunctionLowering) -> None:
    source = f.buffer(op.src)
    type = f.buffer_type(op.result.type, op)
    sizes = dynamic_sizes(type, op.output_shape, f)
    strides: list[OpFoldResult] = []
    for group, stride in zip(numbers_of(op.reassociation), source.strides, strict=True):
        inner = row_major([sizes[dimension] for dimension in group], f)
        strides += [f.multiply(stride, factor) for factor in inner]
    strides += [1] * (type.rank - len(strides))
    f.bind(op.result, source.view(type, source.offset, sizes, strides))


def _lower_collapse_shape(op: memref.CollapseShapeOp, f: FunctionLowering) -> None:
    source = f.buffer(op.src)
    type = f.buffer_type(op.result.type, op)
    sizes: list[OpFoldResult] = []
    strides: list[OpFoldResult] = []
    for group in numbers_of(op.reassociation):
        sizes.append(f.product(source.sizes[dimension] for dimension in group))
        strides.append(_collapsed_stride(source, group))
    f.bind(op.result, source.view(type, source.offset, sizes, strides))


def _collapsed_stride(source: Buffer, group: Sequence[int]) -> OpFoldResult:
    """Return the stride of dimensions that lie without gaps: the innermost real one."""
    for dimension in reversed(group):
        if source.sizes[dimension] != 1:
            return source.strides[dimension]
    return source.strides[group[-1]]


def _lower_reshape(op: ReshapeOp, f: FunctionLowering) -> None:
    if unranked.is_unranked(op.result):
        unranked.reshape(op, f)
        return
    allocated, aligned, offset = unranked.base_of(op.source, f)
    shape = f.buffer(op.shape)
    type = f.buffer_type(op.result.type, op)
    sizes: list[OpFoldResult] = []
    for dimension, size in enumerate(type.sizes):
        if size is None:
            element = load_element(shape, [f.integer(dimension)], f)
            size = resize_integer(f, element, f.types.index, llvm.SExtOp)
        sizes.append(size)
    strides = row_major(sizes, f)
    f.bind(op.result, make_buffer(type, allocated, aligned, offset, sizes, strides))


def _lower_view(op: memref.ViewOp, f: FunctionLowering) -> None:
    source = f.buffer(op.source)
    type = f.buffer_type(op.results[0].type, op)
    start = f.add(source.offset, f.scalar(op.byte_shift))
    pointer = f.untyped(f.element_pointer(source.aligned, start, i8))
    sizes = dynamic_sizes(type, op.sizes, f)
    view = make_buffer(type, source.allocated, pointer, 0, sizes, row_major(sizes, f))
    f.bind(op.results[0], view)


def _lower_assume_alignment(op: memref.AssumeAlignmentOp, f: FunctionLowering) -> None:
    f.bind(op.result, f.buffer(op.memref))


def _lower_distinct_objects(op: DistinctObjectsOp, f: FunctionLowering) -> None:
    for result, source in zip(op.distinct, op.objects, strict=True):
        f.bind(result, f.values[source])


def _lower_memory_space_cast(op: memref.MemorySpaceCastOp, f: FunctionLowering) -> None:
    check_memory_space(op.source.type, op)
    check_memory_space(op.dest.type, op)
    f.bind(op.dest, f.values[op.source])


def _lower_transpose(op: TransposeOp, f: FunctionLowering) -> None:
    source = f.buffer(op.source)
    order = [
        expr.position
        for expr in op.permutation.data.results
        if isinstance(expr, AffineDimExpr)
    ]
    type = f.buffer_type(op.result.type, op)
    sizes, strides = (
        [each[d] for d in order] for each in (source.sizes, source.strides)
    )
    f.bind(op.result, source.view(type, source.offset, sizes, strides))


RULES: Rules = {
    memref.SubviewOp: _lower_subview,
    memref.CastOp: _lower_cast,
    memref.DimOp: _lower_dim,
    memref.RankOp: _lower_rank,
    memref.ReinterpretCastOp: _lower_reinterpret_cast,
    memref.ExtractStridedMetaDataOp: _lower_extract_strided_metadata,
    memref.ExtractAlignedPointerAsIndexOp: _lower_extract_aligned_pointer,
    llvm.IntToPtrOp: _lower_int_to_ptr,
    memref.ExpandShapeOp: _lower_expand_shape,
    memref.CollapseShapeOp: _lower_collapse_shape,
    memref.ViewOp: _lower_view,
    ReshapeOp: _lower_reshape,
    memref.AssumeAlignmentOp: _lower_assume_alignment,
    memref.MemorySpaceCastOp: _lower_memory_space_cast,
    DistinctObjectsOp: _lower_distinct_objects,
    TransposeOp: _lower_transpose,
}
