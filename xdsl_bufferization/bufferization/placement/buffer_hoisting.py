"""Move allocations up, out of branches, to the block above all their uses.

Runs before deallocation, which then needs fewer clones and conditions. After
deallocation it would leak buffers that only one branch needs. Only buffers that leave a
branch move out of it, and none moves out of a loop.

    %r = scf.if %c -> (memref<4xf32>) {        %a = memref.alloc() : memref<4xf32>
      %a = memref.alloc() : memref<4xf32>      %r = scf.if %c -> (memref<4xf32>) {
      scf.yield %a                               scf.yield %a
    } else {                                   } else {
      scf.yield %b                               scf.yield %b
    }                                          }

`hoisting.py` says when an allocation may not move. MLIR's pass does not check this. In
a loop made of branches, it makes one buffer of the buffers of two iterations.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.support.garbage import without_garbage_collection

from ..interfaces.region_branch import get_region_branch
from ..mlir_pass import MLIRPass
from .hoisting import Hoisting, Tops, find_hoistings, is_loop, move_to, only_dealloc


@without_garbage_collection()
def hoist_buffers(module: ModuleOp) -> None:
    """Move the allocations in all functions of `module` out of branches."""
    for hoisting in find_hoistings(module):
        tops = Tops(hoisting.dominance, _may_leave)
        for op in hoisting.allocations():
            _move(hoisting, tops, op)


def _may_leave(op: Operation) -> bool:
    """Whether allocations may move out of the regions of `op`."""
    return get_region_branch(op) is not None and not is_loop(op)


def _move(hoisting: Hoisting, tops: Tops, op: memref.AllocOp) -> None:
    block = op.parent
    assert block is not None
    bound = hoisting.common[op.memref]
    lowest = hoisting.lowest_operand(op)
    if lowest is not None and hoisting.dominance.is_strictly_above(bound, lowest):
        bound = lowest
    if only_dealloc(op) is None and (target := tops.limit(block, bound)) is not block:
        move_to(op, target, hoisting.uses)


@dataclass(frozen=True)
class BufferHoistingPass(MLIRPass):
    """Move allocations up, out of branches, to the block above all their uses."""

    name = "buffer-hoisting"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        hoist_buffers(op)
