"""What ops that change the shape of a tensor simplify to.

    %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3]
        : tensor<6xf32> into tensor<2x3xf32>                                  // is %t

Source of the rules: the folders and canonicalization patterns of MLIR's ops.
"""

from typing_extensions import override
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
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
    constant_integer,
    fold_constant,
    static_values,
)
from ...common.types import have_compatible_shapes
from ..constraints import ranked_type
from .values import (
    dense_constant,
    dense_elements,
    is_dim_of,
    keeps_static_sizes,
    replace_and_cast,
    splat_element,
)


class CollapseOfExpand(RewritePattern):
    """Collapsing just what has been expanded gives the source."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.CollapseShapeOp, rewriter: PatternRewriter
    ) -> None:
        expand = op.src.owner
        if (
            isinstance(expand, tensor.ExpandShapeOp)
            and expand.src.type == op.result.type
            and expand.reassociation == op.reassociation
        ):
            rewriter.replace(op, [], [expand.src])


class ReshapeOfReshape(RewritePattern):
    """The last of two shapes counts."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ReshapeOp, rewriter: PatternRewriter
    ) -> None:
        first = op.source.owner
        if isinstance(first, tensor.ReshapeOp):
            new = tensor.ReshapeOp(first.source, op.shape, op.result.type)
            new.attributes.update(op.attributes)
            rewriter.replace(op, new)


def _is_static(type_: Attribute) -> bool:
    return isinstance(type_, TensorType) and DYNAMIC_INDEX not in type_.get_shape()


class ReshapeToSameType(RewritePattern):
    """A static shape that stays the same needs no reshape."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ReshapeOp, rewriter: PatternRewriter
    ) -> None:
        type_ = op.result.type
        if type_ != op.source.type:
            return
        if _is_static(type_) or _has_sizes_of(op.shape, op.source):
            rewriter.replace(op, [], [op.source])


def _has_sizes_of(shape: SSAValue, source: SSAValue) -> bool:
    """Whether `shape` surely has the sizes of `source`."""
    type_ = source.type
    if not isinstance(type_, TensorType):
        return False
    if type_.get_num_dims() == 1:
        # As many elements in one dimension are as many.
        return True
    elements = shape.owner
    return isinstance(elements, tensor.FromElementsOp) and all(
        is_dim_of(element, source, index)
        or (size != DYNAMIC_INDEX and constant_integer(element) == size)
        for index, (element, size) in enumerate(
            zip(elements.elements, type_.get_shape(), strict=True)
        )
    )


# Reshapes of reshapes, of casts, and of tensors whose elements are all written out.


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
