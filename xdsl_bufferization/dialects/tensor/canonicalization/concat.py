"""A concatenation of one tensor is that tensor, and sizes of parts are known.

tensor.concat dim(0) %a, %b : (tensor<5x12xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
    // %b is cast to tensor<?x12xi32>, and the result is tensor<?x12xi32>

Source of the rules: the folder and canonicalization patterns of MLIR's op.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...common.types import have_compatible_shapes
from ..constraints import ranked_type
from .values import replace_and_cast


class ConcatOfOne(RewritePattern):
    """A single input is the result, cast to its type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.ConcatOp, rewriter: PatternRewriter) -> None:
        if len(op.inputs) != 1:
            return
        if op.inputs[0].type == op.result.type:
            rewriter.replace(op, [], [op.inputs[0]])
        else:
            rewriter.replace(op, tensor.CastOp(op.inputs[0], op.result.type))


class ConcatOfKnownSizes(RewritePattern):
    """All parts have the sizes of each other, but along the dimension."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.ConcatOp, rewriter: PatternRewriter) -> None:
        dim = op.dim.value.data
        type_ = _with_shape(op.result.type, _known_shape(op, dim))
        new_ops: list[Operation] = []
        parts = [_part(part, dim, type_, new_ops) for part in op.inputs]
        if type_ == op.result.type and not new_ops:
            return
        if not all(_agree(ranked_type(part), type_, dim) for part in parts):
            return
        rewriter.insert(new_ops)
        new = tensor.ConcatOp.build(
            operands=[parts],
            result_types=[type_],
            properties=op.properties,
            attributes=op.attributes,
        )
        replace_and_cast(op, new, rewriter)


def _agree(part: TensorType, whole: TensorType, dim: int) -> bool:
    """Whether a part may be one of the whole."""
    shape = [*part.get_shape()]
    shape[dim] = whole.get_shape()[dim]
    return have_compatible_shapes(_with_shape(part, shape), whole)


def _with_shape(type_: TensorType, shape: Sequence[int]) -> TensorType:
    return TensorType(type_.element_type, shape, type_.encoding)


def _known_shape(op: tensor.ConcatOp, dim: int) -> list[int]:
    shapes = [ranked_type(part).get_shape() for part in op.inputs]
    known: list[int] = []
    for index, size in enumerate(op.result.type.get_shape()):
        sizes = [shape[index] for shape in shapes]
        if size == DYNAMIC_INDEX and index != dim:
            size = next((each for each in sizes if each != DYNAMIC_INDEX), size)
        elif size == DYNAMIC_INDEX and DYNAMIC_INDEX not in sizes:
            size = sum(sizes)
        known.append(size)
    return known


def _part(
    part: SSAValue, dim: int, whole: TensorType, new_ops: list[Operation]
) -> SSAValue:
    """A part, cast to all that is known of it."""
    type_ = ranked_type(part)
    shape = [*whole.get_shape()]
    shape[dim] = type_.get_shape()[dim]
    known = _with_shape(type_, shape)
    if known == type_ or not have_compatible_shapes(known, type_):
        return part
    new_ops.append(cast := tensor.CastOp(part, known))
    return cast.dest
