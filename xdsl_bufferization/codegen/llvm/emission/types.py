"""Types on both sides of the lowering to the llvm dialect.

Everything that the lowering knows about a buffer from its type alone is in
`BufferType`: what is static stays a Python number and costs no instruction.

    index                      -> i64, or i32 (see `TypeConverter`)
    f32, i8, ...               -> unchanged
    bf16                       -> i16, its bits
    complex<f32>               -> !llvm.struct<(f32, f32)>
    vector<8xbf16>, vector<i8> -> vector<8xi16>, vector<1xi8>
    (f32) -> f32               -> !llvm.ptr
    !shape.witness             -> i1
    memref<4x?xf32>            -> BufferType(f32, 4, (4, None), (None, 1), 0)
    vector<2x3xf32> in memory  -> !llvm.array<2 x vector<3xf32>>, of 32 bytes
    memref<4x?xf32> in the ABI -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, ...)>
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    ComplexType,
    Float16Type,
    Float32Type,
    Float64Type,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    Signedness,
    UnrankedMemRefType,
    VectorType,
    f16,
    f32,
    f64,
    i1,
    i16,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.memref.layouts import (
    get_strided_form,
    has_identity_layout,
)
from xdsl_bufferization.dialects.shape import WitnessType
from xdsl_bufferization.support.errors import fail_at

PTR = llvm.LLVMPointerType()
"""The only pointer type: LLVM's pointers are opaque and a CPU has one space."""

_FLOAT_BYTES: dict[Attribute, int] = {f16: 2, f32: 4, f64: 8}
_LLVM_TYPES = (llvm.LLVMPointerType, llvm.LLVMStructType, llvm.LLVMArrayType)
_WIDEST_INTEGER = 128
_BYTE = 8

Extent = int | None
"""A size, stride or offset in elements; None when only known at run time."""


@dataclass(frozen=True)
class BufferType:
    """What a memref type says about the buffers of that type."""

    element: Attribute
    """The element type in the llvm dialect."""

    element_bytes: int
    """Distance in bytes from one element to the next."""

    sizes: tuple[Extent, ...]
    strides: tuple[Extent, ...]
    offset: Extent
    is_identity: bool
    """Whether elements lie row-major, without gaps, from offset 0."""

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.sizes)

    @property
    def holds_vectors(self) -> bool:
        """Whether the elements are vectors."""
        return isinstance(self.element, VectorType | llvm.LLVMArrayType)

    @property
    def alignment(self) -> int | None:
        """What elements are aligned to, in bytes; None if LLVM knows it.

        Vectors are no more aligned than their elements: memory from `malloc` or from
        a caller need not be.
        """
        element = self.element
        while isinstance(element, llvm.LLVMArrayType):
            element = element.type
        if not isa(element, VectorType):
            return None
        return byte_size(element.element_type)

    @property
    def admits_row_major(self) -> bool:
        """Whether a buffer without gaps, from offset 0, may have this type."""
        row_major = row_major_strides(self.sizes)
        return self.offset in (None, 0) and all(
            stride is None or stride == expected
            for stride, expected in zip(self.strides, row_major, strict=True)
        )

    def may_be_gapless(self) -> bool:
        """Whether elements of a buffer of this type may lie row-major, without gaps."""
        row_major = row_major_strides(self.sizes)
        return all(
            stride is None or expected is None or stride == expected
            for stride, expected in zip(self.strides, row_major, strict=True)
        )

    def contiguous_suffix(self) -> int:
        """Return how many innermost dimensions are provably without gaps."""
        if self.is_identity:
            return self.rank
        expected: Extent = 1
        for count, (size, stride) in enumerate(
            zip(reversed(self.sizes), reversed(self.strides), strict=True)
        ):
            if size != 1 and (stride is None or stride != expected):
                return count
            expected = _times(expected, size)
        return self.rank


