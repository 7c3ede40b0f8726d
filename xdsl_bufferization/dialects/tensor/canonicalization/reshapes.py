"""What ops that change the shape of a tensor simplify to.

    %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3]
        : tensor<6xf32> into tensor<2x3xf32>                                  // is %t

Source of the rules: the folders and canonicalization patterns of MLIR's ops.
"""

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...common.static_values import constant_integer
from .values import is_dim_of


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
