"""tile-convolutions: packed convolutions and pooling as loops over tiles of pixels.

    %1 = linalg.generic ins(%i, %f) outs(%0) {xsmm.sums_window}
        -> tensor<1x3x56x56x32xf32>
    %2 = linalg.generic { relu } outs(%1)

    %2 = scf.forall (%n, %k, %p) in (1, 3, 56 step 2) shared_outs(%o = %0) {
      linalg.generic ins(slices of %i and %f) outs(a slice of %o) // 2x56x32
      linalg.generic { relu }
    }

After `pack-convolutions`, and after packs were propagated. A tile has a block of
channels and some rows of pixels, or part of a long row: it is what one call of a kernel
computes. What fills the output is computed in the same loop, and what works on it
element by element, or adds another convolution to it. No other op is: neighbouring
tiles would compute the same pixels.

Blocks of channels are the outer loop, as above. They are the inner one if less is read
again that way: for instance, if the weights stay in a second-level cache and an image
does not. Some images are packed tile by tile: see `packs_in_tiles.py`. If a tile reads
all rows of an image with a border, it is noted which rows are zeros.
"""

from collections.abc import Container, Sequence
from itertools import pairwise
from math import prod
from typing import Final

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    known_structure,
    shape_of,
    structure_of,
)
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.memref.sizes import estimate_bytes
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import positions
from ..common.elementwise_consumers import last_elementwise_consumer
from ..common.rows_of_zeros import dimension_of_rows, note_rows, rows_without_zeros
from ..packing.constant_fold_pack import fold_packs_of_fills
from ..packing.pack_convolutions import WINDOW_ATTRIBUTE
from .drop_unit_loops import drop_unit_loops
from .packs_in_tiles import pack_in_tile, rows_of_tile
from .tile_and_fuse import TilingOptions, number_by_block, tile_and_fuse

MOST_PIXELS: Final = 128
"""Of a tile of several rows, or of part of a row."""

LONG_ROW: Final = 256
"""A row with more pixels is cut."""

CACHE_BYTES: Final = 512 * 1024
"""What stays in a second-level cache beside the numbers that pass through."""

MAX_DEPTH: Final = 5
"""How many consumers of a convolution are computed with it."""


def tile_convolutions(module: ModuleOp) -> None:
    """Tile the marked convolutions and pooling in `module`."""
    attach_all()
    fold_packs_of_fills(module)
    ops = ops_inside(module)
    order = number_by_block(ops)
    for op in ops:
        # Of several that are fused, the first one takes the others in.
        if op.parent is not None and is_marked(op) and op.results:
            _tile(op, order[op.parent])


def is_marked(op: Operation) -> bool:
    """Whether `op` is tiled by this pass, or was."""
    return WINDOW_ATTRIBUTE in op.attributes


def _tile(op: Operation, order: dict[Operation, int]) -> None:
    chain = _chain(op, _last(op, order))
    structure = known_structure(op)
    loops = _loops_by_dimension(chain)
    rows = rows_of_tile(structure)
    tile = _sizes_by_dimension(structure, rows)
    is_single = not any(map(is_marked, chain[1:]))
    inside = _rows_inside(structure, tile) if is_single else None
    sizes = zip(loops, tile, strict=True)
    channels = _channels_inside(structure, tile)
    options = TilingOptions(
        {loop: size for loop, size in sizes if size},
        innermost=None if channels is None else loops[channels],
        max_depth=len(chain),
    )
    tiled = tile_and_fuse(chain[-1], _with_fills(chain, order), options)
    if isinstance(tiled, str):
        return
    for inner in drop_unit_loops(tiled.tiled):
        structure = structure_of(inner)
        if structure is not None and not all(structure.parallel):
            inner.attributes[WINDOW_ATTRIBUTE] = UnitAttr()
            if inside is not None:
                note_rows(inner, inside)
            if rows is not None:
                pack_in_tile(inner)


def _last(op: Operation, order: Container[Operation]) -> Operation:
    """The last op that is computed with `op`: sums on its result, and what follows."""
    users = [use.operation for use in op.results[0].uses]
    while (
        len(users) == 1
        and users[0] in order
        and is_marked(users[0])
        and users[0].operands[-1] is op.results[0]
    ):
        op = users[0]
        users = [use.operation for use in op.results[0].uses]
    return last_elementwise_consumer(op, order, MAX_DEPTH)


def _chain(op: Operation, root: Operation) -> list[Operation]:
    """The ops from `op` to `root`, each the only user of the one before."""
    chain = [op]
    while chain[-1] is not root:
        use = next(iter(chain[-1].results[0].uses))
        chain.append(use.operation)
    return chain


