"""Remove deallocations that the passes of deallocation insert again.

Programs that are written on buffers may free them by hand. Deallocation refuses that,
as it would free the buffers twice. `bufferize` runs this pass before.

    %a = memref.alloc() : memref<4xf32>      %a = memref.alloc() : memref<4xf32>
    "use"(%a)                                "use"(%a)
    memref.dealloc %a : memref<4xf32>

A deallocation stays if no owner is known for what it frees: an argument of a public
function, or memory of an op of which nothing is known. So does one with the attribute
`bufferization.manual_deallocation`.
"""

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.memref import DeallocOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.common.symbols import is_private
from xdsl_bufferization.support.algorithms.reach import reach
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.buffers.buffer_flow import collect_buffer_flow
from ..interfaces.deallocation import Allocated, is_manual
from ..mlir_pass import MLIRPass


@without_garbage_collection()
def drop_deallocations(module: ModuleOp) -> None:
    """Remove each `memref.dealloc` in `module` of a buffer that has an owner."""
    frees = [op for op in ops_inside(module) if isinstance(op, DeallocOp)]
    functions = dict.fromkeys(map(_function_of, frees))
    for function in functions:
        if function is not None:
            _drop(function)


def _function_of(op: Operation) -> func.FuncOp | None:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    return parent


def _drop(function: func.FuncOp) -> None:
    flow = collect_buffer_flow(function, lambda op: isinstance(op, func.CallOp))
    successors = flow.successors()
    arguments = set(function.args)
    has_owners = is_private(function)
    owned, others = list[SSAValue](), list[SSAValue](flow.unknown)
    for value, origin in flow.origins.items():
        # The callers of a private function own its arguments, and free them.
        has_owner = isinstance(origin, Allocated) or (has_owners and value in arguments)
        (owned if has_owner else others).append(value)
    dropped = reach(owned, successors).keys() - reach(others, successors).keys()
    for use in flow.freed:
        op = use.owner
        if isinstance(op, DeallocOp) and not is_manual(op) and use.value in dropped:
            op.detach()
            op.erase()


class DropDeallocationsPass(MLIRPass):
    """Remove deallocations that the passes of deallocation insert again."""

    name = "drop-deallocations"
    rewrite = staticmethod(drop_deallocations)
