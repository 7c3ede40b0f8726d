"""Calls: the rules of MLIR for buffers at the boundary of a function.

    %r = func.call @f(%m) : (memref<4xf32>) -> memref<4xf32>
    // %m stays the caller's. %r is a buffer of its own, which the caller has to free.

Source: MLIR's documentation, "Ownership-based Buffer Deallocation", "Function boundary
ABI". The functions of a module are checked to keep these rules, each alone.
"""

from xdsl.dialects import func
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation

from ...interfaces.deallocation import is_memref
from ...interfaces.operands import is_tensor
from .buffers import Pointer
from .checks import check_use, give_away
from .run import Run


def call(run: Run, op: Operation) -> None:
    """Call a function by name."""
    assert isinstance(op, func.CallOp)
    rule = run.rules_of_calls.get(op.callee.string_value())
    (by_rules if rule is None else rule)(run, op)


def call_indirect(run: Run, op: Operation) -> None:
    """Call a function that is a value: it keeps the rules."""
    by_rules(run, op)


def by_rules(run: Run, op: Operation) -> None:
    """Use the arguments, and get results that the caller has to free."""
    use_arguments(run, op)
    state = run.state
    for result in op.results:
        if is_memref(result):
            buffer = state.allocate(result, op, run.reached)
            state.values[result] = state.point_to(buffer)
        elif result.type == i1:
            number = state.conditions.unknown(result, state.scope, result)
            state.values[result] = number


def use_arguments(run: Run, op: Operation) -> None:
    """Lend the arguments to the function; a tensor may be kept by it."""
    state = run.state
    for operand in op.operands:
        value = state.values.get(operand)
        if isinstance(value, Pointer):
            check_use(state, op, value, run.reached)
            if is_tensor(operand):
                give_away(state, op, value, run.reached)
    if state.cells:
        state.cells.clear()
