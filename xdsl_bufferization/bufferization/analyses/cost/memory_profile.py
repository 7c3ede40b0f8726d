"""How many bytes are allocated at each point of a function, and how many are live.

                                     allocated    live
    %a = memref.alloc()  // 64 bytes    64         0
    "use"(%a)                           64        64
    "work"()                            64         0
    memref.dealloc %a                    0         0

A buffer counts as allocated until it is freed or handed on. The result of an `scf.if`
counts once, as the larger of the buffers that the branches hand on. A buffer counts as
live from its first use up to its last use. Reports call the sum of the live buffers the
bytes needed, and the largest such sum the lower bound: no placement gets below that.

Buffers whose size only the running program knows count as 0 bytes. Of a loop, one
iteration counts. Exclusive branches have different positions (see `program_points.py`),
so that the largest sum over all positions is the largest over all paths.

Cost: O(n log n) in the ops.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.func import CallIndirectOp
from xdsl_bufferization.dialects.memref.sizes import count_buffer_bytes
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.deallocation import Allocated
from ..buffers.call_effects import Symbol, analyze_calls, symbol_of
from ..calls.call_graph import callees_first
from ..liveness.buffer_uses import BufferUses
from ..liveness.live_ranges import Interval, LiveRanges


@dataclass(frozen=True)
class FunctionMemory:
    """What a function does with memory, in bytes."""

    name: str
    allocations: int
    """Ops that allocate, whatever loops they are in."""

    dynamic_allocations: int
    """Those among them whose size is not known; they count as 0 bytes."""

    never_freed: int
    """Those that are neither freed nor handed on."""

    total_bytes: int
    """The sum over all ops that allocate."""

    peak_bytes: int
    """The most that is allocated at one time, by this function and those it calls."""

    lower_bound_bytes: int
    """The largest sum of the buffers that are in use at one time."""

    result_bytes: tuple[int, ...]
    """The memory that each result hands to the caller."""


class MemoryProfile:
    """When each buffer of one function is allocated, and when it is live."""

    allocated: list[tuple[Interval, int]]
    """When how many bytes are allocated."""

    live: list[tuple[Interval, int]]
    """When how many bytes are live."""

    calls: list[tuple[int, FunctionMemory]]
    """The positions of calls, and what the functions that are called do."""

    def __init__(self, uses: BufferUses, callees: Mapping[Symbol, FunctionMemory]):
        self.uses = uses
        self._callees = callees
        self.calls = list(self._find_calls())
        self.ranges = LiveRanges(uses, self._new_bytes)
        self.allocated = []
        self.live = []
        for root, size in self.ranges.sizes.items():
            self.allocated += ((each, size) for each in self.ranges.allocated(root))
            self.live += ((each, size) for each in self.ranges.live(root))

    def summarize(self) -> FunctionMemory:
        """The figures of the function."""
        function = self.uses.aliases.flow.root
        assert isinstance(function, func.FuncOp)
        new = [root for root in self.ranges.sizes if self.is_allocation(root)]
        sizes = [count_buffer_bytes(root.type) for root in new]
        return FunctionMemory(
            name=function.sym_name.data,
            allocations=len(sizes),
            dynamic_allocations=sizes.count(None),
            never_freed=sum(map(self.ranges.is_endless, new)),
            total_bytes=sum(size for size in sizes if size is not None),
            peak_bytes=max(self.allocated_bytes()),
            lower_bound_bytes=max(self.live_bytes()),
            result_bytes=tuple(self._returned_bytes(function)),
        )

    def is_allocation(self, root: SSAValue) -> bool:
        """Whether an op of the function allocates a root, which no call returns."""
        is_new = isinstance(self.uses.aliases.flow.origins.get(root), Allocated)
        return is_new and not isinstance(root.owner, func.CallOp | CallIndirectOp)

    def _returned_bytes(self, function: func.FuncOp) -> Iterator[int]:
        """The bytes that each result brings to the caller."""
        returns = [op for op in self.uses.ops if isinstance(op, func.ReturnOp)]
        for number in range(len(function.function_type.outputs)):
            roots = (self.uses.aliases.root(op.operands[number]) for op in returns)
            yield max((self.ranges.sizes.get(root, 0) for root in roots), default=0)

    def allocated_bytes(self) -> list[int]:
        """The bytes allocated at each position, those of called functions included."""
        sums = self._sum_up(self.allocated)
        for position, callee in self.calls:
            sums[position] += callee.peak_bytes
        return sums

    def live_bytes(self) -> list[int]:
        """The bytes live at each position, those of called functions included."""
        sums = self._sum_up(self.live)
        for position, callee in self.calls:
            sums[position] += callee.lower_bound_bytes
        return sums

    def _sum_up(self, intervals: Iterable[tuple[Interval, int]]) -> list[int]:
        changes = [0] * (self.uses.points.size + 2)
        for (start, end), size in intervals:
            changes[start] += size
            changes[end] -= size
        total = 0
        for position, change in enumerate(changes):
            total += change
            changes[position] = total
        return changes

    def _find_calls(self) -> Iterator[tuple[int, FunctionMemory]]:
        if not self._callees:
            return
        for position, op in enumerate(self.uses.ops):
            if (callee := self._callee(op)) is not None:
                yield position, callee

    def _callee(self, op: Operation | Block) -> FunctionMemory | None:
        if not isinstance(op, func.CallOp):
            return None
        table = self.uses.aliases.flow.root.parent_op()
        return self._callees.get((table, op.callee.string_value()))

    def _new_bytes(self, root: SSAValue) -> int:
        """The bytes of what an op allocates or a call returns."""
        callee = self._callee(root.owner)
        if callee is not None and isinstance(root, OpResult):
            return callee.result_bytes[root.index]
        return count_buffer_bytes(root.type) or 0


def profile_module(module: ModuleOp) -> list[MemoryProfile]:
    """The profiles of the functions with a body in `module`, callees before callers.

    If functions call each other in a circle, a call of a function that comes later
    counts as 0 bytes.
    """
    tables: dict[Operation | None, list[func.FuncOp]] = {}
    for op in ops_inside(module):
        if isinstance(op, func.FuncOp) and not op.is_declaration:
            tables.setdefault(op.parent_op(), []).append(op)
    calls = analyze_calls(module)
    done: dict[Symbol, FunctionMemory] = {}
    profiles: list[MemoryProfile] = []
    for function in chain.from_iterable(map(callees_first, tables.values())):
        profile = MemoryProfile(BufferUses(calls.analyze(function)), done)
        done[symbol_of(function)] = profile.summarize()
        profiles.append(profile)
    return profiles
