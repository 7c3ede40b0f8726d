"""How memrefs of any rank are lowered: a rank, and a pointer to a descriptor.

A cast puts the descriptor of a ranked memref on the stack. Its slot is taken once for
each cast, not each time that the cast runs. So the value cannot travel through the
arguments of blocks. It can cross functions (see `boundary`).

    %u = memref.cast %m : memref<4xf32> to memref<*xf32>  -> llvm.store %m, %slot
    %r = memref.rank %u                                   -> a number that is passed
    memref.copy %u, %v : memref<*xf32> to memref<*xf32>   -> llvm.call @_xbuf_copy_...
"""

from __future__ import annotations

from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType, i8, i64
from xdsl.ir import Block, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.memref.views import ReshapeOp
from xdsl_bufferization.support import abi

from ..control.scf import begin_loop, end_loop
from ..emission.boundary import copy_bytes, descriptor_bytes, pack, unpack
from ..emission.descriptor import Buffer, Unranked
from ..emission.emitter import Emitter
from ..emission.function import FunctionLowering
from ..emission.types import PTR, BufferType, TypeConverter, byte_size
from ..scalars.casts import resize_integer
from .memref import load_element

_POINTERS = (abi.ALLOCATED_FIELD, abi.ALIGNED_FIELD)
_WORD_BYTES = 8


def is_unranked(value: SSAValue) -> bool:
    """Whether `value` is a memref of any rank."""
    return isinstance(value.type, UnrankedMemRefType)


def cast(op: memref.CastOp, f: FunctionLowering) -> None:
    """Lower a cast from or to a memref of any rank."""
    if not is_unranked(op.source):
        f.bind(op.dest, to_unranked(f.buffer(op.source), f))
    elif is_unranked(op.dest):
        f.bind(op.dest, f.unranked(op.source))
    else:
        type = f.buffer_type(op.dest.type, op)
        f.bind(op.dest, to_ranked(f.unranked(op.source), type, f))


def to_unranked(buffer: Buffer, f: FunctionLowering) -> Unranked:
    """Return `buffer` as one of any rank, its descriptor in a slot of the function."""
    pointer = f.slot(f.types.descriptor(buffer.type.rank))
    f.store(pack(buffer, f), pointer)
    return Unranked(f.integer(buffer.type.rank), pointer)


def to_ranked(unranked: Unranked, type: BufferType, f: FunctionLowering) -> Buffer:
    """Return a memref of any rank as one of `type`, which it must have."""
    struct = f.load(unranked.descriptor, f.types.descriptor(type.rank))
    return unpack(struct, type, f)


def _place(descriptor: SSAValue, field: OpFoldResult, f: Emitter) -> SSAValue:
    """Return the address of a field: two pointers come first, then numbers."""
    if not f.types.is_narrow:
        return f.untyped(f.element_pointer(descriptor, field, i64))
    field = f.known(field)
    if isinstance(field, int) and field < abi.OFFSET_FIELD:
        return f.untyped(f.element_pointer(descriptor, field, PTR))
    numbers = f.untyped(f.element_pointer(descriptor, abi.OFFSET_FIELD, PTR))
    place = f.add(field, -abi.OFFSET_FIELD)
    return f.untyped(f.element_pointer(numbers, place, f.types.index))


def _number(descriptor: SSAValue, field: OpFoldResult, f: Emitter) -> SSAValue:
    return f.load(_place(descriptor, field, f), f.types.index)


def dim(op: memref.DimOp, f: FunctionLowering) -> None:
    """Lower the size of a dimension, read from the descriptor."""
    descriptor, dimension = f.unranked(op.source).descriptor, f.scalar(op.index)
    f.bind(op.result, _field(descriptor, abi.SIZES_FIELD, dimension, f))


def pointer_field(unranked: Unranked, field: int, f: FunctionLowering) -> SSAValue:
    """Return the allocated or the aligned pointer."""
    return f.load(_place(unranked.descriptor, field, f), PTR)


def reshape(op: ReshapeOp, f: FunctionLowering) -> None:
    """Lower a reshape from or to any rank; the shape says how many dimensions."""
    shape = f.buffer(op.shape)
    base = base_of(op.source, f)
    rank = f.index(shape.sizes[0])
    slot = f.alloca(
        llvm.AllocaOp(descriptor_bytes(rank, f), i8, alignment=_WORD_BYTES),
        static=False,
    )
    for number, value in enumerate(base):
        f.store(value, _place(slot, f.integer(number), f))
    loop = begin_loop(f, (f.integer(0), rank, f.integer(1)), [f.integer(1)])
    (stride,) = loop.carried
    from_last = f.integer_op(llvm.SubOp, rank, loop.induction)
    dimension = f.integer_op(llvm.SubOp, from_last, f.integer(1))
    element = load_element(shape, [dimension], f)
    size = resize_integer(f, element, f.types.index, llvm.SExtOp)
    at = f.add(dimension, abi.SIZES_FIELD)
    f.store(size, _place(slot, at, f))
    f.store(stride, _place(slot, f.add(at, rank), f))
    end_loop(f, loop, [f.index(f.multiply(stride, size))])
    f.bind(op.result, Unranked(rank, slot))


