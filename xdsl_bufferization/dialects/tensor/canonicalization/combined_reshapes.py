"""Reshapes of reshapes, of casts, and of tensors whose elements are all written out.

    %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [2, 2, 2] : ...
    %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x2x2xf32> into tensor<4x2xf32>
    // becomes
    %1 = tensor.expand_shape %t [[0, 1]] output_shape [4, 2] : ...

Source of the rules: the canonicalization patterns of MLIR's ops.
"""

from typing_extensions import override
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from ...common.reshape_algebra import (
    expand_of_collapse,
    numbers_of,
    static_product,
)
from ...common.shape_patterns import new_collapse, new_expand, sizes_of_expand
from ...common.static_values import (
    fold_constant,
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
        if reshape is None:
            return
        shared = first.src, reshape.groups
        if reshape.collapses:
            new = new_collapse(type(first), *shared, type_, op.attributes)
        else:
            sizes = sizes_of_expand(op)
            new = new_expand(type(op), *shared, sizes, type_, op.attributes)
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
        shape = [static_product([known[index] for index in group]) for group in groups]
        old = ranked_type(op.result)
        type_ = TensorType(old.element_type, shape, old.encoding)
        if not have_compatible_shapes(type_, old):
            return
        new = new_collapse(type(op), cast.source, groups, type_, op.attributes)
        replace_and_cast(op, new, rewriter)


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
        groups, sizes = numbers_of(op.reassociation), sizes_of_expand(op)
        known = ranked_type(cast.source).get_shape()
        for size, group in zip(known, groups, strict=True):
            if size != DYNAMIC_INDEX:
                for index in group:
                    sizes[index] = fold_constant(sizes[index])
        if sizes == sizes_of_expand(op):
            return
        old = ranked_type(op.result)
        shape = static_values(sizes)
        type_ = TensorType(old.element_type, shape, old.encoding)
        source_shape = [static_product([shape[i] for i in group]) for group in groups]
        source_type = TensorType(old.element_type, source_shape, old.encoding)
        if not have_compatible_shapes(source_type, cast.source.type):
            return
        inner = tensor.CastOp(op.src, source_type)
        rewriter.insert(inner)
        new = new_expand(type(op), inner.dest, groups, sizes, type_, op.attributes)
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