def _with_fills(
    chain: Sequence[Operation], order: dict[Operation, int]
) -> dict[Operation, int]:
    """The numbers of what is computed in the loops."""
    fills = [
        value.owner
        for op in chain
        for value in op.operands
        if isinstance(value.owner, FillOp) and value.owner in order
    ]
    return {op: order[op] for op in (*chain, *fills)}


def _loops_by_dimension(chain: Sequence[Operation]) -> list[int]:
    """The loop of the last op of `chain` for each dimension of the first's result."""
    structure = known_structure(chain[0])
    loops = positions(structure.maps[-1])
    for before, op in pairwise(chain):
        written = positions(structure.maps[-1])
        structure = known_structure(op)
        operands = (*structure.inputs, *structure.outputs)
        read = positions(structure.maps[operands.index(before.results[0])])
        loops = [read[written.index(loop)] for loop in loops]
    return loops


def _sizes_by_dimension(structure: Structure, rows_packed: int | None) -> list[int]:
    """One of each dimension of the output, but for the channels and some pixels.

    `rows_packed` are the rows of a tile that packs what it reads.
    """
    in_sums = {
        loop
        for expr in structure.maps[0].results
        if len(expr.used_dims()) > 1
        for loop in expr.used_dims()
    }
    shape = shape_of(structure.outputs[0].type)
    loops = positions(structure.maps[-1])
    pixels = [number for number, loop in enumerate(loops) if loop in in_sums]
    sizes = [1] * len(loops)
    sizes[-1] = 0
    *rows, columns = pixels
    width = shape[columns]
    if width > LONG_ROW:
        sizes[columns] = _part_of_row(width)
    else:
        sizes[columns] = 0
        if rows:
            sizes[rows[-1]] = rows_packed or _divisor(
                shape[rows[-1]], MOST_PIXELS // width
            )
    return sizes


def _rows_inside(structure: Structure, tile: Sequence[int]) -> tuple[int, int] | None:
    """The rows of the image that are not zeros, if a tile has all rows of pixels."""
    dimension = dimension_of_rows(structure)
    if dimension is None:
        return None
    loops = structure.maps[0].results[dimension].used_dims()
    counts = trip_counts(structure)
    sizes = dict(zip(positions(structure.maps[-1]), tile, strict=True))
    # Without a loop of one iteration, another dimension would be that of the rows.
    is_whole = all(
        counts[loop] > 1 and sizes.get(loop, 0) in (0, counts[loop]) for loop in loops
    )
    return rows_without_zeros(structure) if is_whole else None


def _channels_inside(structure: Structure, tile: Sequence[int]) -> int | None:
    """The dimension of blocks of output channels, if its loop is to be innermost.

    All blocks are computed of the same pixels. With their loop innermost, the weights
    are read again for each tile of pixels, and otherwise the image for each block. What
    stays in the second-level cache costs nothing.
    """
    shape = shape_of(structure.outputs[0].type)
    of_input, of_weights, of_output = map(positions, structure.maps)
    blocks = [
        dimension
        for dimension, loop in enumerate(of_output[:-1])
        if loop in of_weights and loop not in of_input
    ]
    if shape[0] < 1 or not blocks:
        return None
    parts = [
        count // size if size else 1 for count, size in zip(shape, tile, strict=True)
    ]
    tiles = prod(
        number
        for number, loop in zip(parts[1:], of_output[1:], strict=True)
        if loop not in of_weights
    )
    input_, weights = (estimate_bytes(value.type) for value in structure.inputs)
    of_image = _read_again(input_ // shape[0], parts[blocks[0]])
    return blocks[0] if _read_again(weights, tiles) < of_image else None


def _read_again(bytes_: int, times: int) -> int:
    """How many bytes do not come from the second-level cache."""
    return 0 if bytes_ <= CACHE_BYTES else bytes_ * times


def _part_of_row(width: int) -> int:
    """How a long row is cut: into equal parts, which are not shorter than need be."""
    part = _divisor(width, MOST_PIXELS)
    if part * 4 > MOST_PIXELS:
        return part
    return next(d for d in range(MOST_PIXELS, width + 1) if width % d == 0)


def _divisor(size: int, most: int) -> int:
    """The largest one of at most `most`, or 1."""
    return next(d for d in range(max(1, min(size, most)), 0, -1) if size % d == 0)


class TileConvolutionsPass(TensorPass):
    """Compute packed convolutions and pooling tile by tile."""

    name = "tile-convolutions"
    rewrite = staticmethod(tile_convolutions)
