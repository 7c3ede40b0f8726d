"""`linalg.pack` and `linalg.unpack` with tile sizes that are values.

    %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%t] into %b
        : tensor<?xf32> -> tensor<?x?xf32>

    scf.parallel (%i) = (%c0) to (%size) step (%c1) {
      %number, %place = arith.divui %i, %t, arith.remui %i, %t
      %x = memref.load %a[%i]
      memref.store %x, %b[%number, %place]
    }

No affine map divides by a value, so that there is no `linalg.generic` for these. The
loops go over the unpacked side. So nothing beyond it is read or written.
"""

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue

from xdsl_bufferization.dialects.linalg.pack import PackOp, RelayoutOp

from ...interfaces.state import BufferizationState
from .. import new_ops
from ..buffer_code import as_value, size_of


def copy_in_tiles(
    op: RelayoutOp, source: SSAValue, dest: SSAValue, state: BufferizationState
) -> None:
    """Copy the elements of a pack or an unpack from one buffer to the other."""
    unpacked = source if isinstance(op, PackOp) else dest
    rank = op.unpacked_type.get_num_dims()
    bounds = [as_value(size_of(unpacked, at, state), state) for at in range(rank)]
    tiles = _tile_sizes(op, state)
    zero, one = as_value(0, state), as_value(1, state)
    body = Block(arg_types=[IndexType()] * rank)
    indices = _packed_indices(op, body, tiles)
    at_source, at_dest = (
        (body.args, indices) if isinstance(op, PackOp) else (indices, body.args)
    )
    load = new_ops.load(source, at_source)
    body.add_ops([load, new_ops.store(load.results[0], dest, at_dest), scf.ReduceOp()])
    for inner in body.ops:
        inner.location = op.location
    steps = [zero] * rank, bounds, [one] * rank
    state.insert(scf.ParallelOp(*steps, Region(body)))


def _tile_sizes(op: RelayoutOp, state: BufferizationState) -> dict[int, SSAValue]:
    """From dimensions to the sizes of their tiles, in the order of the tiles."""
    values = iter(op.tile_operands)
    return {
        dimension: next(values) if size < 0 else as_value(size, state)
        for dimension, size in op.tiles_by_dimension.items()
    }


def _packed_indices(
    op: RelayoutOp, body: Block, tiles: dict[int, SSAValue]
) -> Sequence[SSAValue]:
    """Where an element is in the packed tensor, whose place in the other is known."""
    numbers = list[SSAValue](body.args)
    places: list[SSAValue] = []
    for dimension, tile in tiles.items():
        index = body.args[dimension]
        number, place = arith.DivUIOp(index, tile), arith.RemUIOp(index, tile)
        body.add_ops([number, place])
        numbers[dimension] = number.result
        places.append(place.result)
    return [*(numbers[dimension] for dimension in op.outer_permutation), *places]
