"""How read-modify-writes of elements are lowered: one at a time, under one lock.

xDSL's llvm dialect has no atomic instructions, and its back end prints no orderings.
The lock is a mutex of the C library, which every object of ours shares; a mutex of
zeros is unlocked. Atomic accesses by other means than these ops do not take it.

    %r = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4xf32>) -> f32
        -> llvm.call @pthread_mutex_lock(...), load, add, store, ..._unlock
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i32, i64
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.memref.atomics import (
    ATOMIC_RMW_KINDS,
    GenericAtomicRMWOp,
)

from ..emission.function import FunctionLowering, Rules
from ..emission.stand_ins import apply
from ..emission.types import PTR
from ..scalars.combining import OPS
from .memref import element_address

LOCK = "_xbuf_atomic_lock"
_LOCK_WORDS = 8
"""A `pthread_mutex_t` takes 40 bytes at most on the supported targets."""


def _update(
    op: memref.AtomicRMWOp | GenericAtomicRMWOp,
    combine: Callable[[SSAValue], SSAValue],
    f: FunctionLowering,
) -> tuple[SSAValue, SSAValue]:
    """Emit the replacement of an element, and return it before and after."""
    buffer = f.buffer(op.memref)
    address = element_address(buffer, f.indices(op.indices), f)
    lock = _lock(op, f)
    f.call("pthread_mutex_lock", [lock], i32)
    before = f.load(address, buffer.type.element)
    after = combine(before)
    f.store(after, address)
    f.call("pthread_mutex_unlock", [lock], i32)
    return before, after


def _lock(op: Operation, f: FunctionLowering) -> SSAValue:
    for function in ("pthread_mutex_lock", "pthread_mutex_unlock"):
        f.symbols.require(function, [PTR], i32, op)
    if LOCK not in f.symbols.added:
        zeros = TensorType(i64, [_LOCK_WORDS])
        f.symbols.added[LOCK] = llvm.GlobalOp(
            llvm.LLVMArrayType(_LOCK_WORDS, i64),
            LOCK,
            "weak",
            value=DenseIntOrFPElementsAttr.from_list(zeros, [0]),
        )
    return f.address_of(LOCK)


def _lower_atomic_rmw(op: memref.AtomicRMWOp, f: FunctionLowering) -> None:
    kind = ATOMIC_RMW_KINDS[op.kind.value.data]
    value = f.scalar(op.value)

    def combine(before: SSAValue) -> SSAValue:
        if kind == "assign":
            return value
        return apply(OPS[kind], [before, value], op.value.type, f)

    before, _ = _update(op, combine, f)
    f.bind(op.result, before)


def _lower_generic_atomic_rmw(op: GenericAtomicRMWOp, f: FunctionLowering) -> None:
    block = op.atomic_body.block

    def combine(before: SSAValue) -> SSAValue:
        f.bind(block.args[0], before)
        return f.scalar(f.lower_ops(block).operands[0])

    _, after = _update(op, combine, f)
    f.bind(op.result, after)


RULES: Rules = {
    memref.AtomicRMWOp: _lower_atomic_rmw,
    GenericAtomicRMWOp: _lower_generic_atomic_rmw,
}
