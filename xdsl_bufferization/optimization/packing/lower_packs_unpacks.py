"""Packs and unpacks as parallel loops that copy or transpose one tile in an iteration.

    %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %d
        : tensor<256x128xf32> -> tensor<8x4x32x32xf32>
        ->
    %0 = scf.forall (%i, %j) in (8, 4) shared_outs(%o = %d) -> (tensor<8x4x32x32xf32>) {
      %1 = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %2 = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
      %3 = tensor.extract_slice %t[%1, %2] [32, 32] [1, 1] : ... to tensor<32x32xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %3 into %o[%i, %j, 0, 0] [1, 1, 32, 32] ...
      }
    }

Runs after all that moves and removes packs. Bufferization comes later, and makes a
`memref.copy` of each iteration. Dimensions that are not cut, and come after all that
are, are copied as a whole. Tiles may be incomplete if a tile does not divide the size,
or if the size is dynamic. Then the destination is filled with the padding value first,
and an iteration copies what there is. Tile sizes may be values. Element-wise ops read
some packs with known tiles where they are.

Source: `lower-packs-unpacks` of tpp-mlir.
"""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.arith import MinSIOp, MuliOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, Operation, Region, SSAValue, Use
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.interfaces.tile_builder import TileBuilder
from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    dynamic_values,
    static_values,
)
from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.linalg.moves import new_transpose
from xdsl_bufferization.dialects.linalg.pack import PackOp, RelayoutOp
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.scf.forall import ForallOp, InParallelOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp
from xdsl_bufferization.support.traversal import ops_inside

from ..common.relayout import Layout, reassociation

_INDEX = AffineDimExpr(0)
_SIZE = AffineDimExpr(1)


def lower_packs_unpacks(module: ModuleOp) -> None:
    """Replace all packs and unpacks in `module` by loops."""
    for op in ops_inside(module):
        if isinstance(op, RelayoutOp):
            lower_relayout(op)


def lower_relayout(op: RelayoutOp) -> None:
    """Replace a pack or an unpack by a loop over its tiles."""
    layout = Layout.of(op)
    if layout is not None and layout.is_trivial:
        Rewriter.replace_op(op, [], op.operands[:1])
        return
    if isinstance(op, PackOp) and layout is not None and read_in_place(op, layout):
        return
    _Lowering(op).run()


class _Side(NamedTuple):
    """Where the tile of an iteration is in one of the two tensors."""

    offsets: list[OpFoldResult]
    sizes: list[OpFoldResult]
    kept: list[int]
    """The dimensions that the tile has; of the others it has one element."""

    def shape(self) -> list[int]:
        """The shape of the tile."""
        sizes = [self.sizes[dimension] for dimension in self.kept]
        return static_values(sizes)

    def dynamic_sizes(self) -> list[SSAValue]:
        """The sizes of the tile that are values."""
        sizes = [self.sizes[dimension] for dimension in self.kept]
        return dynamic_values(sizes)