def row_major_strides(sizes: Sequence[Extent]) -> tuple[Extent, ...]:
    """Return the strides of a buffer without gaps, in elements."""
    strides: list[Extent] = []
    stride: Extent = 1
    for size in reversed(sizes):
        strides.append(stride)
        stride = _times(stride, size)
    return tuple(reversed(strides))


def is_buffer(type: Attribute) -> bool:
    """Whether values of `type` are ranked memrefs."""
    return isinstance(type, MemRefType)


def row_vector_type(type: Attribute) -> VectorType | None:
    """Return the type of the rows of a vector of several dimensions, None if none."""
    if not isa(type, VectorType) or type.get_num_dims() < 2:
        return None
    if type.get_num_scalable_dims():
        return None
    return VectorType(type.element_type, type.get_shape()[-1:])


def integer_width(type: Attribute) -> int:
    """Return the number of bits of an integer type, or of the elements of a vector."""
    type = get_element_type_or_self(type)
    assert isa(type, IntegerType)
    return type.width.data


def byte_size(type: Attribute) -> int:
    """Return the bytes an element of `type`, in the llvm dialect, takes in memory."""
    match type:
        case llvm.LLVMArrayType():
            return type.size.data * byte_size(type.type)
        case llvm.LLVMStructType():  # A complex number, whose parts have one type.
            return sum(map(byte_size, type.types.data))
        case VectorType():
            (count,) = type.get_shape()
            return _bytes_of(count * _bit_width(type.element_type))
        case _:
            return _bytes_of(_bit_width(type))


def _bit_width(type: Attribute) -> int:
    if isa(type, IntegerType):
        return integer_width(type)
    return _FLOAT_BYTES[type] * _BYTE


