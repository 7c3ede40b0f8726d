"""Let an allocation take over a buffer of its type and size that was just freed.

Runs after deallocation, best after `optimize-allocation-liveness`.

    memref.dealloc %a : memref<4xf32>         "use"(%a)
    %b = memref.alloc() : memref<4xf32>
    "use"(%b)                                 memref.dealloc %a : memref<4xf32>
    memref.dealloc %b : memref<4xf32>

A buffer that is allocated and freed in each iteration of a loop may take over a buffer
that was freed before the loop. That buffer is then freed after the loop. In parallel
loops each iteration needs a buffer of its own, and nothing is taken over.

A buffer that waits to be taken over stays allocated. The peak of the function, as
`memory_profile.py` computes it, must not rise. A buffer of unknown size does not wait
while others are allocated. Sizes are equal if they are the same values.
"""

from bisect import bisect_left
from collections.abc import Hashable
from dataclasses import dataclass, field

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.dialects.memref.sizes import count_buffer_bytes
from xdsl_bufferization.support.algorithms.range_max import RangeMax
from xdsl_bufferization.support.garbage import without_garbage_collection

from ..analyses.cost.memory_profile import MemoryProfile, profile_module
from ..interfaces.region_branch import get_region_branch
from ..mlir_pass import MLIRPass
from .hoisting import is_parallel


@without_garbage_collection()
def reuse_all_buffers(module: ModuleOp) -> int:
    """Let allocations in the functions of `module` take over freed buffers.

    Returns how many allocations are gone.
    """
    return sum(_Reuse(profile).run() for profile in profile_module(module))


@dataclass(eq=False)
class _Free:
    """A buffer that its deallocation makes available."""

    buffer: SSAValue
    dealloc: Operation
    scope: "_Scope"
    size: int | None
    held_until: int
    """The position up to which it is allocated in any case."""


@dataclass(eq=False)
class _Scope:
    """A block that is being walked, and the buffers that were freed in it."""

    is_closed: bool
    """Whether buffers of the blocks around it are out of reach."""

    pool: dict[Hashable, list[_Free]] = field(
        default_factory=dict[Hashable, list[_Free]]
    )
    current: Operation | None = None


