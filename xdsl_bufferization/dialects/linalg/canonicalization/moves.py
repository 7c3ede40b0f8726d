"""Ops that only move data, where the data is at hand in the wanted order.

linalg.transpose of linalg.transpose, back again     what was transposed first
linalg.generic that yields its input's elements      its input
linalg.broadcast of linalg.broadcast                 one broadcast
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.dialects.linalg import ops
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from ...common.static_values import index_constant
from ...common.types import have_compatible_shapes
from ...tensor.constraints import ranked_type
from ..structure import element_type_of, structure_of


class CopyToItself(RewritePattern):
    """A buffer is copied to itself: nothing happens."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.CopyOp, rewriter: PatternRewriter) -> None:
        (source,), (target,) = op.inputs, op.outputs
        if source is target and isinstance(source.type, MemRefType):
            rewriter.erase(op)


class GenericThatMovesNothing(RewritePattern):
    """Elements are yielded as and where they were read."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.GenericOp, rewriter: PatternRewriter) -> None:
        structure = structure_of(op)
        assert structure is not None
        if any(map_ != structure.maps[0] for map_ in structure.maps):
            return
        block = structure.body.block
        terminator = block.first_op
        if not isinstance(terminator, YieldOp):
            return
        arguments = [
            value
            for value in terminator.operands
            if isinstance(value, BlockArgument) and value.block is block
        ]
        if len(arguments) != len(terminator.operands):
            return
        sources = [op.operands[argument.index] for argument in arguments]
        if not op.results:
            if sources == list(structure.outputs):
                rewriter.erase(op)
            return
        pairs = list(zip(sources, op.results, strict=True))
        if not all(_may_be_cast(s.type, r.type) for s, r in pairs):
            return
        new_ops: list[Operation] = []
        values: list[SSAValue] = []
        for source, result in pairs:
            if source.type != result.type:
                new_ops.append(cast := tensor.CastOp(source, ranked_type(result)))
                source = cast.dest
            values.append(source)
        rewriter.replace(op, new_ops, values)


def _may_be_cast(source: Attribute, dest: Attribute) -> bool:
    return source == dest or (
        isa(source, TensorType)
        and isa(dest, TensorType)
        and source.encoding == dest.encoding
        and element_type_of(source) == element_type_of(dest)
        and have_compatible_shapes(source, dest)
    )


class TransposeToSameOrder(RewritePattern):
    """The dimensions stay where they are."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.TransposeOp, rewriter: PatternRewriter) -> None:
        if _is_on_tensors(op) and _is_identity(op.permutation.get_values()):
            rewriter.replace(op, [], op.operands[:1])


class TransposeOfTranspose(RewritePattern):
    """The permutations are composed."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.TransposeOp, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if not _is_on_tensors(op) or not isinstance(inner, ops.TransposeOp):
            return
        first = inner.permutation.get_values()
        composed = [first[dimension] for dimension in op.permutation.get_values()]
        if _is_identity(composed):
            if inner.operands[0].type == op.results[0].type:
                rewriter.replace(op, [], inner.operands[:1])
            return
        permutation = DenseArrayBase.from_list(i64, composed)
        rewriter.replace(
            op,
            ops.TransposeOp.create(
                operands=[inner.operands[0], op.operands[1]],
                result_types=[result.type for result in op.results],
                properties={**op.properties, "permutation": permutation},
                attributes=dict(op.attributes),
                regions=[op.detach_region(region) for region in list(op.regions)],
            ),
        )


class BroadcastToSameShape(RewritePattern):
    """No dimension is added."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.BroadcastOp, rewriter: PatternRewriter) -> None:
        if _is_on_tensors(op) and not op.dimensions.get_values():
            rewriter.replace(op, [], op.operands[:1])


class BroadcastOfBroadcast(RewritePattern):
    """All dimensions are added at once."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.BroadcastOp, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if not _is_on_tensors(op) or not isinstance(inner, ops.BroadcastOp):
            return
        added = list(op.dimensions.get_values())
        rank = ranked_type(op.results[0]).get_num_dims()
        # Where the dimensions of the tensor in between are in the result.
        kept = [dimension for dimension in range(rank) if dimension not in set(added)]
        added += [kept[dimension] for dimension in inner.dimensions.get_values()]
        new = _broadcast(op, inner.operands[0], op.operands[1], sorted(added), rewriter)
        rewriter.replace(op, new)


def _broadcast(
    op: ops.BroadcastOp,
    source: SSAValue,
    init: SSAValue,
    dimensions: Sequence[int],
    rewriter: PatternRewriter,
) -> ops.BroadcastOp:
    return ops.BroadcastOp.create(
        operands=[source, init],
        result_types=[init.type],
        properties={
            **op.properties,
            "dimensions": DenseArrayBase.from_list(i64, dimensions),
        },
        attributes=dict(op.attributes),
        regions=[
            rewriter.move_region_contents_to_new_regions(region)
            for region in list(op.regions)
        ],
    )


class TransposeOfBroadcast(RewritePattern):
    """The smaller tensor is transposed, and then broadcast."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.TransposeOp, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if not _is_on_tensors(op) or not isinstance(inner, ops.BroadcastOp):
            return
        if not inner.results[0].has_one_use():
            return
        source, order = inner.operands[0], list(op.permutation.get_values())
        added = set(inner.dimensions.get_values())
        kept = [each for each in range(len(order)) if each not in added]
        number = {dimension: index for index, dimension in enumerate(kept)}
        dimensions = [order.index(each) for each in inner.dimensions.get_values()]
        permutation = [number[each] for each in order if each not in added]
        if not _is_identity(permutation):
            source = _transposed(op, source, permutation, rewriter)
        new = _broadcast(inner, source, op.operands[1], dimensions, rewriter)
        rewriter.replace(op, new)
        rewriter.erase(inner)


def _transposed(
    op: ops.TransposeOp,
    source: SSAValue,
    permutation: Sequence[int],
    rewriter: PatternRewriter,
) -> SSAValue:
    type_ = ranked_type(source)
    shape = [type_.get_shape()[dimension] for dimension in permutation]
    new_ops: list[Operation] = []
    sizes: dict[int, SSAValue] = {}
    for dimension, size in enumerate(type_.get_shape()):
        if size == DYNAMIC_INDEX:
            index = index_constant(dimension)
            dim = tensor.DimOp(source, index)
            new_ops += [index, dim]
            sizes[dimension] = dim.result
    unknown = [sizes[dimension] for dimension in permutation if dimension in sizes]
    empty = tensor.EmptyOp(unknown, TensorType(type_.element_type, shape))
    transpose = ops.TransposeOp.create(
        operands=[source, empty.tensor],
        result_types=[empty.tensor.type],
        properties={
            **op.properties,
            "permutation": DenseArrayBase.from_list(i64, permutation),
        },
        regions=[
            rewriter.move_region_contents_to_new_regions(region)
            for region in list(op.regions)
        ],
    )
    rewriter.insert([*new_ops, empty, transpose])
    return transpose.results[0]


def _is_on_tensors(op: Operation) -> bool:
    types: list[Attribute] = [result.type for result in op.results]
    return any(isinstance(type_, TensorType) for type_ in types)


def _is_identity(permutation: Sequence[int]) -> bool:
    return list(permutation) == list(range(len(permutation)))
