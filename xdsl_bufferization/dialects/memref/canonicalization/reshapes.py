"""Reshapes that undo each other, and reshapes in one step.

%0 = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : ...
memref.collapse_shape %0 [[0, 1]] : memref<2x2xf32> into memref<4xf32>    // is %m

Source of the rules: the folders and canonicalization patterns of MLIR's memref ops.
"""

from collections.abc import Sequence
from math import prod

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    MemRefType,
    i64,
)
from xdsl.dialects.utils.reshape_ops_utils import ArrayOfIntArrayAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import VerifyException

from ...common.reshape_algebra import (
    attribute_of,
    collapse_of_expand,
    merged_sizes,
    numbers_of,
)
from ...common.static_values import (
    OpFoldResult,
    decompose_mixed_values,
    fold_constants,
    mixed_values,
    static_values,
)
from ..constraints import ranked
from ..layouts import has_identity_layout
from ..reshapes import Groups, get_collapsed_type, get_expanded_type, get_groups
from ..views import TransposeOp, are_cast_compatible, get_order
from .values import (
    is_valid,
    replace_with_cast,
    replace_with_source,
    source_that_says_more,
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


class OneReshapeForTwo(RewritePattern):
    """A collapse of an expansion that goes only part of the way back, or beyond.

    %0 = memref.expand_shape %m [[0, 1, 2]] ... : memref<8xf32> into memref<2x2x2xf32>
    memref.collapse_shape %0 [[0, 1], [2]] : memref<2x2x2xf32> into memref<4x2xf32>
        // memref.expand_shape %m [[0, 1]] : memref<8xf32> into memref<4x2xf32>
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.CollapseShapeOp, rewriter: PatternRewriter
    ) -> None:
        first, result = op.src.owner, ranked(op.result)
        if not isinstance(first, memref.ExpandShapeOp):
            return
        if not has_identity_layout(ranked(first.src)) or not has_identity_layout(
            result
        ):
            return
        collapse = numbers_of(op.reassociation)
        reshape = collapse_of_expand(numbers_of(first.reassociation), collapse)
        if reshape is None:
            return
        groups = attribute_of(reshape.groups)
        if reshape.collapses:
            new = memref.CollapseShapeOp.build(
                operands=[first.src],
                result_types=[result],
                properties={"reassociation": groups},
                attributes=op.attributes,
            )
            if is_valid(new):
                rewriter.replace(op, new)
            return
        sizes = mixed_values(first.static_output_shape.get_values(), first.output_shape)
        merged, new_ops = merged_sizes(sizes, collapse)
        new = _expansion(first.src, result, groups, merged, op)
        if is_valid(new):
            rewriter.replace(op, [*new_ops, new], new.results)


def _expansion(
    source: SSAValue,
    result: MemRefType,
    groups: ArrayOfIntArrayAttr,
    sizes: list[OpFoldResult],
    old: Operation,
) -> memref.ExpandShapeOp:
    static, dynamic = decompose_mixed_values(sizes)
    return memref.ExpandShapeOp.build(
        operands=[source, dynamic],
        result_types=[result],
        properties={
            "reassociation": groups,
            "static_output_shape": DenseArrayBase.from_list(i64, static),
        },
        attributes=old.attributes,
    )


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
        groups, known = get_groups(op.reassociation), ranked(source).get_shape()
        shape = [_product([known[dim] for dim in group]) for group in groups]
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


def _product(sizes: Sequence[int]) -> int:
    return DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else prod(sizes)


class ExpandLooksThroughCast(RewritePattern):
    """As `CollapseLooksThroughCast`, where sizes that are constants are known, too."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.ExpandShapeOp, rewriter: PatternRewriter
    ) -> None:
        old = mixed_values(op.static_output_shape.get_values(), op.output_shape)
        sizes = fold_constants(old)
        source = source_that_says_more(op.src)
        if source is None and sizes == old:
            return
        source = source or op.src
        groups = get_groups(op.reassociation)
        try:
            type_ = get_expanded_type(ranked(source), groups, static_values(sizes))
        except VerifyException:
            return
        new = _expansion(source, type_, op.reassociation, sizes, op)
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
