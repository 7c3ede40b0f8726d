"""How omp ops become calls of an OpenMP runtime: libgomp's functions (see `abi`).

The body of `omp.parallel` becomes a function that each thread of a team runs. All
dimensions of an `omp.wsloop` count as one range of iterations. Unless a schedule says
otherwise, each thread has an equal and contiguous share of three quarters of them.
Threads that are done with their share take the last quarter, in small parts: cores need
not be equally fast.

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
from dataclasses import dataclass, replace

from xdsl.dialects import llvm, omp
from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from xdsl_bufferization import abi
from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.failures import (
    CURRENT_CALL,
    FAIL_AFTER_LOOP,
    GUARD_ITERATIONS,
)
from xdsl_bufferization.transforms.lowering.llvm.control.cf import lower_blocks
from xdsl_bufferization.transforms.lowering.llvm.control.failing_ops import may_fail
from xdsl_bufferization.transforms.lowering.llvm.control.iteration_space import (
    Dimension,
    lower_iterations,
    trip_count,
)
from xdsl_bufferization.transforms.lowering.llvm.control.outline import outline
from xdsl_bufferization.transforms.lowering.llvm.control.scf import begin_loop, end_loop
from xdsl_bufferization.transforms.lowering.llvm.emission.descriptor import Index
from xdsl_bufferization.transforms.lowering.llvm.emission.function import (
    FunctionLowering,
    Rules,
)
from xdsl_bufferization.transforms.lowering.llvm.emission.types import (
    PTR,
    integer_width,
)
from xdsl_bufferization.transforms.lowering.llvm.scalars.casts import resize_integer

_SEGMENTS = "operandSegmentSizes"
_PARALLEL_CLAUSES = {"if_expr", "num_threads"}
_LOOP_CLAUSES = {"schedule_chunk", "schedule_kind", "nowait", "order"}

_PARTS = 4
"""So many parts has an equal share, of which some are a thread's own."""

_OWN_PARTS = 3
"""What others take may have to be fetched from another core, but some cores have 0.6 of
the speed of others."""

_CHUNKS = 32
"""So many chunks for each thread, at most, are what is left cut into."""

_START_TYPES = [i32, i64, i64, i64, i64, PTR, PTR]


@dataclass(frozen=True)
class _SharedLoop:
    """A loop that the threads of a team share, as it is lowered."""

    nest: omp.LoopNestOp
    dimensions: list[Dimension]
    total: SSAValue
    """The number of iterations."""

    thread: SSAValue
    """The number of this thread."""

    team: SSAValue
    """How many threads there are."""


def _lower_parallel(op: omp.ParallelOp, f: FunctionLowering) -> None:
    _check_clauses(op, _PARALLEL_CLAUSES)
    call = None
    if may_fail(op, f):
        call = f.call_external(CURRENT_CALL, [], PTR, op).results[0]

    def lower(inner: FunctionLowering, became: Callable[[SSAValue], SSAValue]) -> None:
        inner.guarded_call = None if call is None else became(call)
        lower_blocks(op.region, inner, lambda end: _leave(end, inner))

    also = [] if call is None else [call]
    hoists = len(op.region.blocks) == 1
    function, data = outline(op, f, lower, also=also, hoists=hoists)
    arguments = [function, data, _team_size(op, f), f.integer(0, i32)]
    f.call_external(abi.GOMP_PARALLEL, arguments, None, op)
    if call is not None:
        f.call_external(FAIL_AFTER_LOOP, [call], None, op)


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
    nest = op.body.block.first_op
    if not isinstance(nest, omp.LoopNestOp):
        fail_at(op, "only omp.loop_nest can be shared out; remove what is in between")
    chunk = _chunk(op, f)
    loop = _prepare(nest, f)
    kind = None if op.schedule_kind is None else op.schedule_kind.data
    if kind is omp.ScheduleKind.DYNAMIC:
        zero = f.integer(0, i64)
        chunk = f.integer(1, i64) if chunk is None else chunk
        _lower_on_demand(loop, (zero, zero), (zero, loop.total), chunk, f)
    elif chunk is not None:
        _lower_chunks(loop, chunk, f)
    elif kind is omp.ScheduleKind.STATIC:
        _lower_share(loop, f)
    else:
        _lower_share_and_rest(loop, f)
    if op.nowait is None and not _is_last(op):
        _lower_barrier(op, f)


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


