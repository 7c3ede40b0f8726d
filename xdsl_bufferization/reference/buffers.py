"""memref in NumPy: buffers are arrays that are overwritten, and views share memory.

    %1 = memref.subview %0[1] [2] [2]   ->   a view of array %0
    memref.store %x, %1[%i]             ->   changes %0 as well

Memory that was never written holds what `values.undefined` says. To free a buffer does
nothing: what MLIR says of memory that is used afterwards is not looked at.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
)
from xdsl.ir import Operation

from xdsl_bufferization.dialects.memref.atomics import ATOMIC_RMW_KINDS
from xdsl_bufferization.support.errors import fail_at

from .combining import combined
from .machine import Handler, HandlerTable, Machine
from .tensors import checked_indices
from .values import Value, inner_shape, sizes_of, undefined


def new_buffer(
    type_: MemRefType[Any], dynamic_sizes: Sequence[Value], op: Operation
) -> Value:
    """Memory that holds nothing in particular."""
    shape = (*sizes_of(type_, dynamic_sizes, op), *inner_shape(type_))
    return undefined(type_, shape, op)


def overwrite(dest: Value, value: Value, machine: Machine, op: Operation) -> None:
    """Copy `value` to all of a buffer: so its contents are known again."""
    if value.shape != dest.shape:
        fail_at(
            op,
            f"a source of shape {list(value.shape)} does not fill a buffer of shape "
            f"{list(dest.shape)}",
        )
    dest[...] = value.copy()
    start, strides = dest.__array_interface__["data"], dest.strides
    machine.lent[:] = [
        each
        for each in machine.lent
        if each.__array_interface__["data"] != start
        or (each.shape, each.strides) != (dest.shape, strides)
    ]


def _alloc(
    op: memref.AllocOp | memref.AllocaOp, operands: list[Value], _: Machine
) -> list[Value]:
    sizes = operands[: len(op.dynamic_sizes)]
    return [new_buffer(cast("MemRefType[Any]", op.memref.type), sizes, op)]


def _realloc(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, *sizes = operands
    buffer = new_buffer(cast("MemRefType[Any]", op.results[0].type), sizes, op)
    kept = min(len(source), len(buffer))
    buffer[:kept] = source[:kept]
    return [buffer]


def _load(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, *indices = operands
    # The element stays what it is when the buffer is overwritten.
    return [np.array(source[checked_indices(op, source.shape, indices)])]


def _store(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    value, dest, *indices = operands
    dest[checked_indices(op, dest.shape, indices)] = value
    return []


def _copy(op: Operation, operands: list[Value], machine: Machine) -> list[Value]:
    source, dest = operands
    overwrite(dest, source, machine, op)
    return []


def _clone(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    return [operands[0].copy()]


def _atomic(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """The result is the old value."""
    value, dest, *indices = operands
    at = checked_indices(op, dest.shape, indices)
    old = np.array(dest[at])
    kind = ATOMIC_RMW_KINDS[cast("IntegerAttr[Any]", op.properties["kind"]).value.data]
    dest[at] = combined(kind, op.results[0].type, old, value, op)
    return [old]


def _generic_atomic(
    op: Operation, operands: list[Value], machine: Machine
) -> list[Value]:
    """The result is the new value."""
    dest, *indices = operands
    at = checked_indices(op, dest.shape, indices)
    _, (new,) = machine.run_block(op.regions[0].block, [np.array(dest[at])])
    dest[at] = new
    return [new]


def _alloca_scope(op: Operation, _: list[Value], machine: Machine) -> Sequence[Value]:
    return machine.run_region(op.regions[0], [])[1]


def _nothing(_: Operation, __: list[Value], ___: Machine) -> list[Value]:
    return []


def _to_buffer(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    """A copy: whoever writes to the buffer leaves the tensor as it is."""
    return [operands[0].copy()]


def _to_tensor(op: Operation, operands: list[Value], machine: Machine) -> list[Value]:
    """What the buffer holds now; a `writable` buffer may be used for other tensors."""
    if "writable" in op.properties:
        machine.lent.append(operands[0])
    return [operands[0].copy()]


def _materialize(op: Operation, operands: list[Value], machine: Machine) -> list[Value]:
    if op.results:
        return [operands[0]]
    overwrite(operands[1], operands[0], machine, op)
    return []


def on_buffers_too(table: HandlerTable) -> HandlerTable:
    """Handlers that write what they compute to the outputs of ops without results."""

    def complete(handler: Handler) -> Handler:

        def handle(
            op: Operation, operands: list[Value], machine: Machine
        ) -> Sequence[Value]:
            results = handler(op, operands, machine)
            if op.results:
                return results
            outputs = operands[len(operands) - len(results) :]
            for output, result in zip(outputs, results, strict=True):
                output[...] = result
            return []

        return handle

    return {name: complete(handler) for name, handler in table.items()}


BUFFERS: HandlerTable = {
    "bufferization.clone": _clone,
    "bufferization.materialize_in_destination": _materialize,
    "bufferization.to_buffer": _to_buffer,
    "bufferization.to_tensor": _to_tensor,
    "memref.alloc": _alloc,
    "memref.alloca": _alloc,
    "memref.alloca_scope": _alloca_scope,
    "memref.atomic_rmw": _atomic,
    "memref.copy": _copy,
    "memref.dealloc": _nothing,
    "memref.generic_atomic_rmw": _generic_atomic,
    "memref.load": _load,
    "memref.prefetch": _nothing,
    "memref.realloc": _realloc,
    "memref.store": _store,
}
