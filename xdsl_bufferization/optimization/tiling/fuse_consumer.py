"""Compute the consumer of a loop in the loop: tile by tile, as the tiles are made.

    %1 = scf.forall (%i, %j) in (8, 16) shared_outs(%o = %0) {    // 8x16x32x32
      ...
      tensor.parallel_insert_slice %tile into %o[%i, %j, 0, 0] [1, 1, 32, 32]
    }
    %2 = linalg.unpack %1 into %dest : ... -> tensor<256x512xf32>

    %2 = scf.forall (%i, %j) in (8, 16) shared_outs(%o = %dest) {    // 256x512
      ...
      tensor.parallel_insert_slice %tile into %o[%i * 32, %j * 32] [32, 32]
    }

The consumer is a `linalg.unpack`, or works element by element. The tiles must be all of
the result of the loop, and nothing else may use that. A tile that is a single one of
the packed tensor has its elements in the order of the unpacked one, and needs no op.
Source: MLIR's `tileAndFuseConsumer`.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.interfaces.tile_builder import (
    TileBuilder,
    is_size_of_tile,
    tile_type,
)
from xdsl_bufferization.bufferization.interfaces.tiling import (
    Tile,
    TilingInterface,
    init_number,
)
from xdsl_bufferization.dialects.common.slices import slice_of
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.linalg.pack import UnPackOp
from xdsl_bufferization.dialects.scf.forall import ForallOp, InParallelOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.dialects.tensor.slice_types import dropped_dimensions
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

from ..common.elementwise_consumers import is_elementwise
from ..common.payloads import computes_elements
from ..common.relayout import erase_dead, reassociation
from .drop_unit_loops import drop_unit_loops


class _Insertion(NamedTuple):
    op: ParallelInsertSliceOp
    tile: Tile


def fuse_consumer(op: Operation) -> bool:
    """Compute `op` in the `scf.forall` whose result it works on, if that can be.

    Says whether it was done.
    """
    model = op.get_trait(TilingInterface)
    if model is None or len(op.results) != 1:
        return False
    for number, value in enumerate(op.operands):
        loop = value.owner
        if isinstance(loop, ForallOp) and _is_only_user(op, loop):
            insertion = _only_insertion(loop)
            if insertion is None or not _is_whole(loop, insertion.tile):
                return False
            return _Fusion(op, number, model, loop, insertion).run()
    return False


def _is_only_user(op: Operation, loop: ForallOp) -> bool:
    if len(loop.results) != 1 or loop.parent is not op.parent:
        return False
    if not isinstance(op, UnPackOp) and not is_elementwise(op, loop):
        return False
    if any(use.operation is not op for use in loop.results[0].uses):
        return False
    # The loop moves to the place of the op.
    return all(map(computes_elements, loop.region.walk()))


def _only_insertion(loop: ForallOp) -> _Insertion | None:
    terminator = loop.region.block.last_op
    assert isinstance(terminator, InParallelOp)
    ops = list(terminator.region.block.ops)
    if len(ops) != 1 or not isinstance(ops[0], ParallelInsertSliceOp):
        return None
    piece = slice_of(ops[0])
    if any(stride != 1 for stride in piece.strides):
        return None
    return _Insertion(ops[0], Tile(piece.offsets, piece.sizes))


def _is_whole(loop: ForallOp, tile: Tile) -> bool:
    """Whether the tiles of all iterations are certainly all of the result."""
    shape = ranked_type(loop.results[0]).get_shape()
    seen: set[SSAValue] = set()
    for offset, size, count in zip(*tile, shape, strict=True):
        if offset == 0 and size == count:
            continue
        if not isinstance(offset, BlockArgument) or offset in seen:
            return False
        seen.add(offset)
        if offset.block is not loop.region.block or offset.index >= loop.rank:
            return False
        lower, upper, step = (
            bounds[offset.index]
            for bounds in (loop.lower_bounds, loop.upper_bounds, loop.steps)
        )
        if (lower, upper) != (0, count) or not isinstance(step, int):
            return False
        if not is_size_of_tile(size, offset, count, step):
            return False
    return True


class _Fusion:
    """A consumer, and the loop that it is to be computed in."""

    def __init__(
        self,
        op: Operation,
        number: int,
        model: TilingInterface,
        loop: ForallOp,
        insertion: _Insertion,
    ):
        self._op = op
        self._number = number
        self._model = model
        self._loop = loop
        self._insertion = insertion
        self._around = TileBuilder(InsertPoint.before(op))
        self._init = init_number(op, 0)

    def run(self) -> bool:
        place = self._place_of_numbers()
        if place is None:
            return False
        builder = TileBuilder(InsertPoint.before(place), self._around)
        for index, step in zip(
            self._loop.induction_variables, self._loop.steps, strict=True
        ):
            builder.add_index(index, step if isinstance(step, int) else 1)
        tiles = self._find_tiles(builder)
        is_fused = tiles is not None and self._fuse(*tiles)
        builder.erase_unused()
        self._around.erase_unused()
        return is_fused

    def _place_of_numbers(self) -> Operation | None:
        """The first op of the body behind all that defines the numbers of the tile.

        None if another output could not be used from there on.
        """
        tile, loop = self._insertion.tile, self._loop
        numbers = (*tile.offsets, *tile.sizes)
        needed = {n.owner for n in numbers if isinstance(n, SSAValue)}
        output = loop.region_outputs[0]
        place = loop.region.block.first_op
        is_used = False
        for op in loop.region.block.ops:
            if op in needed:
                place = op.next_op
                if is_used:
                    return None
            is_used = is_used or output in op.operands
        return place

    def _find_tiles(
        self, builder: TileBuilder
    ) -> tuple[Tile, Sequence[Tile | None]] | None:
        """The part of the domain that an iteration is for, and of each operand."""
        given = self._insertion.tile
        tile = self._model.get_iteration_domain_tile_from_operand_tile(
            self._op, self._number, given, builder
        )
        if tile is None:
            return None
        if isinstance(self._op, UnPackOp):
            return tile, [given, tile]
        tiles = self._model.get_operand_tiles(self._op, tile, builder)
        return None if tiles is None else (tile, tiles)

    # Rewriting.

    def _fuse(self, tile: Tile, tiles: Sequence[Tile | None]) -> bool:
        op, loop, source = self._op, self._loop, self._insertion.op.source
        result_tile = tiles[self._init]
        assert result_tile is not None, "the destination is a tensor"
        cut = _cut(op, source, self._insertion.tile, tile)
        if cut is None and not _can_expand(source, self._insertion.tile):
            return False
        is_in_place = op.operands[self._init] is loop.results[0]
        start = loop.outputs[0] if is_in_place else _destination(op, self._init)
        block = loop.region.block
        output = block.insert_arg(start.type, len(block.args))
        terminator = block.last_op
        assert isinstance(terminator, InParallelOp)
        builder = TileBuilder(InsertPoint.before(terminator), self._around)
        builder.add_alias(output, start)
        if cut is not None:
            value = builder.extract(source, [0] * len(cut), cut)
        else:
            value = self._compute(tile, tiles, output, builder)
        insertion = ParallelInsertSliceOp(
            value, output, *result_tile, [1] * len(result_tile.sizes)
        )
        Rewriter.replace_op(self._insertion.op, insertion, [])
        self._compute_without_unit_loops(value)
        _replace_output(loop, output, result_tile, is_in_place=is_in_place)
        self._replace_loop(start)
        return True

    def _compute(
        self,
        tile: Tile,
        tiles: Sequence[Tile | None],
        output: SSAValue,
        builder: TileBuilder,
    ) -> SSAValue:
        whole = _expand(self._insertion.op.source, self._insertion.tile, builder)
        operands: list[SSAValue] = []
        for number, (value, part) in enumerate(
            zip(self._op.operands, tiles, strict=True)
        ):
            if value is self._loop.results[0]:
                operands.append(whole)
            elif part is None:
                operands.append(value)
            else:
                destination = output if number == self._init else value
                operands.append(builder.extract(destination, *part))
        return self._model.build_tile(self._op, tile, operands, builder).results[0]

    def _compute_without_unit_loops(self, value: SSAValue) -> None:
        op = value.owner
        if isinstance(op, Operation) and type(op) is type(self._op):
            drop_unit_loops([op])

    def _replace_loop(self, start: SSAValue) -> None:
        op, loop = self._op, self._loop
        new_loop = ForallOp(
            loop.lower_bounds,
            loop.upper_bounds,
            loop.steps,
            [start],
            loop.detach_region(0),
            loop.mapping,
        )
        new_loop.attributes.update(loop.attributes)
        old = [op.operands[self._init].owner, loop.outputs[0].owner]
        Rewriter.replace_op(op, new_loop)
        Rewriter.erase_op(loop)
        erase_dead([o for o in old if isinstance(o, Operation) and o is not loop])


def _destination(op: Operation, number: int) -> SSAValue:
    """Where `op` writes to; what an unpacking is filled with before is overwritten."""
    value = op.operands[number]
    while isinstance(op, UnPackOp) and isinstance(owner := value.owner, FillOp):
        value = owner.outputs[0]
    return value


def _cut(
    op: Operation, source: SSAValue, packed: Tile, unpacked: Tile
) -> Sequence[OpFoldResult] | None:
    """How much of `source` is the unpacked tile as it is; None if it must be computed.

    The tile stays as it is if no tile is beside another one, and all dimensions are in
    order.
    """
    if not isinstance(op, UnPackOp):
        return None
    places = [*op.outer_permutation, *op.tiled_dimensions]
    outer = dict(zip(op.outer_permutation, packed.sizes, strict=False))
    if any(outer[dimension] != 1 for dimension in op.tiled_dimensions):
        return None
    kept = [
        (place, size)
        for place, size in zip(places, packed.sizes, strict=True)
        if size != 1
    ]
    order = [place for place, _ in kept]
    if order != sorted(order):
        return None
    if ranked_type(source).get_shape() != tuple(size for _, size in kept):
        return None
    return [unpacked.sizes[place] for place in order]


# Tiles whose dimensions of size 1 are left out.


def _can_expand(source: SSAValue, tile: Tile) -> bool:
    shape = ranked_type(source).get_shape()
    return len(shape) == len(tile.sizes) or (
        len(shape) > 0 and all(isinstance(size, int) for size in tile.sizes)
    )


def _expand(source: SSAValue, tile: Tile, builder: TileBuilder) -> SSAValue:
    """`source` with all dimensions of the tile that it is."""
    type_ = ranked_type(source)
    if type_.get_num_dims() == len(tile.sizes):
        return source
    new_type = tile_type(source, tile.sizes)
    shape = new_type.get_shape()
    dropped = dropped_dimensions(shape, type_.get_shape())
    assert dropped is not None, "it has been inserted there"
    # Each dimension that is there with the dropped ones behind it, the first also
    # with those before.
    starts = [d for d in range(len(shape)) if d not in dropped]
    bounds = [0, *starts[1:], len(shape)]
    groups = [range(*pair) for pair in pairwise(bounds)]
    op = tensor.ExpandShapeOp(source, [], reassociation(groups), shape, new_type)
    builder.insert(op)
    return op.result


# The output that the loop had.


def _replace_output(
    loop: ForallOp, output: SSAValue, tile: Tile, *, is_in_place: bool
) -> None:
    """Let the body do without the first output, and erase that argument.

    Where it has no contents, tiles are computed in the new output.
    """
    old, start = loop.region_outputs[0], loop.outputs[0]
    if is_in_place:
        old.replace_all_uses_with(output)
    elif isinstance(start.owner, tensor.EmptyOp):
        for use in list(old.uses):
            _write_to(use.operation, output, tile)
    old.replace_all_uses_with(start)
    loop.region.block.erase_arg(old)


def _write_to(op: Operation, output: SSAValue, tile: Tile) -> None:
    """Replace a slice without contents by the tile of `output`, if it fits."""
    if not isinstance(op, tensor.ExtractSliceOp):
        return
    type_ = ranked_type(op.result)
    expected = tile_type(output, tile.sizes)
    is_reduced = dropped_dimensions(expected.get_shape(), type_.get_shape()) is not None
    if is_reduced and type_.element_type == expected.element_type:
        slice_ = tensor.ExtractSliceOp(output, *tile, [1] * len(tile.sizes), type_)
        Rewriter.replace_op(op, slice_)
    elif type_.has_static_shape():
        Rewriter.replace_op(op, tensor.EmptyOp([], type_))
