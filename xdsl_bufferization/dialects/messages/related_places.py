"""Other places that have to do with an error at an op, found by looking at the op.

    'func.return' returns another type than its function     ->  the function
    'func.call' passes another type than its callee takes    ->  the callee
    an operand has the wrong type                            ->  where it is defined
    a block does not end with a terminator                   ->  the op around it

`diagnostics.py` shows each place as a note below the error.
"""

import re
from collections.abc import Iterator

from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.support.errors import Place, op_of

from ..common.symbols import lookup_symbol
from ..parsing import locate

_OPERAND = re.compile(r"operand (?:'\w+' )?at position (\d{1,9})")
"""How xDSL speaks of an operand whose type is wrong."""

_NO_TERMINATOR = "but is not a terminator"
"""How xDSL's message ends on the last op of a block that is not ended."""


def related_places(error: DiagnosticException) -> Iterator[Place]:
    """The other places of an error."""
    op = op_of(error)
    if op is None:
        return
    if (found := _OPERAND.search(str(error))) is not None:
        yield from _definition(op, int(found[1]))
    if _NO_TERMINATOR in str(error) and (parent := op.parent_op()) is not None:
        yield from _at(parent, f"each block in this {parent.name} {_must_end(parent)}")
    if isinstance(op, ReturnOp) and isinstance(function := op.parent_op(), FuncOp):
        results = ", ".join(map(str, function.function_type.outputs)) or "nothing"
        yield from _at(function, f"@{function.sym_name.data} returns {results}")
    elif isinstance(op, CallOp):
        callee = lookup_symbol(op, op.callee)
        if isinstance(callee, FuncOp):
            type_ = callee.function_type
            yield from _at(callee, f"@{callee.sym_name.data} has the type {type_}")


def _must_end(parent: Operation) -> str:
    if isinstance(parent, FuncOp):
        return "must end with func.return or a branch"
    return "must end with a terminator of the op, or a branch"


def _definition(op: Operation, number: int) -> Iterator[Place]:
    if number < len(op.operands):
        value = op.operands[number]
        name = f"operand {number}, {value.type},"
        if isinstance(value, OpResult):
            yield from _at(value.op, f"{name} is defined here")
        elif (owner := _owner(value)) is not None:
            yield from _at(owner, f"{name} is an argument of this op")


def _owner(value: SSAValue) -> Operation | None:
    owner = value.owner
    return owner if isinstance(owner, Operation) else owner.parent_op()


def _at(op: Operation, message: str) -> Iterator[Place]:
    if (place := locate(op)) is not None:
        yield Place(place, message)
