"""What a value of a tensor program is in NumPy: types, constants, undefined contents.

Tensors, vectors and scalars are arrays that nobody changes. Buffers are arrays that
share their memory. Scalars are arrays of rank 0.

- An `iN` is a signed integer of NumPy with at least N bits, or of Python beyond 64
  bits. The number is what N bits of two's complement mean. `i1` is bool, and
  index is int64.
- NumPy has no bf16. A bf16 is a float32 that is rounded to bf16 after each operation.
- The same holds for the parts of complex numbers: of f16 and bf16, they are of float32.

    tensor<4x?xf32>   ->  float32 array of shape (4, n)
    index             ->  int64 array of shape ()
    i24               ->  int32 array of shape (), from -2**23 on
    complex<f32>      ->  complex64 array of shape ()
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    Builtin,
    ComplexType,
    ContainerType,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ShapedType,
    Signedness,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import mixed_values
from xdsl_bufferization.dialects.text.splats import SplatBytes
from xdsl_bufferization.support.errors import fail_at

Value: TypeAlias = NDArray[Any]

_FLOATS: dict[type[Attribute], type[np.floating[Any]]] = {
    Float16Type: np.float16,
    BFloat16Type: np.float32,
    Float32Type: np.float32,
    Float64Type: np.float64,
}

_COMPLEX: dict[type[Attribute], type[np.complexfloating[Any]]] = {
    Float16Type: np.complex64,
    BFloat16Type: np.complex64,
    Float32Type: np.complex64,
    Float64Type: np.complex128,
}

POISON_BYTE = 0xA5
"""Fills integers that were never written: odd, and large and negative from i8 on."""

MOST_BITS = 128
"""The widest integers that programs compute with."""

_NOT_A_NUMBER = {"f": np.nan, "c": complex(np.nan, np.nan)}


def element_type(type_: Attribute) -> Attribute:
    """The type of the numbers in a tensor, vector or buffer; a scalar's own type."""
    while isinstance(
        type_,
        TensorType | VectorType | MemRefType | UnrankedTensorType | UnrankedMemRefType,
    ):
        type_ = cast("Attribute", type_.element_type)
    return type_


def is_scalar(type_: Attribute) -> bool:
    """Whether this is the type of one number."""
    kinds = (IndexType, IntegerType, ComplexType, *_FLOATS)
    return isinstance(type_, kinds)


def inner_shape(type_: Attribute) -> tuple[int, ...]:
    """The sizes of the elements of a tensor or buffer, which may be vectors."""
    if isa(type_, TensorType | MemRefType) and isa(type_.element_type, VectorType):
        return type_.element_type.get_shape()
    return ()


def dtype_of(type_: Attribute, op: Operation) -> np.dtype[Any]:
    """The dtype of a scalar or of a tensor's elements; if none, an error at `op`."""
    scalar = element_type(type_)
    if (floating := _FLOATS.get(type(scalar))) is not None:
        return np.dtype(floating)
    if isinstance(scalar, IndexType):
        return np.dtype(np.int64)
    if isinstance(scalar, ComplexType):
        parts = cast(ComplexType, scalar).element_type
        if (number := _COMPLEX.get(type(parts))) is not None:
            return np.dtype(number)
    if isinstance(scalar, IntegerType):
        width = cast(IntegerType, scalar).width.data
        if 0 < width <= MOST_BITS:
            return _integer_dtype(width, is_unsigned(type_))
    return fail_at(op, f"the reference evaluation has no values of type {type_}")


def _integer_dtype(width: int, unsigned: bool) -> np.dtype[Any]:
    if width == 1:
        return np.dtype(np.bool_)
    for size in (1, 2, 4, 8):
        if width <= 8 * size:
            return np.dtype(f"{'u' if unsigned else 'i'}{size}")
    return np.dtype(object)


def is_unsigned(type_: Attribute) -> bool:
    """Whether a type says that its integers have no sign, as `ui8`."""
    scalar = element_type(type_)
    return (
        isinstance(scalar, IntegerType)
        and cast(IntegerType, scalar).signedness.data is Signedness.UNSIGNED
    )


def width_of(type_: Attribute) -> int:
    """The number of bits of an integer or index, or of a floating-point number."""
    scalar = element_type(type_)
    if isinstance(scalar, IntegerType):
        return cast(IntegerType, scalar).width.data
    if isinstance(scalar, Float16Type | BFloat16Type):
        return 16
    return 32 if isinstance(scalar, Float32Type) else 64


def is_bf16(type_: Attribute) -> bool:
    """Whether numbers of this type are rounded to bf16."""
    return isinstance(element_type(type_), BFloat16Type)


def is_float(type_: Attribute) -> bool:
    """Whether this is a floating-point type, or a tensor of one."""
    return type(element_type(type_)) in _FLOATS


