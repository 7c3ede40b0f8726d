"""How omp ops become calls of an OpenMP runtime: libgomp's functions (see `abi`).

The body of `omp.parallel` becomes a function that each thread of a team runs. Of the
rounds of an `omp.wsloop`, all dimensions of which count as one, each thread takes an
equal and contiguous share; its size depends on nothing but the number of threads.

    omp.parallel { omp.wsloop { omp.loop_nest (%i) ... } }
        -> llvm.func @entry_parallel_0(%data) {
             %id = omp_get_thread_num(); %team = omp_get_num_threads(); ...
             for %i = first of share %id to last: ... }
           GOMP_parallel(@entry_parallel_0, %data, threads, 0)

Source: https://mlir.llvm.org/docs/Dialects/OpenMPDialect/ and the OpenMP specification,
"Worksharing-Loop Constructs". Clauses that do not occur here are refused.
"""

from __future__ import annotations

from xdsl.dialects import llvm, omp
from xdsl.dialects.builtin import IndexType, i32, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from xdsl_bufferization import abi
from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.transforms.lowering.llvm.descriptor import Index
from xdsl_bufferization.transforms.lowering.llvm.function import (
    FunctionLowering,
    Rules,
)
from xdsl_bufferization.transforms.lowering.llvm.iteration_space import (
    Dimension,
    lower_rounds,
    trip_count,
)
from xdsl_bufferization.transforms.lowering.llvm.outline import outline
from xdsl_bufferization.transforms.lowering.llvm.scf import begin_loop, end_loop
from xdsl_bufferization.transforms.lowering.llvm.types import PTR, integer_width

_SEGMENTS = "operandSegmentSizes"
_PARALLEL_CLAUSES = {"if_expr", "num_threads"}
_LOOP_CLAUSES = {"schedule_chunk", "schedule_kind", "nowait", "order"}


def _lower_parallel(op: omp.ParallelOp, f: FunctionLowering) -> None:
    _check_clauses(op, _PARALLEL_CLAUSES)

    def leave(terminator: Operation) -> None:
        if not isinstance(terminator, omp.TerminatorOp):
            fail_at(terminator, "cannot leave omp.parallel")

    function, data = outline(op, f, leave)
    f.symbols.require(abi.GOMP_PARALLEL, [PTR, PTR, i32, i32], None, op)
    arguments = [function, data, _team_size(op, f), f.integer(0, i32)]
    f.call(abi.GOMP_PARALLEL, arguments, None)


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
    op = llvm.SExtOp if found < width else llvm.TruncOp
    return f.cast(op, value, i64 if width == 64 else i32)


def _lower_wsloop(op: omp.WsLoopOp, f: FunctionLowering) -> None:
    _check_clauses(op, _LOOP_CLAUSES)
    nest = op.body.block.first_op
    if not isinstance(nest, omp.LoopNestOp):
        fail_at(op, "only omp.loop_nest can be shared out; remove what is in between")
    chunk = _chunk(op, f)
    dimensions = _dimensions(nest, f)
    total = f.index(f.product(each.count for each in dimensions))
    if chunk is None:
        _lower_share(nest, dimensions, total, f)
    else:
        _lower_chunks(nest, dimensions, total, chunk, f)
    if op.nowait is None and not _is_last(op):
        f.symbols.require(abi.GOMP_BARRIER, [], None, op)
        f.call(abi.GOMP_BARRIER, [], None)


def _chunk(op: omp.WsLoopOp, f: FunctionLowering) -> SSAValue | None:
    """How many rounds a thread takes at a time; None: all that are its own."""
    kind = omp.ScheduleKind.STATIC
    if op.schedule_kind is not None:
        kind = op.schedule_kind.data
    if kind is omp.ScheduleKind.DYNAMIC:
        fail_at(op, "schedule 'dynamic' has no lowering; use 'static' or 'auto'")
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


def _lower_share(
    nest: omp.LoopNestOp,
    dimensions: list[Dimension],
    total: SSAValue,
    f: FunctionLowering,
) -> None:
    """Lower the share of a thread: the first ones get one round more, if any are."""
    thread, team = _thread_and_team(nest, f)
    size = f.integer_op(llvm.UDivOp, total, team)
    rest = f.integer_op(llvm.URemOp, total, team)
    more_before = f.value_of_intrinsic("llvm.smin.i64", [thread, rest], i64)
    start = f.add(f.multiply(thread, size), more_before)
    has_more = f.cast(llvm.ZExtOp, f.compare("slt", thread, rest), i64)
    end = f.add(f.add(start, size), has_more)
    some, none = Block(), Block()
    start, end = f.index(start), f.index(end)
    f.cond_branch(f.compare("slt", start, end), some, (), none, ())
    f.start(some)
    _lower_body(nest, dimensions, (start, end), f)
    f.branch(none)
    f.start(none)


def _lower_chunks(
    nest: omp.LoopNestOp,
    dimensions: list[Dimension],
    total: SSAValue,
    chunk: SSAValue,
    f: FunctionLowering,
) -> None:
    """Lower the chunks of a thread: every so many one is its own."""
    thread, team = _thread_and_team(nest, f)
    first = f.index(f.multiply(thread, chunk))
    distance = f.index(f.multiply(team, chunk))
    loop = begin_loop(f, (first, total, distance))
    end = f.index(f.add(loop.induction, chunk))
    end = f.value_of_intrinsic("llvm.smin.i64", [end, total], i64)
    _lower_body(nest, dimensions, (loop.induction, end), f)
    end_loop(f, loop)


def _thread_and_team(op: Operation, f: FunctionLowering) -> tuple[SSAValue, SSAValue]:
    """The number of this thread, and how many there are."""
    values: list[SSAValue] = []
    for name in (abi.OMP_GET_THREAD_NUM, abi.OMP_GET_NUM_THREADS):
        f.symbols.require(name, [], i32, op)
        values.append(_resized(f.call(name, [], i32).results[0], 64, f))
    return values[0], values[1]


def _lower_body(
    nest: omp.LoopNestOp,
    dimensions: list[Dimension],
    rounds: tuple[SSAValue, SSAValue],
    f: FunctionLowering,
) -> None:
    block = nest.body.block

    def body(indices: list[Index]) -> None:
        for argument, index in zip(block.args, indices, strict=True):
            value = f.index(index)
            if not isinstance(argument.type, IndexType):
                width = integer_width(argument.type)
                value = (
                    f.cast(llvm.TruncOp, value, argument.type) if width < 64 else value
                )
            f.bind(argument, value)
        f.open_scope()
        f.lower_ops(block)
        f.close_scope()

    lower_rounds(dimensions, rounds, body, f)


def _lower_barrier(op: omp.BarrierOp, f: FunctionLowering) -> None:
    f.symbols.require(abi.GOMP_BARRIER, [], None, op)
    f.call(abi.GOMP_BARRIER, [], None)


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
