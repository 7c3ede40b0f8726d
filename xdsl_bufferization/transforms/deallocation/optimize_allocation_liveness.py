"""Free every buffer right after its last use, on every path.

Runs after `buffer-deallocation-pipeline`, which frees buffers at the end of the block
that owns them, when a large model has long had no use for most of its buffers.

    "use"(%a)                       "use"(%a)
    %b = memref.alloc()             memref.dealloc %a
    "use"(%b)                       %b = memref.alloc()
    memref.dealloc %a               "use"(%b)

MLIR's pass of this name moves the deallocation of an allocation of the same block. Here
it also moves into branches, one copy into each, up to the start of those that do not
use the buffer, and to earlier blocks; and what is freed may be the result of a call or
a loop, under a condition. It never moves into a loop, and stays where the memory may be
reached by unknown means.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analyses.buffers.buffer_flow import block_of
from xdsl_bufferization.analyses.buffers.call_effects import analyze_calls
from xdsl_bufferization.analyses.liveness.buffer_uses import BufferUses
from xdsl_bufferization.analyses.liveness.last_uses import LastUse, find_last_uses
from xdsl_bufferization.analyses.liveness.last_uses_across_blocks import (
    find_last_uses_across_blocks,
)
from xdsl_bufferization.analyses.liveness.live_ranges import is_conditional_release
from xdsl_bufferization.garbage import without_garbage_collection
from xdsl_bufferization.transforms.deallocation.base_buffers import (
    raise_base_buffers,
    sink_base_buffers,
)
from xdsl_bufferization.transforms.deallocation.edges import split_edge
from xdsl_bufferization.transforms.mlir_pass import MLIRPass
from xdsl_bufferization.traversal import ops_inside


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
    """Deallocations of one buffer, and the points at which it dies instead."""

    ops: list[Operation]
    deaths: list[LastUse]
    edges: list[tuple[Operation, int]] = field(
        default_factory=list[tuple[Operation, int]]
    )
    """Ways out of terminators on which it dies as well."""


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
                end = uses.places.of_op(release.op).start
                yield _Move([release.op], _deaths(uses, release, block, end))


def _between_blocks(uses: BufferUses, group: list[_Release]) -> _Move:
    """What the deallocations of a buffer that come first in their blocks become."""
    first = group[0]
    found = find_last_uses_across_blocks(
        uses,
        uses.aliases.root(first.buffer),
        {block_of(value) for value in first.operands},
        [release.op for release in group],
    )
    deaths: list[LastUse] = []
    for block in found.starts:
        assert block.parent is not None
        deaths.append(LastUse(block.parent, block, None))
    for block in found.ends:
        assert block.last_op is not None
        end = uses.places.of_op(block.last_op).start
        deaths += _deaths(uses, first, block, end)
    return _Move(found.freed, deaths, found.edges)


def _deaths(
    uses: BufferUses, release: _Release, block: Block, end: int
) -> list[LastUse]:
    """Where what `release` frees dies in `block`, before the op at position `end`."""
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
    return uses.places.of_op(owner).start


class _Mover:
    """Moves deallocations; those that come to one point keep their order."""

    def __init__(self) -> None:
        self._last: dict[Operation | Block, Operation] = {}
        """The deallocation that was moved last to the point after an op."""

        self._between: dict[tuple[Operation, int], Block] = {}
        """The blocks on ways out of terminators."""

    def move(self, move: _Move) -> None:
        """Put the first op, or a copy of it, at each point, in place of all.

        One that is at its only point stays there.
        """
        op, *others = move.ops
        deaths = [*move.deaths, *(self._on_edge(edge) for edge in move.edges)]
        if not others and len(deaths) == 1 and _is_at(op, deaths[0]):
            return
        for each in move.ops:
            each.detach()
        for number, death in enumerate(deaths):
            self._insert(op if number == 0 else op.clone(), death)
        for each in others:
            each.erase()

    def _on_edge(self, edge: tuple[Operation, int]) -> LastUse:
        block = self._between.get(edge)
        if block is None:
            block = self._between[edge] = split_edge(*edge)
        assert block.parent is not None
        return LastUse(block.parent, block, None)

    def _insert(self, op: Operation, death: LastUse) -> None:
        block = death.block
        if block is None:
            block = death.region.blocks.first
        if block is None:
            block = Block([scf.YieldOp()])
            death.region.add_block(block)
        point = death.after or block
        previous = self._last.get(point, death.after)
        self._last[point] = op
        if previous is not None:
            block.insert_op_after(op, previous)
        elif (first := block.first_op) is not None:
            block.insert_op_before(op, first)


def _is_at(op: Operation, death: LastUse) -> bool:
    """Whether only deallocations are between the point and `op`."""
    previous = op.prev_op
    while isinstance(previous, memref.DeallocOp) and previous is not death.after:
        previous = previous.prev_op
    return op.parent is death.block and previous is death.after


@dataclass(frozen=True)
class OptimizeAllocationLivenessPass(MLIRPass):
    """Free every buffer right after its last use, on every path."""

    name = "optimize-allocation-liveness"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        optimize_all_liveness(op)
