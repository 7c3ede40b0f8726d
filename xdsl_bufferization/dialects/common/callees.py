"""Whether a call has the function that it names, without a search for the function.

    func.call @f(%x) : (f32) -> f32      // @f is in the table, and takes an f32: fine

xDSL 0.74 goes through the ops of the module for each call: the time to verify grows
with the square of the functions. Here a call is accepted if that is simple to see. In
all other cases xDSL decides, and says what is wrong.
"""

from typing import Final

from xdsl.dialects.builtin import FunctionType, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import OpTrait

from .symbols import lookup_symbol

_FUNCTIONS: Final = {
    "xdsl.dialects.func": "func.func",
    "xdsl.dialects.llvm": "llvm.func",
}
"""What calls may name, by the module of the call."""


def has_its_callee(op: Operation, trait: OpTrait) -> bool:
    """Whether a trait is the check of a call of xDSL, and accepts the call."""
    check = type(trait)
    function = _FUNCTIONS.get(check.__module__)
    if function is None or check.__name__ != "CallOpSymbolUserOpInterface":
        return False
    name = op.properties.get("callee")
    callee = lookup_symbol(op, name) if isinstance(name, SymbolRefAttr) else None
    if callee is None or callee.name != function:
        return False
    if type(callee).__module__ != check.__module__:
        return False
    return function == "llvm.func" or _fits(op, callee.properties.get("function_type"))


def _fits(call: Operation, type_: object) -> bool:
    return (
        isinstance(type_, FunctionType)
        and type_.inputs.data == tuple(value.type for value in call.operands)
        and type_.outputs.data == tuple(value.type for value in call.results)
    )
