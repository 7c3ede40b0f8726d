"""Moving allocations up: what `buffer-hoisting` and `buffer-loop-hoisting` share.

An allocation may move up to the nearest block above all uses of its buffer and of all
aliases, but not above the definition of its sizes. It does not move in two cases:

- A branch may run its block again: the buffer of an earlier run may still be in use.
- An op that does not move along frees the buffer or keeps its memory.

Source of the rules: MLIR's documentation, "Buffer Deallocation Internals", "Conversion
from AllocOp to AllocaOp", and the passes themselves.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from types import UnionType
from typing import TypeVar

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.support.algorithms.components import components
from xdsl_bufferization.support.algorithms.dominating_blocks import DominatingBlocks
from xdsl_bufferization.support.algorithms.reach import reach
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.buffers.buffer_flow import block_of
from ..analyses.buffers.call_effects import analyze_calls
from ..analyses.liveness.buffer_uses import BufferUses
from ..interfaces.region_branch import get_region_branch

_Allocation = TypeVar("_Allocation", memref.AllocOp, memref.AllocaOp)


class Hoisting:
    """What is known about the allocations of one function."""

    common: dict[SSAValue, Block]
    """For each reachable buffer the nearest block above all uses, under all names."""

    def __init__(self, uses: BufferUses):
        self.uses = uses
        self.dominance = DominatingBlocks(uses.aliases.flow.root)
        self._becomes = uses.aliases.flow.successors()
        self._came_from = _reverse(self._becomes)
        self.common = self._find_common_blocks()
        self._freed = self.may_become(
            use.value for use in uses.aliases.flow.freed if not _is_simple(use.owner)
        )

    def allocations(self) -> Iterator[memref.AllocOp]:
        """The allocations that may move, in the order of the program.

        What frees them, if anything does, is their `only_dealloc`.
        """
        return self._may_move(memref.AllocOp)

    def stack_allocations(self) -> Iterator[memref.AllocaOp]:
        """The allocations on the stack that may move, in the order of the program."""
        return self._may_move(memref.AllocaOp)

    def _may_move(self, kind: type[_Allocation]) -> Iterator[_Allocation]:
        for op in self.uses.ops:
            if (
                isinstance(op, kind)
                and op.memref not in self._freed
                and op.memref in self.common
                and not self.uses.may_be_used_elsewhere(op.memref)
            ):
                yield op

    def may_become(self, values: Iterable[SSAValue]) -> frozenset[SSAValue]:
        """The buffers that may become one of `values`, these included."""
        return frozenset(reach(values, self._came_from))

    def lowest_operand(self, op: Operation) -> Block | None:
        """The block below which the operands of `op` are all defined."""
        lowest: Block | None = None
        for operand in op.operands:
            block = block_of(operand)
            if lowest is None or self.dominance.is_above(lowest, block):
                lowest = block
        return lowest

    def _find_common_blocks(self) -> dict[SSAValue, Block]:
        common: dict[SSAValue, Block] = {}
        for value in self._becomes:
            block = block_of(value)
            if self.dominance.is_reachable(block):
                common[value] = self._above_uses(value, block)

        def targets(value: SSAValue) -> Iterator[SSAValue]:
            return (each for each in self._becomes[value] if each in common)

        # What a value may become comes before it, or with it.
        for component in components(common, targets):
            blocks = [common[value] for value in component]
            blocks += (common[each] for value in component for each in targets(value))
            above = reduce(self.dominance.nearest_common, blocks)
            common.update((value, above) for value in component)
        return common

    def _above_uses(self, value: SSAValue, block: Block) -> Block:
        for use in value.uses:
            user = use.operation.parent
            if user is not None and self.dominance.is_reachable(user):
                block = self.dominance.nearest_common(block, user)
        return block


class Tops:
    """How far up blocks lead, whatever moves: each step is looked at once."""

    def __init__(
        self, dominance: DominatingBlocks, may_leave: Callable[[Operation], bool]
    ):
        self._dominance = dominance
        self._may_leave = may_leave
        self._tops: dict[Block, Block] = {}

    def limit(self, block: Block, bound: Block | None) -> Block:
        """The highest block to reach from `block`, not above `bound`.

        `bound`, if it is not None, is above `block`, or it is `block`.
        """
        if bound is block:
            return block
        top = self._top(block)
        is_lower = bound is not None and self._dominance.is_above(top, bound)
        return bound if bound is not None and is_lower else top

    def _top(self, block: Block) -> Block:
        way: list[Block] = []
        while block not in self._tops:
            above = self._step(block)
            if above is None:
                self._tops[block] = block
            else:
                way.append(block)
                block = above
        top = self._tops[block]
        self._tops.update((each, top) for each in way)
        return top

    def _step(self, block: Block) -> Block | None:
        """The next block above, unless something must not be moved there."""
        above, parent = self._dominance.above(block), block.parent_op()
        if above is None or parent is None or self._dominance.may_repeat(block):
            return None
        is_leaving = above.parent is not block.parent
        return None if is_leaving and not self._may_leave(parent) else above


def find_hoistings(
    module: ModuleOp, kinds: type[Operation] | UnionType = memref.AllocOp
) -> Iterator[Hoisting]:
    """Look at each function of `module` that allocates by ops of these kinds."""
    calls = analyze_calls(module, trust_declarations=False)
    for function in ops_inside(module):
        if isinstance(function, func.FuncOp) and any(
            isinstance(op, kinds) for op in ops_inside(function)
        ):
            yield Hoisting(BufferUses(calls.analyze(function)))


def is_loop(op: Operation) -> bool:
    """Whether a region of `op` may run more than once for one run of it."""
    branch = get_region_branch(op)
    return branch is not None and any(
        branch.is_repetitive_region(op, number) for number in range(len(op.regions))
    )


def is_parallel(op: Operation) -> bool:
    """Whether several runs of a region of `op` may be under way at a time."""
    branch = get_region_branch(op)
    return branch is not None and any(
        branch.is_parallel_region(op, number) for number in range(len(op.regions))
    )


def only_dealloc(op: memref.AllocOp) -> memref.DeallocOp | None:
    """The deallocation of the buffer in the block of `op`, if there is one."""
    deallocs = [
        use.operation
        for use in op.memref.uses
        if isinstance(use.operation, memref.DeallocOp)
    ]
    is_one = len(deallocs) == 1 and deallocs[0].parent is op.parent
    return deallocs[0] if is_one else None


def move_to(op: Operation, block: Block, uses: BufferUses) -> Operation | None:
    """Move an allocation to a block above: before what is around it, or to the end.

    Returns the op around it that it has left, if there is one.
    """
    around = uses.in_block(uses.points.of_op(op).start, block)
    anchor = block.last_op if around is None else around
    assert anchor is not None
    op.detach()
    block.insert_op_before(op, anchor)
    return around


def _reverse(edges: dict[SSAValue, list[SSAValue]]) -> dict[SSAValue, list[SSAValue]]:
    opposite: dict[SSAValue, list[SSAValue]] = {value: [] for value in edges}
    for source, targets in edges.items():
        for target in targets:
            opposite[target].append(source)
    return opposite


def _is_simple(op: Operation) -> bool:
    """Whether `op` is the only deallocation of an allocation of its block."""
    if not isinstance(op, memref.DeallocOp):
        return False
    alloc = op.memref.owner
    return isinstance(alloc, memref.AllocOp) and only_dealloc(alloc) is op
