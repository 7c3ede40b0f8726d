"""Reshapes that undo each other, and reshapes in one step.

%0 = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : ...
memref.collapse_shape %0 [[0, 1]] : memref<2x2xf32> into memref<4xf32>    // is %m

Source of the rules: the folders and canonicalization patterns of MLIR's memref ops.
"""

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import VerifyException

from ...common.reshape_algebra import (
    numbers_of,
    static_product,
)
from ...common.shape_patterns import is_valid, new_expand, sizes_of_expand
from ...common.static_values import (
    fold_constants,
    static_values,
)
from ..constraints import ranked
from ..layouts import has_identity_layout
from ..reshapes import get_collapsed_type, get_expanded_type
from ..views import TransposeOp, are_cast_compatible, get_order
from .values import replace_with_cast, replace_with_source, source_that_says_more


class CollapseOfExpand(RewritePattern):
    """Dimensions that are split and merged again are what they were."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.CollapseShapeOp, rewriter: PatternRewriter
    ) -> None:
        first = op.src.owner
        if (
            isinstance(first, memref.ExpandShapeOp)
            and first.reassociation == op.reassociation
            and are_cast_compatible(first.src.type, op.result.type)
        ):
            replace_with_source(op.result, first.src, rewriter)


def have_identity_layouts(source: SSAValue, result: SSAValue) -> bool:
    """Whether the elements of both buffers are one behind the other."""
    return has_identity_layout(ranked(source)) and has_identity_layout(ranked(result))


class CollapseLooksThroughCast(RewritePattern):
    """A collapse of a cast buffer is one of the buffer, and perhaps a cast."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.CollapseShapeOp, rewriter: PatternRewriter
    ) -> None:
        source = source_that_says_more(op.src)
        if source is None:
            return
        groups, known = numbers_of(op.reassociation), ranked(source).get_shape()
        shape = [static_product([known[dim] for dim in group]) for group in groups]
        try:
            type_ = get_collapsed_type(ranked(source), groups, shape)
        except VerifyException:
            return
        new = memref.CollapseShapeOp.build(
            operands=[source],
            result_types=[type_],
            properties=op.properties,
            attributes=op.attributes,
        )
        if are_cast_compatible(type_, op.result.type) and is_valid(new):
            replace_with_cast(op, new, rewriter)


class ExpandLooksThroughCast(RewritePattern):
    """As `CollapseLooksThroughCast`, where sizes that are constants are known, too."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ExpandShapeOp, rewriter: PatternRewriter
    ) -> None:
        old = sizes_of_expand(op)
        sizes = fold_constants(old)
        source = source_that_says_more(op.src)
        if source is None and sizes == old:
            return
        source = source or op.src
        groups = numbers_of(op.reassociation)
        try:
            type_ = get_expanded_type(ranked(source), groups, static_values(sizes))
        except VerifyException:
            return
        new = new_expand(type(op), source, groups, sizes, type_, op.attributes)
        if are_cast_compatible(type_, op.result.type) and is_valid(new):
            replace_with_cast(op, new, rewriter)


class TransposeOfTranspose(RewritePattern):
    """Two transpositions are one, and one that moves nothing is none."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TransposeOp, rewriter: PatternRewriter) -> None:
        source: SSAValue = op.source
        order = get_order(op.permutation.data)
        if isinstance(first := source.owner, TransposeOp):
            source, inner = first.source, get_order(first.permutation.data)
            order = [inner[dim] for dim in order]
        if order == sorted(order):
            if are_cast_compatible(source.type, op.result.type):
                replace_with_source(op.result, source, rewriter)
        elif source is not op.source:
            exprs = tuple(AffineDimExpr(dim) for dim in order)
            new = TransposeOp(source, AffineMap(len(order), 0, exprs))
            if new.result.type == op.result.type:
                rewriter.replace(op, new)
            else:
                new.erase()
