"""The pass `convert-perf-to-loops`: benchmarks as loops between two looks at the clock.

Runs before bufferization, or on buffers: `scf.for` is what both know.

    %s, %r = perf.bench (%n : i64) iter_args(%x = %o) -> (f64, i64) { ... }
        -> %t = perf.start_timer : !perf.timer
           %r = scf.for %i = %c0 to %count step %c1 iter_args(%x = %o) -> (i64) { ... }
           %s = perf.stop_timer(%t : !perf.timer) : f64

Means and standard deviations become loops over the times.

Source: `convert-perf-to-loops` of tpp-mlir.
"""

from collections.abc import Callable, Sequence
from typing import Final

from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import IndexType, ModuleOp, f64, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.perf import (
    BenchOp,
    MeanOp,
    StartTimerOp,
    StdevOp,
    StopTimerOp,
    YieldOp,
)
from xdsl_bufferization.support.traversal import ops_inside

from .loop_builder import LoopBuilder


def convert_perf_to_loops(module: ModuleOp) -> None:
    """Replace benchmarks and statistics of the perf dialect in `module` by loops."""
    for op in ops_inside(module):
        write = _WRITERS.get(type(op))
        if write is None:
            continue
        code = LoopBuilder(InsertPoint.at_end(Block()), op.location)
        results = write(op, code)
        Rewriter.inline_block(code.block, InsertPoint.before(op))
        Rewriter.replace_op(op, [], results)


def _write_bench(op: Operation, code: LoopBuilder) -> Sequence[SSAValue]:
    assert isinstance(op, BenchOp)
    count = code.as_index(op.iterations)
    zero, one = code.index(0), code.index(1)
    timer = code.insert(StartTimerOp())
    body = op.detach_region(op.body).detach_block(0)
    body.insert_arg(IndexType(), 0)
    last = body.last_op
    assert isinstance(last, YieldOp)
    Rewriter.replace_op(last, scf.YieldOp(*last.arguments), [])
    loop = code.insert(scf.ForOp(zero, count, one, [*op.inits], Region(body)))
    delta = code.insert(StopTimerOp(timer.timer)).delta
    return [delta, *loop.results]


def _write_mean(op: Operation, code: LoopBuilder) -> Sequence[SSAValue]:
    assert isinstance(op, MeanOp)
    return [_mean_of(op.deltas, code, lambda _, delta: delta)]


def _write_stdev(op: Operation, code: LoopBuilder) -> Sequence[SSAValue]:
    assert isinstance(op, StdevOp)

    def square(inner: LoopBuilder, delta: SSAValue) -> SSAValue:
        distance = inner.insert(arith.SubfOp(delta, op.mean)).result
        return inner.insert(arith.MulfOp(distance, distance)).result

    variance = _mean_of(op.deltas, code, square)
    return [code.insert(math.SqrtOp(variance)).result]


def _mean_of(
    deltas: SSAValue,
    code: LoopBuilder,
    term: Callable[[LoopBuilder, SSAValue], SSAValue],
) -> SSAValue:
    """The mean of a term of each time."""
    size = code.size(deltas, 0)

    def add(
        inner: LoopBuilder, i: SSAValue, carried: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        value = term(inner, inner.load(deltas, [i]))
        return [inner.insert(arith.AddfOp(carried[0], value)).result]

    bounds = code.index(0), size, code.index(1)
    (total,) = code.fold(bounds, [code.number(0.0, f64)], add)
    number = code.insert(arith.IndexCastOp(size, i64)).result
    count = code.insert(arith.SIToFPOp(number, f64)).result
    return code.insert(arith.DivfOp(total, count)).result


_WRITERS: Final[
    dict[type[Operation], Callable[[Operation, LoopBuilder], Sequence[SSAValue]]]
] = {
    BenchOp: _write_bench,
    MeanOp: _write_mean,
    StdevOp: _write_stdev,
}


class ConvertPerfToLoopsPass(LoweringPass):
    """Turn benchmarks into loops between two looks at the clock."""

    name = "convert-perf-to-loops"
    rewrite = staticmethod(convert_perf_to_loops)
