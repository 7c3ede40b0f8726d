"""What a value of a tensor program is in NumPy: types, constants, undefined contents.

Every value is an array that nobody changes: scalars are arrays of rank 0, `iN` is
NumPy's signed integer of that width, `i1` is bool and index is int64. NumPy has no
bf16, so bf16 is float32 that is rounded to bf16 after each operation.

    tensor<4x?xf32>   ->  float32 array of shape (4, n)
    index             ->  int64 array of shape ()
    complex<f32>      ->  complex64 array of shape ()
"""

from collections.abc import Sequence
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
    ShapedType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.mlir_text.splats import SplatBytes

Value: TypeAlias = NDArray[Any]

_FLOATS: dict[type[Attribute], type[np.floating[Any]]] = {
    Float16Type: np.float16,
    BFloat16Type: np.float32,
    Float32Type: np.float32,
    Float64Type: np.float64,
}

_COMPLEX: dict[type[Attribute], type[np.complexfloating[Any]]] = {
    Float32Type: np.complex64,
    Float64Type: np.complex128,
}

POISON_BYTE = 0xA5
"""Fills integers that were never written: large, odd and negative at every width."""

_NOT_A_NUMBER = {"f": np.nan, "c": complex(np.nan, np.nan)}


def element_type(type_: Attribute) -> Attribute:
    """The type itself for a scalar, of one element for a tensor."""
    if isinstance(type_, TensorType):
        return cast(TensorType, type_).element_type
    return type_


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
        integer = cast(IntegerType, scalar)
        width = integer.width.data
        if width == 1:
            return np.dtype(np.bool_)
        if width in (8, 16, 32, 64):
            unsigned = integer.signedness.data is Signedness.UNSIGNED
            return np.dtype(f"{'u' if unsigned else 'i'}{width // 8}")
    return fail_at(op, f"the reference evaluation has no values of type {type_}")


def is_float(type_: Attribute) -> bool:
    """Whether this is a floating-point type, or a tensor of one."""
    return type(element_type(type_)) in _FLOATS


def of_type(type_: Attribute, value: Any, op: Operation) -> Value:
    """`value` rounded or wrapped to the precision of `type_`, in any shape."""
    array = np.asarray(value)
    dtype = dtype_of(type_, op)
    if dtype == np.bool_ and array.dtype != np.bool_:
        return np.asarray((array & 1) != 0)
    array = np.asarray(array, dtype)
    return _round_to_bf16(array) if _is_bf16(type_) else array


def undefined(type_: Attribute, shape: Sequence[int], op: Operation) -> Value:
    """Contents that no program may depend on, chosen so that a dependence shows."""
    dtype = dtype_of(type_, op)
    if np.issubdtype(dtype, np.inexact):
        return np.full(tuple(shape), _NOT_A_NUMBER[dtype.kind], dtype)
    if dtype == np.bool_:
        return np.full(tuple(shape), True)
    poison = np.frombuffer(bytes([POISON_BYTE]) * dtype.itemsize, dtype)[0]
    return np.full(tuple(shape), poison, dtype)


def constant(attribute: Attribute, op: Operation) -> Value:
    """The value of the attribute of an `arith.constant`."""
    match attribute:
        case IntegerAttr():
            data: Any = attribute.value.data
            return of_type(attribute.type, _wrapped(data), op)
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
    if isinstance(type_, TensorType):
        sizes = cast(TensorType, type_).get_shape()
    return len(sizes) == value.ndim and all(
        size in (DYNAMIC_INDEX, actual)
        for size, actual in zip(sizes, value.shape, strict=True)
    )


def sizes_of(
    type_: TensorType, dynamic_sizes: Sequence[Value], op: Operation
) -> tuple[int, ...]:
    """The static sizes of `type_`, with the operands put where it is dynamic."""
    dynamic = iter(dynamic_sizes)
    sizes = tuple(
        int(next(dynamic)) if size == DYNAMIC_INDEX else size
        for size in type_.get_shape()
    )
    if any(size < 0 for size in sizes):
        fail_at(op, f"negative size in {list(sizes)}")
    return sizes


def _elements(data: bytes, type_: ShapedType, op: Operation) -> Value:
    """Read the bytes: elements are packed, little endian, i1 in a byte."""
    assert isinstance(type_, ContainerType)
    shape, element = type_.get_shape(), cast(Attribute, type_.get_element_type())
    if isinstance(element, BFloat16Type):
        halves = np.frombuffer(data, np.dtype("<u2"))
        words = halves.astype(np.uint32) << 16
        return words.view(np.float32).reshape(shape)
    dtype = dtype_of(element, op).newbyteorder("<")
    return np.frombuffer(data, dtype).reshape(shape)


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


def _wrapped(value: int) -> int:
    """An integer as 64 bits of two's complement: unsigned literals are legal."""
    return (value + 2**63) % 2**64 - 2**63


def _is_bf16(type_: Attribute) -> bool:
    return isinstance(element_type(type_), BFloat16Type)


def _round_to_bf16(array: Value) -> Value:
    """The nearest bf16 of each float32, ties to even; NaN stays NaN."""
    # `ascontiguousarray` would give a number a dimension.
    bits = np.asarray(array, np.float32, order="C").view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    result = np.where(np.isnan(array), array, rounded.view(np.float32))
    return result.astype(np.float32)
