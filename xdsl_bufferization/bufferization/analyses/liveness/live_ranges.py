"""From where to where each buffer is allocated, and from where to where it is live.

    %r = scf.if %c -> (...) {
      %a = memref.alloc() : memref<4xf32>    // until the end of the branch
      scf.yield %a
    } else {
      %b = memref.alloc() : memref<8xf32>    // until the end of the branch
      scf.yield %b
    }                                        // %r, of 32 bytes, from here
    memref.dealloc %r                        // until here

A buffer is followed from its definition until it is freed or handed on. In the example
the branches hand %a and %b on, and %r is freed: %r counts as a buffer of its own. The
size of %r is that of the largest buffer that is handed to it. The same holds for what a
loop returns, and for what a loop or branch passes to its body.

In a region of several blocks the answer is an approximation. There a buffer counts as
allocated up to its last deallocation in the order of the text, or up to the end of the
loops around that deallocation. It counts as live in its own block only.

Cost: near-linear in the uses and deallocations. Positions: see `program_points.py`.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from xdsl.dialects import func, memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.support.algorithms.program_points import BlockPoint
from xdsl_bufferization.support.algorithms.reach import reach

from ...interfaces.deallocation import Allocated, is_memref
from ..buffers.buffer_aliases import BufferAliases
from ..buffers.buffer_flow import FlowKind, block_of
from .buffer_uses import BufferUses, MemoryPositions
from .last_uses import LastUse, find_last_uses

Interval = tuple[int, int]
"""Positions from the first up to, but not including, the second."""


def is_conditional_release(op: Operation) -> bool:
    """Whether `op` is an `scf.if` that frees a buffer, and does nothing else."""
    if not isinstance(op, scf.IfOp) or op.false_region.blocks:
        return False
    first, last = op.true_region.block.first_op, op.true_region.block.last_op
    return isinstance(first, memref.DeallocOp) and first.next_op is last


class RootFlow(NamedTuple):
    """A buffer that may become another root."""

    kind: FlowKind
    op: Operation
    root: SSAValue
    target: SSAValue


def flows_between_roots(aliases: BufferAliases) -> Iterator[RootFlow]:
    """How the buffers of a function may become others that are freed or handed on."""
    for flow in aliases.flow.flows:
        root, target = aliases.root(flow.source), flow.target
        if aliases.root(target) is target and root is not target:
            yield RootFlow(flow.kind, flow.use.owner, root, target)


def _reach_backward(
    start: Iterable[SSAValue], flows: Iterable[RootFlow]
) -> dict[SSAValue, None]:
    """The roots that may become one of `start`, these included."""
    senders: dict[SSAValue, list[SSAValue]] = {}
    for flow in flows:
        senders.setdefault(flow.target, []).append(flow.root)
    return reach(start, senders)


def _leaves_block(flow: RootFlow) -> bool:
    """Whether the end of a buffer's own block forwards it."""
    is_end = flow.kind in (FlowKind.END, FlowKind.BRANCH)
    return is_end and flow.op.parent is block_of(flow.root)


def _is_certain(op: Operation) -> bool:
    """Whether `op` frees its operand without a condition."""
    if isinstance(op, ReallocOp):
        return True
    parent = op.parent_op()
    return isinstance(op, memref.DeallocOp) and not (
        parent is not None and is_conditional_release(parent)
    )