def base_of(
    source: SSAValue, f: FunctionLowering
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Return the pointers and the offset of a buffer of any type."""
    if not is_unranked(source):
        buffer = f.buffer(source)
        return buffer.allocated, buffer.aligned, f.index(buffer.offset)
    unranked = f.unranked(source)
    allocated, aligned = (pointer_field(unranked, field, f) for field in _POINTERS)
    return allocated, aligned, _number(unranked.descriptor, abi.OFFSET_FIELD, f)


# Copies. A function of the module copies between any two buffers, element by element.


def copy(op: memref.CopyOp, f: FunctionLowering) -> SSAValue:
    """Lower a copy between memrefs of which one or both have any rank.

    Returns the number of bytes.
    """
    source, target = (_as_unranked(each, f) for each in op.operands)
    type = op.source.type
    assert isa(type, MemRefType | UnrankedMemRefType)
    element_bytes = f.integer(byte_size(f.types.element(type, op)))
    arguments = [source.rank, source.descriptor, target.descriptor, element_bytes]
    if COPY_FUNCTION not in f.symbols.added:
        f.symbols.added[COPY_FUNCTION] = _copy_function(f.types)
    return f.call(COPY_FUNCTION, arguments, f.types.index).results[0]


COPY_FUNCTION = "_xbuf_copy_unranked"
"""`index (index rank, ptr source, ptr target, index element bytes)`: the bytes
copied."""


def _as_unranked(value: SSAValue, f: FunctionLowering) -> Unranked:
    return f.unranked(value) if is_unranked(value) else to_unranked(f.buffer(value), f)


def _copy_function(types: TypeConverter) -> llvm.FuncOp:
    f, index_type = Emitter(types), types.index
    type = llvm.LLVMFunctionType([index_type, PTR, PTR, index_type], index_type)
    f.start(Block(arg_types=type.inputs.data))
    rank, source, target, element_bytes = f.block.args
    zero, one = f.integer(0), f.integer(1)
    sizes = begin_loop(f, (zero, rank, one), [one])
    size = _field(source, abi.SIZES_FIELD, sizes.induction, f)
    end_loop(f, sizes, [f.index(f.multiply(sizes.carried[0], size))])
    (count,) = sizes.carried
    elements = begin_loop(f, (zero, count, one))
    starts = [_number(each, abi.OFFSET_FIELD, f) for each in (source, target)]
    dimensions = begin_loop(f, (zero, rank, one), [elements.induction, *starts])
    rest, *places = dimensions.carried
    from_last = f.integer_op(llvm.SubOp, rank, dimensions.induction)
    dimension = f.integer_op(llvm.SubOp, from_last, one)
    size = _field(source, abi.SIZES_FIELD, dimension, f)
    index = f.integer_op(llvm.URemOp, rest, size)
    strides = f.add(dimension, rank)
    following = [
        f.index(f.add(at, f.multiply(index, _field(each, abi.SIZES_FIELD, strides, f))))
        for at, each in zip(places, (source, target), strict=True)
    ]
    rest = f.integer_op(llvm.UDivOp, rest, size)
    end_loop(f, dimensions, [rest, *following])
    come, to = (
        _element_place(each, f.multiply(at, element_bytes), f)
        for each, at in zip((source, target), places, strict=True)
    )
    copy_bytes(to, come, element_bytes, f)
    end_loop(f, elements)
    f.run(llvm.ReturnOp(f.index(f.multiply(count, element_bytes))))
    return llvm.FuncOp(
        COPY_FUNCTION, type, llvm.LinkageAttr("internal"), body=f.finish()
    )


def _element_place(descriptor: SSAValue, at: OpFoldResult, f: Emitter) -> SSAValue:
    aligned = f.load(_place(descriptor, f.integer(abi.ALIGNED_FIELD), f), PTR)
    return f.untyped(f.element_pointer(aligned, at, i8))


def _field(
    descriptor: SSAValue, first: int, number: OpFoldResult, f: Emitter
) -> SSAValue:
    return _number(descriptor, f.add(number, first), f)
