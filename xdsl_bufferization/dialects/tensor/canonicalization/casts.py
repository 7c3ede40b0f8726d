"""What `tensor.cast` simplifies to.

    %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>                      // is %t

Source of the rules: the folder and canonicalization patterns of MLIR's op.
"""

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...common.slices import Slice, slice_of
from ..constraints import ranked_type
from ..slice_types import dropped_dimensions, out_of_bounds
from .slices import create_slice_op


class CastOfCast(RewritePattern):
    """Two casts are one, unless the type between them says more than the others."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.CastOp, rewriter: PatternRewriter) -> None:
        first = op.source.owner
        if not isinstance(first, tensor.CastOp):
            return
        source, middle, dest = first.source.type, first.dest.type, op.dest.type
        direct = _join(_known_shape(source), _known_shape(dest))
        if direct is None or _join(direct, _known_shape(middle)) != direct:
            return
        new = tensor.CastOp.build(
            operands=[first.source], result_types=[dest], attributes=op.attributes
        )
        rewriter.replace(op, new)


Shape = tuple[int, ...]


def _known_shape(type_: Attribute) -> Shape | tuple[None]:
    """The shape of a ranked tensor type; `(None,)` stands for any."""
    return type_.get_shape() if isinstance(type_, TensorType) else (None,)


def _join(
    first: Shape | tuple[None], second: Shape | tuple[None]
) -> Shape | tuple[None] | None:
    """All that two shapes of one tensor say; None if they contradict each other."""
    if first == (None,):
        return second
    if second == (None,):
        return first
    if len(first) != len(second):
        return None
    joined: list[int] = []
    for a, b in zip(first, second, strict=True):
        assert a is not None
        assert b is not None
        if a != b and DYNAMIC_INDEX not in (a, b):
            return None
        joined.append(b if a == DYNAMIC_INDEX else a)
    return tuple(joined)


class CastOfEmpty(RewritePattern):
    """A cast that says more of an empty tensor makes an empty tensor of that type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.CastOp, rewriter: PatternRewriter) -> None:
        empty, type_ = op.source.owner, op.dest.type
        if not isinstance(empty, tensor.EmptyOp) or not isinstance(type_, TensorType):
            return
        values = iter(empty.dynamic_sizes)
        left: list[SSAValue] = []
        shapes = empty.tensor.type.get_shape(), type_.get_shape()
        for before, after in zip(*shapes, strict=True):
            value = next(values) if before == DYNAMIC_INDEX else None
            if after != DYNAMIC_INDEX:
                continue
            if value is None:
                return
            left.append(value)
        new = tensor.EmptyOp(left, type_)
        new.location = empty.location
        rewriter.replace(op, new)


class CastOfSlice(RewritePattern):
    """What a cast says of a slice are sizes of the slice."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.CastOp, rewriter: PatternRewriter) -> None:
        extract, type_ = op.source.owner, op.dest.type
        if not isinstance(extract, tensor.ExtractSliceOp):
            return
        if not isinstance(type_, TensorType) or type_ == op.source.type:
            return
        before = extract.result.type.get_shape()
        both = zip(before, type_.get_shape(), strict=True)
        if any(a not in (DYNAMIC_INDEX, b) for a, b in both):
            return
        piece = slice_of(extract)
        dropped = dropped_dimensions(piece.shape(), before)
        if dropped is None:
            return
        said = iter(type_.get_shape())
        sizes = [
            size
            if index in dropped or (known := next(said)) == DYNAMIC_INDEX
            else known
            for index, size in enumerate(piece.sizes)
        ]
        known = Slice(piece.offsets, sizes, piece.strides)
        if out_of_bounds(known, ranked_type(extract.source).get_shape()) is None:
            new = create_slice_op(extract, [extract.source], known, [type_])
            rewriter.replace(op, new)
