"""Reshapes that undo each other, and reshapes in one step.

%0 = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : ...
memref.collapse_shape %0 [[0, 1]] : memref<2x2xf32> into memref<4xf32>    // is %m

Source of the rules: the folders and canonicalization patterns of MLIR's memref ops.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from xdsl_bufferization.dialects.memref.canonicalization.values import (
    is_valid,
    replace_with_source,
)
from xdsl_bufferization.dialects.memref.constraints import ranked
from xdsl_bufferization.dialects.memref.reshapes import Groups, get_groups
from xdsl_bufferization.dialects.memref.views import (
    TransposeOp,
    are_cast_compatible,
    get_order,
)


def _compose(outer: Groups, inner: Groups) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    """The groups of two reshapes in one: a number of `outer` is a group of `inner`."""
    return ArrayAttr(
        ArrayAttr(IntegerAttr(dim, i64) for middle in group for dim in inner[middle])
        for group in outer
    )


class CollapseOfCollapse(RewritePattern):
    """Dimensions that are merged in two steps are merged in one."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.CollapseShapeOp, rewriter: PatternRewriter
    ) -> None:
        first = op.src.owner
        if not isinstance(first, memref.CollapseShapeOp):
            return
        groups = _compose(get_groups(op.reassociation), get_groups(first.reassociation))
        new = memref.CollapseShapeOp.build(
            operands=[first.src],
            result_types=[op.result.type],
            properties={"reassociation": groups},
            attributes=op.attributes,
        )
        if is_valid(new):
            rewriter.replace(op, new)


class ExpandOfExpand(RewritePattern):
    """Dimensions that are split in two steps are split in one."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ExpandShapeOp, rewriter: PatternRewriter
    ) -> None:
        first = op.src.owner
        if not isinstance(first, memref.ExpandShapeOp):
            return
        groups = _compose(get_groups(first.reassociation), get_groups(op.reassociation))
        new = memref.ExpandShapeOp.build(
            operands=[first.src, op.output_shape],
            result_types=[op.result.type],
            properties={
                "reassociation": groups,
                "static_output_shape": op.static_output_shape,
            },
            attributes=op.attributes,
        )
        if is_valid(new):
            rewriter.replace(op, new)


class CollapseOfExpand(RewritePattern):
    """Dimensions that are split and merged again are what they were."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.CollapseShapeOp, rewriter: PatternRewriter
    ) -> None:
        first = op.src.owner
        if op.src.type == op.result.type:
            rewriter.replace(op, [], [op.src])
        elif (
            isinstance(first, memref.ExpandShapeOp)
            and first.reassociation == op.reassociation
            and are_cast_compatible(first.src.type, op.result.type)
        ):
            replace_with_source(op.result, first.src, rewriter)


class ExpandOfCollapse(RewritePattern):
    """Dimensions that are merged and split again are what they were.

    Unless several sizes of a group are dynamic: they may come out differently.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ExpandShapeOp, rewriter: PatternRewriter
    ) -> None:
        first, result = op.src.owner, ranked(op.result)
        if op.src.type == result:
            rewriter.replace(op, [], [op.src])
        elif (
            isinstance(first, memref.CollapseShapeOp)
            and first.reassociation == op.reassociation
            and first.src.type == result
            and _are_implied(get_groups(op.reassociation), result.get_shape())
        ):
            rewriter.replace(op, [], [first.src])


def _are_implied(groups: Groups, shape: Sequence[int]) -> bool:
    """Whether the sizes of each group follow from their product."""
    return all(
        [shape[dim] for dim in group].count(DYNAMIC_INDEX) <= 1 for group in groups
    )


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
