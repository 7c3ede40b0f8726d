"""The pass `copy-removal`: one buffer for a copy and its source.

Runs after deallocation with copies, for copies whose source is freed after them. If the
target is allocated before, the source takes its place. Otherwise the target takes the
place of the source, if nothing else uses the target while the source is filled.

    %t = memref.alloc() : memref<2xf32>
    linalg.exp ins(%a) outs(%t)              linalg.exp ins(%a) outs(%r)
    linalg.copy ins(%t) outs(%r)
    memref.dealloc %t

Source: MLIR's documentation of 2020, "Bufferization on MLIR", "CopyRemoval Pass". As
there, the arguments of a function are taken to be different buffers. Between a copy and
the deallocation of its source nothing may be written. The document forbids reads, too.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass, field

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import CopyOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.dialects.common.quiet_ops import quiet_deallocs_after
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.buffers.buffer_aliases import find_anchors
from ..analyses.buffers.buffer_flow import BufferFlow, collect_buffer_flow
from ..interfaces.deallocation import is_memref
from ..mlir_pass import MLIRPass

_MAX_MEMORIES = 256
"""How much is looked at to find out whether the memory of one value is used."""


@without_garbage_collection()
def remove_copies(module: ModuleOp) -> None:
    """Remove copies, with the allocation of their source or target, in `module`."""
    for op in ops_inside(module):
        if isinstance(op, func.FuncOp) and not op.is_declaration:
            _CopyRemoval(collect_buffer_flow(op)).run()


@dataclass(frozen=True)
class _Copy:
    op: Operation
    source: SSAValue
    target: SSAValue


class _CopyRemoval:
    """One walk over the copies of a function, in order."""

    def __init__(self, flow: BufferFlow):
        self.flow = flow
        self.points = flow.points
        self.memory = _MemoryUses(flow)

    def run(self) -> None:
        for op in ops_inside(self.flow.root):
            copy = _as_copy(op)
            if copy is None or copy.source.type != copy.target.type:
                continue
            dealloc = _dealloc_after(copy)
            if dealloc is None or copy.source is copy.target:
                continue
            if self._may_reuse_source(copy):
                self._reuse_source(copy, dealloc)
            elif self._may_reuse_target(copy, dealloc):
                self._reuse_target(copy, dealloc)

    def _position(self, op: Operation) -> int:
        return self.points.of_op(op).start

    # --- reusing the source ----------------------------------------------------------

    def _may_reuse_source(self, copy: _Copy) -> bool:
        """Whether the target is memory that nobody uses before the copy."""
        alloc = _allocation(copy.target)
        if alloc is None or alloc.parent is not copy.op.parent:
            return False
        if not _is_aligned_as(copy.source, alloc):
            return False
        start = self._position(alloc)
        if alloc is not copy.target.owner:
            if not alloc.memref.has_one_use():
                return False
            assert isinstance(copy.target.owner, Operation)
            start = self._position(copy.target.owner)
        # What uses it earlier is in this block, as the allocation is.
        return self.memory.is_unused(copy.target, start, self._position(copy.op))

    def _reuse_source(self, copy: _Copy, dealloc: memref.DeallocOp) -> None:
        owner = copy.target.owner
        alloc = _allocation(copy.target)
        assert alloc is not None
        self._erase(copy.op)
        self._erase(dealloc)
        self.memory.merge(copy.source, copy.target)
        copy.target.replace_all_uses_with(copy.source)
        if isinstance(owner, memref.CastOp):
            self._erase(owner)
        self._erase(alloc)

    # --- reusing the target ----------------------------------------------------------

    def _may_reuse_target(self, copy: _Copy, dealloc: memref.DeallocOp) -> bool:
        """Whether the target is there, and unused, while the source is."""
        alloc, block = copy.source.owner, copy.op.parent
        assert block is not None
        if not isinstance(alloc, memref.AllocOp) or alloc.parent is not block:
            return False
        if not self._is_own_buffer(copy.target):
            return False
        if not _is_aligned_as(copy.target, alloc):
            return False
        start, middle, end = map(self._position, (alloc, copy.op, dealloc))
        return (
            self._defined_at(copy.target) <= start
            and self.memory.is_unused(copy.target, start, middle)
            and self.memory.is_unused(copy.target, middle, end)
        )

    def _is_own_buffer(self, value: SSAValue) -> bool:
        """Whether no other value is the memory of `value`, those derived excepted."""
        owner = value.owner
        if self.memory.is_captured(value):
            return False
        if isinstance(owner, Block):
            return owner is self.flow.root.regions[0].blocks[0]
        return isinstance(owner, memref.AllocOp)

    def _defined_at(self, value: SSAValue) -> int:
        owner = value.owner
        # An op that stands earlier dominates what its result is used by.
        return -1 if isinstance(owner, Block) else self._position(owner)

    def _reuse_target(self, copy: _Copy, dealloc: memref.DeallocOp) -> None:
        alloc = copy.source.owner
        assert isinstance(alloc, memref.AllocOp)
        self._erase(copy.op)
        self._erase(dealloc)
        self.memory.merge(copy.target, copy.source)
        copy.source.replace_all_uses_with(copy.target)
        self._erase(alloc)

    def _erase(self, op: Operation) -> None:
        self.memory.forget(op)
        op.detach()
        op.erase()


@dataclass(eq=False)
class _Memory:
    """A value with its views, and with the buffers whose place it took."""

    positions: list[int] = field(default_factory=list[int])
    """Of all uses, in order."""

    derived: "list[_Memory]" = field(default_factory=list["_Memory"])
    """The values that may be this memory later."""

    origins: "list[_Memory]" = field(default_factory=list["_Memory"])
    """The values that this memory may have been before."""

    is_captured: bool = False
    """Whether something that is no memref may have this memory."""

    place: "_Memory | None" = None
    """What took its place."""

    def find(self) -> "_Memory":
        """What this is by now."""
        found = self
        while found.place is not None:
            if found.place.place is not None:
                found.place = found.place.place
            found = found.place
        return found


class _MemoryUses:
    """Where the memory of a buffer is used, by whatever name."""

    def __init__(self, flow: BufferFlow):
        self.points = flow.points
        self._anchors = find_anchors(flow.view_of)
        self._memories: dict[SSAValue, _Memory] = {}
        values = dict.fromkeys((*flow.origins, *flow.unknown, *self._anchors))
        for each in flow.flows:
            source, target = self._memory(each.source), self._memory(each.target)
            source.derived.append(target)
            target.origins.append(source)
            values[each.source] = values[each.target] = None
        for value in values:
            self._memory(value).positions.extend(
                self.points.of_op(use.operation).start for use in value.uses
            )
        for memory in self._memories.values():
            memory.positions.sort()
        _capture(self._memory(use.value) for use in flow.captured)

    def _memory(self, value: SSAValue) -> _Memory:
        anchor = self._anchors.get(value, value)
        return self._memories.setdefault(anchor, _Memory()).find()

    def is_captured(self, value: SSAValue) -> bool:
        """Whether something that is no memref may have the memory of `value`."""
        return self._memory(value).is_captured

    def is_unused(self, value: SSAValue, start: int, end: int) -> bool:
        """Whether nothing between two ops of a block may use the memory of `value`.

        What is inside of ops between them is between them, too. When there is too
        much that `value` may become: False.
        """
        first = self._memory(value)
        seen = {first: None}
        todo = [first]
        while todo:
            memory = todo.pop()
            if not _is_free(memory.positions, start, end):
                return False
            for other in memory.derived:
                found = other.find()
                if found not in seen:
                    seen[found] = None
                    todo.append(found)
            if len(seen) > _MAX_MEMORIES:
                return False
        return True

    def merge(self, kept: SSAValue, dropped: SSAValue) -> None:
        """Note that `kept` takes the place of `dropped`."""
        large, small = self._memory(kept), self._memory(dropped)
        if large is small:
            return
        if large.is_captured or small.is_captured:
            _capture((large, small))
        if len(large.positions) < len(small.positions):
            large, small = small, large
        small.place = large
        for position in small.positions:
            insort(large.positions, position)
        large.derived += small.derived
        large.origins += small.origins

    def forget(self, op: Operation) -> None:
        """Note that `op` is erased."""
        position = self.points.of_op(op).start
        for operand in op.operands:
            if is_memref(operand):
                positions = self._memory(operand).positions
                index = bisect_left(positions, position)
                if index < len(positions) and positions[index] == position:
                    del positions[index]


def _capture(memories: Iterable[_Memory]) -> None:
    """Note that the memory of some, and of all that may become them, is captured."""
    todo = list(memories)
    for memory in todo:
        memory.is_captured = True
    while todo:
        for origin in todo.pop().origins:
            found = origin.find()
            if not found.is_captured:
                found.is_captured = True
                todo.append(found)


def _is_free(positions: list[int], start: int, end: int) -> bool:
    """Whether no position is between the two, which may be positions themselves."""
    return bisect_right(positions, start) == bisect_left(positions, end)


def _is_aligned_as(value: SSAValue, alloc: memref.AllocOp) -> bool:
    """Whether `value` can do what the alignment of `alloc` is for."""
    if alloc.alignment is None:
        return True
    owner = value.owner
    return isinstance(owner, memref.AllocOp) and owner.alignment == alloc.alignment


def _as_copy(op: Operation) -> _Copy | None:
    if isinstance(op, memref.CopyOp):
        return _Copy(op, op.source, op.destination)
    if isinstance(op, CopyOp) and not op.results:
        return _Copy(op, op.inputs[0], op.outputs[0])
    return None


def _dealloc_after(copy: _Copy) -> memref.DeallocOp | None:
    """The op that frees the source, if nothing is written in between."""
    for dealloc in quiet_deallocs_after(copy.op):
        if dealloc.memref is copy.source:
            return dealloc
        if dealloc.memref is copy.target:
            return None
    return None


def _allocation(value: SSAValue) -> memref.AllocOp | None:
    """The op that allocates `value`, which may be a cast of all of it."""
    owner = value.owner
    if isinstance(owner, memref.CastOp):
        owner = owner.source.owner
    return owner if isinstance(owner, memref.AllocOp) else None


@dataclass(frozen=True)
class CopyRemovalPass(MLIRPass):
    """Let one buffer take the place of a copy and of its source."""

    name = "copy-removal"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        remove_copies(op)
