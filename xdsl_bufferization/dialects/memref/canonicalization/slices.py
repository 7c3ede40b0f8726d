"""Slices that are the whole, static slices, and buffers put together again.

memref.subview %m[0, 0] [4, 8] [1, 1] : memref<4x8xf32> to memref<4x8xf32>    // is %m
memref.subview %m[%c2, 0] [2, 8] [1, 1] : ...    // is [2, 0] [2, 8] [1, 1], and a cast
memref.reinterpret_cast %base to offset: [%offset], sizes: [...], strides: [...]
    // is what %base, %offset, ... are the strided metadata of

Source of the rules: the folders and canonicalization patterns of MLIR's memref ops.
"""

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from ...common.shape_patterns import is_valid
from ...common.slices import Slice, slice_of
from ...common.static_values import (
    constant_integer,
    static_values,
)
from ..constraints import ranked
from ..layouts import StridedForm, get_strided_form, static_or_none, with_layout
from ..slices import dropped_dims, infer_subview_type
from ..views import are_cast_compatible
from .values import replace_with_cast, replace_with_source, source_that_says_more


class SubviewOfEverything(RewritePattern):
    """A slice that is the whole buffer is that buffer."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.SubviewOp, rewriter: PatternRewriter
    ) -> None:
        source, result = ranked(op.source), ranked(op.result)
        offsets, sizes, strides = slice_of(op)
        if any(offset != 0 for offset in offsets) or any(n != 1 for n in strides):
            return
        if (
            sizes != list(source.get_shape())
            or source.get_shape() != result.get_shape()
        ):
            return
        if are_cast_compatible(source, result):
            replace_with_source(op.result, op.source, rewriter)


class SubviewOfConstants(RewritePattern):
    """Operands that are constants become part of the op and of its type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.SubviewOp, rewriter: PatternRewriter
    ) -> None:
        piece = slice_of(op)
        # A stride of 0 says that all elements are one, which MLIR's type cannot say.
        folded = piece.folded(zero_strides=False)
        if folded != piece:
            _replace_subview(op, op.source, folded, rewriter)


class SubviewLooksThroughCast(RewritePattern):
    """A slice of a cast buffer is a slice of the buffer, and a cast."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.SubviewOp, rewriter: PatternRewriter
    ) -> None:
        source = source_that_says_more(op.source)
        if source is not None:
            _replace_subview(op, source, slice_of(op), rewriter)


def _replace_subview(
    op: memref.SubviewOp, source: SSAValue, piece: Slice, rewriter: PatternRewriter
) -> None:
    old_full = infer_subview_type(
        ranked(op.source), *(static_values(each) for each in slice_of(op))
    )
    dropped = dropped_dims(old_full, ranked(op.result))
    if dropped is None:
        return
    full = infer_subview_type(ranked(source), *(static_values(each) for each in piece))
    new_type = _without_dims(full, dropped)
    if not are_cast_compatible(new_type, op.result.type):
        return
    new = memref.SubviewOp.get(source, *piece, new_type)
    new.attributes.update(op.attributes)
    # What was hidden in an operand may be out of bounds; then the op stays as it is.
    if is_valid(new):
        replace_with_cast(op, new, rewriter)


def _without_dims(type_: MemRefType, dropped: tuple[int, ...]) -> MemRefType:
    form = get_strided_form(type_)
    if not dropped or form is None:
        return type_
    kept = [dim for dim in range(type_.get_num_dims()) if dim not in dropped]
    shape = [type_.get_shape()[dim] for dim in kept]
    strides = tuple(form.strides[dim] for dim in kept)
    return with_layout(type_, shape, StridedForm(strides, form.offset))


class ReinterpretCastOfConstants(RewritePattern):
    """Operands that are constants become part of the op and of its type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ReinterpretCastOp, rewriter: PatternRewriter
    ) -> None:
        piece = slice_of(op)
        folded = piece.folded()
        if folded == piece:
            return
        offsets, sizes, strides = (static_values(each) for each in folded)
        form = StridedForm(static_or_none(strides), static_or_none(offsets)[0])
        new_type = with_layout(ranked(op.result), sizes, form)
        if not are_cast_compatible(new_type, op.result.type):
            return
        new = memref.ReinterpretCastOp.from_dynamic(op.source, *folded, new_type)
        new.attributes.update(op.attributes)
        if is_valid(new):
            replace_with_cast(op, new, rewriter)


class ReinterpretCastToSameType(RewritePattern):
    """A buffer whose type says where each element is, cast to that type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ReinterpretCastOp, rewriter: PatternRewriter
    ) -> None:
        source = op.source.type
        if source != op.result.type or not isa(source, MemRefType):
            return
        form = get_strided_form(source)
        if form is None or None in (form.offset, *form.strides):
            return
        if source.has_static_shape():
            rewriter.replace(op, [], [op.source])


class ReinterpretCastOfSameMemory(RewritePattern):
    """What a buffer was cast from has the same memory, and the rest is replaced."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ReinterpretCastOp, rewriter: PatternRewriter
    ) -> None:
        owner = op.source.owner
        same = isinstance(owner, memref.CastOp | memref.ReinterpretCastOp)
        if isinstance(owner, memref.SubviewOp):
            same = all(offset == 0 for offset in owner.static_offsets.iter_values())
        if same and isinstance(
            owner, memref.CastOp | memref.ReinterpretCastOp | memref.SubviewOp
        ):
            op.operands[0] = owner.source
            rewriter.notify_op_modified(op)


class ReinterpretCastOfStridedMetadata(RewritePattern):
    """A buffer that is taken apart and put together again is that buffer."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ReinterpretCastOp, rewriter: PatternRewriter
    ) -> None:
        parts = op.source.owner
        if not isinstance(parts, memref.ExtractStridedMetaDataOp):
            return
        source = ranked(parts.source)
        if _is_put_together(op, parts) and are_cast_compatible(source, op.result.type):
            replace_with_source(op.result, parts.source, rewriter)
            return
        op.operands[0] = parts.source
        rewriter.notify_op_modified(op)


def _is_put_together(
    op: memref.ReinterpretCastOp, parts: memref.ExtractStridedMetaDataOp
) -> bool:
    source = ranked(parts.source)
    form = get_strided_form(source)
    offsets, sizes, strides = slice_of(op)
    given = [*offsets, *sizes, *strides]
    if form is None or len(given) != 1 + 2 * source.get_num_dims():
        return False
    static = (form.offset, *static_or_none(source.get_shape()), *form.strides)
    return all(
        number is result
        or (constant_integer(number) is not None and constant_integer(number) == known)
        for number, result, known in zip(given, parts.results[1:], static, strict=True)
    )
