"""Allocate buffers right before their first use, if others are freed until then.

Runs after `optimize-allocation-liveness`. A tensor without contents may be written down
long before the op that fills it. Several ops may start from one. Then the buffer of the
last op is allocated in front of the first.

    %b = memref.alloc()                "use"(%a)
    "use"(%a)                          memref.dealloc %a
    memref.dealloc %a                  %b = memref.alloc()
    "use"(%b)                          "use"(%b)

Views move along. No allocation leaves its block. One stays where it is if what it would
pass neither frees nor allocates: then the peak would be as before.

Cost: linear in the uses, times the depth of regions.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects.func import CallIndirectOp
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..interfaces.deallocation import ViewOf, get_deallocation_model, is_memref
from ..mlir_pass import MLIRPass


@without_garbage_collection()
def sink_buffers(module: ModuleOp) -> None:
    """Move the allocations in `module` down to their first uses."""
    ops = ops_inside(module)
    blocks = dict.fromkeys(op.parent for op in ops if isinstance(op, memref.AllocOp))
    changing = _changing_the_heap(ops)
    for block in blocks:
        if block is not None:
            _sink(block, changing)


def _changing_the_heap(ops: list[Operation]) -> set[Operation]:
    """Ops that free memory, and those that may allocate some for themselves."""
    found: set[Operation] = set()
    for op in ops:
        if isinstance(op, memref.DeallocOp | func.CallOp | CallIndirectOp):
            found.add(op)
        if op in found or isinstance(op, memref.AllocOp):
            outer = op.parent_op()
            while outer is not None and outer not in found:
                found.add(outer)
                outer = outer.parent_op()
    return found


def _sink(block: Block, changing: set[Operation]) -> None:
    ops = list(block.ops)
    order = {op: number for number, op in enumerate(ops)}
    changes = list(accumulate((op in changing for op in ops), initial=0))
    for op in ops:
        if isinstance(op, memref.AllocOp):
            lifetime = _lifetime(op, block, order)
            first = lifetime.first_use
            if first is not None and changes[order[op]] < changes[first]:
                for each in (op, *lifetime.views):
                    each.detach()
                    Rewriter.insert_op(each, InsertPoint.before(ops[first]))


@dataclass(frozen=True)
class _Lifetime:
    """When a buffer is there."""

    first_use: int | None
    """The position of the first op that does more than to make a view."""
    views: list[Operation]
    """The views that come before, in order."""


def _lifetime(
    op: memref.AllocOp, block: Block, order: Mapping[Operation, int]
) -> _Lifetime:
    uses: list[int] = []
    views: list[Operation] = []
    todo: list[Operation] = [op]
    while todo:
        for user in _users(todo.pop(), block):
            if _is_view(user):
                views.append(user)
                todo.append(user)
            else:
                uses.append(order[user])
    first = min(uses, default=None)
    before = {view for view in views if first is not None and order[view] < first}
    return _Lifetime(first, sorted(before, key=lambda view: order[view]))


def _users(op: Operation, block: Block) -> Iterator[Operation]:
    """The ops of `block` that use a result of `op`, also inside of their regions."""
    for use in op.results[0].uses:
        user = block.find_ancestor_op_in_block(use.operation)
        if user is not None:
            yield user


def _is_view(op: Operation) -> bool:
    """Whether `op` has no effect, and its only result is its only buffer."""
    model = get_deallocation_model(op)
    return (
        model is not None
        and len(op.results) == 1
        and sum(map(is_memref, op.operands)) == 1
        and not op.regions
        and is_side_effect_free(op)
        and isinstance(model.get_buffer_origin(op, op.results[0]), ViewOf)
    )


@dataclass(frozen=True)
class BufferSinkingPass(MLIRPass):
    """Allocate buffers right before their first use, if others are freed until then."""

    name = "buffer-sinking"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        sink_buffers(op)