def of_type(type_: Attribute, value: Any, op: Operation) -> Value:
    """`value` rounded or wrapped to the precision of `type_`, in any shape."""
    array, dtype = np.asarray(value), dtype_of(type_, op)
    scalar = element_type(type_)
    if isinstance(scalar, IntegerType):
        return _wrapped(array, cast(IntegerType, scalar), dtype)
    if isinstance(scalar, BFloat16Type):
        return _round_to_bf16(array)
    if isinstance(scalar, ComplexType):
        parts = cast("Attribute", cast(ComplexType, scalar).element_type)
        return _rounded_parts(array, parts, dtype, op)
    return np.asarray(array, dtype)


def _wrapped(array: Value, type_: IntegerType, dtype: np.dtype[Any]) -> Value:
    """The low bits of integers, as the number that they mean."""
    width = type_.width.data
    if dtype == np.bool_:
        return np.asarray(array if array.dtype == dtype else (array & 1) != 0, dtype)
    if object in (array.dtype, dtype):
        # Python's integers, which do not wrap by themselves.
        low = array.astype(object) & ((1 << width) - 1)
        sign = 0 if is_unsigned(type_) else (low >> (width - 1)) << width
        return np.asarray(np.asarray(low - sign, object).astype(dtype))
    whole = np.asarray(array).astype(dtype)
    surplus = 8 * dtype.itemsize - width
    return np.asarray((whole << surplus) >> surplus) if surplus else whole


def as_signed(type_: Attribute, value: Value) -> Value:
    """Integers of a type as numbers with a sign: a true i1 is -1."""
    if value.dtype == np.bool_:
        return np.asarray(-value.astype(np.int8))
    if not is_unsigned(type_):
        return value
    if width_of(type_) == 8 * value.dtype.itemsize:
        return value.view(f"i{value.dtype.itemsize}")
    bits, sign = as_unsigned(type_, value).astype(object), 1 << (width_of(type_) - 1)
    return np.asarray(np.asarray((bits ^ sign) - sign, object))


def as_unsigned(type_: Attribute, value: Value) -> Value:
    """The same bits as numbers without a sign: a true i1 is 1."""
    if value.dtype == np.bool_:
        return value.astype(np.uint8)
    width = width_of(type_)
    if value.dtype == object:
        return np.asarray(value & ((1 << width) - 1), object)
    bits = value.view(f"u{value.dtype.itemsize}")
    if width == 8 * value.dtype.itemsize:
        return bits
    return np.asarray(bits & bits.dtype.type((1 << width) - 1))


