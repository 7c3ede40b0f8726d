"""Free every buffer right after its last use, on every path.

Runs after `buffer-deallocation-pipeline`, which frees buffers at the end of the block
that owns them, when a large model has long had no use for most of its buffers.

    "use"(%a)                       "use"(%a)
    %b = memref.alloc()             memref.dealloc %a
    "use"(%b)                       %b = memref.alloc()
    memref.dealloc %a               "use"(%b)

MLIR's pass of this name moves the deallocation of an allocation of the same block. Here
it also moves into branches, one copy into each, up to the start of those that do not
use the buffer; and what is freed may be the result of a call or a loop, under a
condition. It never moves into a loop, and stays where the memory may be reached by
unknown means.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analyses.buffer_deaths import Death, find_deaths
from xdsl_bufferization.analyses.buffer_uses import BufferUses
from xdsl_bufferization.analyses.call_effects import analyze_calls
from xdsl_bufferization.garbage import without_garbage_collection
from xdsl_bufferization.transforms.mlir_pass import MLIRPass
from xdsl_bufferization.traversal import ops_inside


@without_garbage_collection()
def optimize_all_liveness(module: ModuleOp) -> None:
    """Move the deallocations in all functions of `module`."""
    calls = analyze_calls(module)
    for op in ops_inside(module):
        if isinstance(op, func.FuncOp) and _frees_buffers(op):
            optimize_liveness(BufferUses(calls.analyze(op)))


def _frees_buffers(function: func.FuncOp) -> bool:
    return any(isinstance(op, memref.DeallocOp) for op in ops_inside(function))


def optimize_liveness(uses: BufferUses) -> None:
    """Move the deallocations in one function."""
    mover = _Mover()
    for release in list(_releases(uses)):
        place = uses.places.of_op(release.op)
        root = uses.aliases.root(release.buffer)
        block = release.op.parent
        if block is None or uses.may_be_used_elsewhere(root):
            continue
        floor = max(_position(uses, value, block) for value in release.operands)
        deaths = find_deaths(
            uses,
            root,
            block,
            place.start,
            floor=floor,
            inside_branches=not release.is_conditional,
        )
        mover.move(release.op, deaths)


@dataclass(frozen=True)
class _Release:
    """An op that frees a buffer and does nothing else."""

    op: Operation
    buffer: SSAValue
    operands: tuple[SSAValue, ...]
    is_conditional: bool


def _releases(uses: BufferUses) -> Iterator[_Release]:
    """The deallocations of a function, with the `scf.if` around them if it is all."""
    for op in uses.ops:
        if not isinstance(op, memref.DeallocOp):
            continue
        parent = op.parent_op()
        if isinstance(parent, scf.IfOp) and _is_condition_of(parent, op):
            yield _Release(parent, op.memref, (op.memref, parent.cond), True)
        else:
            yield _Release(op, op.memref, (op.memref,), False)


def _is_condition_of(parent: scf.IfOp, op: Operation) -> bool:
    """Whether `parent` does nothing but run `op` if its condition holds."""
    first, last = parent.true_region.block.first_op, parent.true_region.block.last_op
    return not parent.false_region.blocks and first is op and op.next_op is last


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

    def move(self, op: Operation, deaths: list[Death]) -> None:
        """Put `op`, or a copy of it, at each point; at one that it is at, leave it."""
        if len(deaths) == 1 and _is_at(op, deaths[0]):
            return
        op.detach()
        for number, death in enumerate(deaths):
            self._insert(op if number == 0 else op.clone(), death)

    def _insert(self, op: Operation, death: Death) -> None:
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


def _is_at(op: Operation, death: Death) -> bool:
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
