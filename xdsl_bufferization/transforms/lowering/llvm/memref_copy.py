"""How memref.copy and the ops that imply one are lowered.

The innermost dimensions that lie without gaps on both sides are copied by one memcpy;
loops go over the others. Nothing is called, unlike MLIR's `memrefCopy`, so compiled
code needs no runtime library.

    memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
        -> a loop over 4 rows, each "llvm.memcpy.p0.p0.i64" of 32 bytes
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import bufferization, memref
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import SSAValue

from xdsl_bufferization import abi
from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.transforms.lowering.llvm.descriptor import Buffer, Index
from xdsl_bufferization.transforms.lowering.llvm.function import (
    FunctionLowering,
    Rules,
)
from xdsl_bufferization.transforms.lowering.llvm.memref import (
    allocate,
    element_address,
    load_element,
    store_element,
)
from xdsl_bufferization.transforms.lowering.llvm.scf import begin_loop, end_loop


def copy(source: Buffer, target: Buffer, f: FunctionLowering) -> None:
    """Emit a copy of all elements; the buffers are the same or do not overlap."""
    sizes = [
        a if isinstance(a, int) else b
        for a, b in zip(source.sizes, target.sizes, strict=True)
    ]
    suffix = min(source.type.contiguous_suffix(), target.type.contiguous_suffix())
    outer = len(sizes) - suffix
    zero, one = f.integer(0), f.integer(1)
    loops = [begin_loop(f, (zero, f.index(size), one)) for size in sizes[:outer]]
    start: list[Index] = [*(loop.induction for loop in loops), *([0] * suffix)]
    if suffix or not sizes:
        _copy_chunk(source, target, start, f.product(sizes[outer:]), f)
    else:
        store_element(load_element(source, start, f), target, start, f)
    for loop in reversed(loops):
        end_loop(f, loop)


def _copy_chunk(
    source: Buffer,
    target: Buffer,
    start: Sequence[Index],
    elements: Index,
    f: FunctionLowering,
) -> None:
    size = f.index(f.multiply(elements, source.type.element_bytes))
    to, come = (f.untyped(element_address(b, start, f)) for b in (target, source))
    not_volatile = f.integer(0, i1)
    f.intrinsic("llvm.memcpy.p0.p0.i64", [to, come, size, not_volatile], None)


def _lower_copy(op: memref.CopyOp, f: FunctionLowering) -> None:
    source, target = f.buffer(op.source), f.buffer(op.destination)
    if f.symbols.options.count_copies:
        f.symbols.require(abi.COUNT_COPY, [i64], None, op)
        f.call(abi.COUNT_COPY, [_bytes(source, f)], None)
    copy(source, target, f)


def _bytes(buffer: Buffer, f: FunctionLowering) -> SSAValue:
    count = f.product(buffer.sizes)
    return f.index(f.multiply(count, buffer.type.element_bytes))


def _lower_clone(op: bufferization.CloneOp, f: FunctionLowering) -> None:
    """Lower to an allocation and a copy; canonicalisation removes what it can."""
    source = f.buffer(op.input)
    type = f.buffer_type(op.output.type, op)
    if not type.admits_row_major:
        fail_at(op, f"cannot allocate the layout of {op.output.type}; cast it first")
    clone = allocate(type, source.sizes, None, op, f)
    f.bind(op.output, clone)
    copy(source, clone, f)


RULES: Rules = {
    memref.CopyOp: _lower_copy,
    bufferization.CloneOp: _lower_clone,
}
