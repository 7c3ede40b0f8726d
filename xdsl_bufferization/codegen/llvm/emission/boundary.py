"""How values cross the boundary of a function: MLIR's calling convention (see `abi`).

    memref<4xf32>      as an argument: ptr, ptr, i64, i64, i64; as a result: a struct
    memref<*xf32>      rank and pointer to a descriptor: i64, ptr
    vector<2x3xf32>    !llvm.array<2 x vector<3xf32>>

Each i64 is what an index is: with `index-bitwidth=32` it is an i32.

The descriptor of an unranked memref that is returned is on the heap until the caller
has copied it. Source: MLIR's documentation "LLVM IR Target", "Calling Conventions".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import UnrankedMemRefType, VectorType, i1, i8
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.support import abi

from .descriptor import Buffer, Unranked, buffer_from_arguments
from .emitter import Emitter
from .failing import alloc_bytes, free_bytes
from .function import FunctionLowering, Lowered
from .types import PTR, BufferType, byte_size, is_buffer
from .vector_elements import Vector, outer_indices

_POINTER_BYTES = 8


def boundary_types(
    types: Iterable[Attribute], f: FunctionLowering, op: Operation
) -> list[Attribute]:
    """Return the parameter types of arguments of `types`: descriptors are expanded."""
    expanded: list[Attribute] = []
    for type in types:
        if is_buffer(type):
            rank = f.buffer_type(type, op).rank
            expanded += [PTR, PTR, *([f.types.index] * (1 + 2 * rank))]
        elif isinstance(type, UnrankedMemRefType):
            expanded += [f.types.index, PTR]
        elif (packed := f.types.packed_vector(type)) is not None:
            expanded.append(packed)
        else:
            expanded.append(f.scalar_type(type, op))
    return expanded


def packed_type(type: Attribute, f: FunctionLowering, op: Operation) -> Attribute:
    """Return the type of one value that is returned or stored."""
    if is_buffer(type):
        return f.types.descriptor(f.buffer_type(type, op).rank)
    if isinstance(type, UnrankedMemRefType):
        return f.types.unranked()
    return f.types.packed_vector(type) or f.scalar_type(type, op)


def result_type(
    types: Sequence[Attribute], f: FunctionLowering, op: Operation
) -> Attribute | None:
    """Return the type in which all results are returned."""
    packed = [packed_type(type, f, op) for type in types]
    if len(packed) > 1:
        return llvm.LLVMStructType.from_type_list(packed)
    return packed[0] if packed else None


def expand(lowered: Iterable[Lowered], f: FunctionLowering) -> list[SSAValue]:
    """Return what to pass for arguments."""
    values: list[SSAValue] = []
    for value in lowered:
        match value:
            case Buffer():
                fields = (value.offset, *value.sizes, *value.strides)
                values += [value.allocated, value.aligned, *map(f.index, fields)]
            case Unranked():
                values += [value.rank, value.descriptor]
            case Vector():
                values.append(_pack_vector(value, f))
            case _:
                values.append(value)
    return values


def bind_arguments(
    arguments: Iterable[SSAValue],
    parameters: Iterator[SSAValue],
    f: FunctionLowering,
    op: Operation,
) -> None:
    """Record what the arguments of a function became."""
    for argument in arguments:
        if is_buffer(argument.type):
            type = f.buffer_type(argument.type, op)
            f.bind(argument, buffer_from_arguments(type, parameters))
        elif isinstance(argument.type, UnrankedMemRefType):
            f.bind(argument, Unranked(next(parameters), next(parameters)))
        else:
            bind_packed(argument, next(parameters), f, op)


def bind_packed(
    value: SSAValue, packed: SSAValue, f: FunctionLowering, op: Operation
) -> None:
    """Record what `value` became: what `packed` is in parts."""
    type = value.type
    if is_buffer(type):
        f.bind(value, unpack(packed, f.buffer_type(type, op), f))
    elif isinstance(type, UnrankedMemRefType):
        f.bind(value, Unranked(f.extract(packed, [0]), f.extract(packed, [1])))
    elif f.types.packed_vector(type) is not None and isa(type, VectorType):
        indices = outer_indices(type.get_shape())
        f.bind_rows(value, [f.extract(packed, index) for index in indices])
    else:
        f.bind(value, packed)


def pack(lowered: Lowered, f: FunctionLowering) -> SSAValue:
    """Return a value as it is returned or stored."""
    match lowered:
        case Buffer():
            rank = lowered.type.rank
            fields = zip(_field_positions(rank), expand([lowered], f), strict=True)
            return f.aggregate(f.types.descriptor(rank), fields)
        case Unranked():
            return f.struct([lowered.rank, lowered.descriptor])
        case Vector():
            return _pack_vector(lowered, f)
        case _:
            return lowered


def _pack_vector(vector: Vector, f: FunctionLowering) -> SSAValue:
    packed = vector.rows[0].type
    for size in reversed(vector.shape[:-1]):
        packed = llvm.LLVMArrayType(size, packed)
    parts = zip(outer_indices(vector.shape), vector.rows, strict=True)
    return f.aggregate(packed, parts)


def _field_positions(rank: int) -> list[list[int]]:
    """Return where the fields of a descriptor struct are, in order."""
    single = (abi.ALLOCATED_FIELD, abi.ALIGNED_FIELD, abi.OFFSET_FIELD)
    positions = [[field] for field in single]
    for field in (abi.SIZES_FIELD, abi.STRIDES_FIELD):
        positions += [[field, dimension] for dimension in range(rank)]
    return positions


def fields_of(struct: SSAValue, type: BufferType, f: Emitter) -> list[SSAValue]:
    """Return the fields of a descriptor struct, in order; known ones as constants."""
    known = (None, None, type.offset, *type.sizes, *type.strides)
    return [
        f.extract(struct, position) if field is None else f.integer(field)
        for field, position in zip(known, _field_positions(type.rank), strict=True)
    ]


def unpack(struct: SSAValue, type: BufferType, f: FunctionLowering) -> Buffer:
    """Return the buffer in a descriptor struct."""
    return buffer_from_arguments(type, iter(fields_of(struct, type, f)))


# Descriptors of unranked memrefs, which must outlive the function that made them.


def to_heap(returned: Unranked, f: FunctionLowering, op: Operation) -> Unranked:
    """Return an unranked memref whose descriptor the caller is to free."""
    size = descriptor_bytes(returned.rank, f)
    memory = alloc_bytes(size, op, f)
    copy_bytes(memory, returned.descriptor, size, f)
    return Unranked(returned.rank, memory)


def from_heap(received: Unranked, f: FunctionLowering, op: Operation) -> Unranked:
    """Return an unranked memref with its descriptor on the stack; free the other."""
    size = descriptor_bytes(received.rank, f)
    slot = llvm.AllocaOp(size, i8, alignment=_POINTER_BYTES)
    memory = f.alloca(slot, static=False)
    copy_bytes(memory, received.descriptor, size, f)
    free_bytes(received.descriptor, op, f)
    return Unranked(received.rank, memory)


def descriptor_bytes(rank: SSAValue, f: FunctionLowering) -> SSAValue:
    """Return the size of a descriptor of `rank` dimensions, as MLIR counts it."""
    index_bytes = byte_size(f.types.index)
    fixed = abi.OFFSET_FIELD * _POINTER_BYTES + index_bytes
    per_dimension = 2 * index_bytes
    return f.index(f.add(fixed, f.multiply(rank, per_dimension)))


def copy_bytes(target: SSAValue, source: SSAValue, size: SSAValue, f: Emitter) -> None:
    """Emit a copy of `size` bytes between places that do not overlap."""
    not_volatile = f.integer(0, i1)
    name = f"llvm.memcpy.p0.p0.{size.type}"
    f.intrinsic(name, [target, source, size, not_volatile], None)