class LiveRanges:
    """The live ranges of all buffers that one function allocates or is handed."""

    sizes: dict[SSAValue, int]
    """The roots, and how many bytes each has."""

    def __init__(self, uses: BufferUses, size_of: Callable[[SSAValue], int]):
        self.uses = uses
        self.frees = MemoryPositions(uses.aliases)
        self.ends: dict[SSAValue, list[Operation]] = {}
        """By root: the ops that certainly free it or hand it on."""

        self._lenders: set[SSAValue] = set()
        """The roots that others may free, under a condition that the program computes.
        """

        self._loops: dict[Region, list[Interval]] = {}
        flows = list(flows_between_roots(uses.aliases))
        flows = self._find_ends(flows)
        self.sizes = self._find_sizes(flows, size_of)

    # --- who owns what ---------------------------------------------------------------

    def _find_ends(self, flows: list[RootFlow]) -> list[RootFlow]:
        """Find the ops that free or hand on; returns the flows that may hand on."""
        aliases, points = self.uses.aliases, self.uses.points
        released: dict[SSAValue, None] = {}
        for use in aliases.flow.freed:
            root, op = aliases.root(use.value), use.owner
            released[root] = None
            self.frees.add(root, [points.of_op(op).start])
            if _is_certain(op):
                self.ends.setdefault(root, []).append(op)
        self.frees.sort()
        flows = [flow for flow in flows if not self._is_freed_in_block(flow.root)]
        for op in self.uses.ops:
            if isinstance(op, func.ReturnOp):
                for value in filter(is_memref, op.operands):
                    self.ends.setdefault(aliases.root(value), []).append(op)
        owners = _reach_backward(
            self.ends, (flow for flow in flows if flow.kind is not FlowKind.SELECT)
        )
        may_own = _reach_backward((*released, *owners), flows)
        for flow in flows:
            # What has a deallocation of its own may come back from where it is passed.
            is_handed_on = flow.root not in released or _leaves_block(flow)
            if flow.kind is FlowKind.SELECT or flow.target not in owners:
                continue
            if is_handed_on:
                self.ends.setdefault(flow.root, []).append(flow.op)
        self._spread(flows, owners, may_own)
        return flows

    def _is_freed_in_block(self, root: SSAValue) -> bool:
        """Whether a root is freed on all paths, so that nobody else ever owns it."""
        block = block_of(root)
        return any(op.parent is block for op in self.ends.get(root, ()))

    def _spread(
        self,
        flows: list[RootFlow],
        owners: dict[SSAValue, None],
        may_own: dict[SSAValue, None],
    ) -> None:
        """Follow the memory to all roots that it may be handed to.

        A buffer that the end of its block forwards is not freed in the block. The root
        that gets it owns it, under a condition that the program computes.
        """
        by_root: dict[SSAValue, list[RootFlow]] = {}
        for flow in flows:
            by_root.setdefault(flow.root, []).append(flow)
        origins = self.uses.aliases.flow.origins
        reached = dict.fromkeys(
            root for root, origin in origins.items() if isinstance(origin, Allocated)
        )
        counted = dict(reached)
        todo = list(reached)
        while todo:
            root = todo.pop()
            for flow in by_root.get(root, ()):
                target = flow.target
                if target not in may_own or target in origins:
                    continue
                if target in owners:
                    counted[target] = None
                elif _leaves_block(flow):
                    counted[target] = None
                    self.ends.setdefault(root, []).append(flow.op)
                else:
                    self._lenders.add(root)
                if target not in reached:
                    reached[target] = None
                    todo.append(target)
        self._reached = reached
        self._lent = reached.keys() - counted.keys()

    def _find_sizes(
        self, flows: list[RootFlow], size_of: Callable[[SSAValue], int]
    ) -> dict[SSAValue, int]:
        origins = self.uses.aliases.flow.origins
        sizes = {
            root: size_of(root)
            for root, origin in origins.items()
            if isinstance(origin, Allocated)
        }
        targets: dict[SSAValue, list[SSAValue]] = {}
        for flow in flows:
            if flow.target in self._reached and flow.target not in origins:
                targets.setdefault(flow.root, []).append(flow.target)
        # The largest first: each root then gets its size at the first visit.
        todo = sorted(sizes, key=lambda root: sizes[root])
        while todo:
            root = todo.pop()
            for target in targets.get(root, ()):
                if target not in sizes:
                    sizes[target] = sizes[root]
                    todo.append(target)
        return {
            root: size
            for root, size in sizes.items()
            if root in self.ends or root not in self._lent
        }

    # --- when ------------------------------------------------------------------------

    def is_endless(self, root: SSAValue) -> bool:
        """Whether nothing frees a new buffer or hands it on."""
        position = self.uses.points.size
        return (
            root not in self.ends
            and isinstance(root.owner, Operation)
            and not root.owner.regions
            and self.frees.last_before(root, position) < self._start(root)
        )

    def allocated(self, root: SSAValue) -> list[Interval]:
        """When the memory of a root is allocated."""
        start, end = self._start(root), self._end(root)
        return _subtract((start, end), self._freed_inside(root))

    def live(self, root: SSAValue) -> list[Interval]:
        """When a root is live: from its first use up to its last uses."""
        points, block = self.uses.points, block_of(root)
        end = self._end(root)
        start = self._first_use(root, end)
        holes = list(self._freed_inside(root))
        if self._is_in_cfg(block):
            end = min(end, points.of_block(block).end + 1)
        elif not self._is_handed_on(root):
            floor = (
                -1
                if isinstance(root.owner, Block)
                else self.uses.points.of_op(root.owner).start
            )
            last = find_last_uses(self.uses, root, block, end, floor=floor)
            end, more = self._without(last, block, end)
            holes += more
        return _subtract((start, end), holes) if start < end else []

    def _start(self, root: SSAValue) -> int:
        first = self._earliest_start(root)
        if root not in self._lent or isinstance(root.owner, Block):
            return first
        # Until others are freed, it is one of several that count themselves.
        end = self._end(root)
        freed = self.frees.last_before(root, end)
        return freed + 1 if freed >= first else end

    def _earliest_start(self, root: SSAValue) -> int:
        """The first position at which the memory of a root may be allocated."""
        owner = root.owner
        if isinstance(owner, Block):
            return self.uses.points.of_block(owner).start
        point = self.uses.points.of_op(owner)
        if root in self._lent:
            return point.start + 1
        # A call counts what its callee allocates, results included, while it runs.
        is_later = owner.regions or isinstance(owner, func.CallOp)
        return point.end + 1 if is_later else point.start

    def _end(self, root: SSAValue) -> int:
        block = block_of(root)
        is_in_cfg = self._is_in_cfg(block)
        point = self.uses.points.of_block(block)
        limit = self.uses.points.size if is_in_cfg else point.end + 1
        ends = [self._end_at(op, block) for op in self.ends.get(root, ())]
        if not ends or root in self._lenders:
            last = self.frees.last_before(root, limit)
            if last >= self._earliest_start(root):
                ends.append(self._end_at(self.uses.ops[last], block))
        end = max(ends, default=limit)
        return self._end_of_loops(block, end) if is_in_cfg else end

    def _end_at(self, op: Operation, block: Block) -> int:
        """Where the allocation of a buffer ends that `op` frees or hands on."""
        point = self.uses.points.of_op(op)
        anchor = self.uses.in_block(point.start, block)
        if anchor is op:
            is_over = isinstance(op, memref.DeallocOp) or bool(op.regions)
            return point.start if is_over else point.start + 1
        return (point if anchor is None else self.uses.points.of_op(anchor)).end + 1

    def _first_use(self, root: SSAValue, end: int) -> int:
        first = self.uses.positions.first_from(root, self._start(root))
        if first is None or first >= end:
            return end
        anchor = self.uses.in_block(first, block_of(root))
        return end if anchor is None else self.uses.points.of_op(anchor).start

    def _is_handed_on(self, root: SSAValue) -> bool:
        return any(
            not isinstance(op, memref.DeallocOp) for op in self.ends.get(root, ())
        )

    # --- holes -----------------------------------------------------------------------

    def _freed_inside(self, root: SSAValue) -> Iterator[Interval]:
        """Intervals in which a branch has freed a buffer that others may use longer."""
        block = block_of(root)
        if self._is_in_cfg(block):
            return
        for op in self.ends.get(root, ()):
            if isinstance(op, memref.DeallocOp) and op.parent is not block:
                point = self.uses.points.of_op(op)
                yield from self._holes(point.block, point.start, block)

    def _holes(
        self, inner: BlockPoint, position: int, block: Block
    ) -> Iterator[Interval]:
        """What is after a position in `inner`, up to the end of an op of `block`."""
        target = self.uses.points.of_block(block)
        while inner is not target and inner.parent is not None:
            yield position, inner.end + 1
            position = inner.parent.end + 1
            inner = inner.parent.block

    def _without(
        self, last_uses: Iterable[LastUse], block: Block, end: int
    ) -> tuple[int, list[Interval]]:
        """Where a live range ends after the last of `last_uses`, and its holes."""
        points = self.uses.points
        last = points.of_block(block).start
        holes: list[Interval] = []
        for use in last_uses:
            if use.block is None:
                continue
            inner = points.of_block(use.block)
            position = inner.start
            if use.after is not None:
                position = points.of_op(use.after).end + 1
            holes += self._holes(inner, position, block)
            while inner is not points.of_block(block):
                assert inner.parent is not None
                position, inner = inner.parent.end + 1, inner.parent.block
            last = max(last, position)
        return min(end, last), holes

    # --- blocks of a CFG -------------------------------------------------------------

    def _is_in_cfg(self, block: Block) -> bool:
        region = block.parent
        return region is not None and region.blocks.first is not region.blocks.last

    def _end_of_loops(self, block: Block, end: int) -> int:
        """The end of the loops around the end of an allocation."""
        region = block.parent
        assert region is not None
        if region not in self._loops:
            self._loops[region] = list(self._find_loops(region))
        loops = self._loops[region]
        index = bisect_right(loops, (end - 1, self.uses.points.size)) - 1
        is_inside = index >= 0 and end <= loops[index][1]
        return loops[index][1] if is_inside else end

    def _find_loops(self, region: Region) -> Iterator[Interval]:
        """The blocks from the targets of backward branches to these, as intervals."""
        points = self.uses.points
        edges = sorted(
            (points.of_block(target).start, points.of_block(block).end + 1)
            for block in region.blocks
            if block.last_op is not None
            for target in block.last_op.successors
            if points.of_block(target).start <= points.of_block(block).start
        )
        current: Interval | None = None
        for start, end in edges:
            if current is not None and start < current[1]:
                current = current[0], max(current[1], end)
                continue
            if current is not None:
                yield current
            current = start, end
        if current is not None:
            yield current


def _subtract(interval: Interval, holes: Iterable[Interval]) -> list[Interval]:
    """The parts of an interval outside of all holes."""
    start, end = interval
    parts: list[Interval] = []
    for hole_start, hole_end in sorted(holes):
        if start < min(hole_start, end):
            parts.append((start, min(hole_start, end)))
        start = max(start, hole_end)
    if start < end:
        parts.append((start, end))
    return parts
