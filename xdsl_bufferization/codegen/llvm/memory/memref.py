"""How memref ops that allocate and access memory become llvm dialect ops.

Views are in `views`, copies in `copies`, globals in `globals`.

    %m = memref.alloc(%n) : memref<?x4xf32>  -> llvm.call @malloc(%n * 16)
    %x = memref.load %m[%i, %j]              -> llvm.getelementptr %m[%i * 4 + %j]
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.dialects.affine.accesses import PrefetchOp as AffinePrefetchOp
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.memref.access import PrefetchOp
from xdsl_bufferization.support.errors import fail_at

from ..emission.boundary import bind_packed, pack
from ..emission.descriptor import Buffer, Unranked, make_buffer
from ..emission.failing import ByteSize, alloc_bytes, byte_size, check_size, free_bytes
from ..emission.function import FunctionLowering, Rules
from ..emission.types import PTR, BufferType
from .shared_allocation import align, allocate_aligned, has_shared_allocation


def element_address(
    buffer: Buffer,
    indices: Sequence[OpFoldResult],
    f: FunctionLowering,
    *,
    exists: bool = True,
) -> SSAValue:
    """Return the address of an element, or of where it would be."""
    linear = buffer.offset
    for index, stride in zip(indices, buffer.strides, strict=True):
        linear = f.add(linear, f.multiply(index, stride))
    element = buffer.type.element
    return f.element_pointer(buffer.aligned, linear, element, exists=exists)


def load_element(
    buffer: Buffer, indices: Sequence[OpFoldResult], f: FunctionLowering
) -> SSAValue:
    """Emit a load of an element: of the arrays of rows that a vector is in memory."""
    type = buffer.type
    return f.load(element_address(buffer, indices, f), type.element, type.alignment)


def store_element(
    value: SSAValue,
    buffer: Buffer,
    indices: Sequence[OpFoldResult],
    f: FunctionLowering,
) -> None:
    """Emit a store of an element."""
    f.store(value, element_address(buffer, indices, f), buffer.type.alignment)


def row_major(sizes: Sequence[OpFoldResult], f: FunctionLowering) -> list[OpFoldResult]:
    """Return the strides of a buffer of `sizes` without gaps."""
    strides: list[OpFoldResult] = []
    stride: OpFoldResult = 1
    for size in reversed(sizes):
        strides.append(stride)
        stride = f.multiply(stride, size)
    return strides[::-1]


def allocate(
    type: BufferType,
    sizes: Sequence[OpFoldResult],
    alignment: int | None,
    op: Operation,
    f: FunctionLowering,
) -> Buffer:
    """Emit a heap allocation of a buffer without gaps.

    As in MLIR, an alignment is had by allocating that much more and moving the aligned
    pointer up; the allocated pointer is the one to free.
    """
    size = checked_byte_size(type, sizes, op, f)
    if alignment is None:
        allocated = aligned = alloc_bytes(size.bytes, op, f)
    elif has_shared_allocation(f):
        allocated, aligned = allocate_aligned(size.bytes, alignment, op, f)
    else:
        allocated = alloc_bytes(f.add(size.bytes, alignment), op, f)
        aligned = align(allocated, alignment, f)
    return make_buffer(type, allocated, aligned, 0, sizes, row_major(sizes, f))


def checked_byte_size(
    type: BufferType, sizes: Sequence[OpFoldResult], op: Operation, f: FunctionLowering
) -> ByteSize:
    """The size of a buffer that `op` allocates; the call fails if none has it."""
    size = byte_size(sizes, type.element_bytes, op, f)
    pairs = zip(sizes, type.sizes, strict=True)
    check_size(size, [given for given, static in pairs if static is None], op, f)
    return size


def dynamic_sizes(
    type: BufferType, operands: Sequence[SSAValue], f: FunctionLowering
) -> list[OpFoldResult]:
    """Return all sizes of `type`, of which `operands` give the dynamic ones."""
    values = iter(operands)
    return [f.scalar(next(values)) if size is None else size for size in type.sizes]


def _alignment(op: memref.AllocOp | memref.AllocaOp) -> int | None:
    return None if op.alignment is None else op.alignment.value.data


def _check_identity(type: BufferType, op: Operation) -> None:
    if not type.is_identity:
        fail_at(
            op,
            f"cannot allocate the layout of {op.results[0].type}; "
            "allocate the identity layout and cast the result",
        )


def _lower_alloc(op: memref.AllocOp, f: FunctionLowering) -> None:
    type = f.buffer_type(op.memref.type, op)
    _check_identity(type, op)
    sizes = dynamic_sizes(type, op.dynamic_sizes, f)
    f.bind(op.memref, allocate(type, sizes, _alignment(op), op, f))


def _lower_alloca(op: memref.AllocaOp, f: FunctionLowering) -> None:
    type = f.buffer_type(op.memref.type, op)
    _check_identity(type, op)
    sizes = dynamic_sizes(type, op.dynamic_sizes, f)
    if op.dynamic_sizes:
        checked_byte_size(type, sizes, op, f)
    count = f.product(sizes)
    element = type.element
    static = isinstance(count, int) and count >= 0
    if isinstance(count, int) and static:
        _take_from_stack(count * type.element_bytes, op, f)
        element, count = llvm.LLVMArrayType(count, element), 1
    pointer = f.alloca(
        llvm.AllocaOp.create(
            operands=(f.index(count),),
            result_types=(PTR,),
            properties=_alloca_properties(element, _alignment(op)),
        ),
        static=static,
    )
    buffer = make_buffer(type, pointer, pointer, 0, sizes, row_major(sizes, f))
    f.bind(op.memref, buffer)


def _take_from_stack(size: int, op: memref.AllocaOp, f: FunctionLowering) -> None:
    """An error at `op` if no stack has room for what the function takes from it."""
    f.stack_bytes += size
    most = f.symbols.options.stack_bytes
    if most is not None and f.stack_bytes > most:
        fail_at(
            op,
            f"the function takes {f.stack_bytes} bytes of the stack, which has {most}: "
            "use memref.alloc for the largest buffers",
        )


def _alloca_properties(
    element: Attribute, alignment: int | None
) -> dict[str, Attribute]:
    if alignment is None:
        return {"elem_type": element}
    return {"elem_type": element, "alignment": IntegerAttr(alignment, i64)}


def _lower_dealloc(op: memref.DeallocOp, f: FunctionLowering) -> None:
    free_bytes(allocated_pointer(op.memref, f), op, f)


def allocated_pointer(value: SSAValue, f: FunctionLowering) -> SSAValue:
    """Return what to free of a buffer of any type."""
    lowered = f.values[value]
    if isinstance(lowered, Unranked):
        return f.load(lowered.descriptor, PTR)  # The first field of every descriptor.
    return f.buffer(value).allocated


def _lower_load(op: memref.LoadOp, f: FunctionLowering) -> None:
    element = load_element(f.buffer(op.memref), f.indices(op.indices), f)
    bind_packed(op.res, element, f, op)


def _lower_store(op: memref.StoreOp, f: FunctionLowering) -> None:
    value = pack(f.values[op.value], f)
    store_element(value, f.buffer(op.memref), f.indices(op.indices), f)


def prefetch(
    op: PrefetchOp | AffinePrefetchOp,
    indices: Sequence[OpFoldResult],
    f: FunctionLowering,
) -> None:
    """Emit a hint that an element will be needed."""
    is_write, is_data = (
        flag.value.data != 0 for flag in (op.is_write, op.is_data_cache)
    )
    locality = op.locality_hint.value.data
    if not is_data:
        # For instructions, x86-64 has reads of the two highest localities. At any other
        # one, LLVM ends the process if the processor has these.
        is_write, locality = False, max(locality, 2)
    numbers = [f.integer(int(n), i32) for n in (is_write, locality, is_data)]
    address = f.untyped(element_address(f.buffer(op.memref), indices, f))
    f.intrinsic("llvm.prefetch.p0", [address, *numbers], None)


def _lower_prefetch(op: PrefetchOp, f: FunctionLowering) -> None:
    prefetch(op, f.indices(op.indices), f)


def _lower_alloca_scope(op: memref.AllocaScopeOp, f: FunctionLowering) -> None:
    start = Block()
    f.branch(start)
    f.start(start)
    f.open_scope(hoists=f.scopes[-1].hoists)
    terminator = f.lower_ops(op.scope.block)
    f.close_scope()
    for result, value in zip(op.res, terminator.operands, strict=True):
        lowered = f.values[value]
        if isinstance(lowered, Unranked):
            fail_at(op, f"{value.type} cannot leave a scope; cast it to a ranked one")
        f.bind(result, lowered)


RULES: Rules = {
    memref.AllocOp: _lower_alloc,
    memref.AllocaOp: _lower_alloca,
    memref.AllocaScopeOp: _lower_alloca_scope,
    memref.DeallocOp: _lower_dealloc,
    memref.LoadOp: _lower_load,
    PrefetchOp: _lower_prefetch,
    memref.StoreOp: _lower_store,
}
