"""What `tensor.dim`, `tensor.empty` and `tensor.splat` simplify to.

    %0 = tensor.empty(%n) : tensor<4x?xf32>
    %1 = tensor.dim %0, %c1 : tensor<4x?xf32>                                 // is %n

    %2 = tensor.empty(%c8) : tensor<4x?xf32>
    // becomes
    %3 = tensor.empty() : tensor<4x8xf32>
    %2 = tensor.cast %3 : tensor<4x8xf32> to tensor<4x?xf32>

Source of the rules: the folders and canonicalization patterns of MLIR's ops.
"""

from typing_extensions import override
from xdsl.dialects import arith, bufferization, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FloatAttr,
    IndexType,
    IntegerAttr,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from ...common.slices import slice_of
from ...common.static_values import (
    OpFoldResult,
    mixed_values,
)
from ...text.splats import has_constants
from ..constraints import ranked_type
from ..regions import GenerateOp
from ..slice_types import dropped_dimensions
from .values import constant_attribute, dense_elements, known_sizes


class DimOfCast(RewritePattern):
    """A cast has the sizes of its source."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.DimOp, rewriter: PatternRewriter) -> None:
        cast = op.source.owner
        if isinstance(cast, tensor.CastOp) and not _is_scalar(cast.source.type):
            rewriter.replace(op, tensor.DimOp(cast.source, op.index, op.attributes))


class DimOfReshape(RewritePattern):
    """The size of a reshaped tensor is in the tensor that holds the shape."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.DimOp, rewriter: PatternRewriter) -> None:
        reshape = op.source.owner
        if not isinstance(reshape, tensor.ReshapeOp):
            return
        type_ = ranked_type(reshape.shape).element_type
        new = tensor.ExtractOp(reshape.shape, [op.index], type_)
        if isinstance(type_, IndexType):
            rewriter.replace(op, new)
        else:
            rewriter.replace(op, [new, arith.IndexCastOp(new.result, IndexType())])


def _is_scalar(type_: Attribute) -> bool:
    return isinstance(type_, TensorType) and not type_.get_shape()


def defined_size(source: SSAValue, index: int) -> OpFoldResult | None:
    """Size `index` of a tensor, if its type or the op that defines it says so."""
    type_ = source.type
    if not isinstance(type_, TensorType) or not 0 <= index < type_.get_num_dims():
        return None
    shape = type_.get_shape()
    if shape[index] != DYNAMIC_INDEX:
        return shape[index]
    match source.owner:
        case tensor.EmptyOp(dynamic_sizes=sizes) | GenerateOp(dynamic_extents=sizes):
            return sizes[shape[:index].count(DYNAMIC_INDEX)]
        case tensor.SplatOp() as op:
            return op.dynamicSizes[shape[:index].count(DYNAMIC_INDEX)]
        case bufferization.AllocTensorOp(copy=None, dynamic_sizes=sizes):
            return sizes[shape[:index].count(DYNAMIC_INDEX)]
        case tensor.ExtractSliceOp() as op:
            return _size_of_slice(op, index)
        case tensor.ExpandShapeOp() as op:
            sizes = op.static_output_shape.get_values(), op.dynamic_output_shape
            return mixed_values(*sizes)[index]
        case _:
            return None


def _size_of_slice(op: tensor.ExtractSliceOp, index: int) -> OpFoldResult | None:
    piece = slice_of(op)
    shape = ranked_type(op.result).get_shape()
    dropped = dropped_dimensions(piece.shape(), shape)
    if dropped is None:
        return None
    return [size for i, size in enumerate(piece.sizes) if i not in dropped][index]


class EmptyOfConstantSizes(RewritePattern):
    """Sizes that are known go into the type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.EmptyOp, rewriter: PatternRewriter) -> None:
        type_, left = known_sizes(op.tensor.type, op.dynamic_sizes)
        if type_ != op.tensor.type:
            new = tensor.EmptyOp(left, type_)
            cast = tensor.CastOp(new, op.tensor.type)
            new.location = cast.location = op.location
            rewriter.replace(op, [new, cast])


class SplatOfConstant(RewritePattern):
    """A constant in every element of a static shape is a constant tensor."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.SplatOp, rewriter: PatternRewriter) -> None:
        value, type_ = constant_attribute(op.input), op.result.type
        if not isa(value, IntegerAttr | FloatAttr) or not type_.has_static_shape():
            return
        if not has_constants(type_.element_type):
            return
        elements = dense_elements(type_, [value])
        rewriter.replace(op, arith.ConstantOp(elements))
