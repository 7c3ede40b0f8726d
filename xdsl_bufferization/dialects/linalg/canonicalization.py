"""Canonicalization patterns of the linalg dialect, by op.

Most remove an op that only moves data, where the data is at hand in the wanted order:

    linalg.transpose of linalg.transpose, back again     what was transposed first
    linalg.unpack of linalg.pack with the same tiles     what was packed
    linalg.generic that yields its input's elements      its input
    linalg.pack with a constant as the size of a tile    with a number

An op with tensors has no effect but its results, so what is no longer used is dead
code. Source of the rules: the folders and canonicalization patterns of MLIR's ops.
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

from xdsl_bufferization.dialects.linalg.pack import PackOp, RelayoutOp, UnPackOp
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.tensor.canonicalization.values import constant_index


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
        if [s.type for s in sources] == [r.type for r in op.results]:
            rewriter.replace(op, [], sources)


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


class PackOfUnpack(RewritePattern):
    """What was unpacked is packed as it was."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackOp, rewriter: PatternRewriter) -> None:
        inner = op.source.owner
        if (
            isinstance(inner, UnPackOp)
            and op.padding_value is None
            and inner.source.type == op.results[0].type
            and _have_same_tiles(op, inner)
        ):
            rewriter.replace(op, [], [inner.source])


class UnpackOfPack(RewritePattern):
    """What was packed is unpacked as it was."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UnPackOp, rewriter: PatternRewriter) -> None:
        inner = op.source.owner
        if (
            isinstance(inner, PackOp)
            and inner.padding_value is None
            and inner.source.type == op.results[0].type
            and _have_same_tiles(op, inner)
        ):
            rewriter.replace(op, [], [inner.source])


class ConstantTilesOfPack(RewritePattern):
    """Sizes of tiles that are constants become numbers, also in the type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackOp, rewriter: PatternRewriter) -> None:
        tiles, operands = _known_tiles(op)
        if len(operands) == len(op.tile_operands):
            return
        cast = tensor.CastOp(op.dest, _with_tiles(op.packed_type, tiles))
        padding = [] if op.padding_value is None else [op.padding_value]
        new = PackOp.build(
            operands=[[op.source], [cast.dest], padding, operands],
            result_types=[cast.dest.type],
            properties=_properties(op, tiles),
            attributes=dict(op.attributes),
        )
        back = tensor.CastOp(new.result, op.packed_type)
        rewriter.replace(op, [cast, new, back])


class ConstantTilesOfUnpack(RewritePattern):
    """The same, for the tiles that are unpacked."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UnPackOp, rewriter: PatternRewriter) -> None:
        tiles, operands = _known_tiles(op)
        if len(operands) == len(op.tile_operands):
            return
        cast = tensor.CastOp(op.source, _with_tiles(op.packed_type, tiles))
        new = UnPackOp.build(
            operands=[[cast.dest], [op.dest], operands],
            result_types=[op.result.type],
            properties=_properties(op, tiles),
            attributes=dict(op.attributes),
        )
        rewriter.replace(op, [cast, new])


def _known_tiles(op: RelayoutOp) -> tuple[list[int], list[SSAValue]]:
    """The sizes of tiles as far as they are known, and the values of the others."""
    tiles: list[int] = []
    unknown: list[SSAValue] = []
    operands = iter(op.tile_operands)
    for tile in op.static_tiles:
        size: int | None = tile
        if tile == DYNAMIC_INDEX:
            operand = next(operands)
            size = constant_index(operand)
            if size is None or size <= 0:
                size = DYNAMIC_INDEX
                unknown.append(operand)
        tiles.append(size)
    return tiles, unknown


def _with_tiles(packed: TensorType, tiles: Sequence[int]) -> TensorType:
    outer = packed.get_shape()[: packed.get_num_dims() - len(tiles)]
    return TensorType(packed.element_type, [*outer, *tiles], packed.encoding)


def _properties(op: RelayoutOp, tiles: Sequence[int]) -> dict[str, Attribute]:
    properties = dict(op.properties)
    properties.pop("operandSegmentSizes", None)
    return {**properties, "static_inner_tiles": DenseArrayBase.from_list(i64, tiles)}


def _have_same_tiles(first: RelayoutOp, second: RelayoutOp) -> bool:
    return _layout(first) == _layout(second)


def _layout(op: RelayoutOp) -> tuple[Sequence[int] | Sequence[SSAValue], ...]:
    return (
        list(op.tiled_dimensions),
        list(op.static_tiles),
        list(op.tile_operands),
        list(op.outer_permutation),
    )


def _is_on_tensors(op: Operation) -> bool:
    types: list[Attribute] = [result.type for result in op.results]
    return any(isinstance(type_, TensorType) for type_ in types)


def _is_identity(permutation: Sequence[int]) -> bool:
    return list(permutation) == list(range(len(permutation)))


PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "linalg.broadcast": (BroadcastToSameShape(),),
    "linalg.copy": (CopyToItself(),),
    "linalg.generic": (GenericThatMovesNothing(),),
    "linalg.pack": (PackOfUnpack(), ConstantTilesOfPack()),
    "linalg.transpose": (TransposeToSameOrder(), TransposeOfTranspose()),
    "linalg.unpack": (UnpackOfPack(), ConstantTilesOfUnpack()),
}
"""The patterns of each op that has some."""
