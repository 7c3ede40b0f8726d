"""How globals become globals of the llvm dialect.

A complex number is stored as two numbers. A large constant is stored as 64-bit words:
xDSL's LLVM back end makes a Python object of every array element and prints each, which
for floats takes seconds per million. The bytes are the same on little-endian targets,
the only ones supported. The alignment is recorded on the op; `-t llvm` does not print
it, and no access relies on more than the natural alignment.

    memref.global "private" constant @c : memref<2x2xf32> = dense<1.0>
        -> llvm.mlir.global private constant @c(...) : !llvm.array<4 x f32>
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IndexType,
    IntegerType,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.common.resources import resource_bytes
from xdsl_bufferization.dialects.text.splats import LARGE_BYTES, length, splat, splat_of
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at

from ..emission.descriptor import make_buffer
from ..emission.function import FunctionLowering, Rules
from ..emission.types import PTR, BufferType, TypeConverter, integer_width, memref_type
from .memref import row_major

_LARGE = 256
"""Elements from which on a constant is stored as words."""

_WORD_BYTES = 8

_WORDS = (1, 2, 4, 8)
"""The bytes of integers of which large splats are made."""


def lower_global(op: memref.GlobalOp, types: TypeConverter) -> llvm.GlobalOp:
    """Return the global of the llvm dialect for `op`."""
    type = types.buffer(memref_type(op.type, op), op)
    if not type.is_identity:
        fail_at(op, f"a global cannot have the layout of {op.type}")
    count = 1
    for size in type.sizes:
        if size is None:
            fail_at(op, f"a global cannot have the dynamic shape of {op.type}")
        count *= size
    stored, value = _initial_value(op, type, count)
    return llvm.GlobalOp(
        stored,
        op.sym_name,
        _linkage(op, value),
        constant=op.constant is not None,
        value=value,
        alignment=None if op.alignment is None else op.alignment.value.data,
    )


def _linkage(op: memref.GlobalOp, value: Attribute | None) -> str:
    """Return who sees the global.

    xDSL's back end prints the word `external`, which LLVM takes for declarations only;
    a weak definition is as visible.
    """
    if value is None:
        return "external"
    private = op.get_attr_or_prop("sym_visibility") == StringAttr("private")
    return "private" if private else "weak"


def _initial_value(
    op: memref.GlobalOp, type: BufferType, count: int
) -> tuple[llvm.LLVMArrayType, Attribute | None]:
    """Return the type in which the global is stored, and its value if it has one."""
    value = op.get_attr_or_prop("initial_value")
    if value is None:
        return llvm.LLVMArrayType(count, type.element), None
    if isinstance(type.element, llvm.LLVMStructType):
        type, count = _of_parts(type, type.element), 2 * count
        if isa(value, DenseIntOrFPElementsAttr):
            value = _parts_of(value)
    if isinstance(value, UnitAttr):
        return _equal_elements(type, count, bytes(type.element_bytes))
    if isinstance(value, DenseResourceAttr):
        return _elements(type, count, _resource_bytes(value, type, count, op))
    if not isa(value, DenseIntOrFPElementsAttr):
        fail_at(op, f"initial value {value} cannot be lowered")
    if (repeated := splat_of(value)) is not None:
        scalar = splat(TensorType(value.get_element_type(), [1]), repeated.element)
        return _equal_elements(type, count, _element_bytes(scalar, type, 1, op))
    return _elements(type, count, _element_bytes(value, type, count, op))


def _of_parts(type: BufferType, number: llvm.LLVMStructType) -> BufferType:
    """Return the type of a buffer of the parts of complex numbers."""
    return replace(
        type, element=number.types.data[0], element_bytes=type.element_bytes // 2
    )


def _parts_of(dense: DenseIntOrFPElementsAttr) -> DenseIntOrFPElementsAttr:
    """Return the real and imaginary parts of a constant, in turn."""
    number = dense.get_element_type()
    assert isa(number, ComplexType)
    part, count = number.element_type, 2 * length(dense)
    if (repeated := splat_of(dense)) is not None:
        half = len(repeated.element) // 2
        if repeated.element[:half] == repeated.element[half:]:
            return splat(TensorType(part, [count]), repeated.element[:half])
    return DenseIntOrFPElementsAttr(
        TensorType(part, [count]), BytesAttr(dense.data.data)
    )


def _element_bytes(
    dense: DenseIntOrFPElementsAttr, type: BufferType, count: int, op: Operation
) -> bytes:
    """Return the memory image of a constant."""
    if _is_odd(type):
        return _integer_bytes(dense, type)
    data = _narrowed(dense.data.data, dense.get_element_type(), type)
    if len(data) != count * type.element_bytes:
        fail_at(op, f"expected {count} elements in the initial value")
    return data


def _equal_elements(
    type: BufferType, count: int, element: bytes
) -> tuple[llvm.LLVMArrayType, Attribute]:
    """Return `count` times the same element, as one number if they are many."""
    if len(element) * count < LARGE_BYTES or len(element) not in _WORDS:
        return _elements(type, count, element * count)
    word = IntegerType(8 * len(element))
    value = splat(TensorType(word, [count]), element)
    return llvm.LLVMArrayType(count, word), value


def _resource_bytes(
    resource: DenseResourceAttr, type: BufferType, count: int, op: Operation
) -> bytes:
    """Return the memory image of a constant that the file has at its end."""
    data = resource_bytes(resource)
    if data is None:
        fail_at(op, f"the file has no resource {resource.resource_handle.data}")
    data = _narrowed(data, get_element_type_or_self(resource.type), type)
    if len(data) != count * type.element_bytes:
        fail_at(
            op,
            f"resource {resource.resource_handle.data} has {len(data)} bytes, but "
            f"{resource.type} has {count * type.element_bytes}",
        )
    return data


def _narrowed(data: bytes, element: Attribute, type: BufferType) -> bytes:
    """Return the lower bytes of each number of a constant, if there are too many.

    Attributes have eight bytes for an index.
    """
    size = type.element_bytes
    if size == _WORD_BYTES or not isinstance(element, IndexType):
        return data
    starts = range(0, len(data), _WORD_BYTES)
    return b"".join(data[start : start + size] for start in starts)


def _integer_bytes(dense: DenseIntOrFPElementsAttr, type: BufferType) -> bytes:
    """Return integers of unusual width as memory holds them."""
    size = type.element_bytes
    mask = (1 << integer_width(type.element)) - 1
    return b"".join(
        (value & mask).to_bytes(size, "little")
        for value in dense.get_values()
        if isinstance(value, int)
    )


def _elements(
    type: BufferType, count: int, data: bytes
) -> tuple[llvm.LLVMArrayType, Attribute]:
    """Return `data` as an array of elements, or of words if it is large."""
    element = type.element
    if count > _LARGE or _is_odd(type) or type.holds_vectors:
        data += bytes(-len(data) % _WORD_BYTES)
        element, count = i64, len(data) // _WORD_BYTES
    assert isa(element, AnyDenseElement)
    shape = TensorType(element, [count])
    value = DenseIntOrFPElementsAttr(shape, BytesAttr(data))
    return llvm.LLVMArrayType(count, element), value


def _is_odd(type: BufferType) -> bool:
    """Whether dense attributes pack the elements otherwise than memory does."""
    element = type.element
    return isa(element, IntegerType) and integer_width(element) % 8 != 0


def lower_get_global(op: memref.GetGlobalOp, f: FunctionLowering) -> None:
    """Lower to the address of the global, with a pointer that nobody may free."""
    type = f.buffer_type(op.memref.type, op)
    name = op.name_.root_reference.data
    if not isinstance(f.symbols.defined.get(name), memref.GlobalOp):
        fail_at(op, f"there is no memref.global @{name}")
    pointer = f.address_of(name)
    marker = f.cast(llvm.IntToPtrOp, f.integer(abi.GLOBAL_ALLOCATED_POINTER, i64), PTR)
    sizes = [size for size in type.sizes if size is not None]
    if len(sizes) != type.rank:
        fail_at(op, f"a global cannot have the dynamic shape of {op.memref.type}")
    strides = row_major(sizes, f)
    f.bind(op.memref, make_buffer(type, marker, pointer, 0, sizes, strides))


RULES: Rules = {memref.GetGlobalOp: lower_get_global}
