"""Compute a consumer of a loop in the loop: the unpacking of its result.

    %1 = scf.forall (%i, %j) in (8, 16) shared_outs(%o = %0) {    // 8x16x32x32
      ...
      tensor.parallel_insert_slice %tile into %o[%i, %j, 0, 0] [1, 1, 32, 32]
    }
    %2 = linalg.unpack %1 into %dest : ... -> tensor<256x512xf32>

    %2 = scf.forall (%i, %j) in (8, 16) shared_outs(%o = %dest) {    // 256x512
      ...
      tensor.parallel_insert_slice %tile into %o[%i * 32, %j * 32] [32, 32]
    }

A tile that is a single one of the packed tensor has its elements in the order of the
unpacked one, and needs no op. Source: MLIR's `tileAndFuseConsumer`.
"""

from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.linalg.pack import UnPackOp
from xdsl_bufferization.dialects.scf.forall import ForallOp, InParallelOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.dialects.tensor.slice_types import slice_of
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp
from xdsl_bufferization.interfaces.tile_builder import TileBuilder, tile_type
from xdsl_bufferization.interfaces.tiling import Tile, TilingInterface
from xdsl_bufferization.transforms.tpp.unused_tensors import erase_unused_destination


class _Insertion(NamedTuple):
    op: ParallelInsertSliceOp
    tile: Tile


def fuse_unpack(op: UnPackOp) -> bool:
    """Unpack in the `scf.forall` that computes the source of `op`, if that can be.

    The loop must have no other results or users. Says whether it was done.
    """
    loop, model = op.source.owner, op.get_trait(TilingInterface)
    if not isinstance(loop, ForallOp) or len(loop.results) != 1 or model is None:
        return False
    if not op.source.has_one_use() or loop.parent is not op.parent:
        return False
    insertion = _only_insertion(loop)
    if insertion is None:
        return False
    place = _place_after(insertion.tile, loop)
    if place is None:
        return False
    around = TileBuilder(InsertPoint.before(op))
    builder = TileBuilder(InsertPoint.before(place), around)
    for index, step in zip(loop.induction_variables, loop.steps, strict=True):
        builder.add_index(index, step if isinstance(step, int) else 1)
    tile = model.get_iteration_domain_tile_from_operand_tile(
        op, 0, insertion.tile, builder
    )
    is_fused = tile is not None and _fuse(op, loop, insertion, tile, model, around)
    builder.erase_unused()
    around.erase_unused()
    return is_fused


def _place_after(tile: Tile, loop: ForallOp) -> Operation | None:
    """The first op of the body behind all that defines the numbers of a tile.

    None if that uses the output, as only ops behind it can use another one.
    """
    numbers = (*tile.offsets, *tile.sizes)
    needed = {n.owner for n in numbers if isinstance(n, SSAValue)}
    output = loop.region_outputs[0]
    place = loop.region.block.first_op
    for op in loop.region.block.ops:
        if op in needed:
            place = op.next_op
    op = loop.region.block.first_op
    while op is not None and op is not place:
        if output in op.operands:
            return None
        op = op.next_op
    return place


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


def _fuse(
    op: UnPackOp,
    loop: ForallOp,
    insertion: _Insertion,
    tile: Tile,
    model: TilingInterface,
    around: TileBuilder,
) -> bool:
    source = insertion.op.source
    is_single = _is_single_tile(op, source, insertion.tile)
    if not is_single and ranked_type(source).get_num_dims() != len(
        insertion.tile.sizes
    ):
        return False
    block, dest = loop.region.block, _destination(op.dest)
    output = block.insert_arg(dest.type, len(block.args))
    terminator = block.last_op
    assert isinstance(terminator, InParallelOp)
    builder = TileBuilder(InsertPoint.before(terminator), around)
    builder.add_alias(output, dest)
    if is_single:
        value = _cut_off(op, source, tile, builder)
    else:
        part = builder.extract(output, *tile)
        value = model.build_tile(op, tile, [source, part], builder).results[0]
    insertion.op.detach()
    insertion.op.erase()
    new_insertion = ParallelInsertSliceOp(value, output, *tile, [1] * len(tile.sizes))
    terminator.region.block.add_op(new_insertion)
    _replace_output(loop, output, tile)
    bounds = (loop.lower_bounds, loop.upper_bounds, loop.steps)
    new_loop = ForallOp(*bounds, [dest], loop.detach_region(0), loop.mapping)
    new_loop.attributes.update(loop.attributes)
    unpacked, start = op.dest, loop.outputs[0]
    Rewriter.replace_op(op, new_loop)
    Rewriter.erase_op(loop)
    erase_unused_destination(unpacked)
    erase_unused_destination(start)
    return True


def _destination(dest: SSAValue) -> SSAValue:
    """Where to unpack to: what `dest` is filled with is overwritten."""
    while isinstance(owner := dest.owner, FillOp):
        dest = owner.outputs[0]
    return dest


def _is_single_tile(op: UnPackOp, source: SSAValue, tile: Tile) -> bool:
    """Whether `source` is one tile, whose elements are in the order of the result."""
    rank = op.unpacked_type.get_num_dims()
    return (
        all(size == 1 for size in tile.sizes[:rank])
        and list(op.tiled_dimensions) == sorted(op.tiled_dimensions)
        and ranked_type(source).get_shape() == tuple(op.static_tiles)
    )


def _cut_off(
    op: UnPackOp, source: SSAValue, tile: Tile, builder: TileBuilder
) -> SSAValue:
    """What of a single tile is not beyond the end of the unpacked tensor."""
    sizes = [tile.sizes[dimension] for dimension in op.tiled_dimensions]
    return builder.extract(source, [0] * len(sizes), sizes)


def _replace_output(loop: ForallOp, output: SSAValue, tile: Tile) -> None:
    """Let the body do without the packed output, and erase that argument.

    Where it has no contents, tiles are computed in the new output.
    """
    (packed,), (start,) = loop.region_outputs[:1], loop.outputs
    if isinstance(start.owner, tensor.EmptyOp):
        for use in list(packed.uses):
            _write_to(use.operation, output, tile)
    packed.replace_all_uses_with(start)
    loop.region.block.erase_arg(packed)


def _write_to(op: Operation, output: SSAValue, tile: Tile) -> None:
    """Replace a slice without contents by the tile of `output`, if it fits."""
    if not isinstance(op, tensor.ExtractSliceOp):
        return
    type_ = ranked_type(op.result)
    if type_ == tile_type(output, tile.sizes):
        slice_ = tensor.ExtractSliceOp(output, *tile, [1] * len(tile.sizes), type_)
        Rewriter.replace_op(op, slice_)
    elif type_.has_static_shape():
        Rewriter.replace_op(op, tensor.EmptyOp([], type_))