def _prepare(nest: omp.LoopNestOp, f: FunctionLowering) -> _SharedLoop:
    """Emit what all ways to share a loop need to know."""
    dimensions = _dimensions(nest, f)
    total = f.index(f.product(each.count for each in dimensions), i64)
    numbers: list[SSAValue] = []
    for name in (abi.OMP_GET_THREAD_NUM, abi.OMP_GET_NUM_THREADS):
        number = f.call_external(name, [], i32, nest).results[0]
        numbers.append(_resized(number, 64, f))
    return _SharedLoop(nest, dimensions, total, *numbers)


def _lower_share(loop: _SharedLoop, f: FunctionLowering) -> None:
    """Lower the share of a thread: what is left over goes to the first, one each."""
    total, thread, team = loop.total, loop.thread, loop.team
    size = f.integer_op(llvm.UDivOp, total, team)
    rest = f.integer_op(llvm.URemOp, total, team)
    more_before = f.value_of_intrinsic("llvm.smin.i64", [thread, rest], i64)
    start = f.add(f.multiply(thread, size), more_before)
    has_more = f.cast(llvm.ZExtOp, f.compare("slt", thread, rest), i64)
    end = f.add(f.add(start, size), has_more)
    some, none = Block(), Block()
    start, end = f.index(start, i64), f.index(end, i64)
    f.cond_branch(f.compare("slt", start, end), some, (), none, ())
    f.start(some)
    _lower_body(loop, (start, end), f)
    f.branch(none)
    f.start(none)


def _lower_share_and_rest(loop: _SharedLoop, f: FunctionLowering) -> None:
    """Lower a smaller share of a thread, and what it takes of the rest after that.

    The rest lies in the middle, and is cut into so many chunks that the last one makes
    no difference. A thread that is alone has it all.
    """
    total, thread, team = loop.total, loop.thread, loop.team
    is_alone = f.compare("eq", team, f.integer(1, i64))
    parts = f.index(f.multiply(team, _PARTS), i64)
    part = f.integer_op(llvm.UDivOp, total, parts)
    own_size = f.index(f.multiply(part, _OWN_PARTS), i64)
    size = f.select(is_alone, total, own_size)
    rest = f.integer_op(llvm.SubOp, total, f.index(f.multiply(team, size), i64))
    half = f.integer_op(llvm.UDivOp, team, f.integer(2, i64))
    before = f.select(f.compare("slt", thread, half), f.integer(0, i64), rest)
    start = f.index(f.add(f.multiply(thread, size), before), i64)
    own = start, f.index(f.add(start, size), i64)
    middle = f.index(f.multiply(half, size), i64)
    shared = middle, f.index(f.add(middle, rest), i64)
    chunks = f.index(f.multiply(team, _CHUNKS), i64)
    chunk = f.index(f.add(f.integer_op(llvm.UDivOp, rest, chunks), 1), i64)
    _lower_on_demand(loop, own, shared, chunk, f)


