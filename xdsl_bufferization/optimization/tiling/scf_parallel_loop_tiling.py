"""The pass `scf-parallel-loop-tiling-pass`: parallel loops as loops over blocks.

Runs on buffers; a block of iterations is what one thread takes at a time.

    scf.parallel (%i) = (%c0) to (%c8) step (%c1)
        -> scf.parallel (%b) = (%c0) to (%c8) step (%c4) {
             scf.parallel (%o) = (%c0) to (%c4) step (%c1) {
               %i = arith.addi %o, %b : index

Where the last block may be shorter, its size is an `affine.min`. With the option
`no-min-max-bounds`, each block is whole. An `scf.if` leaves out what is behind the end
of the loop. Dimensions without a tile size get 1, and those of size 0 stay whole. Loops
with reductions stay as they are.

As MLIR's pass. It takes the place of xDSL's pass,
which leaves iterations out where a step is not 1, and stops at reductions. A size of 0
means the same there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import AffineMapAttr, IndexType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

_SIZE_OR_REST = AffineMap.from_callable(lambda size, end, start: (size, end - start))
"""The size of a block, or what is left of the loop: of size, upper bound, start."""


def tile_parallel_loops(
    module: ModuleOp, tile_sizes: Sequence[int], *, no_min_max_bounds: bool = False
) -> None:
    """Tile the innermost parallel loops in `module`.

    `tile_sizes` counts iterations, one number a dimension, 0 for one that stays whole.
    Raises `OperationError` if one is negative.
    """
    if any(size < 0 for size in tile_sizes):
        sizes = ", ".join(map(str, tile_sizes))
        fail_at(
            module, f"parallel-loop-tile-sizes must not be negative, but are {sizes}"
        )
    for loop in _innermost_loops(module):
        if not loop.initVals:
            _tile(loop, tile_sizes, no_min_max_bounds=no_min_max_bounds)


def _innermost_loops(module: ModuleOp) -> list[scf.ParallelOp]:
    loops = [op for op in ops_inside(module) if isinstance(op, scf.ParallelOp)]
    around: set[Operation] = set()
    for loop in reversed(loops):
        parent = loop.parent_op()
        # What is around a loop that was seen before has been marked up to the top.
        while parent is not None and parent not in around:
            around.add(parent)
            parent = parent.parent_op()
    return [loop for loop in loops if loop not in around]


@dataclass(frozen=True)
class _Dimension:
    """One dimension of a loop, in blocks."""

    lower: SSAValue
    upper: SSAValue
    size: SSAValue
    """The distance of blocks: what an induction variable gains in one."""

    divides: bool
    """Whether all blocks are known to be full."""


def _tile(
    loop: scf.ParallelOp, tile_sizes: Sequence[int], *, no_min_max_bounds: bool
) -> None:
    count = len(loop.step)
    sizes = [*tile_sizes[:count], *([1] * (count - len(tile_sizes)))]
    tiled = [number for number, size in enumerate(sizes) if size]
    if not tiled:
        return
    zero = index_constant(0)
    before: list[Operation] = [zero]
    bounds = list(zip(loop.lowerBound, loop.upperBound, loop.step, sizes, strict=True))
    dimensions = {number: _dimension(*bounds[number], before) for number in tiled}
    blocks = Block(arg_types=[IndexType()] * len(tiled))
    starts = dict(zip(tiled, blocks.args, strict=True))
    lower, upper = list(loop.lowerBound), list(loop.upperBound)
    for number, start in starts.items():
        lower[number] = zero.result
        upper[number] = (
            dimensions[number].size
            if no_min_max_bounds
            else _end_of_block(dimensions[number], start, blocks)
        )
    body = loop.body.block
    indices = _add_starts(body, starts)
    if no_min_max_bounds:
        _leave_out(body, indices, dimensions)
    inner = scf.ParallelOp(lower, upper, loop.step, loop.detach_region(loop.body))
    blocks.add_ops([inner, scf.ReduceOp()])
    outer = scf.ParallelOp(
        [each.lower for each in dimensions.values()],
        [each.upper for each in dimensions.values()],
        [each.size for each in dimensions.values()],
        Region(blocks),
    )
    outer.attributes.update(loop.attributes)
    Rewriter.replace_op(loop, [*before, outer])


def _dimension(
    lower: SSAValue,
    upper: SSAValue,
    step: SSAValue,
    iterations: int,
    before: list[Operation],
) -> _Dimension:
    """Describe a dimension in blocks; ops that compute its numbers go to `before`."""
    numbers = [const_evaluate_operand(value) for value in (lower, upper, step)]
    first, end, distance = numbers
    if distance is None:
        factor = index_constant(iterations)
        size = arith.MuliOp(step, factor.result)
        before += [factor, size]
        return _Dimension(lower, upper, size.result, divides=False)
    constant = index_constant(iterations * distance)
    before.append(constant)
    divides = (
        first is not None
        and end is not None
        and (end - first) % (iterations * distance) == 0
    )
    return _Dimension(lower, upper, constant.result, divides=divides)


def _end_of_block(dimension: _Dimension, start: SSAValue, blocks: Block) -> SSAValue:
    """How far a block goes, counted from its start."""
    if dimension.divides:
        return dimension.size
    operands = [dimension.size, dimension.upper, start]
    shorter = affine.MinOp(operands, AffineMapAttr(_SIZE_OR_REST))
    blocks.add_op(shorter)
    return shorter.result


def _add_starts(body: Block, starts: Mapping[int, SSAValue]) -> dict[int, arith.AddiOp]:
    """Let the body count from the start of its block; returns the new numbers."""
    indices: dict[int, arith.AddiOp] = {}
    first = body.first_op
    assert first is not None
    for number, start in starts.items():
        argument = body.args[number]
        index = arith.AddiOp(argument, start)
        argument.replace_all_uses_with(index.result)
        index.operands[0] = argument
        body.insert_op_before(index, first)
        indices[number] = index
    return indices


def _leave_out(
    body: Block,
    indices: Mapping[int, arith.AddiOp],
    dimensions: Mapping[int, _Dimension],
) -> None:
    """Run the body only where all indices are before the end of the loop."""
    checks: list[Operation] = []
    condition: SSAValue | None = None
    for number, index in indices.items():
        dimension = dimensions[number]
        if dimension.divides:
            continue
        is_inside = arith.CmpiOp(index.result, dimension.upper, "slt")
        checks.append(is_inside)
        if condition is not None:
            checks.append(arith.AndIOp(condition, is_inside.result))
        condition = checks[-1].results[0]
    if condition is None:
        return
    last = body.last_op
    assert last is not None
    computed = {*indices.values()}
    inner = Block()
    for op in list(body.ops):
        if op is not last and op not in computed:
            op.detach()
            inner.add_op(op)
    inner.add_op(scf.YieldOp())
    guarded = scf.IfOp(condition, [], Region(inner))
    body.insert_ops_before([*checks, guarded], last)


@dataclass(frozen=True)
class ScfParallelLoopTilingPass(TensorPass):
    """Split innermost parallel loops into loops over blocks."""

    name = "scf-parallel-loop-tiling-pass"

    parallel_loop_tile_sizes: tuple[int, ...] = ()
    """How many iterations a block has in each dimension; 0: all of them."""

    no_min_max_bounds: bool = False
    """All blocks are whole, and a condition leaves out what is behind the end."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        tile_parallel_loops(
            op,
            self.parallel_loop_tile_sizes,
            no_min_max_bounds=self.no_min_max_bounds,
        )
