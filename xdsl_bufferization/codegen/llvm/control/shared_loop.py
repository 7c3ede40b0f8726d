"""How the iterations of a loop are given to the threads of a team.

A thread has a contiguous share for itself, and takes chunks of what is left after that.
An OpenMP runtime hands out the chunks, or the threads of a team of our own count what
they have taken.

    %start = share * size; %end = %start + size: ...
    while (%taken = xbuf_take_iterations(%rest, %chunk)) < %count: ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from xdsl.dialects import llvm, omp
from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Block, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.runtime.failure_kinds import GUARD_ITERATIONS
from xdsl_bufferization.support import abi

from ..emission.function import FunctionLowering
from ..emission.types import PTR
from ..scalars.casts import resize_integer
from .failing_ops import may_fail
from .iteration_space import Dimension, lower_iterations
from .outline import outline

_PARTS = 4
"""So many parts has an equal share, of which some are a thread's own."""

_OWN_PARTS = 3
"""What others take may have to be fetched from another core, but some cores have 0.6 of
the speed of others."""

_CHUNKS = 32
"""So many chunks for each thread, at most, are what is left cut into."""

_START_TYPES = [i32, i64, i64, i64, i64, PTR, PTR]


@dataclass(frozen=True)
class SharedLoop:
    """A loop that the threads of a team share, as it is lowered."""

    nest: omp.LoopNestOp
    dimensions: list[Dimension]
    total: SSAValue
    """The number of iterations."""

    thread: SSAValue
    """The number of this thread."""

    team: SSAValue
    """How many threads there are."""

    rest: SSAValue | None = None
    """What counts the iterations that are taken, if the team is our own."""


def lower_share(loop: SharedLoop, f: FunctionLowering) -> None:
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
    lower_body(loop, (start, end), f)
    f.branch(none)
    f.start(none)


def lower_share_and_rest(loop: SharedLoop, f: FunctionLowering) -> None:
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
    lower_on_demand(loop, own, shared, chunk, f)


def lower_on_demand(
    loop: SharedLoop,
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
    are_two = f.compare("eq", loop.team, f.integer(2, i64))
    is_first = f.compare("eq", loop.thread, f.integer(0, i64))
    chunks = (_OpenMPChunks if loop.rest is None else _OwnChunks)(
        loop, shared, chunk, f
    )
    # Some iterations, whether they are the thread's own, and where it goes on.
    iterations = Block(arg_types=[i64, i64, i1, i64])
    some, more, done = Block(), Block(), Block()
    side = f.select(is_first, *shared)
    f.branch(iterations, [*own, f.integer(1, i1), side])

    f.start(iterations)
    start, end, are_own, at = iterations.args
    f.cond_branch(f.compare("slt", start, end), some, (), more, ())
    f.start(some)
    lower_body(loop, (start, end), f)
    f.branch(more)

    f.start(more)
    first, behind = chunks.take(are_own, done)
    size = f.integer_op(llvm.SubOp, behind, first)
    low = f.select(is_first, at, f.integer_op(llvm.SubOp, at, size))
    high = f.index(f.add(low, size), i64)
    first, behind = f.select(are_two, low, first), f.select(are_two, high, behind)
    at = f.select(is_first, high, low)
    f.branch(iterations, [first, behind, f.integer(0, i1), at])
    f.start(done)
    chunks.end()


class _OpenMPChunks:
    """Chunks of iterations that an OpenMP runtime hands out."""

    def __init__(
        self,
        loop: SharedLoop,
        shared: tuple[SSAValue, SSAValue],
        chunk: SSAValue,
        f: FunctionLowering,
    ):
        self._f = f
        f.symbols.require(abi.GOMP_LOOP_DYNAMIC_START, _START_TYPES, i1, loop.nest)
        f.symbols.require(abi.GOMP_LOOP_DYNAMIC_NEXT, [PTR, PTR], i1, loop.nest)
        f.symbols.require(abi.GOMP_LOOP_END_NOWAIT, [], None, loop.nest)
        self._places = [f.slot(i64), f.slot(i64)]
        self._bounds = [f.integer(1, i32), *shared, f.integer(1, i64), chunk]

    def take(self, is_start: SSAValue, done: Block) -> tuple[SSAValue, SSAValue]:
        """Emit a request for a chunk: its bounds. Goes on at `done` if there is none.

        `is_start` says whether it is the first request of a thread.
        """
        f, places = self._f, self._places
        begin, go_on, found = Block(), Block(), Block()
        is_chunk = Block(arg_types=[i1])
        f.cond_branch(is_start, begin, (), go_on, ())
        f.start(begin)
        bounds = [*self._bounds, *places]
        f.branch(is_chunk, f.call(abi.GOMP_LOOP_DYNAMIC_START, bounds, i1).results)
        f.start(go_on)
        f.branch(is_chunk, f.call(abi.GOMP_LOOP_DYNAMIC_NEXT, places, i1).results)
        f.start(is_chunk)
        f.cond_branch(is_chunk.args[0], found, (), done, ())
        f.start(found)
        first, behind = (f.load(place, i64) for place in places)
        return first, behind

    def end(self) -> None:
        """Emit what a thread does when there is no chunk any more."""
        self._f.call(abi.GOMP_LOOP_END_NOWAIT, [], None)


class _OwnChunks:
    """The same for a team of our own: all threads count what they have taken."""

    def __init__(
        self,
        loop: SharedLoop,
        shared: tuple[SSAValue, SSAValue],
        chunk: SSAValue,
        f: FunctionLowering,
    ):
        self._f = f
        self._first, end = shared
        self._count = f.integer_op(llvm.SubOp, end, self._first)
        self._chunk = chunk
        assert loop.rest is not None
        self._rest = loop.rest
        f.symbols.require(abi.TAKE_ITERATIONS, [PTR, i64], i64, loop.nest)

    def take(self, is_start: SSAValue, done: Block) -> tuple[SSAValue, SSAValue]:
        """Emit a request for a chunk, as above."""
        del is_start
        f, found = self._f, Block()
        arguments = [self._rest, self._chunk]
        (taken,) = f.call(abi.TAKE_ITERATIONS, arguments, i64).results
        f.cond_branch(f.compare("slt", taken, self._count), found, (), done, ())
        f.start(found)
        behind = f.index(f.add(taken, self._chunk), i64)
        behind = f.value_of_intrinsic("llvm.smin.i64", [behind, self._count], i64)
        first = f.index(f.add(self._first, taken), i64)
        return first, f.index(f.add(self._first, behind), i64)

    def end(self) -> None:
        """Nothing is to be done at the end."""


def lower_body(
    loop: SharedLoop, iterations: tuple[SSAValue, SSAValue], f: FunctionLowering
) -> None:
    """Lower some iterations; as a function that may fail, if they can."""
    call = f.guarded_call
    if call is None or not may_fail(loop.nest, f):
        _lower_iterations(loop, iterations, f)
        return

    def lower(inner: FunctionLowering, became: Callable[[SSAValue], SSAValue]) -> None:
        def number(index: OpFoldResult) -> OpFoldResult:
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
    loop: SharedLoop, iterations: tuple[SSAValue, SSAValue], f: FunctionLowering
) -> None:
    block = loop.nest.body.block

    def body(indices: list[OpFoldResult]) -> None:
        for argument, index in zip(block.args, indices, strict=True):
            type = f.scalar_type(argument.type, loop.nest)
            value = f.index(index, i64)
            f.bind(argument, resize_integer(f, value, type, llvm.SExtOp))
        f.open_scope()
        f.lower_ops(block)
        f.close_scope()

    lower_iterations(loop.dimensions, iterations, body, f)