class _Lowering:
    """Builds the loop for one op."""

    def __init__(self, op: RelayoutOp):
        self._op = op
        self._outer = op.outer_permutation
        self._tiles = _tiles(op)
        self._is_pack = isinstance(op, PackOp)
        source, dest = op.operands[:2]
        self._packed = dest if self._is_pack else source
        self._unpacked = source if self._is_pack else dest
        # Loops up to the last dimension that is cut; behind it all is in one tile.
        cut = [at for at, d in enumerate(self._outer) if d in self._tiles]
        self._num_loops = max(cut, default=-1) + 1

    def run(self) -> None:
        """Insert the loop, and replace the op by it."""
        op = self._op
        around = TileBuilder(InsertPoint.before(op))
        bounds = [around.size_of(self._packed, at) for at in range(self._num_loops)]
        dest = self._destination()
        block = Block(arg_types=[*[IndexType()] * self._num_loops, dest.type])
        builder = TileBuilder(InsertPoint.at_end(block), around)
        unpacked, packed = self._sides(block.args[: self._num_loops], builder)
        source, target = (unpacked, packed) if self._is_pack else (packed, unpacked)
        tile = self._extract(source, builder)
        order = self._order(source, unpacked, packed)
        if order != sorted(order):
            tile = _transpose(tile, order, target, builder)
        shared = block.args[self._num_loops]
        strides = [1] * len(target.sizes)
        insertion = ParallelInsertSliceOp(
            tile, shared, target.offsets, target.sizes, strides
        )
        block.add_op(InParallelOp([insertion]))
        for inner in block.ops:
            inner.location = op.location
        loop = ForallOp(
            [0] * self._num_loops,
            bounds,
            [1] * self._num_loops,
            [dest],
            Region(block),
        )
        loop.location = op.location
        Rewriter.replace_op(op, loop)

    def _destination(self) -> SSAValue:
        """What is overwritten: with the padding in it, if there may be some."""
        op = self._op
        dest = op.operands[1]
        padding = op.padding_value if isinstance(op, PackOp) else None
        if padding is None or op.has_only_full_tiles():
            return dest
        return (
            ArithBuilder.before(op)
            .insert(new_fill(padding, dest, [dest.type]))
            .results[0]
        )

    def _sides(
        self, indices: Sequence[SSAValue], builder: TileBuilder
    ) -> tuple[_Side, _Side]:
        """The tile of an iteration in the unpacked and in the packed tensor."""
        rank = len(self._outer)
        offsets: list[OpFoldResult] = [0] * rank
        sizes: list[OpFoldResult] = [0] * rank
        looped = self._outer[: self._num_loops]
        for dimension in self._outer[self._num_loops :]:
            sizes[dimension] = builder.size_of(self._unpacked, dimension)
        for dimension, index in zip(looped, indices, strict=True):
            tile = self._tiles.get(dimension)
            if tile is None:
                offsets[dimension], sizes[dimension] = index, 1
                continue
            size = builder.size_of(self._unpacked, dimension)
            place = _place_tile(tile, index, size, builder)
            offsets[dimension], sizes[dimension] = place
        whole = [d for d in self._outer if d not in looped]
        kept = [d for d in range(rank) if d in self._tiles or d in whole]
        unpacked = _Side(offsets, sizes, kept)
        packed = _Side(
            [*indices, *[0] * (len(whole) + len(self._tiles))],
            [
                *[1] * self._num_loops,
                *(sizes[dimension] for dimension in (*whole, *self._tiles)),
            ],
            list(range(self._num_loops, rank + len(self._tiles))),
        )
        return unpacked, packed

    def _extract(self, source: _Side, builder: TileBuilder) -> SSAValue:
        value = self._op.operands[0]
        type_ = TensorType(ranked_type(value).element_type, source.shape())
        strides = [1] * len(source.sizes)
        op = tensor.ExtractSliceOp(value, source.offsets, source.sizes, strides, type_)
        builder.insert(op)
        return op.result

    def _order(self, source: _Side, unpacked: _Side, packed: _Side) -> list[int]:
        """Per dimension of the tile at its end: which it is at its beginning."""
        # The dimensions of the unpacked tensor that those of the packed tile are of.
        of_packed = [*self._outer[self._num_loops :], *self._tiles]
        of_unpacked = unpacked.kept
        if source is unpacked:
            place = {dimension: at for at, dimension in enumerate(of_unpacked)}
            return [place[dimension] for dimension in of_packed]
        place = {dimension: at for at, dimension in enumerate(of_packed)}
        return [place[dimension] for dimension in of_unpacked]


def _tiles(op: RelayoutOp) -> dict[int, OpFoldResult]:
    """From dimensions to the sizes of their tiles, in the order of the tiles."""
    values = iter(op.tile_operands)
    return {
        dimension: next(values) if size == DYNAMIC_INDEX else size
        for dimension, size in op.tiles_by_dimension.items()
    }


