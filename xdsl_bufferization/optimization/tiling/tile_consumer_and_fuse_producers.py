"""tile-consumer-and-fuse-producers: tile sums of products and their neighbours.

    %1 = linalg.fill ... -> tensor<8x16x32x32xf32>
    %2 = linalg.generic { out + lhs * rhs } ins(%a, %b) outs(%1)     // packed GEMM
    %3 = linalg.generic { max(out, 0) } outs(%2)

    %3 = scf.forall (%i, %j) in (8, 16) shared_outs(%o = %empty) {
      linalg.fill, linalg.batch_reduce_matmul and linalg.generic on tensor<32x32xf32>
    }

After packing, before bufferization. Each sum of products (the anchor) is followed to
its only user, as long as that works element by element. The last user is tiled, and its
producers are computed in the same loop. Then loops of one iteration are left out, and
each `linalg.batch_reduce_matmul` or `linalg.matmul` gets that name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Block, Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.bufferization.models.tiling.linalg import block_of_loop
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    structure_of,
)
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.remarks import (
    Report,
    ignore_remark,
    remark,
    write_remark,
)
from xdsl_bufferization.dialects.scf.forall import ForallOp
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of, positions
from ..common.elementwise_consumers import last_elementwise_consumer
from ..common.target_hints import cpu_hint
from ..packing.block_factors import columns_in_place, rows_in_place, rows_of_block
from ..packing.constant_fold_pack import fold_packs_of_fills
from ..packing.pack_convolutions import WINDOW_ATTRIBUTE
from ..simplify.linalg_degeneralize_generic_ops import degeneralize
from .drop_unit_loops import drop_unit_loops
from .fuse_consumer import fuse_consumer
from .read_shared_outputs import read_shared_outputs
from .single_blocks import use_single_blocks
from .tile_and_fuse import TilingOptions, tile_and_fuse
from .tile_loops import ForallLoops, ForLoops

MATRIX_RANK = 2

MATRIX_TILE = 32
"""The size of a tile of a matrix that is not packed, in both dimensions.