def undefined(type_: Attribute, shape: Sequence[int], op: Operation) -> Value:
    """Contents that no program may depend on, chosen so that a dependence shows."""
    dtype = dtype_of(type_, op)
    if np.issubdtype(dtype, np.inexact):
        return np.full(tuple(shape), _NOT_A_NUMBER[dtype.kind], dtype)
    poison = int.from_bytes(bytes([POISON_BYTE]) * (MOST_BITS // 8))
    element = np.asarray(poison, object)
    if not isinstance(element_type(type_), IndexType):
        return np.full(tuple(shape), of_type(type_, element, op), dtype)
    return np.full(tuple(shape), of_type(i64, element, op), dtype)


def constant(attribute: Attribute, op: Operation) -> Value:
    """The value of the attribute of an `arith.constant`."""
    match attribute:
        case IntegerAttr():
            # Literals without a sign are legal: all bits are given.
            bits = np.asarray(attribute.value.data, object)
            type_ = i64 if isinstance(attribute.type, IndexType) else attribute.type
            return of_type(type_, bits, op)
        case FloatAttr():
            return of_type(attribute.type, attribute.value.data, op)
        case DenseIntOrFPElementsAttr():
            if isinstance(attribute.data, SplatBytes):
                element = attribute.data.repeated.element
                scalar = TensorType(attribute.get_element_type(), [])
                one = np.asarray(_elements(element, scalar, op))
                return np.broadcast_to(one, attribute.get_shape())
            return _elements(attribute.data.data, attribute.type, op)
        case DenseResourceAttr():
            return _resource(attribute, op)
        case _:
            return fail_at(op, f"the reference evaluation cannot read {attribute.name}")


def has_shape(type_: Attribute, value: Value) -> bool:
    """Whether `value` may be a tensor of this type; rank 0 for a scalar."""
    sizes: Sequence[int] = ()
    if isa(type_, TensorType | VectorType | MemRefType):
        sizes = (*type_.get_shape(), *inner_shape(type_))
    return len(sizes) == value.ndim and all(
        size in (DYNAMIC_INDEX, actual)
        for size, actual in zip(sizes, value.shape, strict=True)
    )


def require_shape(op: Operation, type_: Attribute, value: Value) -> None:
    """Fail at `op` if `value` is no tensor of this type: some sizes are computed."""
    if not has_shape(type_, value):
        fail_at(op, f"a tensor of shape {list(value.shape)} is not a {type_}")


def known_numbers(static: Iterable[int], dynamic: Iterable[Value]) -> list[int]:
    """The numbers of an op in order: those written in the op, and operands."""
    return [int(number) for number in mixed_values(static, dynamic)]


def sizes_of(
    type_: TensorType | MemRefType, dynamic_sizes: Sequence[Value], op: Operation
) -> tuple[int, ...]:
    """The static sizes of `type_`, with the operands put where it is dynamic."""
    sizes = tuple(known_numbers(type_.get_shape(), dynamic_sizes))
    if any(size < 0 for size in sizes):
        fail_at(op, f"negative size in {list(sizes)}")
    return sizes


def _elements(data: bytes, type_: ShapedType, op: Operation) -> Value:
    """Read the bytes: elements are packed, little endian, i1 in a byte."""
    assert isinstance(type_, ContainerType)
    shape, element = type_.get_shape(), cast(Attribute, type_.get_element_type())
    if isinstance(element, BFloat16Type):
        return bf16_of_bits(np.frombuffer(data, np.dtype("<u2"))).reshape(shape)
    if isinstance(element, ComplexType):
        return _complex_elements(data, cast(ComplexType, element), op).reshape(shape)
    dtype = dtype_of(element, op)
    if dtype.hasobject:
        size = len(data) // max(prod(shape), 1)
        numbers = [
            int.from_bytes(data[at : at + size], "little", signed=True)
            for at in range(0, len(data), size)
        ]
        return of_type(element, np.array(numbers, object).reshape(shape), op)
    elements = np.frombuffer(data, dtype.newbyteorder("<")).reshape(shape)
    is_narrow = dtype.kind in "iu" and width_of(element) < 8 * dtype.itemsize
    return of_type(element, elements, op) if is_narrow else elements


def _complex_elements(data: bytes, type_: ComplexType, op: Operation) -> Value:
    """Read pairs of a real and an imaginary part."""
    part = cast("Attribute", type_.element_type)
    size = width_of(part) // 8
    numbers = TensorType(part, [len(data) // size])
    parts = _elements(data, numbers, op).reshape(-1, 2)
    result = np.empty(len(parts), dtype_of(type_, op))
    result.real, result.imag = parts[:, 0], parts[:, 1]
    return result


def _resource(attribute: DenseResourceAttr, op: Operation) -> Value:
    """Read what the file has at its end: in hexadecimal, the alignment in front."""
    resources = Builtin.get_interface(OpAsmDialectInterface)
    name = attribute.resource_handle.data
    blob = resources and resources.lookup(name)
    if not blob:
        fail_at(op, f"the file has no resource {name}")
    try:
        return _elements(bytes.fromhex(blob[2:])[4:], attribute.type, op)
    except ValueError:
        fail_at(op, f"resource {name} does not have the size of {attribute.type}")


def bf16_of_bits(halves: Value) -> Value:
    """The numbers with these bits, in 16 bits each."""
    return (halves.astype(np.uint32) << 16).view(np.float32)


def _round_to_bf16(array: Value) -> Value:
    """The nearest bf16 of each number, ties to even; NaN stays NaN."""
    if array.dtype == np.float64:
        array = _odd_float32(array)
    # `ascontiguousarray` would give a number a dimension.
    bits = np.asarray(array, np.float32, order="C").view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    result = np.where(np.isnan(array), array, rounded.view(np.float32))
    return result.astype(np.float32)


def _odd_float32(array: Value) -> Value:
    """Neighbouring float32s of float64s, the odd one of two: to be rounded once more.

    Rounding twice to the nearest may err where the first rounding makes a tie.
    Source: Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008.
    """
    near = np.asarray(array, np.float32)
    rest = array - near.astype(np.float64)
    is_even = (near.view(np.uint32) & 1) == 0
    towards = np.copysign(np.float32(np.inf), rest.astype(np.float32))
    moved = is_even & np.isfinite(rest) & (rest != 0)
    return np.where(moved, np.nextafter(near, towards), near)


def _rounded_parts(
    array: Value, part: Attribute, dtype: np.dtype[Any], op: Operation
) -> Value:
    """Complex numbers with parts of less precision than NumPy has."""
    if not isinstance(part, Float16Type | BFloat16Type):
        return np.asarray(array, dtype)
    result, numbers = np.empty(array.shape, dtype), np.asarray(array, np.complex128)
    result.real = of_type(part, numbers.real, op)
    result.imag = of_type(part, numbers.imag, op)
    return result
