"""Reshapes of reshapes, of casts, and of tensors whose elements are all written out.

    %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [2, 2, 2] : ...
    %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x2x2xf32> into tensor<4x2xf32>
    // becomes
    %1 = tensor.expand_shape %t [[0, 1]] output_shape [4, 2] : ...

Source of the rules: the canonicalization patterns of MLIR's ops.
"""

from collections.abc import Sequence
from math import prod

from typing_extensions import override
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from ...common.reshape_algebra import (
    Reshape,
    attribute_of,
    collapse_of_expand,
    expand_of_collapse,
    merged_sizes,
    numbers_of,
)
from ...common.static_values import (
    OpFoldResult,
    decompose_mixed_values,
    fold_constant,
    mixed_values,
    static_values,
)
from ...common.types import have_compatible_shapes
from ..constraints import ranked_type
from .values import (
    dense_constant,
    dense_elements,
    keeps_static_sizes,
    replace_and_cast,
    splat_element,
)


def _sizes(op: tensor.ExpandShapeOp) -> list[OpFoldResult]:
    static = op.static_output_shape.get_values()
    return mixed_values(static, op.dynamic_output_shape)


def _reshape(
    source: SSAValue,
    reshape: Reshape,
    sizes: Sequence[OpFoldResult],
    type_: TensorType,
    attributes: dict[str, Attribute],
) -> Operation:
    """The op of a reshape; `sizes` are for an expansion only."""
    groups = attribute_of(reshape.groups)
    if reshape.collapses:
        return tensor.CollapseShapeOp.build(
            operands=[source],
            result_types=[type_],
            properties={"reassociation": groups},
            attributes=attributes,
        )
    static, dynamic = decompose_mixed_values(sizes)
    return tensor.ExpandShapeOp(source, dynamic, groups, static, type_, attributes)


class OneForCollapseOfExpand(RewritePattern):
    """A collapse of an expansion that goes only part of the way back, or beyond."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.CollapseShapeOp, rewriter: PatternRewriter
    ) -> None:
        first = op.src.owner
        if not isinstance(first, tensor.ExpandShapeOp):
            return
        groups = numbers_of(op.reassociation)
        reshape = collapse_of_expand(numbers_of(first.reassociation), groups)
        if reshape is None:
            return
        sizes, new_ops = [], []
        if not reshape.collapses:
            sizes, new_ops = merged_sizes(_sizes(first), groups)
        type_ = ranked_type(op.result)
        new = _reshape(first.src, reshape, sizes, type_, op.attributes)
        rewriter.replace(op, [*new_ops, new], new.results)


class OneForExpandOfCollapse(RewritePattern):
    """An expansion of what was collapsed, to sizes that need one reshape only."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExpandShapeOp, rewriter: PatternRewriter
    ) -> None:
        first, type_ = op.src.owner, ranked_type(op.result)
        if not isinstance(first, tensor.CollapseShapeOp):
            return
        reshape = expand_of_collapse(
            numbers_of(first.reassociation),
            numbers_of(op.reassociation),
            ranked_type(first.src).get_shape(),
            type_.get_shape(),
        )
        if reshape is not None:
            new = _reshape(first.src, reshape, _sizes(op), type_, op.attributes)
            rewriter.replace(op, new)


class CollapseOfCast(RewritePattern):
    """A collapse of a cast is one of what is cast, if that is known better."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.CollapseShapeOp, rewriter: PatternRewriter
    ) -> None:
        cast = op.src.owner
        if not isinstance(cast, tensor.CastOp) or not keeps_static_sizes(cast):
            return
        known = ranked_type(cast.source).get_shape()
        groups = numbers_of(op.reassociation)
        shape = [_product([known[index] for index in group]) for group in groups]
        old = ranked_type(op.result)
        type_ = TensorType(old.element_type, shape, old.encoding)
        if not have_compatible_shapes(type_, old):
            return
        reshape = Reshape(groups, collapses=True)
        new = _reshape(cast.source, reshape, (), type_, op.attributes)
        replace_and_cast(op, new, rewriter)


def _product(sizes: Sequence[int]) -> int:
    return DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else prod(sizes)


class ExpandOfCast(RewritePattern):
    """Sizes that are constants are known of an expansion of a cast, and before it.

    Where a size of the source is unknown, at least one that it is split to has to be.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExpandShapeOp, rewriter: PatternRewriter
    ) -> None:
        cast = op.src.owner
        if not isinstance(cast, tensor.CastOp) or not keeps_static_sizes(cast):
            return
        groups, sizes = numbers_of(op.reassociation), _sizes(op)
        known = ranked_type(cast.source).get_shape()
        for size, group in zip(known, groups, strict=True):
            if size != DYNAMIC_INDEX:
                for index in group:
                    sizes[index] = fold_constant(sizes[index])
        if sizes == _sizes(op):
            return
        old = ranked_type(op.result)
        shape = static_values(sizes)
        type_ = TensorType(old.element_type, shape, old.encoding)
        source_shape = [_product([shape[i] for i in group]) for group in groups]
        source_type = TensorType(old.element_type, source_shape, old.encoding)
        if not have_compatible_shapes(source_type, cast.source.type):
            return
        inner = tensor.CastOp(op.src, source_type)
        rewriter.insert(inner)
        reshape = Reshape(groups, collapses=False)
        new = _reshape(inner.dest, reshape, sizes, type_, op.attributes)
        replace_and_cast(op, new, rewriter)


class ReshapeOfElements(RewritePattern):
    """A reshape of equal elements, or of elements in a row, has just another type."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(
            op, tensor.CollapseShapeOp | tensor.ExpandShapeOp | tensor.ReshapeOp
        ):
            return
        type_, source = op.results[0].type, op.operands[0]
        if not isa(type_, TensorType) or not type_.has_static_shape():
            return
        elements = dense_constant(source)
        value = None if elements is None else splat_element(elements)
        if value is not None:
            rewriter.replace(op, arith.ConstantOp(dense_elements(type_, [value])))
        elif isinstance(source.owner, tensor.SplatOp):
            rewriter.replace(op, tensor.SplatOp(source.owner.input, [], type_))
        elif isinstance(source.owner, tensor.FromElementsOp):
            new = tensor.FromElementsOp.build(
                operands=[source.owner.elements], result_types=[type_]
            )
            rewriter.replace(op, new)