def _lower_on_demand(
    loop: _SharedLoop,
    own: tuple[SSAValue, SSAValue],
    shared: tuple[SSAValue, SSAValue],
    chunk: SSAValue,
    f: FunctionLowering,
) -> None:
    """Lower iterations that are a thread's own, then chunks of those that all share.

    The runtime hands out chunks in order. Two threads only use the size of a chunk. One
    thread takes as many iterations from the front, and the other from the back, until
    they meet. So each of the two works next to its own share.
    """
    f.symbols.require(abi.GOMP_LOOP_DYNAMIC_START, _START_TYPES, i1, loop.nest)
    f.symbols.require(abi.GOMP_LOOP_DYNAMIC_NEXT, [PTR, PTR], i1, loop.nest)
    f.symbols.require(abi.GOMP_LOOP_END_NOWAIT, [], None, loop.nest)
    are_two = f.compare("eq", loop.team, f.integer(2, i64))
    is_first = f.compare("eq", loop.thread, f.integer(0, i64))
    places = [f.slot(i64), f.slot(i64)]
    # Some iterations, whether they are the thread's own, and where it goes on.
    iterations = Block(arg_types=[i64, i64, i1, i64])
    some, more, begin, go_on = Block(), Block(), Block(), Block()
    is_chunk, chunk_found, done = Block(arg_types=[i1]), Block(), Block()
    side = f.select(is_first, *shared)
    f.branch(iterations, [*own, f.integer(1, i1), side])

    f.start(iterations)
    start, end, are_own, at = iterations.args
    f.cond_branch(f.compare("slt", start, end), some, (), more, ())
    f.start(some)
    _lower_body(loop, (start, end), f)
    f.branch(more)

    f.start(more)
    f.cond_branch(are_own, begin, (), go_on, ())
    f.start(begin)
    bounds = [f.integer(1, i32), *shared, f.integer(1, i64), chunk, *places]
    f.branch(is_chunk, f.call(abi.GOMP_LOOP_DYNAMIC_START, bounds, i1).results)
    f.start(go_on)
    f.branch(is_chunk, f.call(abi.GOMP_LOOP_DYNAMIC_NEXT, places, i1).results)

    f.start(is_chunk)
    f.cond_branch(is_chunk.args[0], chunk_found, (), done, ())
    f.start(chunk_found)
    first, behind = (f.load(place, i64) for place in places)
    size = f.integer_op(llvm.SubOp, behind, first)
    low = f.select(is_first, at, f.integer_op(llvm.SubOp, at, size))
    high = f.index(f.add(low, size), i64)
    first, behind = f.select(are_two, low, first), f.select(are_two, high, behind)
    at = f.select(is_first, high, low)
    f.branch(iterations, [first, behind, f.integer(0, i1), at])
    f.start(done)
    f.call(abi.GOMP_LOOP_END_NOWAIT, [], None)


def _lower_chunks(loop: _SharedLoop, chunk: SSAValue, f: FunctionLowering) -> None:
    """Lower the chunks of a thread: every so many one is its own."""
    first = f.index(f.multiply(loop.thread, chunk), i64)
    distance = f.index(f.multiply(loop.team, chunk), i64)
    chunks = begin_loop(f, (first, loop.total, distance))
    end = f.index(f.add(chunks.induction, chunk), i64)
    end = f.value_of_intrinsic("llvm.smin.i64", [end, loop.total], i64)
    _lower_body(loop, (chunks.induction, end), f)
    end_loop(f, chunks)


def _lower_body(
    loop: _SharedLoop, iterations: tuple[SSAValue, SSAValue], f: FunctionLowering
) -> None:
    """Lower some iterations; as a function that may fail, if they can."""
    call = f.guarded_call
    if call is None or not may_fail(loop.nest, f):
        _lower_iterations(loop, iterations, f)
        return

    def lower(inner: FunctionLowering, became: Callable[[SSAValue], SSAValue]) -> None:
        def number(index: Index) -> Index:
            return became(index) if isinstance(index, SSAValue) else index

        known = [
            Dimension(became(d.lower), became(d.step), number(d.count))
            for d in loop.dimensions
        ]
        _, start, end = inner.block.args
        _lower_iterations(replace(loop, dimensions=known), (start, end), inner)
        inner.run(llvm.ReturnOp())

    also = [
        value
        for dimension in loop.dimensions
        for value in (dimension.lower, dimension.step, dimension.count)
        if isinstance(value, SSAValue)
    ]
    function, data = outline(loop.nest, f, lower, parameters=[i64, i64], also=also)
    arguments = [function, data, *iterations, call]
    f.call_external(GUARD_ITERATIONS, arguments, None, loop.nest)


def _lower_iterations(
    loop: _SharedLoop, iterations: tuple[SSAValue, SSAValue], f: FunctionLowering
) -> None:
    block = loop.nest.body.block

    def body(indices: list[Index]) -> None:
        for argument, index in zip(block.args, indices, strict=True):
            type = f.scalar_type(argument.type, loop.nest)
            value = f.index(index, i64)
            f.bind(argument, resize_integer(f, value, type, llvm.SExtOp))
        f.open_scope()
        f.lower_ops(block)
        f.close_scope()

    lower_iterations(loop.dimensions, iterations, body, f)


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