class _Reuse:
    """Walks one function in the order of execution."""

    def __init__(self, profile: MemoryProfile):
        uses = profile.uses
        self.points = uses.points
        self.root = uses.aliases.flow.root
        bytes_ = profile.allocated_bytes()
        self.bytes = RangeMax(bytes_)
        self.peak = max(bytes_)
        origins = uses.aliases.flow.origins
        self.allocations = sorted(
            self.points.of_op(value.owner).start
            for value in origins
            if isinstance(value.owner, Operation)
        )
        self.scopes: list[_Scope] = []
        self.known: dict[Operation, _Free] = {}
        self.count = 0

    def run(self) -> int:
        """Walk the function; returns how many allocations took a buffer over."""
        self._walk_regions(self.root, is_closed=True)
        return self.count

    def _walk_regions(self, op: Operation, *, is_closed: bool) -> None:
        for region in op.regions:
            for block in region.blocks:
                scope = _Scope(is_closed)
                self.scopes.append(scope)
                self._walk_block(block, scope)
                self.scopes.pop()
                if not is_closed:
                    self._borrow_for(block)

    def _walk_block(self, block: Block, scope: _Scope) -> None:
        op = block.first_op
        while op is not None:
            scope.current = op
            next_op = op.next_op
            if isinstance(op, memref.AllocOp):
                self._visit_alloc(op, scope)
            elif isinstance(op, memref.DeallocOp):
                self._visit_dealloc(op, scope)
            elif op.regions:
                self._walk_regions(op, is_closed=not _runs_in_order(op))
                next_op = op.next_op
            op = next_op

    # --- in the same block -----------------------------------------------------------

    def _visit_dealloc(self, op: memref.DeallocOp, scope: _Scope) -> None:
        alloc = op.memref.owner
        if op not in self.known and isinstance(alloc, memref.AllocOp):
            size = count_buffer_bytes(op.memref.type)
            free = _Free(op.memref, op, scope, size, self.points.of_op(op).start)
            self.known[op] = free
            scope.pool.setdefault(_key(alloc), []).append(free)

    def _visit_alloc(self, op: memref.AllocOp, scope: _Scope) -> None:
        """Take a buffer over that was freed earlier in the same block, if there is."""
        pool = scope.pool.get(_key(op))
        if not pool:
            return
        free = pool[-1]
        gaps = [(free.held_until, self.points.of_op(op).start)]
        if self._may_hold(free, gaps):
            pool.pop()
            self._hold(free, gaps)
            del self.known[free.dealloc]
            _erase(free.dealloc)
            self._replace(op, free)

    def _replace(self, op: memref.AllocOp, free: _Free) -> None:
        op.memref.replace_all_uses_with(free.buffer)
        _erase(op)
        self.count += 1

    # --- inside of an op -------------------------------------------------------------

    def _borrow_for(self, block: Block) -> None:
        """Let the buffers that live in `block` be some that were freed before it.

        Those that were taken over inside of `block` live longer by then.
        """
        lent: dict[Operation, _Free] = {}
        for op in tuple(block.ops):
            if isinstance(op, memref.AllocOp):
                dealloc = _only_dealloc(op)
                if dealloc is not None and (free := self._borrow(op, dealloc)):
                    lent[dealloc] = free
            elif (free := lent.get(op)) is not None:
                free.scope.pool[_key(free.buffer.owner)].append(free)
                _erase(op)

    def _borrow(self, op: memref.AllocOp, dealloc: Operation) -> _Free | None:
        """Take a buffer over that was freed before an op around `op`."""
        key = _key(op)
        for scope in reversed(self.scopes):
            if pool := scope.pool.get(key):
                free = pool[-1]
                if self._extend(free, op, dealloc):
                    self._replace(op, pool.pop())
                    return free
            if scope.is_closed:
                break
        return None

    def _extend(self, free: _Free, op: memref.AllocOp, dealloc: Operation) -> bool:
        """Keep a buffer until after the op around `op`; whether it may be."""
        around = free.scope.current
        assert around is not None and around.parent is not None
        start, end = self.points.of_op(op).start, self.points.of_op(dealloc).start
        if dealloc in self.known:
            end = self.known[dealloc].held_until
        last = self.points.of_op(around).end + 1
        if free.held_until >= last:
            self.bytes.add(start, end, -(free.size or 0))
            return True
        gaps = [(free.held_until, start), (end, last)]
        if not self._may_hold(free, gaps):
            return False
        self._hold(free, gaps)
        free.held_until = last
        free.dealloc.detach()
        around.parent.insert_op_after(free.dealloc, around)
        return True

    # --- the peak --------------------------------------------------------------------

    def _may_hold(self, free: _Free, gaps: list[tuple[int, int]]) -> bool:
        """Whether the buffer may stay allocated in the gaps."""
        for start, end in gaps:
            if start >= end:
                continue
            if free.size is None:
                if self._allocates(start, end):
                    return False
            elif self.bytes.max(start, end) + free.size > self.peak:
                return False
        return True

    def _allocates(self, start: int, end: int) -> bool:
        index = bisect_left(self.allocations, start)
        return index < len(self.allocations) and self.allocations[index] < end

    def _hold(self, free: _Free, gaps: list[tuple[int, int]]) -> None:
        for start, end in gaps:
            self.bytes.add(start, end, free.size or 0)


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


def _key(op: Operation | Block) -> Hashable:
    """What two allocations must have in common."""
    assert isinstance(op, memref.AllocOp)
    sizes = (*op.dynamic_sizes, *op.symbol_operands)
    return op.memref.type, op.alignment, sizes, tuple(op.attributes.items())


def _only_dealloc(op: memref.AllocOp) -> Operation | None:
    """What frees the buffer at the end of its live range, in the block of `op`."""
    deallocs = [
        use.operation
        for use in op.memref.uses
        if isinstance(use.operation, memref.DeallocOp)
        and use.operation.parent is op.parent
    ]
    return deallocs[0] if len(deallocs) == 1 else None


def _runs_in_order(op: Operation) -> bool:
    """Whether the regions of `op` run one after the other, if they run at all."""
    return get_region_branch(op) is not None and not is_parallel(op)


@dataclass(frozen=True)
class BufferReusePass(MLIRPass):
    """Let an allocation take over a buffer of its type that was just freed."""

    name = "buffer-reuse"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        reuse_all_buffers(op)