def _place_tile(
    tile: OpFoldResult, index: SSAValue, size: OpFoldResult, builder: TileBuilder
) -> tuple[OpFoldResult, OpFoldResult]:
    """Where a tile begins along a dimension, and how much of it there is."""
    if isinstance(tile, int):
        offset = builder.apply(_INDEX * tile, [index])
        if isinstance(size, int) and size % tile == 0:
            return offset, tile
        rest = _SIZE - _INDEX * tile
        return offset, builder.minimum([AffineConstantExpr(tile), rest], [index, size])
    # No affine expression multiplies two values.
    product = MuliOp(index, tile)
    builder.insert(product)
    rest = builder.apply(_SIZE - _INDEX, [product.result, size])
    least = MinSIOp(
        tile, rest if isinstance(rest, SSAValue) else builder.constant(rest)
    )
    builder.insert(least)
    return product.result, least.result


def _transpose(
    tile: SSAValue, order: Sequence[int], target: _Side, builder: TileBuilder
) -> SSAValue:
    type_ = TensorType(ranked_type(tile).element_type, target.shape())
    init = tensor.EmptyOp(target.dynamic_sizes(), type_)
    builder.insert(init)
    transpose = new_transpose(tile, init.tensor, order)
    builder.insert(transpose)
    return transpose.results[0]


# Packs that element-wise ops read where they are, through another map.
#
#     %p = linalg.pack %t outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3]
#         inner_tiles = [32] : tensor<1x56x56x96xf32> -> tensor<1x3x56x56x32xf32>
#     %y = linalg.generic { (d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4), ... } ins(%p)
#         ->
#     %e = tensor.expand_shape %t : ... into tensor<1x56x56x3x32xf32>
#     %y = linalg.generic { (d0, d1, d2, d3, d4) -> (d0, d2, d3, d1, d4), ... } ins(%e)
#
# Such a pack would be a loop that copies. The tiles are of the last dimension, so that
# each one is a row in memory, before and after.


def read_in_place(op: PackOp, layout: Layout) -> bool:
    """Let the users of a pack read what is packed, if that is as good."""
    type_ = ranked_type(op.source)
    last = len(type_.get_shape()) - 1
    uses = list(op.result.uses)
    if (
        layout.dimensions != (last,)
        or not type_.has_static_shape()
        or not layout.has_only_full_tiles(type_)
        or not uses
        or not all(map(_reads_elements, uses))
    ):
        return False
    expanded = _expand(op, layout)
    for use in uses:
        _read(use, expanded, layout)
    Rewriter.erase_op(op)
    return True


def _reads_elements(use: Use) -> bool:
    """Whether an op reads the operand in parallel loops, and does not write to it."""
    op = use.operation
    structure = structure_of(op) if isinstance(op, GenericOp) else None
    return (
        structure is not None
        and all(structure.parallel)
        and use.index < len(structure.inputs)
    )


def _expand(op: PackOp, layout: Layout) -> SSAValue:
    """The source with two dimensions in place of its last one."""
    type_ = ranked_type(op.source)
    (tile,) = layout.sizes
    *outer, columns = type_.get_shape()
    rank = len(outer)
    shape = [*outer, columns // tile, tile]
    groups = [*([dimension] for dimension in range(rank)), [rank, rank + 1]]
    expanded = tensor.ExpandShapeOp(
        op.source,
        [],
        reassociation(groups),
        shape,
        type(type_)(type_.element_type, shape, type_.encoding),
    )
    return ArithBuilder.before(op).insert(expanded).result


def _read(use: Use, expanded: SSAValue, layout: Layout) -> None:
    op: Operation = use.operation
    structure = structure_of(op)
    assert structure is not None, "the user is a structured op"
    maps = list(structure.maps)
    map_ = maps[use.index]
    *outer, inner = map_.results
    by_dimension = dict(zip(layout.outer, outer, strict=True))
    results = [by_dimension[dimension] for dimension in range(len(outer))]
    maps[use.index] = AffineMap(map_.num_dims, map_.num_symbols, (*results, inner))
    op.properties["indexing_maps"] = ArrayAttr(map(AffineMapAttr, maps))
    op.operands[use.index] = expanded


class LowerPacksUnpacksPass(TensorPass):
    """Turn packs and unpacks into loops over tiles."""

    name = "lower-packs-unpacks"
    rewrite = staticmethod(lower_packs_unpacks)
