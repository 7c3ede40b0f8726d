"""What loops and functions demand: steps that go forward, and a stack with room.

scf.for %i = %a to %b step %s      0 < %s
ub.unreachable                     no path leads here
func.func that calls itself        room on the stack, at each entry
"""

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.dialects import memref, scf, ub
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.analyses.calls.call_graph import CallGraph
from xdsl_bufferization.dialects.func import CallIndirectOp
from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.support.errors import op_name
from xdsl_bufferization.support.traversal import ops_inside

from ..check_ops import CheckStackOp
from .accesses import Rules
from .checks import Checks
from .lanes import compare_numbers
from .views import element_bytes

_LARGE_FRAME = 1 << 16
"""Bytes on the stack from which on a function is checked that does not recurse."""


def _require_forward(steps: Sequence[SSAValue], checks: Checks) -> None:
    for step in steps:
        known = checks.number_of(step)
        if isinstance(known, int) and known > 0:
            continue
        if isinstance(step.type, IndexType | IntegerType):
            holds = compare_numbers("sgt", step, 0, checks)
            checks.require(holds, "step {0} is not positive", step)


def _check_for(op: scf.ForOp, checks: Checks) -> None:
    _require_forward([op.step], checks)


def _check_parallel(op: scf.ParallelOp, checks: Checks) -> None:
    _require_forward(op.step, checks)


def _check_forall(op: ForallOp, checks: Checks) -> None:
    _require_forward(op.dynamic_step, checks)


def _check_unreachable(op: ub.UnreachableOp, checks: Checks) -> None:
    checks.require(False, "the program says that no path leads here")


RULES: Rules = {
    scf.ForOp: _check_for,
    scf.ParallelOp: _check_parallel,
    ForallOp: _check_forall,
    ub.UnreachableOp: _check_unreachable,
}


# The stack.


def stack_checks(module: ModuleOp) -> Iterator[tuple[FuncOp, int]]:
    """The functions that may need much of the stack, with how many bytes they take."""
    functions = [
        op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration
    ]
    graph = CallGraph(functions)
    recursive = {
        function
        for circle in graph.circles()
        if graph.is_recursive(circle)
        for function in circle
    }
    for function in functions:
        size = 0
        calls_any = False
        for op in ops_inside(function):
            if isinstance(op, memref.AllocaOp) and isa(op.memref.type, MemRefType):
                size += _static_bytes(op.memref.type)
            calls_any = calls_any or isinstance(op, CallIndirectOp)
        if function in recursive or calls_any or size >= _LARGE_FRAME:
            yield function, size


def _static_bytes(type_: MemRefType) -> int:
    """The bytes of a buffer on the stack that is there from the start."""
    if not type_.has_static_shape():
        return 0
    return prod(type_.get_shape()) * (element_bytes(type_) or 8)


def check_stack(function: FuncOp, size: int, checks: Checks) -> None:
    """Demand room on the stack for a function and its buffers."""
    reason = "the stack has no room for another call"
    name, place = op_name(function), function.location
    checks.insert(CheckStackOp(checks.index(size), name, reason, place))
