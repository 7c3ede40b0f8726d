"""How memref.copy and the ops that imply one are lowered.

The innermost dimensions that lie without gaps on both sides are copied by one memcpy.
Loops go over the other dimensions. Where only the running program knows the strides, it
first asks whether all lie without gaps. Nothing is called, unlike the `memrefCopy` of
MLIR: no runtime library is needed.

    memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
        -> a loop over 4 rows, each "llvm.memcpy.p0.p0.i64" of 32 bytes
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import bufferization, llvm, memref
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at

from ..control.scf import begin_loop, end_loop
from ..emission.boundary import copy_bytes
from ..emission.descriptor import Buffer
from ..emission.failing import free_bytes
from ..emission.function import FunctionLowering, Rules
from ..scalars.casts import resize_integer
from . import unranked
from .memref import (
    allocate,
    dynamic_sizes,
    element_address,
    load_element,
    row_major,
    store_element,
)


def copy(source: Buffer, target: Buffer, f: FunctionLowering) -> None:
    """Emit a copy of all elements; the buffers are the same or do not overlap.

    Where only the strides of the running program say whether there are gaps, it asks.
    """
    sizes = [
        a if isinstance(a, int) else b
        for a, b in zip(source.sizes, target.sizes, strict=True)
    ]
    suffix = min(source.type.contiguous_suffix(), target.type.contiguous_suffix())
    gaps_unknown = source.type.may_be_gapless() and target.type.may_be_gapless()
    if suffix == len(sizes) or not gaps_unknown:
        _copy_parts(source, target, sizes, suffix, f)
        return
    whole, parts, done = Block(), Block(), Block()
    gapless = f.integer_op(
        llvm.AndOp, _is_gapless(source, sizes, f), _is_gapless(target, sizes, f)
    )
    f.cond_branch(gapless, whole, (), parts, ())
    f.start(whole)
    _copy_chunk(source, target, [0] * len(sizes), f.product(sizes), f)
    f.branch(done)
    f.start(parts)
    _copy_parts(source, target, sizes, suffix, f)
    f.branch(done)
    f.start(done)


def _is_gapless(
    buffer: Buffer, sizes: Sequence[OpFoldResult], f: FunctionLowering
) -> SSAValue:
    """Whether the elements of a buffer lie row-major and without gaps."""
    holds = f.integer(1, i1)
    for stride, expected in zip(buffer.strides, row_major(sizes, f), strict=True):
        if f.known(stride) != f.known(expected):
            same = f.compare("eq", f.index(stride), f.index(expected))
            holds = f.integer_op(llvm.AndOp, holds, same)
    return holds


def _copy_parts(
    source: Buffer,
    target: Buffer,
    sizes: Sequence[OpFoldResult],
    suffix: int,
    f: FunctionLowering,
) -> None:
    """Emit loops over copies of the last `suffix` dimensions, which have no gaps."""
    outer = len(sizes) - suffix
    zero, one = f.integer(0), f.integer(1)
    loops = [begin_loop(f, (zero, f.index(size), one)) for size in sizes[:outer]]
    start: list[OpFoldResult] = [*(loop.induction for loop in loops), *([0] * suffix)]
    if suffix or not sizes:
        _copy_chunk(source, target, start, f.product(sizes[outer:]), f)
    else:
        store_element(load_element(source, start, f), target, start, f)
    for loop in reversed(loops):
        end_loop(f, loop)


def _copy_chunk(
    source: Buffer,
    target: Buffer,
    start: Sequence[OpFoldResult],
    elements: OpFoldResult,
    f: FunctionLowering,
) -> None:
    size = f.index(f.multiply(elements, source.type.element_bytes))
    to, come = (f.untyped(element_address(b, start, f)) for b in (target, source))
    copy_bytes(to, come, size, f)


def _lower_copy(op: memref.CopyOp, f: FunctionLowering) -> None:
    if unranked.is_unranked(op.source) or unranked.is_unranked(op.destination):
        _count(unranked.copy(op, f), op, f)
        return
    source, target = f.buffer(op.source), f.buffer(op.destination)
    _count(_bytes(source, f), op, f)
    copy(source, target, f)


def _count(size: SSAValue, op: Operation, f: FunctionLowering) -> None:
    """Tell the runtime how many bytes are copied, if it wants to know."""
    if f.symbols.options.count_copies:
        size = resize_integer(f, size, i64, llvm.ZExtOp)
        f.call_external(abi.COUNT_COPY, [size], None, op)


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


def _lower_realloc(op: ReallocOp, f: FunctionLowering) -> None:
    """Lower to a new buffer with the elements that both have room for."""
    source = f.buffer(op.source)
    type = f.buffer_type(op.result.type, op)
    operands = [] if op.dynamic_result_size is None else [op.dynamic_result_size]
    alignment = None if op.alignment is None else op.alignment.value.data
    grown = allocate(type, dynamic_sizes(type, operands, f), alignment, op, f)
    have, want = (f.index(each.sizes[0]) for each in (source, grown))
    common = f.typed_intrinsic("llvm.umin", [have, want])
    size = f.index(f.multiply(common, type.element_bytes))
    _count(size, op, f)
    copy_bytes(grown.aligned, source.aligned, size, f)
    free_bytes(source.allocated, op, f)
    f.bind(op.result, grown)


RULES: Rules = {
    memref.CopyOp: _lower_copy,
    bufferization.CloneOp: _lower_clone,
    ReallocOp: _lower_realloc,
}