def _bytes_of(bits: int) -> int:
    """Return the next power of two, which LLVM aligns integers and vectors to."""
    return 1 << (-(-bits // _BYTE) - 1).bit_length()


def check_memory_space(type: Attribute, op: Operation) -> None:
    """An error at `op` if a buffer of `type` is in another memory than the CPU's."""
    assert isinstance(type, MemRefType | UnrankedMemRefType)
    match type.memory_space:
        case NoneAttr():
            return
        case IntegerAttr(value=IntAttr(data=0)):
            return
        case space:
            fail_at(op, f"memory space {space} does not exist on a CPU")


def _layout(
    type: MemRefType, sizes: tuple[Extent, ...], op: Operation
) -> tuple[tuple[Extent, ...], Extent, bool]:
    """Return the last three fields of a `BufferType`."""
    row_major = row_major_strides(sizes)
    if has_identity_layout(type):
        return row_major, 0, True
    form = get_strided_form(type)
    if form is None:
        fail_at(op, f"layout {type.layout} of {type} has no strides and no lowering")
    strides, offset = form
    return strides, offset, offset == 0 and None not in strides and strides == row_major


def _times(a: Extent, b: Extent) -> Extent:
    return None if a is None or b is None else a * b


def memref_type(type: Attribute, op: Operation) -> MemRefType:
    """Return `type` as a ranked memref; an error at `op` if it is none."""
    if not isa(type, MemRefType):
        fail_at(op, f"expected a ranked memref, found {type}")
    return type


@dataclass(frozen=True)
class TypeConverter:
    """What types of the source become in the llvm dialect, given that of an index."""

    index: IntegerType = i64
    """What an index is, and the sizes, strides and offsets of buffers: i64 or i32."""

    @property
    def is_narrow(self) -> bool:
        """Whether an index has fewer bits than a pointer may have."""
        return self.index != i64

    def wrapped(self, number: int) -> int:
        """Return the number, with its sign, that an index of value `number` holds."""
        half = 1 << (self.index.width.data - 1)
        return (number + half) % (2 * half) - half

    def scalar(self, type: Attribute) -> Attribute | None:
        """Return the type of a value that is no buffer, None if there is none."""
        match type:
            case IndexType():
                return self.index
            case IntegerType() if type.width.data <= _WIDEST_INTEGER:
                if type.signedness.data == Signedness.SIGNLESS:
                    return type
                return IntegerType(type.width.data)
            case BFloat16Type():
                return i16
            case Float16Type() | Float32Type() | Float64Type():
                return type
            case ComplexType() | VectorType():
                return self._of_elements(type)
            case FunctionType():
                return PTR
            case WitnessType():
                return i1
            case _ if isinstance(type, _LLVM_TYPES):
                return type
            case _:
                return None

    def _of_elements(self, type: ComplexType | VectorType) -> Attribute | None:
        if isinstance(type, VectorType):
            return self._row(type)
        return self._pair(type)

    def _pair(self, type: ComplexType) -> Attribute | None:
        """Return the struct of the real and the imaginary part."""
        part = self.scalar(type.element_type)
        if part is None:
            return None
        return llvm.LLVMStructType.from_type_list([part, part])

    def _row(self, type: VectorType) -> Attribute | None:
        """Return the vector of the llvm dialect for one of at most one dimension."""
        element = self.scalar(type.element_type)
        if element is None or type.get_num_dims() > 1 or type.get_num_scalable_dims():
            return None
        return VectorType(element, type.get_shape() or [1])

    def rows(self, type: Attribute) -> list[Attribute] | None:
        """Return the types of the rows of `type`, None if it has none."""
        row = row_vector_type(type)
        lowered = None if row is None else self.scalar(row)
        if lowered is None or not isa(type, VectorType):
            return None
        return [lowered] * prod(type.get_shape()[:-1])

    def packed_vector(self, type: Attribute) -> Attribute | None:
        """Return what a vector of several dimensions is in memory: arrays of rows."""
        rows = self.rows(type)
        if rows is None or not isa(type, VectorType):
            return None
        packed = rows[0]
        for size in reversed(type.get_shape()[:-1]):
            packed = llvm.LLVMArrayType(size, packed)
        return packed

    def element(
        self, type: MemRefType | UnrankedMemRefType, op: Operation
    ) -> Attribute:
        """Return the type of elements in memory; an error at `op` if there is none."""
        element = type.element_type
        lowered = self.packed_vector(element) or self.scalar(element)
        if lowered is None or isinstance(element, _LLVM_TYPES):
            fail_at(op, f"memory of {element} elements cannot be lowered")
        return lowered

    def buffer(self, type: MemRefType, op: Operation) -> BufferType:
        """Return what `type` says; an error at `op` if it has no descriptor."""
        element = self.element(type, op)
        check_memory_space(type, op)
        sizes = tuple(
            None if size == DYNAMIC_INDEX else size for size in type.get_shape()
        )
        layout = _layout(type, sizes, op)
        buffer = BufferType(element, byte_size(element), sizes, *layout)
        if self.is_narrow:
            self._check_fits(buffer, type, op)
        return buffer

    def _check_fits(self, buffer: BufferType, type: MemRefType, op: Operation) -> None:
        """An error at `op` if a number that `type` says is too large for an index."""
        size_in_bytes = buffer.element_bytes * prod(each or 1 for each in buffer.sizes)
        statics = (size_in_bytes, buffer.offset, *buffer.sizes, *buffer.strides)
        for number in statics:
            if number is not None and self.wrapped(number) != number:
                fail_at(
                    op,
                    f"{type} needs the number {number}, which an index of "
                    f"{self.index.width.data} bits cannot hold: use index-bitwidth=64",
                )

    def descriptor(self, rank: int) -> llvm.LLVMStructType:
        """Return MLIR's descriptor struct of a ranked memref (see `abi`)."""
        fields: list[Attribute] = [PTR, PTR, self.index]
        if rank:
            fields += [llvm.LLVMArrayType(rank, self.index)] * 2
        return llvm.LLVMStructType.from_type_list(fields)

    def unranked(self) -> llvm.LLVMStructType:
        """Return the struct of a memref of any rank that is returned or stored."""
        return llvm.LLVMStructType.from_type_list([self.index, PTR])
