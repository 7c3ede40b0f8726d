"""Run programs on buffers in NumPy, one element after the other, as they are written.

A buffer is an array, a view of it shares its memory, and a constant cannot be written.
Memory that was never written holds NaN. Every buffer is compared with its type: shape,
and strides and offset as far as they are static.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, cast

import numpy as np
from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

from xdsl_bufferization.reference.control import CONTROL
from xdsl_bufferization.reference.elementwise import ARITH, MATH
from xdsl_bufferization.reference.loop_nest import trip_counts
from xdsl_bufferization.reference.machine import Handler, HandlerTable, Machine
from xdsl_bufferization.reference.values import Value, constant, dtype_of, undefined


class BufferMachine(Machine):
    """A machine that counts copies and looks at every buffer."""

    copies = 0

    @override
    def run_op(self, op: Operation, operands: list[Value]) -> Sequence[Value]:
        results = super().run_op(op, operands)
        for result, value in zip(op.results, results, strict=True):
            check_type(result.type, value)
        return results


def run_on_buffers(
    module: ModuleOp, entry: str, arguments: Sequence[Any]
) -> tuple[list[Value], int]:
    """Call function `entry` with arrays that it may write; results, and copies made."""
    machine = BufferMachine(module, {**ARITH, **MATH, **CONTROL, **BUFFERS}, by_class)
    function = machine.functions[entry]
    for argument, value in zip(function.args, arguments, strict=True):
        check_type(argument.type, value)
    results = list(machine.call(function, arguments))
    for type_, value in zip(function.function_type.outputs, results, strict=True):
        check_type(type_, value)
    return results, machine.copies


def check_type(type_: Attribute, value: Value) -> None:
    """`value` is what its type says."""
    assert not isinstance(type_, TensorType), "a tensor is left"
    if not isa(type_, MemRefType):
        return
    assert len(type_.get_shape()) == value.ndim
    strides = type_.get_strides()
    assert strides is not None
    for size, actual in zip(type_.get_shape(), value.shape, strict=True):
        assert size in (DYNAMIC_INDEX, actual)
    for stride, actual, size in zip(strides, value.strides, value.shape, strict=True):
        if size > 1:
            assert stride in (None, actual // value.itemsize)
    base = value if value.base is None else np.asarray(value.base)
    offset = value.ctypes.data - base.ctypes.data
    if value.size:
        assert type_.get_offset() in (None, offset // value.itemsize)


def _alloc(op: memref.AllocOp, operands: list[Value], _: Machine) -> list[Value]:
    type_, dynamic = op.memref.type, iter(operands)
    sizes = [int(next(dynamic)) if s == DYNAMIC_INDEX else s for s in type_.get_shape()]
    return [undefined(TensorType(type_.element_type, sizes), sizes, op)]


def _subview(op: memref.SubviewOp, operands: list[Value], _: Machine) -> list[Value]:
    source, *dynamic = operands
    offsets, sizes, strides = _numbers(op, dynamic)
    view = source[
        tuple(
            slice(o, o + (n - 1) * s + 1 if n else o, s)
            for o, n, s in zip(offsets, sizes, strides, strict=True)
        )
    ]
    assert view.shape == tuple(sizes), "out of bounds"
    kept = list(op.result.type.get_shape())
    dropped = [0 if _drops(n, kept) else slice(None) for n in sizes]
    return [view[tuple(dropped)]]


def _drops(size: int, kept: list[int]) -> bool:
    if kept and kept[0] in (DYNAMIC_INDEX, size):
        kept.pop(0)
        return False
    return True


def _numbers(op: memref.SubviewOp, dynamic: list[Value]) -> list[list[int]]:
    rest = iter(dynamic)
    found: list[list[int]] = []
    for name in ("static_offsets", "static_sizes", "static_strides"):
        numbers = cast("DenseArrayBase[Any]", op.properties[name]).get_values()
        found.append(
            [int(next(rest)) if n == DYNAMIC_INDEX else int(n) for n in numbers]
        )
    return found


def _copy(_: Operation, operands: list[Value], machine: Machine) -> list[Value]:
    source, destination = operands
    destination[...] = source.copy()
    assert isinstance(machine, BufferMachine)
    machine.copies += 1
    return []


def _load(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    source, *indices = operands
    return [np.array(source[tuple(int(i) for i in indices)])]


def _store(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    value, destination, *indices = operands
    destination[tuple(int(i) for i in indices)] = value
    return []


def _dim(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    return [np.asarray(operands[0].shape[int(operands[1])], np.int64)]


def _get_global(op: memref.GetGlobalOp, _: list[Value], __: Machine) -> list[Value]:
    global_ = SymbolTable.lookup_symbol(op, op.name_)
    assert isinstance(global_, memref.GlobalOp)
    value = np.array(
        constant(global_.initial_value, op), dtype_of(op.memref.type.element_type, op)
    )
    value.setflags(write=False)
    return [value]


def _structured(
    op: LinalgStructuredOperation, operands: list[Value], machine: Machine
) -> list[Value]:
    maps = [attribute.data for attribute in op.get_indexing_maps()]
    sizes = trip_counts(op, maps, operands)
    inputs = len(op.inputs)
    for point in product(*map(range, sizes)):
        machine.points = tuple(np.asarray(p, np.int64) for p in point)
        where = [tuple(map_.eval(point, [])) for map_ in maps]
        values = [np.array(v[at]) for v, at in zip(operands, where, strict=True)]
        _, results = machine.run_block(op.body.block, values)
        for number, result in enumerate(results, start=inputs):
            operands[number][where[number]] = result
    return []


def _select(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    return [operands[1] if bool(operands[0]) else operands[2]]


def _same(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    return operands


BUFFERS: HandlerTable = {
    "memref.alloc": _alloc,
    "memref.cast": _same,
    "memref.copy": _copy,
    "memref.dim": _dim,
    "memref.get_global": _get_global,
    "memref.load": _load,
    "memref.store": _store,
    "memref.subview": _subview,
    "arith.select": _select,
}


def by_class(op: Operation) -> Handler | None:
    return _structured if isinstance(op, LinalgStructuredOperation) else None
