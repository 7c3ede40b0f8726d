"""Packed tensors: packed and unpacked again, of constant tiles, of known sizes.

linalg.unpack of linalg.pack with the same tiles     what was packed
linalg.pack with a constant as the size of a tile    with a number
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...common.slices import slice_of
from ...common.static_values import constant_integer
from ...tensor.canonicalization.values import (
    constant_attribute,
    dense_constant,
    dense_elements,
    replace_and_cast,
    splat_element,
)
from ...tensor.constraints import ranked_type
from ..pack import PackOp, RelayoutOp, UnPackOp, shape_in_tiles


class PackOfUnpack(RewritePattern):
    """What was unpacked is packed as it was."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackOp, rewriter: PatternRewriter) -> None:
        inner = op.source.owner
        if isinstance(inner, tensor.CastOp):
            inner = inner.source.owner
        is_full = op.padding_value is None or op.has_only_full_tiles()
        if (
            isinstance(inner, UnPackOp)
            and is_full
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


class NoPadding(RewritePattern):
    """Where all tiles are full, there is nothing to pad."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackOp, rewriter: PatternRewriter) -> None:
        if op.padding_value is not None and op.has_only_full_tiles():
            rewriter.replace(op, _pack(op, op.source, op.dest, padding=False))


def _pack(
    op: PackOp, source: SSAValue, dest: SSAValue, *, padding: bool = True
) -> PackOp:
    value = op.padding_value if padding else None
    return PackOp.build(
        operands=[source, dest, value, op.inner_tiles],
        result_types=[dest.type],
        properties=_properties(op, op.static_tiles),
        attributes=dict(op.attributes),
    )


def _unpack(op: UnPackOp, source: SSAValue, dest: SSAValue) -> UnPackOp:
    return UnPackOp.build(
        operands=[source, dest, op.inner_tiles],
        result_types=[dest.type],
        properties=_properties(op, op.static_tiles),
        attributes=dict(op.attributes),
    )


class RelayoutOfEqualElements(RewritePattern):
    """A constant of equal elements is one in any layout."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, PackOp | UnPackOp):
            return
        elements, type_ = dense_constant(op.source), ranked_type(op.result)
        value = None if elements is None else splat_element(elements)
        padding = op.padding_value if isinstance(op, PackOp) else None
        if value is None or not type_.has_static_shape():
            return
        if padding is None or constant_attribute(padding) == value:
            rewriter.replace(op, arith.ConstantOp(dense_elements(type_, [value])))


def _known_types(op: RelayoutOp) -> tuple[TensorType, TensorType] | None:
    """All that is known of the unpacked and of the packed tensor, if that is new."""
    packed, unpacked = op.packed_type, op.unpacked_type
    shape = list(unpacked.get_shape())
    tiles = op.tiles_by_dimension
    for size, dimension in zip(packed.get_shape(), op.outer_permutation, strict=False):
        if dimension not in tiles and shape[dimension] == DYNAMIC_INDEX:
            shape[dimension] = size
    in_tiles = [
        size if said == DYNAMIC_INDEX else said
        for said, size in zip(
            packed.get_shape(),
            shape_in_tiles(shape, tiles, op.outer_permutation),
            strict=True,
        )
    ]
    new = (
        TensorType(unpacked.element_type, shape, unpacked.encoding),
        TensorType(packed.element_type, in_tiles, packed.encoding),
    )
    return None if new == (unpacked, packed) else new


def _cast(value: SSAValue, type_: TensorType, rewriter: PatternRewriter) -> SSAValue:
    if value.type == type_:
        return value
    cast = tensor.CastOp(value, type_)
    rewriter.insert(cast)
    return cast.dest


class SizesOfPack(RewritePattern):
    """Sizes of the packed tensor are known from the other one, and the other way."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PackOp, rewriter: PatternRewriter) -> None:
        types = _known_types(op)
        if types is not None:
            source = _cast(op.source, types[0], rewriter)
            dest = _cast(op.dest, types[1], rewriter)
            replace_and_cast(op, _pack(op, source, dest), rewriter)


class SizesOfUnpack(RewritePattern):
    """The same, for a tensor that is unpacked."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UnPackOp, rewriter: PatternRewriter) -> None:
        types = _known_types(op)
        if types is not None:
            source = _cast(op.source, types[1], rewriter)
            dest = _cast(op.dest, types[0], rewriter)
            replace_and_cast(op, _unpack(op, source, dest), rewriter)


class SliceOfUnpack(RewritePattern):
    """Of a tensor of which the first elements are used only, only these are unpacked.

    The slice ends in the last tile of each dimension, so that the tiles stay.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UnPackOp, rewriter: PatternRewriter) -> None:
        use = op.result.first_use
        if use is None or not op.result.has_one_use():
            return
        extract = use.operation
        if not isinstance(extract, tensor.ExtractSliceOp):
            return
        if not _is_start_in_same_tiles(op, extract):
            return
        new_slice = extract.clone()
        new_slice.operands[0] = op.dest
        new = _unpack(op, op.source, new_slice.results[0])
        rewriter.replace(extract, [new_slice, new])


def _is_start_in_same_tiles(op: UnPackOp, extract: tensor.ExtractSliceOp) -> bool:
    piece, shape = slice_of(extract), op.unpacked_type.get_shape()
    if ranked_type(extract.result).get_num_dims() != len(shape):
        return False
    if any(each != 0 for each in piece.offsets) or any(n != 1 for n in piece.strides):
        return False
    tiles = op.tiles_by_dimension
    for dimension, (size, whole) in enumerate(zip(piece.sizes, shape, strict=True)):
        tile = tiles.get(dimension, 1)
        if not isinstance(size, int) or DYNAMIC_INDEX in (whole, tile):
            return False
        if -(-size // tile) != -(-whole // tile):
            return False
    return True


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
            size = constant_integer(operand)
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
