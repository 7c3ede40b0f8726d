"""When each buffer of a program is allocated, as lanes over its ops.

Works on programs on memrefs; telling after deallocation. The figures are those of
`memory_profile.py`: the peak of a timeline is that of `memory-stats`.

    %a = memref.alloc()  // 64 bytes     lane %a from here
    "use"(%a)
    memref.dealloc %a                    to here

Cost: linear in the size of the program, but for sorting.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.bufferization.analyses.cost.memory_profile import (
    MemoryProfile,
    profile_module,
)
from xdsl_bufferization.bufferization.analyses.liveness.live_ranges import (
    Interval,
    flows_between_roots,
    is_conditional_release,
)
from xdsl_bufferization.bufferization.interfaces.operands import owner_op
from xdsl_bufferization.dialects.memref.sizes import count_buffer_bytes
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from .memory import Lane, LaneKind, MemoryStep, MemoryTimeline, Span

_ELEMENTWISE_DIALECT = "linalg"
"""What the ops of this dialect do to an element takes no memory, and no step."""


@without_garbage_collection()
def trace_memory(
    module: ModuleOp, profiles: Sequence[MemoryProfile] | None = None
) -> tuple[MemoryTimeline, ...]:
    """The memory of each function with a body, in the order of the program.

    `profiles` are those of the module, for who has them.
    """
    found = {
        profile.uses.aliases.flow.root: _Tracer(profile).trace()
        for profile in (profile_module(module) if profiles is None else profiles)
    }
    return tuple(found[op] for op in ops_inside(module) if op in found)


class _Tracer:
    """Makes the timeline of one function."""

    def __init__(self, profile: MemoryProfile):
        self._profile = profile
        self._ranges = profile.ranges
        ops = profile.uses.ops
        self._kept = [at for at, op in enumerate(ops) if not _is_in_payload(op)]
        """The positions that are steps."""

        self._ops = [ops[at] for at in self._kept]
        """The op of each step."""

        self._lines = _find_lines(self._ops)

    def trace(self) -> MemoryTimeline:
        """All lanes, in the order in which they begin."""
        figures = self._profile.summarize()
        lanes = [*map(self._lane, self._ranges.sizes), *self._call_lanes()]
        allocated = self._profile.allocated_bytes()
        live = self._profile.live_bytes()
        return MemoryTimeline(
            function=figures.name,
            steps=tuple(self._steps()),
            lanes=tuple(sorted(filter(_takes_time, lanes), key=_begin)),
            live=tuple(allocated[at] for at in self._kept),
            needed=tuple(live[at] for at in self._kept),
            peak=figures.peak_bytes,
            is_upper_bound=self._is_decided_at_run_time(),
            lower_bound=figures.lower_bound_bytes,
        )

    def _steps(self) -> Iterator[MemoryStep]:
        depths: dict[Operation | None, int] = {}
        for op, line in zip(self._ops, self._lines, strict=True):
            depths[op] = depths.get(op.parent_op(), -1) + 1
            yield MemoryStep(op.name, line, depths[op])

    def _is_decided_at_run_time(self) -> bool:
        """Whether the running program computes who owns some buffer.

        Either it frees a buffer under a condition, or something is handed on by some
        paths through a branch or loop, and only lent by others.
        """
        if any(map(is_conditional_release, self._ops)):
            return True
        owners = self._ranges.sizes
        handed_on = {
            (root, op) for root in owners for op in self._ranges.ends.get(root, ())
        }
        return any(
            (flow.root, flow.op) not in handed_on
            for flow in flows_between_roots(self._profile.uses.aliases)
            if flow.target in owners
        )

    def _lane(self, root: SSAValue) -> Lane:
        size = self._ranges.sizes[root]
        kind = self._kind(root)
        is_new = kind is LaneKind.ALLOCATED
        return Lane(
            name=_describe(root),
            kind=kind,
            type=str(root.type),
            line=self._line_of(root),
            bytes=count_buffer_bytes(root.type) if is_new else size,
            allocated=self._spans(self._ranges.allocated(root)),
            needed=self._spans(self._ranges.live(root)),
            is_freed=not self._ranges.is_endless(root),
        )

    def _call_lanes(self) -> Iterator[Lane]:
        for position, callee in self._profile.calls:
            if callee.peak_bytes:
                yield Lane(
                    name=f"in @{callee.name}",
                    kind=LaneKind.CALLED,
                    type=f"@{callee.name}",
                    line=self._lines[self._step(position)],
                    bytes=callee.peak_bytes,
                    allocated=self._spans([(position, position + 1)]),
                    needed=(),
                    is_freed=True,
                )

    def _kind(self, root: SSAValue) -> LaneKind:
        if self._profile.is_allocation(root):
            return LaneKind.ALLOCATED
        is_call = isinstance(root.owner, func.CallOp)
        return LaneKind.RETURNED if is_call else LaneKind.JOINED

    def _line_of(self, root: SSAValue) -> int | None:
        op = owner_op(root)
        assert op is not None, "a block of the function"
        return self._lines[self._step(self._profile.uses.points.of_op(op).start)]

    def _step(self, position: int) -> int:
        """The step at a position, or the next one."""
        return bisect_left(self._kept, position)

    def _spans(self, intervals: Iterable[Interval]) -> tuple[Span, ...]:
        """Positions as steps: what falls between two steps is none."""
        spans = ((self._step(start), self._step(end)) for start, end in intervals)
        return tuple(span for span in spans if span[0] < span[1])


def _takes_time(lane: Lane) -> bool:
    """Whether there is memory at any step: not for a result that is freed at once."""
    return bool(lane.allocated)


def _begin(lane: Lane) -> tuple[int, int]:
    start, end = lane.allocated[0]
    return start, -end


def _is_in_payload(op: Operation) -> bool:
    parent = op.parent_op()
    return parent is not None and parent.dialect_name() == _ELEMENTWISE_DIALECT


# --- where from ----------------------------------------------------------------------


def _find_lines(ops: list[Operation]) -> list[int | None]:
    """The line of each op, or of one beside it in its block that has one.

    What deallocation inserts has no line: it frees what was used before, and copies
    what is handed on next.
    """
    lines = [_own_line(op) for op in ops]
    following: dict[Block | None, int | None] = {}
    for at, op in reversed(list(enumerate(ops))):
        if lines[at] is None and not isinstance(op, memref.DeallocOp):
            lines[at] = following.get(op.parent)
        if lines[at] is not None:
            following[op.parent] = lines[at]
    before: int | None = None
    for at, line in enumerate(lines):
        before = lines[at] = before if line is None else line
    return lines


def _own_line(op: Operation) -> int | None:
    location = op.location
    return location.line.data if isinstance(location, FileLineColLoc) else None


# --- what it is called ---------------------------------------------------------------


def _describe(root: SSAValue) -> str:
    """The name of a buffer in the program, or what is copied into it."""
    if root.name_hint is not None:
        return f"%{root.name_hint}"
    source = _copied_into(root)
    if source is not None and source.name_hint is not None:
        return f"copy of %{source.name_hint}"
    owner = root.owner
    if isinstance(owner, func.CallOp):
        return f"result of @{owner.callee.string_value()}"
    return "block argument" if isinstance(owner, Block) else owner.name


def _copied_into(root: SSAValue) -> SSAValue | None:
    """What fills a buffer right after its allocation."""
    owner = root.owner
    following = None if isinstance(owner, Block) else owner.next_op
    if isinstance(following, memref.CopyOp) and following.destination is root:
        return following.source
    return None
