"""The pass `share-loop-nests`: threads share ops on buffers that take long.

    linalg.exp ins(%x : memref<197x1536xf32>) outs(%y : memref<197x1536xf32>)
        ->
    scf.parallel (%i) = (0) to (197) step (1) {
      linalg.exp ins(%x[%i] : memref<1x1536xf32, ...>) outs(%y[%i] : ...)
    }

Runs on buffers, before `outline-loop-nests`, where several threads share loops. Loops
around calls of kernels are parallel already. What is left are transposes, activations
and sums that are ops of their own: each of them would keep one thread busy, while the
others wait.

An op is shared if its outermost loops are parallel, and if each operand is indexed by
these loops alone, or by constants. Ops that take a few microseconds stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import affine, arith, memref, omp, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, ModuleOp
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    shape_of,
    structure_of,
)
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.memref.layouts import get_strided_form
from xdsl_bufferization.dialects.memref.slices import infer_subview_type
from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.support.traversal import ops_inside

_MEMORY_WORK: Final = 8
"""What it takes to load and store an element, where an op of the body takes 1."""

LEAST_WORK: Final = 200_000
"""Ops with less work are not shared: about three microseconds of one thread."""

_MOST_PARTS: Final = 5
"""Of the least work: more iterations cost more to begin."""

_ENOUGH: Final = 8
"""With so many iterations, no further loop is shared."""

_LANES: Final = 16
"""A row is cut at whole vectors, of which neighbours are in one cache line."""

_SHORTEST: Final = 256
"""An iteration has so many elements, at least."""

_PARALLEL: Final = (scf.ParallelOp, ForallOp, affine.ParallelOp, omp.ParallelOp)


def share_loop_nests(module: ModuleOp, least_work: int = LEAST_WORK) -> None:
    """Make parallel loops of the ops on buffers in `module` that take long."""
    for op in ops_inside(module):
        split = _split(op, least_work)
        if split is not None and not _is_in_parallel_loop(op):
            _share(op, split)


@dataclass(frozen=True)
class _Split:
    """How the loops of an op are shared."""

    structure: Structure
    tiles: Mapping[int, int]
    """For each loop that is shared, how many of its iterations one has."""

    counts: Sequence[int]


def _split(op: Operation, least_work: int) -> _Split | None:
    if op.dialect_name() != "linalg" or op.results:
        return None
    structure = structure_of(op)
    if structure is None or not structure.outputs:
        return None
    values = (*structure.inputs, *structure.outputs)
    buffers = [value.type for value in values if isa(value.type, MemRefType)]
    if any(get_strided_form(type_) is None for type_ in buffers):
        return None
    if any(map(_has_open_place, values, structure.maps)):
        return None
    counts = trip_counts(structure)
    if DYNAMIC_INDEX in counts or 0 in counts:
        return None
    work = _MEMORY_WORK + len(structure.body.block.ops)
    if prod(counts) * work < least_work:
        return None
    shared = list(_shared_loops(structure, counts))
    if not shared:
        return None
    tiles = _tiles(shared, structure, counts, -(-least_work // (_MOST_PARTS * work)))
    return _Split(structure, tiles, counts) if tiles else None


def _has_open_place(value: SSAValue, map_: AffineMap) -> bool:
    """Whether a size is open and not the iterations of a loop: who cuts needs it."""
    return any(
        size == DYNAMIC_INDEX and not isinstance(expr, AffineDimExpr)
        for size, expr in zip(shape_of(value.type), map_.results, strict=True)
    )


def _shared_loops(structure: Structure, counts: Sequence[int]) -> Iterator[int]:
    """The outermost loops of which each iteration has elements of its own."""
    for loop, is_parallel in enumerate(structure.parallel):
        if counts[loop] == 1:
            continue
        if not is_parallel or not _has_own_elements(structure, loop):
            return
        yield loop


def _has_own_elements(structure: Structure, loop: int) -> bool:
    count = len(structure.inputs)
    for number, map_ in enumerate(structure.maps):
        used = [expr for expr in map_.results if loop in expr.used_dims()]
        if any(not isinstance(expr, AffineDimExpr) for expr in used):
            return False
        if len(used) > 1 or (number >= count and not used):
            return False
    return True


def _tiles(
    shared: Sequence[int], structure: Structure, counts: Sequence[int], least: int
) -> dict[int, int]:
    """The tiles of the loops that are shared: none if there would be one iteration."""
    along_rows = {
        map_.results[-1] for map_ in structure.maps if len(map_.results) == len(counts)
    }
    tiles: dict[int, int] = {}
    inner, iterations = prod(counts), 1
    for loop in shared:
        inner //= counts[loop]
        unit = _LANES if AffineDimExpr(loop) in along_rows else 1
        wanted, shortest = (-(-each // inner) for each in (least, _SHORTEST))
        tile = _tile(counts[loop], wanted, shortest, unit)
        if tile < counts[loop]:
            tiles[loop] = tile
            iterations *= counts[loop] // tile
        if inner < 2 * least or iterations >= _ENOUGH:
            break
    return tiles


def _tile(count: int, wanted: int, shortest: int, unit: int) -> int:
    """A divisor of about `wanted` that leaves some iterations, or `count`."""
    tiles = [
        each
        for each in range(unit, count // 2 + 1, unit)
        if count % each == 0 and each >= shortest
    ]
    large = [each for each in tiles if each >= wanted and each * 3 <= count]
    small = [each for each in tiles if each < wanted]
    return large[0] if large else small[-1] if small else count


def _is_in_parallel_loop(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, _PARALLEL):
            return True
        parent = parent.parent_op()
    return False


# Rewriting.


def _share(op: Operation, split: _Split) -> None:
    tiles, counts = split.tiles, split.counts
    zero, *numbers = (
        index_constant(number)
        for number in (0, *(counts[loop] for loop in tiles), *tiles.values())
    )
    body = Block(arg_types=[IndexType()] * len(tiles))
    starts = dict(zip(tiles, body.args, strict=True))
    copy = op.clone()
    values = (*split.structure.inputs, *split.structure.outputs)
    for number, (value, map_) in enumerate(
        zip(values, split.structure.maps, strict=True)
    ):
        loops = {
            place: expr.position
            for place, expr in enumerate(map_.results)
            if isinstance(expr, AffineDimExpr)
        }
        if not tiles.keys().isdisjoint(loops.values()):
            piece = _piece(value, loops, starts, split)
            body.add_op(piece)
            copy.operands[number] = piece.result
    body.add_ops([copy, scf.ReduceOp()])
    ends, steps = numbers[: len(tiles)], numbers[len(tiles) :]
    loop = scf.ParallelOp(
        [zero.result] * len(tiles),
        [each.result for each in ends],
        [each.result for each in steps],
        Region(body),
    )
    loop.location = op.location
    _renumber_indices(copy, starts)
    Rewriter.replace_op(op, [zero, *numbers, loop], [])


def _piece(
    value: SSAValue,
    loops: Mapping[int, int],
    starts: Mapping[int, SSAValue],
    split: _Split,
) -> memref.SubviewOp:
    """The part of a buffer that one iteration works on.

    `loops` are those of the dimensions. A size that is open is known from another
    operand.
    """
    assert isa(value.type, MemRefType)
    known = {**dict(enumerate(split.counts)), **split.tiles}
    shape = value.type.get_shape()
    sizes = [known[loops[d]] if d in loops else size for d, size in enumerate(shape)]
    where = [starts.get(loops[d], 0) if d in loops else 0 for d in range(len(shape))]
    offsets = [0 if isinstance(each, int) else DYNAMIC_INDEX for each in where]
    ones = [1] * len(shape)
    type_ = infer_subview_type(value.type, offsets, sizes, ones)
    return memref.SubviewOp.get(value, where, sizes, ones, type_)


def _renumber_indices(copy: Operation, starts: Mapping[int, SSAValue]) -> None:
    """Add where the iterations start to the indices that the body asks for."""
    for op in ops_inside(copy):
        if isinstance(op, IndexOp) and op.dim.value.data in starts:
            new = IndexOp(op.dim.value.data)
            total = arith.AddiOp(new.result, starts[op.dim.value.data])
            Rewriter.insert_op([new, total], InsertPoint.before(op))
            Rewriter.replace_op(op, [], [total.result])


@dataclass(frozen=True)
class ShareLoopNestsPass(LoweringPass):
    """Make parallel loops of ops on buffers that take long."""

    name = "share-loop-nests"

    least_work: int = LEAST_WORK
    """Ops with less work are not shared. An op of a body counts 1 for each element."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        share_loop_nests(op, self.least_work)