A module may say another by dlti, as `tile_size`."""


@dataclass(frozen=True)
class TileAndFuseOptions:
    """What the pass of this file can be told."""

    tile_sizes: tuple[int, ...] = ()
    """By loop of the op that is tiled, from the outermost one, 0 for no tiles.

    Without the option, all dimensions but the last two have tiles of 1: the last two
    are the blocks of a packed tensor. Both dimensions of a matrix have tiles of 32, or
    of the `tile_size` of the module, if that divides them. Given sizes need not divide:
    the last tile is then smaller, by an `affine.min`, as in MLIR.
    """

    max_depth: int = 5
    """How many users are followed, and how far back producers are fused."""

    num_iters: int = 3
    """How often all is done. From the second time on, what works on the result of an
    `scf.forall` element by element, and a `linalg.unpack` of it, is computed in the
    loop."""

    use_for_all: bool = True
    """Whether loops are `scf.forall`, not `scf.for`."""

    min_tile_factor: int = 2
    """A loop has tiles of more than 1 only if it has at least so many complete ones."""

    matrix_tile: int | None = MATRIX_TILE
    """The size of a tile of a matrix that is not packed, in both dimensions.

    None: what suits the sizes of the matrix, as `block_factors.py` says."""

    one_thread: bool = False
    """Whether one thread runs all tiles."""


def tile_consumers_and_fuse_producers(
    module: ModuleOp,
    options: TileAndFuseOptions | None = None,
    report: Report[str] = ignore_remark,
) -> None:
    """Tile the sums of products in `module`; `report` hears of those that are not."""
    options = options or TileAndFuseOptions()
    attach_all()
    if not options.num_iters:
        return
    # They could be computed in the loops, but then the tiles would be packed there.
    fold_packs_of_fills(module)
    for block, ops in _ops_by_block(module).items():
        _BlockTiling(block, ops, options).run(report)
    for _ in range(1, options.num_iters):
        blocks = _ops_by_block(module).values()
        if not sum(_fuse_consumers(ops) for ops in blocks):
            break
    read_shared_outputs(module)


def _ops_by_block(module: ModuleOp) -> Mapping[Block, Sequence[Operation]]:
    """The ops of each block that is no payload, in order."""
    blocks: dict[Block, list[Operation]] = {}
    payloads: set[Block] = set()
    for op in ops_inside(module):
        block = op.parent
        if block is not None and block not in payloads:
            blocks.setdefault(block, []).append(op)
        if structure_of(op) is not None:
            payloads.update(inner for region in op.regions for inner in region.blocks)
    return blocks


def _fuse_consumers(ops: Sequence[Operation]) -> int:
    """Fuse the consumers of loops that can be fused, and count them."""
    return sum(fuse_consumer(op) for op in ops)


class _BlockTiling:
    """The anchors of one block."""

    def __init__(
        self, block: Block, ops: Sequence[Operation], options: TileAndFuseOptions
    ):
        self._block = block
        self._ops = ops
        self._order = {op: position for position, op in enumerate(ops)}
        self._options = options

    def run(self, report: Report[str]) -> None:
        """Tile the anchors that can be tiled."""
        for op in self._ops:
            # Of several anchors that are fused, the first one finds them all.
            if op.parent is self._block and _is_anchor(op):
                problem = self._tile(op)
                if problem is not None:
                    report(remark(op, f"is not tiled: {problem}"))

    def _tile(self, anchor: Operation) -> str | None:
        options = self._options
        root = last_elementwise_consumer(anchor, self._order, options.max_depth)
        structure = structure_of(root)
        if structure is None or not root.results:
            return "it is on buffers"
        by_size = options.matrix_tile is None and _is_on_matrices(structure)
        sizes, pieces = (
            _tiles_by_size(structure, anchor, one_thread=options.one_thread)
            if by_size
            else (_tile_sizes(structure, options), {})
        )
        if by_size and not sizes:
            return None  # One kernel does it all.
        result = tile_and_fuse(
            root,
            self._order,
            TilingOptions(
                sizes,
                ForallLoops if options.use_for_all else ForLoops,
                options.max_depth,
                pieces,
            ),
        )
        if isinstance(result, str):
            return result
        # Kernels multiply matrices, which a single row is as well.
        tiles = result.tiled if by_size else drop_unit_loops(result.tiled)
        for op in tiles:
            degeneralize(use_single_blocks(op))
        return None


def _is_anchor(op: Operation) -> bool:
    """Whether `op` is a sum of products that is no tile already, nor a convolution."""
    if WINDOW_ATTRIBUTE in op.attributes:
        return False
    contraction = contraction_of(op)
    if contraction is None or contraction.is_convolution:
        return False
    is_packed = len(contraction.output.results) > MATRIX_RANK
    return is_packed or _columns_of_blocks(op) is not None or not _is_in_forall(op)


def _is_in_forall(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, ForallOp):
        parent = parent.parent_op()
    return parent is not None


def _tile_sizes(structure: Structure, options: TileAndFuseOptions) -> dict[int, int]:
    """The tile size of each loop that is tiled."""
    counts = trip_counts(structure)
    if options.tile_sizes:
        wanted = dict(enumerate(options.tile_sizes[: len(counts)]))
    else:
        tile = options.matrix_tile or MATRIX_TILE
        wanted = _default_tile_sizes(structure, counts, tile)
    return {
        loop: size
        for loop, size in wanted.items()
        if size and _has_enough_tiles(counts[loop], size, options.min_tile_factor)
    }


def _default_tile_sizes(
    structure: Structure, counts: Sequence[int], matrix_tile: int
) -> dict[int, int]:
    output = structure.maps[-1]
    if not output.is_projected_permutation():
        return {}
    loops = positions(output)
    if len(loops) != MATRIX_RANK:
        return dict.fromkeys(loops[:-MATRIX_RANK], 1)
    return {
        loop: matrix_tile
        for loop in loops
        if counts[loop] != DYNAMIC_INDEX and not counts[loop] % matrix_tile
    }


# Matrices that are not packed, in tiles by their sizes.

_ROWS_AT_A_TIME = (64, 8, 1)
"""The rows of tiles where their number is not known: one kernel each."""


def _is_on_matrices(structure: Structure) -> bool:
    output = structure.maps[-1]
    return (
        output.is_projected_permutation()
        and 0 < len(positions(output)) <= MATRIX_RANK
        and not output.unused_dims().difference(_summed(structure))
    )


def _summed(structure: Structure) -> frozenset[int]:
    return frozenset(loop for loop, is_ in enumerate(structure.parallel) if not is_)


def _columns_of_blocks(anchor: Operation) -> int | None:
    """How many columns a block of the right factor has, if it is packed."""
    structure = structure_of(anchor)
    assert structure is not None, "it is a sum of products"
    exprs = (expr for map_ in structure.maps for expr in map_.results)
    blocks = [block[1] for expr in exprs if (block := block_of_loop(expr))]
    return blocks[0] if blocks else None


def _sums_of(anchor: Operation) -> int | None:
    """How many products are added up; None if that is not known."""
    structure = structure_of(anchor)
    assert structure is not None, "it is a sum of products"
    counts = trip_counts(structure)
    summed = [counts[loop] for loop in _summed(structure)]
    return None if DYNAMIC_INDEX in summed else prod(summed)


def _tiles_by_size(
    structure: Structure, anchor: Operation, *, one_thread: bool
) -> tuple[dict[int, int], dict[int, Sequence[int]]]:
    """The tile size of each loop that is tiled, and the sizes of its pieces."""
    counts = trip_counts(structure)
    *row_loops, column_loop = positions(structure.maps[-1])
    rows = counts[row_loops[0]] if row_loops else 1
    count, packed = counts[column_loop], _columns_of_blocks(anchor)
    is_in_place = packed is None and count != DYNAMIC_INDEX
    sizes: dict[int, int] = {}
    pieces: dict[int, Sequence[int]] = {}
    for loop in row_loops:
        if rows == DYNAMIC_INDEX:
            sizes[loop], pieces[loop] = _ROWS_AT_A_TIME[0], _ROWS_AT_A_TIME
            continue
        block = rows_in_place(rows, count) if is_in_place else rows_of_block(rows)
        if block < rows:
            sizes[loop], pieces[loop] = block, (block,)
    if count != DYNAMIC_INDEX:
        known = None if rows == DYNAMIC_INDEX else rows
        block = packed or columns_in_place(
            count, known, _sums_of(anchor), one_thread=one_thread
        )
        if block < count:
            sizes[column_loop], pieces[column_loop] = block, (block,)
    return sizes, pieces


def _has_enough_tiles(count: int, size: int, factor: int) -> bool:
    if size == 1 or count == DYNAMIC_INDEX:
        return True
    return count > size and count // size >= factor


def _matrix_tile(module: ModuleOp, *, by_size: bool) -> int | None:
    """What the module says, or the default; None if the size of matrices says it."""
    hint = cpu_hint(module, "tile_size")
    if hint is None:
        return None if by_size else MATRIX_TILE
    return max(hint or MATRIX_TILE, 1)


@dataclass(frozen=True)
class TileConsumerAndFuseProducersPass(TensorPass):
    """Compute sums of products tile by tile, with what comes before and after."""

    name = "tile-consumer-and-fuse-producers"

    tile_sizes: tuple[int, ...] = ()
    max_depth: int = 5
    num_iters: int = 3
    use_for_all: bool = True
    min_tile_factor: int = 2
    tiles_by_size: bool = False
    """Whether matrices that are not packed have tiles that suit their sizes."""
    one_thread: bool = False
    """Whether one thread runs all tiles: none are made to be shared."""
    explain: bool = False
    """Whether to say why sums are left as they are, on stderr."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        if any(size < 0 for size in self.tile_sizes):
            raise PassFailedException(
                "tile-sizes must not be negative: use 0 for a loop without tiles"
            )
        options = TileAndFuseOptions(
            self.tile_sizes,
            self.max_depth,
            self.num_iters,
            self.use_for_all,
            self.min_tile_factor,
            _matrix_tile(op, by_size=self.tiles_by_size),
            self.one_thread,
        )
        report = write_remark if self.explain else ignore_remark
        tile_consumers_and_fuse_producers(op, options, report)
