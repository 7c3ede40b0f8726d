"""Globals in NumPy: one array for each, from the first op on that names it.

memref.global "private" constant @g : memref<2xi32> = dense<[1, 2]>
%0 = memref.get_global @g : memref<2xi32>          the array itself
%1 = ml_program.global_load @h : tensor<2xi32>     the tensor that is there now
"""

from typing import Any, cast

import numpy as np
from xdsl.dialects import memref, ml_program
from xdsl.dialects.builtin import MemRefType, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.dialects.common.definitions import defined
from xdsl_bufferization.support.errors import fail_at

from .buffers import new_buffer
from .machine import HandlerTable, Machine
from .values import Value, constant


def _named(op: Operation, name: str, machine: Machine) -> Value:
    """The value of a global, which is made when it is first asked for."""
    if name not in machine.globals:
        machine.globals[name] = _initial(_definition(op, name, machine))
    return machine.globals[name]


def _definition(op: Operation, name: str, machine: Machine) -> Operation:
    for each in machine.module.body.block.ops:
        if isinstance(each, memref.GlobalOp | ml_program.GlobalOp):
            symbol = each.properties["sym_name"]
            if isinstance(symbol, StringAttr) and symbol.data == name:
                return each
    return fail_at(op, f"there is no global @{name}")


def _initial(op: Operation) -> Value:
    if isinstance(op, memref.GlobalOp):
        return _initial_buffer(op)
    value = op.properties.get("value")
    if value is None:
        fail_at(op, "a global without an initial value is not evaluated")
    return constant(value, op)


def _initial_buffer(op: memref.GlobalOp) -> Value:
    initial = op.properties.get("initial_value")
    if initial is None or isinstance(initial, UnitAttr):
        return new_buffer(cast("MemRefType[Any]", op.type), [], op)
    value = np.array(constant(initial, op))
    value.setflags(write=op.constant is None)
    return value


def _symbol(attribute: Attribute | None) -> str:
    return cast("SymbolRefAttr", attribute).string_value()


def _get_global(
    op: memref.GetGlobalOp, _: list[Value], machine: Machine
) -> list[Value]:
    return [_named(op, _symbol(op.name_), machine)]


def _global(op: Operation) -> str:
    """The global that an op of ml_program names, by MLIR's name of the property."""
    return _symbol(defined(op).properties["global"])


def _load(op: Operation, _: list[Value], machine: Machine) -> list[Value]:
    return [_named(op, _global(op), machine)]


def _store(op: Operation, operands: list[Value], machine: Machine) -> list[Value]:
    name = _global(op)
    _named(op, name, machine)
    machine.globals[name] = operands[0]
    return []


GLOBALS: HandlerTable = {
    "memref.get_global": _get_global,
    "ml_program.global_load": _load,
    "ml_program.global_load_const": _load,
    "ml_program.global_store": _store,
}
