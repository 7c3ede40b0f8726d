"""What is known of sizes, offsets and strides becomes a constant or an operand.

%m = memref.alloc(%n) : memref<4x?xf32>
memref.dim %m, %c0 : memref<4x?xf32>    // is 4
memref.dim %m, %c1 : memref<4x?xf32>    // is %n

Source of the rules: the folders of MLIR's memref ops.
"""

from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import override
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from ...common.static_values import (
    OpFoldResult,
    constant_integer,
    index_constant,
    mixed_values,
)
from ..constraints import ranked
from ..layouts import get_strided_form
from ..slices import dropped_dims, infer_subview_type
from ..views import ReshapeOp, TransposeOp, get_order


def defined_size(source: SSAValue, dim: int) -> OpFoldResult | None:
    """A size of a buffer, if its type or the op that makes it says so."""
    type_ = source.type
    if not isa(type_, MemRefType) or not 0 <= dim < type_.get_num_dims():
        return None
    size = type_.get_shape()[dim]
    if size != DYNAMIC_INDEX:
        return size
    find_size = _SIZES.get(type(source.owner))
    return None if find_size is None else find_size(source.owner, dim)


class DimOfSameShape(RewritePattern):
    """A view of the same shape has the sizes of its source."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.DimOp, rewriter: PatternRewriter) -> None:
        owner = op.source.owner
        if isinstance(owner, memref.AssumeAlignmentOp | memref.MemorySpaceCastOp):
            op.operands[0] = owner.operands[0]
            rewriter.notify_op_modified(op)


class DimOfTranspose(RewritePattern):
    """A transposed buffer has the sizes of its source in another order."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.DimOp, rewriter: PatternRewriter) -> None:
        dim, transpose = constant_integer(op.index), op.source.owner
        if dim is None or not isinstance(transpose, TransposeOp):
            return
        order = get_order(transpose.permutation.data)
        if 0 <= dim < len(order):
            new_dim = index_constant(order[dim])
            new = memref.DimOp(transpose.source, new_dim)
            rewriter.replace(op, [new_dim, new], new.results)


class DimOfReshape(RewritePattern):
    """The size of a reshaped buffer is in the buffer that holds the shape.

    %r = memref.reshape %m(%shape)
    memref.dim %r, %i    // memref.load %shape[%i], where the shape was read

    The load stands behind the reshape: later, the shape may be overwritten.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.DimOp, rewriter: PatternRewriter) -> None:
        reshape, index = op.source.owner, op.index
        if not isinstance(reshape, ReshapeOp):
            return
        constant = constant_integer(index)
        new_ops: list[Operation] = []
        if constant is not None:
            new_ops.append(number := index_constant(constant))
            index = number.result
        elif not _is_there_before(index, reshape):
            return
        new_ops.append(memref.LoadOp.get(reshape.shape, [index]))
        if not isinstance(new_ops[-1].results[0].type, IndexType):
            new_ops.append(arith.IndexCastOp(new_ops[-1].results[0], IndexType()))
        rewriter.insert(new_ops, InsertPoint.after(reshape))
        rewriter.replace(op, [], new_ops[-1].results)


def _is_there_before(value: SSAValue, op: Operation) -> bool:
    """Whether `value` is an argument of a block around `op`. When unsure: False."""
    if not isinstance(value, BlockArgument):
        return False
    around: Operation | None = op
    while around is not None:
        if around.parent_block() is value.block:
            return True
        around = around.parent_op()
    return False


class StridedMetadataIsKnown(RewritePattern):
    """Static parts of a buffer are constants wherever they are used."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ExtractStridedMetaDataOp, rewriter: PatternRewriter
    ) -> None:
        type_ = ranked(op.source)
        form = get_strided_form(type_)
        if form is None:
            return
        sizes = (None if n == DYNAMIC_INDEX else n for n in type_.get_shape())
        known = (form.offset, *sizes, *form.strides)
        for result, number in zip(op.results[1:], known, strict=True):
            if number is not None and result.first_use is not None:
                constant = rewriter.insert(index_constant(number))
                rewriter.replace_all_uses_with(result, constant.result)


def _size_of_allocation(
    op: "memref.AllocOp | memref.AllocaOp", dim: int
) -> SSAValue | None:
    return _dynamic_size(ranked(op.memref), op.dynamic_sizes, dim)


def _size_of_view(op: memref.ViewOp, dim: int) -> SSAValue | None:
    return _dynamic_size(ranked(op.result), op.sizes, dim)


def _dynamic_size(
    type_: MemRefType, sizes: Sequence[SSAValue], dim: int
) -> SSAValue | None:
    return sizes[type_.get_shape()[:dim].count(DYNAMIC_INDEX)]


def _size_of_subview(op: memref.SubviewOp, dim: int) -> OpFoldResult | None:
    result = ranked(op.result)
    full = infer_subview_type(
        ranked(op.source),
        op.static_offsets.get_values(),
        op.static_sizes.get_values(),
        op.static_strides.get_values(),
    )
    dropped = dropped_dims(full, result)
    if dropped is None:
        return None
    kept = [each for each in range(full.get_num_dims()) if each not in dropped]
    return mixed_values(op.static_sizes.get_values(), op.sizes)[kept[dim]]


def _size_of_reinterpret_cast(
    op: memref.ReinterpretCastOp, dim: int
) -> OpFoldResult | None:
    return mixed_values(op.static_sizes.get_values(), op.sizes)[dim]


def _size_of_expand_shape(op: memref.ExpandShapeOp, dim: int) -> OpFoldResult | None:
    return mixed_values(op.static_output_shape.get_values(), op.output_shape)[dim]


_SIZES: dict[type[Any], Callable[[Any, int], OpFoldResult | None]] = {
    memref.AllocOp: _size_of_allocation,
    memref.AllocaOp: _size_of_allocation,
    memref.ExpandShapeOp: _size_of_expand_shape,
    memref.ReinterpretCastOp: _size_of_reinterpret_cast,
    memref.SubviewOp: _size_of_subview,
    memref.ViewOp: _size_of_view,
}
"""For ops with operands for sizes, which of these is that of a dynamic dimension."""
