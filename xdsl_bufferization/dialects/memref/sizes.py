"""How many bytes a buffer takes.

memref<4x8xf32>          128
memref<4xi1>             4, a byte for each
memref<4xvector<3xf32>>  64: a row of a vector takes a power of two
memref<4x?xf32>          unknown
"""

from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    CompileTimeFixedBitwidthType,
    ComplexType,
    FixedBitwidthType,
    IndexType,
    IntegerType,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from .layouts import get_strided_form

UNKNOWN_EXTENT = 100
"""What an extent counts as, in estimates, that only the running program knows."""

_INDEX_BYTES = 8
"""A machine word, on all machines that the runtime supports."""


def count_element_bytes(type_: Attribute) -> int | None:
    """The bytes from one element of a buffer to the next; None if unknown."""
    match type_:
        case IndexType():
            return _INDEX_BYTES
        case IntegerType():
            return _power_of_two((type_.width.data + 7) // 8)
        case ComplexType():
            part = count_element_bytes(type_.element_type)
            return None if part is None else 2 * part
        case VectorType():
            return _count_vector_bytes(type_)
        case FixedBitwidthType():  # Of f80 and f128, xDSL knows the bits alone.
            return _power_of_two((type_.bitwidth + 7) // 8)
        case CompileTimeFixedBitwidthType():
            return _power_of_two(type_.compile_time_size)
        case _:
            return None


def count_bytes(type_: Attribute) -> int | None:
    """The bytes of the elements of a tensor or buffer; None if unknown."""
    if not (isa(type_, TensorType) or isa(type_, MemRefType)):
        return None
    size = count_element_bytes(type_.element_type)
    if size is None or not type_.has_static_shape():
        return None
    return size * prod(type_.get_shape())


def estimate_bytes(type_: Attribute) -> int:
    """The bytes of a tensor or buffer, where what is unknown is guessed."""
    if not (isa(type_, TensorType) or isa(type_, MemRefType)):
        return UNKNOWN_EXTENT * _INDEX_BYTES
    element = count_element_bytes(type_.element_type) or _INDEX_BYTES
    return element * prod(
        UNKNOWN_EXTENT if extent == DYNAMIC_INDEX else extent
        for extent in type_.get_shape()
    )


def _count_vector_bytes(type_: VectorType) -> int | None:
    """Rows one after the other, as LLVM has them: integers have no gaps in a row."""
    part, element = count_element_bytes(type_.element_type), type_.element_type
    if part is None or any(type_.get_scalable_dims()):
        return None
    bits = element.width.data if isa(element, IntegerType) else 8 * part
    *outer, width = type_.get_shape() or (1,)
    return prod(outer) * _power_of_two((width * bits + 7) // 8)


def _power_of_two(size: int) -> int:
    """What an element of `size` bytes takes, so that the next one is aligned."""
    return 1 << (size - 1).bit_length() if size else 0


def count_buffer_bytes(type_: Attribute) -> int | None:
    """The bytes that an allocation of this type takes; None if unknown."""
    if not isa(type_, MemRefType) or not type_.has_static_shape():
        return None
    element, form = count_element_bytes(type_.element_type), get_strided_form(type_)
    if element is None or form is None or form.offset is None:
        return None
    if 0 in type_.get_shape():
        return 0
    last = form.offset
    for size, stride in zip(type_.get_shape(), form.strides, strict=True):
        if stride is None:
            return None
        last += (size - 1) * max(stride, 0)
    return (last + 1) * element
