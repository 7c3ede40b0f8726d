"""Move allocations out of loops, so that all rounds use one buffer.

Runs before deallocation, or after it: a deallocation in the same block moves along.

    scf.for ... {                             %a = memref.alloc() : memref<4xf32>
      %a = memref.alloc() : memref<4xf32>     scf.for ... {
      "use"(%a)                                 "use"(%a)
    }                                         }

A buffer that the loop returns or passes to its next round stays, and so does what a
parallel loop allocates for each of its rounds. So does what MLIR's pass moves and
should not: what is freed in the loop in another way, is stored or becomes a tensor.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from xdsl_bufferization.garbage import without_garbage_collection
from xdsl_bufferization.transforms.mlir_pass import MLIRPass
from xdsl_bufferization.transforms.placement.hoisting import (
    Hoisting,
    find_hoistings,
    is_loop,
    is_parallel,
    move_to,
    only_dealloc,
)


@without_garbage_collection()
def hoist_buffers_out_of_loops(module: ModuleOp) -> None:
    """Move the allocations in all functions of `module` out of loops."""
    for hoisting in find_hoistings(module):
        for op in hoisting.allocations():
            _move(hoisting, op)


def _move(hoisting: Hoisting, op: memref.AllocOp) -> None:
    dealloc = only_dealloc(op)
    target = _find_block(hoisting, op)
    if target is op.parent:
        return
    around = move_to(op, target, hoisting.uses)
    if dealloc is not None:
        assert around is not None
        dealloc.detach()
        target.insert_op_after(dealloc, around)


def _find_block(hoisting: Hoisting, op: memref.AllocOp) -> Block:
    """The block that has the outermost loop that an allocation may leave."""
    dominance = hoisting.dominance
    common = hoisting.common[op.memref]
    bound = hoisting.lowest_operand(op)
    block = found = op.parent
    assert block is not None and found is not None
    while bound is None or dominance.is_strictly_above(bound, block):
        above, parent = dominance.above(block), block.parent_op()
        if above is None or parent is None or dominance.may_repeat(block):
            break
        if above.parent is not block.parent:
            is_passed_on = dominance.is_above(common, above)
            if not is_loop(parent) or is_parallel(parent) or is_passed_on:
                break
            found = above
        block = above
    return found


@dataclass(frozen=True)
class BufferLoopHoistingPass(MLIRPass):
    """Move allocations out of loops, so that all rounds use one buffer."""

    name = "buffer-loop-hoisting"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        hoist_buffers_out_of_loops(op)
