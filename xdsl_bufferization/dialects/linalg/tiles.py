"""`linalg.pack` and `linalg.unpack` as one loop nest: where each element goes.

    pack %a inner_dims_pos = [1] inner_tiles = [4] into %b : 3x8 -> 3x2x4
        -> b[i, j, k] = a[i, j * 4 + k]                 over b, if all tiles are full
        -> b[i, j floordiv 4, j mod 4] = a[i, j]        over a, otherwise

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
"""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from .pack import RelayoutOp
from .scalars import build_payload, first
from .structure import element_type_of


class TileMaps(NamedTuple):
    """The loops of a pack or unpack, and how they index both sides."""

    unpacked: AffineMap
    packed: AffineMap


def tile_maps(op: RelayoutOp) -> TileMaps:
    """Loops over the packed side where that is safe, as it needs no division.

    All tile sizes must be static.
    """
    return _over_packed(op) if op.has_only_full_tiles() else _over_unpacked(op)


def has_dynamic_tiles(op: RelayoutOp) -> bool:
    """Whether a tile size is only known at run time."""
    return DYNAMIC_INDEX in op.static_tiles


def _over_packed(op: RelayoutOp) -> TileMaps:
    rank = op.unpacked_type.get_num_dims()
    indices: list[AffineExpr] = [AffineDimExpr(0)] * rank
    for loop, dimension in enumerate(op.outer_permutation):
        indices[dimension] = AffineDimExpr(loop)
    tiles = zip(op.tiled_dimensions, op.static_tiles, strict=True)
    for loop, (dimension, tile) in enumerate(tiles, rank):
        indices[dimension] = indices[dimension] * tile + AffineDimExpr(loop)
    loops = rank + len(op.static_tiles)
    return TileMaps(AffineMap(loops, 0, tuple(indices)), AffineMap.identity(loops))


def _over_unpacked(op: RelayoutOp) -> TileMaps:
    rank = op.unpacked_type.get_num_dims()
    tiles = op.tiles_by_dimension
    outer = [_tile_number(d, tiles.get(d)) for d in op.outer_permutation]
    inner = [AffineDimExpr(d) % tile for d, tile in tiles.items()]
    packed = AffineMap(rank, 0, (*outer, *inner))
    return TileMaps(AffineMap.identity(rank), packed)


def _tile_number(dimension: int, tile: int | None) -> AffineExpr:
    index = AffineDimExpr(dimension)
    return index if tile is None else index // tile


def copy_through(
    source: tuple[SSAValue, AffineMap],
    dest: tuple[SSAValue, AffineMap],
    result_types: Sequence[Attribute] = (),
) -> GenericOp:
    """Copy elements of one value to another, each indexed through a map."""
    input, input_map = source
    output, output_map = dest
    types = [element_type_of(input.type), element_type_of(output.type)]
    return GenericOp(
        [input],
        [output],
        build_payload(first, types),
        [AffineMapAttr(input_map), AffineMapAttr(output_map)],
        [IteratorTypeAttr.parallel()] * output_map.num_dims,
        result_types,
    )
