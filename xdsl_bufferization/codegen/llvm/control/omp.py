"""How omp ops become calls of a runtime for threads (see `abi`).

The body of `omp.parallel` becomes a function that each thread of a team runs. All
dimensions of an `omp.wsloop` count as one range of iterations. Unless a schedule says
otherwise, each thread has an equal and contiguous share of three quarters of them.
Threads that are done with their share take the last quarter, in small parts: cores need
not be equally fast.

The runtime is libgomp. Code for this process has a region that is one loop run by the
team of this process, which starts a loop much faster: `runtime/team.py`.

    omp.parallel { omp.wsloop { omp.loop_nest (%i) ... } }
        -> llvm.func @entry_parallel_0(%data) {
             %id = omp_get_thread_num(); %team = omp_get_num_threads(); ...
             for %i = first of share %id to last: ...
             while GOMP_loop_ull_dynamic_next(...): for %i = first to last: ... }
           GOMP_parallel(@entry_parallel_0, %data, threads, 0)

Source: https://mlir.llvm.org/docs/Dialects/OpenMPDialect/ and the OpenMP specification,
"Worksharing-Loop Constructs". Clauses that do not occur here are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from xdsl.dialects import llvm, omp
from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.runtime.failure_kinds import CURRENT_CALL, FAIL_AFTER_LOOP
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at

from ..emission.function import FunctionLowering, Rules
from ..emission.types import PTR, integer_width
from .cf import lower_blocks
from .failing_ops import may_fail
from .iteration_space import Dimension, trip_count
from .outline import outline
from .scf import begin_loop, end_loop
from .shared_loop import (
    SharedLoop,
    lower_body,
    lower_on_demand,
    lower_share,
    lower_share_and_rest,
)

_SEGMENTS = "operandSegmentSizes"
_PARALLEL_CLAUSES = {"if_expr", "num_threads"}
_LOOP_CLAUSES = {"schedule_chunk", "schedule_kind", "nowait", "order"}

_SHARE_TYPES = [i64, i64, PTR]


def _lower_parallel(op: omp.ParallelOp, f: FunctionLowering) -> None:
    _check_clauses(op, _PARALLEL_CLAUSES)
    call = None
    if may_fail(op, f):
        call = f.call_external(CURRENT_CALL, [], PTR, op).results[0]
    loop = _only_loop(op) if f.symbols.options.has_team else None

    def lower(inner: FunctionLowering, became: Callable[[SSAValue], SSAValue]) -> None:
        inner.guarded_call = None if call is None else became(call)
        if loop is None:
            lower_blocks(op.region, inner, lambda end: _leave(end, inner))
        else:
            _lower_share_of_own_team(op, loop, inner)

    also = [] if call is None else [call]
    hoists = len(op.region.blocks) == 1
    parameters = [] if loop is None else _SHARE_TYPES
    function, data = outline(
        op, f, lower, parameters=parameters, also=also, hoists=hoists
    )
    arguments = [function, data, _team_size(op, f)]
    if loop is None:
        arguments.append(f.integer(0, i32))
    name = abi.GOMP_PARALLEL if loop is None else abi.SHARE_LOOP
    f.call_external(name, arguments, None, op)
    if call is not None:
        f.call_external(FAIL_AFTER_LOOP, [call], None, op)


def _only_loop(op: omp.ParallelOp) -> omp.WsLoopOp | None:
    """The loop of a region that only shares one, as threads like; None for others."""
    if len(op.region.blocks) != 1 or op.num_threads is not None:
        return None
    *before, loop, _ = (None, *op.region.block.ops)
    if not isinstance(loop, omp.WsLoopOp) or loop.schedule_kind is not None:
        return None
    is_alone = all(each is None or is_side_effect_free(each) for each in before)
    return loop if is_alone and loop.schedule_chunk is None else None


def _lower_share_of_own_team(
    op: omp.ParallelOp, loop: omp.WsLoopOp, inner: FunctionLowering
) -> None:
    """Lower what a thread does for one share, of a team of our own."""
    _, thread, team, rest = inner.block.args
    _check_clauses(loop, _LOOP_CLAUSES)
    for each in takewhile(lambda each: each is not loop, op.region.block.ops):
        inner.lower(each)
    nest = _nest_of(loop)
    shared = _prepare(nest, inner, (thread, team))
    lower_share_and_rest(replace(shared, rest=rest), inner)
    inner.run(llvm.ReturnOp())


def _leave(terminator: Operation, inner: FunctionLowering) -> None:
    if not isinstance(terminator, omp.TerminatorOp):
        fail_at(terminator, "cannot leave omp.parallel")
    inner.run(llvm.ReturnOp())


def _team_size(op: omp.ParallelOp, f: FunctionLowering) -> SSAValue:
    """How many threads to ask for; 0 leaves it to the runtime."""
    size = f.integer(f.symbols.options.threads, i32)
    if op.num_threads is not None:
        size = _resized(f.scalar(op.num_threads), 32, f)
    if op.if_expr is not None:
        size = f.select(f.scalar(op.if_expr), size, f.integer(1, i32))
    return size


def _resized(value: SSAValue, width: int, f: FunctionLowering) -> SSAValue:
    """A signed integer with another number of bits."""
    found = integer_width(value.type)
    if found == width:
        return value
    type = i64 if width == 64 else i32
    known = f.known(value)
    if isinstance(known, int):
        return f.integer(known, type)
    return f.cast(llvm.SExtOp if found < width else llvm.TruncOp, value, type)


def _lower_wsloop(op: omp.WsLoopOp, f: FunctionLowering) -> None:
    _check_clauses(op, _LOOP_CLAUSES)
    nest = _nest_of(op)
    chunk = _chunk(op, f)
    loop = _prepare(nest, f)
    kind = None if op.schedule_kind is None else op.schedule_kind.data
    if kind is omp.ScheduleKind.DYNAMIC:
        zero = f.integer(0, i64)
        chunk = f.integer(1, i64) if chunk is None else chunk
        lower_on_demand(loop, (zero, zero), (zero, loop.total), chunk, f)
    elif chunk is not None:
        _lower_chunks(loop, chunk, f)
    elif kind is omp.ScheduleKind.STATIC:
        lower_share(loop, f)
    else:
        lower_share_and_rest(loop, f)
    if op.nowait is None and not _is_last(op):
        _lower_barrier(op, f)


def _nest_of(op: omp.WsLoopOp) -> omp.LoopNestOp:
    nest = op.body.block.first_op
    if not isinstance(nest, omp.LoopNestOp):
        fail_at(op, "only omp.loop_nest can be shared out; remove what is in between")
    return nest


def _chunk(op: omp.WsLoopOp, f: FunctionLowering) -> SSAValue | None:
    """How many iterations a thread takes at a time, if that is given."""
    if op.schedule_chunk is None:
        return None
    chunk = _resized(f.scalar(op.schedule_chunk), 64, f)
    _check_positive("schedule_chunk", chunk, op, f)
    return chunk


def _check_positive(
    what: str, value: SSAValue, op: Operation, f: FunctionLowering
) -> None:
    known = f.known(value)
    if isinstance(known, int) and known <= 0:
        fail_at(op, f"{what} {known} is not positive")


def _is_last(op: Operation) -> bool:
    """Whether the team ends after `op`, which is a barrier in itself."""
    return isinstance(op.parent_op(), omp.ParallelOp) and isinstance(
        op.next_op, omp.TerminatorOp
    )


def _dimensions(nest: omp.LoopNestOp, f: FunctionLowering) -> list[Dimension]:
    inclusive = nest.loop_inclusive is not None
    bounds = zip(nest.lowerBound, nest.upperBound, nest.step, strict=True)
    dimensions: list[Dimension] = []
    for values in bounds:
        lower, upper, step = (_resized(f.scalar(value), 64, f) for value in values)
        _check_positive("step", step, nest, f)
        count = trip_count(lower, upper, step, f, inclusive=inclusive)
        dimensions.append(Dimension(lower, step, count))
    return dimensions


def _prepare(
    nest: omp.LoopNestOp,
    f: FunctionLowering,
    place: tuple[SSAValue, SSAValue] | None = None,
) -> SharedLoop:
    """Emit what all ways to share a loop need to know.

    `place` is the number of the thread and the size of the team, if they are known.
    """
    dimensions = _dimensions(nest, f)
    total = f.index(f.product(each.count for each in dimensions), i64)
    if place is not None:
        return SharedLoop(nest, dimensions, total, *place)
    numbers: list[SSAValue] = []
    for name in (abi.OMP_GET_THREAD_NUM, abi.OMP_GET_NUM_THREADS):
        number = f.call_external(name, [], i32, nest).results[0]
        numbers.append(_resized(number, 64, f))
    return SharedLoop(nest, dimensions, total, *numbers)


def _lower_chunks(loop: SharedLoop, chunk: SSAValue, f: FunctionLowering) -> None:
    """Lower the chunks of a thread: every so many one is its own."""
    first = f.index(f.multiply(loop.thread, chunk), i64)
    distance = f.index(f.multiply(loop.team, chunk), i64)
    chunks = begin_loop(f, (first, loop.total, distance))
    end = f.index(f.add(chunks.induction, chunk), i64)
    end = f.value_of_intrinsic("llvm.smin.i64", [end, loop.total], i64)
    lower_body(loop, (chunks.induction, end), f)
    end_loop(f, chunks)


def _lower_barrier(op: Operation, f: FunctionLowering) -> None:
    f.call_external(abi.GOMP_BARRIER, [], None, op)


def _check_clauses(op: IRDLOperation, known: set[str]) -> None:
    """Stop at a clause that is not among `known`: it may change what is computed."""
    definition = op.get_irdl_definition()
    given = [name for name, _ in definition.operands if getattr(op, name)]
    given += [name for name in op.properties if name != _SEGMENTS]
    for name in given:
        if name not in known:
            fail_at(
                op,
                f"clause '{name}' of {op.name} has no lowering; write what it says "
                "as ops",
            )


RULES: Rules = {
    omp.ParallelOp: _lower_parallel,
    omp.WsLoopOp: _lower_wsloop,
    omp.BarrierOp: _lower_barrier,
}
