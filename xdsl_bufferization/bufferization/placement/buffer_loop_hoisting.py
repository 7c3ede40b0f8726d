"""Move allocations out of loops, so that all iterations use one buffer.

Runs before deallocation, or after it: a deallocation in the same block moves along.

    scf.for ... {                             %a = memref.alloc() : memref<4xf32>
      %a = memref.alloc() : memref<4xf32>     scf.for ... {
      "use"(%a)                                 "use"(%a)
    }                                         }

Memory on the stack moves as well. These buffers stay in the loop:

- a buffer that the loop returns or passes to its next iteration;
- a buffer of one iteration of a parallel loop;
- a buffer that is freed otherwise, is stored or becomes a tensor. MLIR's pass moves
  these, which is wrong.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from xdsl_bufferization.support.garbage import without_garbage_collection

from ..mlir_pass import MLIRPass
from .hoisting import (
    Hoisting,
    Tops,
    find_hoistings,
    is_loop,
    is_parallel,
    move_to,
    only_dealloc,
)


@without_garbage_collection()
def hoist_buffers_out_of_loops(module: ModuleOp) -> None:
    """Move the allocations in all functions of `module` out of loops."""
    for hoisting in find_hoistings(module, memref.AllocOp | memref.AllocaOp):
        tops = Tops(hoisting.dominance, _may_leave)
        for op in hoisting.allocations():
            _move(hoisting, tops, op, only_dealloc(op))
        for op in hoisting.stack_allocations():
            _move(hoisting, tops, op, None)


def _may_leave(op: Operation) -> bool:
    """Whether allocations may move out of the regions of `op`."""
    return is_loop(op) and not is_parallel(op)


def _move(
    hoisting: Hoisting,
    tops: Tops,
    op: memref.AllocOp | memref.AllocaOp,
    dealloc: memref.DeallocOp | None,
) -> None:
    target = _find_block(hoisting, tops, op)
    if target is op.parent:
        return
    around = move_to(op, target, hoisting.uses)
    if dealloc is not None:
        assert around is not None
        dealloc.detach()
        target.insert_op_after(dealloc, around)


def _find_block(
    hoisting: Hoisting, tops: Tops, op: memref.AllocOp | memref.AllocaOp
) -> Block:
    """The block that has the outermost loop that an allocation may leave."""
    flow, dominance = hoisting.uses.aliases.flow, hoisting.dominance
    block, loop = op.parent, op.parent_op()
    assert block is not None
    assert loop is not None
    if loop is flow.root:
        return block
    outer = loop.parent
    assert outer is not None
    if dominance.is_above(hoisting.common[op.memref], outer):
        return block  # It is passed to the next iteration, or out of the loop.
    limit = tops.limit(block, hoisting.lowest_operand(op))
    found = flow.ancestor_in(limit.parent, block)
    assert found is not None
    return found


@dataclass(frozen=True)
class BufferLoopHoistingPass(MLIRPass):
    """Move allocations out of loops, so that all iterations use one buffer."""

    name = "buffer-loop-hoisting"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        hoist_buffers_out_of_loops(op)
