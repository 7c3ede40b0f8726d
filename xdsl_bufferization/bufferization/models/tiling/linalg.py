"""How linalg's ops are tiled: structured ops, softmax, pack and unpack.

A tile of a structured op needs of each operand the box that its indexing map makes of
the tile. Of `linalg.pack` the loops are those over tiles, of `linalg.unpack` those over
elements, and a tile of its domain must begin and end between its tiles.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import BroadcastOp, IndexOp, ReduceOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.linalg.aggregates import SoftmaxOp
from xdsl_bufferization.dialects.linalg.mapped import MapOp
from xdsl_bufferization.dialects.linalg.pack import PackOp, RelayoutOp, UnPackOp
from xdsl_bufferization.dialects.linalg.structure import (
    known_structure,
    rank_of,
)
from xdsl_bufferization.dialects.linalg.tiles import has_dynamic_tiles

from ...interfaces.tile_builder import TileBuilder
from ...interfaces.tiling import Tile, TilingInterface, init_number
from ..destination_style.linalg import STRUCTURED_OPS

_D0, _D1 = AffineDimExpr(0), AffineDimExpr(1)


class RebuiltOpTiling(TilingInterface):
    """An op whose tile is the same op on tiles of its operands."""

    @override
    def build_tile(
        self,
        op: Operation,
        tile: Tile,
        operands: Sequence[SSAValue],
        builder: TileBuilder,
    ) -> Operation:
        new_op = _rebuild(op, operands)
        builder.insert(new_op)
        return new_op


class StructuredOpTiling(RebuiltOpTiling):
    """Any op with indexing maps."""

    @override
    def get_loop_iterator_types(self, op: Operation) -> Sequence[IteratorType]:
        return [kind.data for kind in known_structure(op).iterator_types]

    @override
    def get_iteration_domain(
        self, op: Operation, builder: TileBuilder
    ) -> Sequence[OpFoldResult] | None:
        """The sizes of the loops, known ones if any operand's type says them."""
        structure = known_structure(op)
        sizes: list[OpFoldResult | None] = [None] * len(structure.iterator_types)
        for value, map_ in zip(op.operands, structure.maps, strict=True):
            for dimension, expr in enumerate(map_.results):
                if not isinstance(expr, AffineDimExpr):
                    continue
                known = sizes[expr.position]
                if not isinstance(known, int):
                    size = builder.size_of(value, dimension)
                    is_better = known is None or isinstance(size, int)
                    sizes[expr.position] = size if is_better else known
        known = [size for size in sizes if size is not None]
        return known if len(known) == len(sizes) else None

    @override
    def get_operand_tiles(
        self, op: Operation, tile: Tile, builder: TileBuilder
    ) -> Sequence[Tile | None] | None:
        domain = self.get_iteration_domain(op, builder)
        if domain is None:
            return None
        whole = [
            offset == 0 and size == count
            for offset, size, count in zip(*tile, domain, strict=True)
        ]
        tiles: list[Tile | None] = []
        for value, map_ in zip(op.operands, known_structure(op).maps, strict=True):
            if not rank_of(value.type):
                tiles.append(None)
                continue
            parts = [
                (0, builder.size_of(value, dimension))
                if all(whole[loop] for loop in expr.used_dims())
                and not _has_known_size(expr, domain)
                else _box(expr, tile, builder)
                for dimension, expr in enumerate(map_.results)
            ]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            tiles.append(Tile([part[0] for part in known], [part[1] for part in known]))
        return tiles

    @override
    def get_iteration_domain_tile_from_result_tile(
        self, op: Operation, number: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        return self._domain_tile(op, init_number(op, number), tile, builder)

    @override
    def get_iteration_domain_tile_from_operand_tile(
        self, op: Operation, number: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        return self._domain_tile(op, number, tile, builder)

    def _domain_tile(
        self, op: Operation, operand: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        """The tile whose loops over `operand` are in `tile`, all others complete."""
        map_ = known_structure(op).maps[operand]
        domain = self.get_iteration_domain(op, builder)
        if domain is None or not map_.is_projected_permutation(
            allow_zero_in_results=True
        ):
            return None
        offsets: list[OpFoldResult] = [0] * len(domain)
        sizes = list(domain)
        for expr, offset, size in zip(map_.results, *tile, strict=True):
            if isinstance(expr, AffineDimExpr):
                offsets[expr.position] = offset
                sizes[expr.position] = size
            elif (offset, size) != (0, 1):
                return None
        return Tile(offsets, sizes)

    @override
    def build_tile(
        self,
        op: Operation,
        tile: Tile,
        operands: Sequence[SSAValue],
        builder: TileBuilder,
    ) -> Operation:
        new_op = super().build_tile(op, tile, operands, builder)
        for inner in list(new_op.regions[0].walk()):
            if isinstance(inner, IndexOp):
                _shift(inner, tile.offsets[inner.dim.value.data])
        return new_op


def _rebuild(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    """`op` on other operands, with results of the types of the new destinations."""
    inits = (operands[init_number(op, number)] for number in range(len(op.results)))
    new_op = type(op).create(
        operands=operands,
        result_types=[init.type for init in inits],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        regions=[region.clone() for region in op.regions],
    )
    new_op.location = op.location
    return new_op


def _shift(op: IndexOp, offset: OpFoldResult) -> None:
    """Let the index of a loop over a tile count from the start of the domain."""
    if offset == 0:
        return
    operands: list[SSAValue] = [op.result]
    second: AffineExpr = _D1
    if isinstance(offset, int):
        second = AffineConstantExpr(offset)
    else:
        operands.append(offset)
    map_ = AffineMap(len(operands), 0, (_D0 + second,))
    shifted = affine.ApplyOp.create(
        operands=operands,
        result_types=[IndexType()],
        properties={"map": AffineMapAttr(map_)},
    )
    Rewriter.insert_op(shifted, InsertPoint.after(op))
    op.result.replace_uses_with_if(
        shifted.results[0], lambda use: use.operation is not shifted
    )


def _box(
    expr: AffineExpr, tile: Tile, builder: TileBuilder
) -> tuple[OpFoldResult, OpFoldResult] | None:
    """The range of an index that grows with the loops; None where it may not."""
    if isinstance(expr, AffineDimExpr):
        return tile.offsets[expr.position], tile.sizes[expr.position]
    if (block := block_of_loop(expr)) is not None:
        return _box_in_blocks(expr, *block, tile, builder)
    if not _grows(expr):
        return None
    loops = len(tile.sizes)
    last = expr.replace_dims_and_symbols(
        [AffineDimExpr(d) - 1 for d in range(loops)], ()
    )
    extent = last + (1 - expr.eval([0] * loops, []))
    return builder.apply(expr, tile.offsets), builder.apply(extent, tile.sizes)


def block_of_loop(expr: AffineExpr) -> tuple[int, int] | None:
    """The loop that is cut in blocks, and the size of these.

    For an index that is the number of the block, or the place in it.
    """
    match expr:
        case AffineBinaryOpExpr(
            AffineBinaryOpKind.FloorDiv | AffineBinaryOpKind.Mod,
            AffineDimExpr(position=loop),
            AffineConstantExpr(value=size),
        ) if size > 0:
            return loop, size
        case _:
            return None


def _has_known_size(expr: AffineExpr, domain: Sequence[OpFoldResult]) -> bool:
    """Whether a dimension has the size of a loop, even if its type leaves it open."""
    return isinstance(expr, AffineDimExpr) and isinstance(domain[expr.position], int)


def _box_in_blocks(
    expr: AffineExpr, loop: int, size: int, tile: Tile, builder: TileBuilder
) -> tuple[OpFoldResult, OpFoldResult] | None:
    """The range of an index of blocks, for a tile that is in a single block."""
    offset, count = tile.offsets[loop], tile.sizes[loop]
    is_inside = isinstance(count, int) and count <= size
    if not is_inside or not builder.is_multiple_of(offset, size):
        return None
    assert isinstance(expr, AffineBinaryOpExpr)
    if expr.kind is AffineBinaryOpKind.Mod:
        return 0, count
    return builder.apply(expr, tile.offsets), 1


def _grows(expr: AffineExpr) -> bool:
    """Whether `expr` is linear, without negative coefficients."""
    match expr:
        case AffineDimExpr() | AffineConstantExpr():
            return True
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add):
            return _grows(expr.lhs) and _grows(expr.rhs)
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mul):
            factor = expr.rhs
            return (
                isinstance(factor, AffineConstantExpr)
                and factor.value > 0
                and _grows(expr.lhs)
            )
        case _:
            return False


class SoftmaxOpTiling(RebuiltOpTiling):
    """`linalg.softmax`: all loops but the one over the numbers that add up to 1."""

    @override
    def get_loop_iterator_types(self, op: Operation) -> Sequence[IteratorType]:
        assert isinstance(op, SoftmaxOp)
        return [
            IteratorType.REDUCTION if loop == op.reduced else IteratorType.PARALLEL
            for loop in range(rank_of(op.input.type))
        ]

    @override
    def get_iteration_domain(
        self, op: Operation, builder: TileBuilder
    ) -> Sequence[OpFoldResult] | None:
        rank = rank_of(op.operands[0].type)
        return [builder.size_of(op.operands[0], d) for d in range(rank)]

    @override
    def get_operand_tiles(
        self, op: Operation, tile: Tile, builder: TileBuilder
    ) -> Sequence[Tile | None] | None:
        assert isinstance(op, SoftmaxOp)
        whole = builder.size_of(op.input, op.reduced)
        if tile.offsets[op.reduced] != 0 or tile.sizes[op.reduced] != whole:
            return None
        return [tile, tile]

    @override
    def get_iteration_domain_tile_from_result_tile(
        self, op: Operation, number: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        return None if self.get_operand_tiles(op, tile, builder) is None else tile


class RelayoutOpTiling(RebuiltOpTiling):
    """What `linalg.pack` and `linalg.unpack` have in common: all loops are parallel."""

    @override
    def get_loop_iterator_types(self, op: Operation) -> Sequence[IteratorType]:
        assert isinstance(op, RelayoutOp)
        return [IteratorType.PARALLEL] * op.unpacked_type.get_num_dims()

    @override
    def get_iteration_domain(
        self, op: Operation, builder: TileBuilder
    ) -> Sequence[OpFoldResult] | None:
        assert isinstance(op, RelayoutOp)
        if has_dynamic_tiles(op):
            return None
        rank = op.unpacked_type.get_num_dims()
        # The destination has these dimensions first.
        return [builder.size_of(op.operands[1], loop) for loop in range(rank)]


class PackOpTiling(RelayoutOpTiling):
    """`linalg.pack`: its loops are the outer dimensions of the packed tensor."""

    @override
    def get_operand_tiles(
        self, op: Operation, tile: Tile, builder: TileBuilder
    ) -> Sequence[Tile | None] | None:
        assert isinstance(op, PackOp)
        if has_dynamic_tiles(op):
            return None
        source = _unpacked_tile(op, op.source, tile, builder)
        dest = Tile(
            [*tile.offsets, *[0] * len(op.static_tiles)],
            [*tile.sizes, *op.static_tiles],
        )
        return [source, dest, *[None] * (len(op.operands) - 2)]

    @override
    def get_iteration_domain_tile_from_result_tile(
        self, op: Operation, number: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        assert isinstance(op, PackOp)
        return _outer_tile(op, tile)


class UnPackOpTiling(RelayoutOpTiling):
    """`linalg.unpack`: its loops are the dimensions of the unpacked tensor."""

    @override
    def get_operand_tiles(
        self, op: Operation, tile: Tile, builder: TileBuilder
    ) -> Sequence[Tile | None] | None:
        domain = self.get_iteration_domain(op, builder)
        if domain is None:
            return None
        assert isinstance(op, UnPackOp)
        offsets, sizes = list(tile.offsets), list(tile.sizes)
        for dimension, inner in op.tiles_by_dimension.items():
            offset, size = offsets[dimension], sizes[dimension]
            # The last tile may be cut off where the tensor ends.
            is_last = offset == 0 and size == domain[dimension]
            if not builder.is_multiple_of(offset, inner):
                return None
            if not is_last and not builder.is_multiple_of(size, inner):
                return None
            offsets[dimension] = builder.apply(_D0 // inner, [offset])
            sizes[dimension] = builder.apply(_D0.ceil_div(inner), [size])
        order = op.outer_permutation
        source = Tile(
            [*(offsets[d] for d in order), *[0] * len(op.static_tiles)],
            [*(sizes[d] for d in order), *op.static_tiles],
        )
        return [source, tile]

    @override
    def get_iteration_domain_tile_from_result_tile(
        self, op: Operation, number: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        return tile

    @override
    def get_iteration_domain_tile_from_operand_tile(
        self, op: Operation, number: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        assert isinstance(op, UnPackOp)
        outer = None if has_dynamic_tiles(op) or number else _outer_tile(op, tile)
        return None if outer is None else _unpacked_tile(op, op.dest, outer, builder)


def _outer_tile(op: RelayoutOp, tile: Tile) -> Tile | None:
    """The tiles that a tile of the packed tensor consists of, if all are complete."""
    rank = op.unpacked_type.get_num_dims()
    if any(tile.offsets[rank:]) or list(tile.sizes[rank:]) != list(op.static_tiles):
        return None
    return Tile(tile.offsets[:rank], tile.sizes[:rank])


def _unpacked_tile(
    op: RelayoutOp, unpacked: SSAValue, outer: Tile, builder: TileBuilder
) -> Tile:
    """The elements of the tensor `unpacked` that are in the tiles `outer`."""
    rank = op.unpacked_type.get_num_dims()
    offsets: list[OpFoldResult] = [0] * rank
    sizes: list[OpFoldResult] = [0] * rank
    tiles = op.tiles_by_dimension
    parts = zip(op.outer_permutation, *outer, strict=True)
    for dimension, offset, size in parts:
        inner = tiles.get(dimension)
        if inner is not None:
            offset = builder.apply(_D0 * inner, [offset])
            size = builder.apply(_D0 * inner, [size])
            whole = builder.size_of(unpacked, dimension)
            # Where the last tile is complete, no iteration ends beyond it.
            if not builder.is_multiple_of(whole, inner):
                rest = _D1 + _D0 * -1
                exprs = (AffineDimExpr(2), rest)
                size = builder.minimum(exprs, [offset, whole, size])
        offsets[dimension], sizes[dimension] = offset, size
    return Tile(offsets, sizes)


MODELS: dict[type[Operation], TilingInterface] = {
    **dict.fromkeys(STRUCTURED_OPS, StructuredOpTiling()),
    BroadcastOp: StructuredOpTiling(),
    MapOp: StructuredOpTiling(),
    ReduceOp: StructuredOpTiling(),
    SoftmaxOp: SoftmaxOpTiling(),
    PackOp: PackOpTiling(),
    UnPackOp: UnPackOpTiling(),
}
"""What each operation answers to `TilingInterface`."""
