"""Free every buffer right after its last use, on every path.

Runs after `buffer-deallocation-pipeline`, which frees buffers at the end of the block
that owns them. A large model does not use most of its buffers that long.

    "use"(%a)                       "use"(%a)
    %b = memref.alloc()             memref.dealloc %a
    "use"(%b)                       %b = memref.alloc()
    memref.dealloc %a               "use"(%b)

MLIR's pass of this name moves the deallocation of an allocation of the same block. Here
a deallocation also moves

- into branches, one copy into each, and to the start of branches without a use;
- to earlier blocks;
- under a condition, and for the result of a call or a loop.

No deallocation moves into a loop, or where the memory may be reached by unknown means.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.support.algorithms.live_blocks import Exit
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.buffers.buffer_flow import block_of
from ..analyses.buffers.call_effects import analyze_calls
from ..analyses.liveness.buffer_uses import BufferUses
from ..analyses.liveness.last_uses import LastUse, find_last_uses
from ..analyses.liveness.last_uses_across_blocks import find_last_uses_across_blocks
from ..analyses.liveness.live_ranges import is_conditional_release
from ..mlir_pass import MLIRPass
from .edges import split_edge


@without_garbage_collection()
def optimize_all_liveness(module: ModuleOp) -> None:
    """Move the deallocations in all functions of `module`."""
    calls = analyze_calls(module)
    for op in ops_inside(module):
        if isinstance(op, func.FuncOp) and _frees_buffers(op):
            bases = raise_base_buffers(op)
            optimize_liveness(BufferUses(calls.analyze(op)))
            sink_base_buffers(bases)


def _frees_buffers(function: func.FuncOp) -> bool:
    return any(isinstance(op, memref.DeallocOp) for op in ops_inside(function))


def optimize_liveness(uses: BufferUses) -> None:
    """Move the deallocations in one function."""
    mover = _Mover()
    # All is decided on the function as it was analyzed.
    for move in list(_decide(uses)):
        mover.move(move)


@dataclass(frozen=True)
class _Release:
    """An op that frees a buffer and does nothing else."""

    op: Operation
    buffer: SSAValue
    operands: tuple[SSAValue, ...]
    is_conditional: bool


@dataclass(frozen=True)
class _Move:
    """Deallocations of one buffer, and the last uses that they move to."""

    ops: list[Operation]
    last_uses: list[LastUse]
    edges: list[Exit] = field(default_factory=list[Exit])
    """Branches on which its live range ends as well."""


def _decide(uses: BufferUses) -> Iterator[_Move]:
    groups: dict[tuple[Region | SSAValue, ...], list[_Release]] = {}
    for release in _releases(uses):
        region = release.op.parent_region()
        if region is not None and not uses.may_be_used_elsewhere(
            uses.aliases.root(release.buffer)
        ):
            groups.setdefault((region, *release.operands), []).append(release)
    for group in groups.values():
        between = _between_blocks(uses, group)
        if between.ops:
            yield between
        for release in group:
            block = release.op.parent
            if release.op not in between.ops and block is not None:
                end = uses.points.of_op(release.op).start
                yield _Move([release.op], _last_uses(uses, release, block, end))


def _between_blocks(uses: BufferUses, group: list[_Release]) -> _Move:
    """What the deallocations of a buffer that come first in their blocks become."""
    first = group[0]
    found = find_last_uses_across_blocks(
        uses,
        uses.aliases.root(first.buffer),
        {block_of(value) for value in first.operands},
        [release.op for release in group],
    )
    last_uses: list[LastUse] = []
    for block in found.starts:
        assert block.parent is not None
        last_uses.append(LastUse(block.parent, block, None))
    for block in found.ends:
        assert block.last_op is not None
        end = uses.points.of_op(block.last_op).start
        last_uses += _last_uses(uses, first, block, end)
    return _Move(found.freed, last_uses, found.edges)


def _last_uses(
    uses: BufferUses, release: _Release, block: Block, end: int
) -> list[LastUse]:
    """The last uses in `block` of what `release` frees, before position `end`."""
    return find_last_uses(
        uses,
        uses.aliases.root(release.buffer),
        block,
        end,
        floor=max(_position(uses, value, block) for value in release.operands),
        inside_branches=not release.is_conditional,
    )


def _releases(uses: BufferUses) -> Iterator[_Release]:
    """The deallocations of a function, with the `scf.if` around them if it is all."""
    for op in uses.ops:
        if not isinstance(op, memref.DeallocOp):
            continue
        parent = op.parent_op()
        if isinstance(parent, scf.IfOp) and is_conditional_release(parent):
            yield _Release(parent, op.memref, (op.memref, parent.cond), True)
        else:
            yield _Release(op, op.memref, (op.memref,), False)


def _position(uses: BufferUses, value: SSAValue, block: Block) -> int:
    """The position of the op of `block` that defines `value`; -1 if none does."""
    owner = value.owner
    if isinstance(owner, Block) or owner.parent is not block:
        return -1
    return uses.points.of_op(owner).start


class _Mover:
    """Moves deallocations; those that come to one point keep their order."""

    def __init__(self) -> None:
        self._last: dict[Operation | Block, Operation] = {}
        """The deallocation that was moved last to the point after an op."""

        self._between: dict[Exit, Block] = {}
        """The blocks that were put on branches."""

    def move(self, move: _Move) -> None:
        """Put the first op, or a copy of it, at each point, in place of all.

        One that is at its only point stays there.
        """
        op, *others = move.ops
        last_uses = [*move.last_uses, *(self._on_edge(edge) for edge in move.edges)]
        if not others and len(last_uses) == 1 and _is_at(op, last_uses[0]):
            return
        for each in move.ops:
            each.detach()
        for number, last_use in enumerate(last_uses):
            self._insert(op if number == 0 else op.clone(), last_use)
        for each in others:
            each.erase()

    def _on_edge(self, edge: Exit) -> LastUse:
        block = self._between.get(edge)
        if block is None:
            block = self._between[edge] = split_edge(*edge.edge)
        assert block.parent is not None
        return LastUse(block.parent, block, None)

    def _insert(self, op: Operation, last_use: LastUse) -> None:
        block = last_use.block
        if block is None:
            block = last_use.region.blocks.first
        if block is None:
            block = Block([scf.YieldOp()])
            last_use.region.add_block(block)
        point = last_use.after or block
        previous = self._last.get(point, last_use.after)
        self._last[point] = op
        if previous is not None:
            block.insert_op_after(op, previous)
        elif (first := block.first_op) is not None:
            block.insert_op_before(op, first)


def _is_at(op: Operation, last_use: LastUse) -> bool:
    """Whether only deallocations are between the point and `op`."""
    previous = op.prev_op
    while isinstance(previous, memref.DeallocOp) and previous is not last_use.after:
        previous = previous.prev_op
    return op.parent is last_use.block and previous is last_use.after


# --- what finds the allocation behind a view ----------------------------------------


def raise_base_buffers(function: Operation) -> list[memref.ExtractStridedMetaDataOp]:
    """Move these ops to the definitions of their operands, one op for each operand.

    The allocation that a view belongs to is the base of its metadata. Read right before
    the deallocation, the metadata would look like a late use of the view. So it is read
    right after the view is defined.

        %r = scf.if ...                     %r = scf.if ...
        "use"(%r)                           %b, ... = memref.extract_strided_metadata %r
        %b, ... =                           "use"(%r)
          memref.extract_strided_metadata %r
        memref.dealloc %b                   memref.dealloc %b
    """
    found: dict[SSAValue, memref.ExtractStridedMetaDataOp] = {}
    for op in tuple(function.walk()):
        if not isinstance(op, memref.DeallocOp):
            continue
        base = op.memref.owner
        if not isinstance(base, memref.ExtractStridedMetaDataOp):
            continue
        if found.get(base.source) is base or not _is_only_freed(base):
            continue
        if (first := found.setdefault(base.source, base)) is base:
            _move_up(base)
        else:
            base.base_buffer.replace_all_uses_with(first.base_buffer)
            base.detach()
            base.erase()
    return list(found.values())


def _is_only_freed(op: memref.ExtractStridedMetaDataOp) -> bool:
    """Whether `op` is only there for a deallocation."""
    return not any(result.first_use for result in op.results[1:]) and all(
        isinstance(use.operation, memref.DeallocOp) for use in op.base_buffer.uses
    )


def _move_up(op: memref.ExtractStridedMetaDataOp) -> None:
    owner = op.source.owner
    op.detach()
    if not isinstance(owner, Block):
        assert owner.parent is not None
        owner.parent.insert_op_after(op, owner)
    elif (first := owner.first_op) is not None:
        owner.insert_op_before(op, first)
    else:
        owner.add_op(op)


def sink_base_buffers(ops: Iterable[memref.ExtractStridedMetaDataOp]) -> None:
    """Move a copy of each of these ops to each deallocation that uses the op."""
    for op in ops:
        for use in tuple(op.base_buffer.uses):
            place = use.operation
            parent = place.parent_op()
            if parent is not None and is_conditional_release(parent):
                place = parent
            assert place.parent is not None
            copy = op.clone()
            place.parent.insert_op_before(copy, place)
            use.operation.operands[use.index] = copy.base_buffer
        op.detach()
        op.erase()


@dataclass(frozen=True)
class OptimizeAllocationLivenessPass(MLIRPass):
    """Free every buffer right after its last use, on every path."""

    name = "optimize-allocation-liveness"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        optimize_all_liveness(op)
