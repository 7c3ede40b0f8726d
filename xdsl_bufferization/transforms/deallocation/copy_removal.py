"""The pass `copy-removal`: one buffer in the place of a copy and what it is a copy of.

Runs after deallocation with copies. The source of a copy that is freed after it takes
the place of a target allocated before it; otherwise the target, if nothing else uses
it while the source is filled, takes the place of the source.

    %t = memref.alloc() : memref<2xf32>
    linalg.exp ins(%a) outs(%t)              linalg.exp ins(%a) outs(%r)
    linalg.copy ins(%t) outs(%r)
    memref.dealloc %t

Source: MLIR's documentation of 2020, "Bufferization on MLIR", "CopyRemoval Pass". As
there, the arguments of a function are taken to be different buffers. Between a copy
and the dealloc of its source nothing may be written, where the document forbids uses.
"""

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import CopyOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analyses.buffer_flow import BufferFlow, collect_buffer_flow
from xdsl_bufferization.dialects.quiet_ops import quiet_deallocs_after
from xdsl_bufferization.garbage import without_garbage_collection
from xdsl_bufferization.transforms.mlir_pass import MLIRPass
from xdsl_bufferization.traversal import ops_inside


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
        self.places = flow.places
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

    # --- reusing the source ----------------------------------------------------------

    def _may_reuse_source(self, copy: _Copy) -> bool:
        """Whether the target is memory that nobody uses before the copy."""
        alloc = _allocation(copy.target)
        if alloc is None or alloc.parent is not copy.op.parent:
            return False
        if not _is_aligned_as(copy.source, alloc):
            return False
        if alloc is not copy.target.owner and not alloc.memref.has_one_use():
            return False
        return all(
            use.operation is copy.op or self._is_after(use.operation, copy.op)
            for use in copy.target.uses
        )

    def _is_after(self, op: Operation, other: Operation) -> bool:
        """Whether `op` can only run after `other`, of a block that dominates it."""
        assert other.parent is not None
        position = self.memory.position_in(other.parent, op)
        return position is None or position > self.places.of_op(other).start

    def _reuse_source(self, copy: _Copy, dealloc: memref.DeallocOp) -> None:
        owner = copy.target.owner
        alloc = _allocation(copy.target)
        assert alloc is not None
        _erase(copy.op)
        _erase(dealloc)
        self.memory.add(copy.source, copy.target)
        copy.target.replace_all_uses_with(copy.source)
        if isinstance(owner, memref.CastOp):
            _erase(owner)
        _erase(alloc)

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
        start, middle, end = (
            self.places.of_op(op).start for op in (alloc, copy.op, dealloc)
        )
        if self._defined_at(copy.target) > start:
            return False
        positions = self.memory.positions(copy.target, block)
        return _is_free(positions, start, middle) and _is_free(positions, middle, end)

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
        return -1 if isinstance(owner, Block) else self.places.of_op(owner).start

    def _reuse_target(self, copy: _Copy, dealloc: memref.DeallocOp) -> None:
        alloc = copy.source.owner
        assert isinstance(alloc, memref.AllocOp)
        _erase(copy.op)
        _erase(dealloc)
        self.memory.add(copy.target, copy.source)
        copy.source.replace_all_uses_with(copy.target)
        _erase(alloc)


class _MemoryUses:
    """Where the memory of a buffer is used, by whatever name."""

    def __init__(self, flow: BufferFlow):
        self.places = flow.places
        self.derived: dict[SSAValue, list[SSAValue]] = {}
        """The views of a value, and what it may become."""

        self.origins: dict[SSAValue, list[SSAValue]] = {}
        """The other way round."""

        for view, source in flow.view_of.items():
            self._link(source, view)
        for each in flow.flows:
            self._link(each.source, each.target)
        self.captured = self._find_captured(flow)
        self._positions: dict[SSAValue, dict[Block, list[int]]] = {}

    def _link(self, source: SSAValue, target: SSAValue) -> None:
        self.derived.setdefault(source, []).append(target)
        self.origins.setdefault(target, []).append(source)

    def _find_captured(self, flow: BufferFlow) -> set[SSAValue]:
        captured: set[SSAValue] = set()
        for use in flow.captured:
            if use.value not in captured:
                captured.update(_closure(use.value, self.origins))
        return captured

    def is_captured(self, value: SSAValue) -> bool:
        """Whether something that is no memref may have the memory of `value`."""
        return value in self.captured

    def add(self, kept: SSAValue, dropped: SSAValue) -> None:
        """Note that `kept` takes over what is derived from `dropped`."""
        for value in _closure(kept, self.origins):
            known = self._positions.get(value)
            if known is not None:
                self._take_over(known, dropped)
        self._link(kept, dropped)

    def _take_over(self, known: dict[Block, list[int]], dropped: SSAValue) -> None:
        for block, positions in known.items():
            for position in self._find_positions(dropped, block):
                insort(positions, position)

    def positions(self, value: SSAValue, block: Block) -> list[int]:
        """Where in `block` ops may use the memory of `value`, in order."""
        known = self._positions.setdefault(value, {})
        if block not in known:
            known[block] = sorted(self._find_positions(value, block))
        return known[block]

    def _find_positions(self, value: SSAValue, block: Block) -> set[int]:
        return {
            position
            for each in _closure(value, self.derived)
            for use in each.uses
            if (position := self.position_in(block, use.operation)) is not None
        }

    def position_in(self, block: Block, op: Operation) -> int | None:
        """The position of the op of `block` that is `op`, or has it inside."""
        place = self.places.of_op(op)
        while place.op.parent is not block:
            if (parent := place.block.parent) is None:
                return None
            place = parent
        return place.start


def _closure(
    value: SSAValue, links: dict[SSAValue, list[SSAValue]]
) -> dict[SSAValue, None]:
    """`value`, and all that links lead to from it."""
    seen = {value: None}
    todo = [value]
    while todo:
        for other in links.get(todo.pop(), ()):
            if other not in seen:
                seen[other] = None
                todo.append(other)
    return seen


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


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


@dataclass(frozen=True)
class CopyRemovalPass(MLIRPass):
    """Let one buffer take the place of a copy and of what it is a copy of."""

    name = "copy-removal"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        remove_copies(op)
