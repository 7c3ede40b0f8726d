"""The pass `split-parallel-reductions`: reductions without an order become blocks.

Runs on buffers, before `convert-scf-to-openmp`, which leaves reductions alone. The
iterations of a loop are cut into at most 256 blocks. A block combines the values of its
iterations, one after the other. After the loop the values of the blocks are combined,
in order.

    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 { ... }
        -> %partials = memref.alloca() : memref<256xf32>
           scf.parallel (%b) = (%c0) to (%blocks) step (%c1) {
             %p = scf.for %k = %first to %end step %c1 iter_args(%a) -> f32 { ... }
             memref.store %p, %partials[%b]
           }
           %s = scf.for %b = %c0 to %blocks step %c1 iter_args(%a = %x) -> f32 { ... }

The blocks depend on the bounds of the loop alone. So every number of threads gives the
same bits. With up to 256 iterations these are the bits of the sequential loop. The
combination must be associative, as `scf.reduce` demands.

Some loops stay as they are:

- loops inside of others that may run in parallel,
- reductions of values that are no elements of a buffer,
- reductions whose combination uses other values of the iteration: only a sequential
  loop has these at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref, omp, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerType,
    ModuleOp,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside

MOST_BLOCKS = 256
"""Enough for many threads to get equal shares, and little memory."""

_PARALLEL = (scf.ParallelOp, ForallOp, omp.ParallelOp)


def split_parallel_reductions(module: ModuleOp) -> None:
    """Split the reductions of the outermost parallel loops in `module`."""
    for loop in _outermost_loops(module):
        if (
            loop.initVals
            and all(map(_fits_a_buffer, loop.initVals))
            and not _combines_with_iterations(loop)
        ):
            _split(loop)


_is_parallel = of_classes(*_PARALLEL)


def _outermost_loops(module: ModuleOp) -> list[scf.ParallelOp]:
    loops: list[scf.ParallelOp] = []
    pending: list[Operation] = [module]
    while pending:
        op = pending.pop()
        if isinstance(op, scf.ParallelOp):
            loops.append(op)
        if not _is_parallel(op):
            for region in op.regions:
                for block in region.blocks:
                    pending += block.ops
    return loops


def _fits_a_buffer(value: SSAValue) -> bool:
    return isa(value.type, IntegerType | IndexType | AnyFloat)


def _combines_with_iterations(loop: scf.ParallelOp) -> bool:
    """Whether a reduction uses what an iteration computes, other than its operands."""
    reduce = loop.body.block.last_op
    assert reduce is not None
    return any(
        loop.is_ancestor(operand.owner) and not reduce.is_ancestor(operand.owner)
        for op in ops_inside(reduce)[1:]
        for operand in op.operands
    )


@dataclass(frozen=True)
class _Iterations:
    """All iterations of a loop as one range, cut into blocks of `size`."""

    counts: Sequence[SSAValue]
    """Of each dimension."""

    total: SSAValue
    size: SSAValue
    blocks: SSAValue
    zero: SSAValue
    one: SSAValue


def _split(loop: scf.ParallelOp) -> None:
    build = ArithBuilder(InsertPoint.before(loop))
    iterations = _iterations_of(loop, build)
    partials = [
        build.insert(memref.AllocaOp.get(value.type, shape=[MOST_BLOCKS])).memref
        for value in loop.initVals
    ]
    build.insert(_loop_over_blocks(loop, iterations, partials))
    combined = _combination(loop, iterations, partials)
    build.insert(combined)
    for old, new in zip(loop.results, combined.results, strict=True):
        old.replace_all_uses_with(new)
    loop.detach()
    loop.erase()


def _iterations_of(loop: scf.ParallelOp, build: ArithBuilder) -> _Iterations:
    zero, one = (build.index(number) for number in (0, 1))
    counts = [
        _trip_count(*bounds, zero, build)
        for bounds in zip(loop.lowerBound, loop.upperBound, loop.step, strict=True)
    ]
    total = counts[0]
    for count in counts[1:]:
        total = build.multiply(total, count)
    fair = build.insert(arith.CeilDivUIOp(total, build.index(MOST_BLOCKS))).result
    # Without iterations there are no blocks, but what is divided by may not be 0.
    size = build.insert(arith.MaxUIOp(fair, one)).result
    blocks = build.insert(arith.CeilDivUIOp(total, size)).result
    return _Iterations(counts, total, size, blocks, zero, one)


def _trip_count(
    lower: SSAValue,
    upper: SSAValue,
    step: SSAValue,
    zero: SSAValue,
    build: ArithBuilder,
) -> SSAValue:
    distance = build.subtract(upper, lower)
    steps = build.insert(arith.CeilDivSIOp(distance, step)).result
    return build.insert(arith.MaxSIOp(steps, zero)).result


def _loop_over_blocks(
    loop: scf.ParallelOp, iterations: _Iterations, partials: Sequence[SSAValue]
) -> scf.ParallelOp:
    """Run all iterations, and write the value of each block."""
    body = Block(arg_types=[IndexType()])
    (block,) = body.args
    build = ArithBuilder(InsertPoint.at_end(body))
    first = build.multiply(block, iterations.size)
    next_first = build.add(first, iterations.size)
    end = build.insert(arith.MinUIOp(next_first, iterations.total)).result
    # The initial values stand for what the first iteration of a block does not look at.
    inner = scf.ForOp(
        first, end, iterations.one, loop.initVals, _iteration(loop, iterations, first)
    )
    build.insert(inner)
    for value, partial in zip(inner.results, partials, strict=True):
        build.insert(memref.StoreOp.get(value, partial, [block]))
    build.insert(scf.ReduceOp())
    return scf.ParallelOp(
        [iterations.zero], [iterations.blocks], [iterations.one], Region(body)
    )


def _iteration(loop: scf.ParallelOp, iterations: _Iterations, first: SSAValue) -> Block:
    """The body of `loop`, for one of the iterations of a block."""
    types = [value.type for value in loop.initVals]
    body = Block(arg_types=[IndexType(), *types])
    number, *combined = body.args
    build = ArithBuilder(InsertPoint.at_end(body))
    old = loop.body.block
    indices = _indices(loop, iterations, number, build)
    for argument, index in zip(old.args, indices, strict=True):
        argument.replace_all_uses_with(index)
    reduce = _reduce_of(loop)
    for op in old.ops:
        if op is not reduce:
            op.detach()
            build.insert(op)
    is_first = build.insert(arith.CmpiOp(number, first, "eq")).result
    as_they_are = Region(Block([scf.YieldOp(*reduce.args)]))
    choice = scf.IfOp(
        is_first, types, as_they_are, Region(_combined(reduce, combined, reduce.args))
    )
    build.insert(choice)
    build.insert(scf.YieldOp(*choice.results))
    return body


def _indices(
    loop: scf.ParallelOp, iterations: _Iterations, number: SSAValue, build: ArithBuilder
) -> list[SSAValue]:
    """The induction variables of an iteration; the last changes fastest."""
    indices: list[SSAValue] = []
    positions: list[SSAValue] = []
    for count in reversed(iterations.counts[1:]):
        positions.append(build.insert(arith.RemUIOp(number, count)).result)
        number = build.insert(arith.DivUIOp(number, count)).result
    positions.append(number)
    dimensions = zip(loop.lowerBound, loop.step, reversed(positions), strict=True)
    for lower, step, position in dimensions:
        distance = build.multiply(position, step)
        indices.append(build.add(lower, distance))
    return indices


def _combination(
    loop: scf.ParallelOp, iterations: _Iterations, partials: Sequence[SSAValue]
) -> scf.ForOp:
    """Combine the initial values with what the blocks brought, one after the other."""
    types = [value.type for value in loop.initVals]
    body = Block(arg_types=[IndexType(), *types])
    block, *combined = body.args
    loads = [memref.LoadOp.get(partial, [block]) for partial in partials]
    values = [load.res for load in loads]
    rest = _combined(_reduce_of(loop), combined, values)
    body.add_ops(loads)
    for op in rest.ops:
        op.detach()
        body.add_op(op)
    return scf.ForOp(
        iterations.zero, iterations.blocks, iterations.one, loop.initVals, body
    )


def _combined(
    reduce: scf.ReduceOp, left: Sequence[SSAValue], right: Sequence[SSAValue]
) -> Block:
    """A copy of the code that combines values, and a yield of what it makes."""
    block = Block()
    results: list[SSAValue] = []
    for region, *values in zip(reduce.reductions, left, right, strict=True):
        known = dict(zip(region.block.args, values, strict=True))
        mapped: dict[SSAValue, SSAValue] = {**known}
        for op in region.block.ops:
            if isinstance(op, scf.ReduceReturnOp):
                results.append(mapped.get(op.result, op.result))
            else:
                block.add_op(op.clone(mapped))
    block.add_op(scf.YieldOp(*results))
    return block


def _reduce_of(loop: scf.ParallelOp) -> scf.ReduceOp:
    reduce = loop.body.block.last_op
    assert isinstance(reduce, scf.ReduceOp)
    return reduce


class SplitParallelReductionsPass(LoweringPass):
    """Let blocks of iterations be reduced on their own, and combine them in order."""

    name = "split-parallel-reductions"
    rewrite = staticmethod(split_parallel_reductions)
