"""The bits of numbers: what bitcasts read, and memory that changes its type.

1.0 as f32    ->  0x3f800000 as an integer without a sign
1.0 as bf16   ->  0x3f80, though it is a float32 in NumPy
"""

from typing import Any

import numpy as np
from xdsl.ir import Attribute, Operation

from .values import (
    Value,
    as_unsigned,
    bf16_of_bits,
    dtype_of,
    is_bf16,
    is_float,
    of_type,
    width_of,
)


def bits_of(type_: Attribute, value: Value) -> Value:
    """The bits of real numbers as integers without a sign."""
    if not is_float(type_):
        return as_unsigned(type_, value)
    # A number is to stay an array without dimensions.
    words = np.asarray(value, order="C").view(f"u{value.dtype.itemsize}")
    return (words >> 16).astype(np.uint16) if is_bf16(type_) else words


def value_of(type_: Attribute, bits: Value, op: Operation) -> Value:
    """The numbers of a type that have these bits."""
    if not is_float(type_):
        return of_type(type_, bits, op)
    if is_bf16(type_):
        return bf16_of_bits(bits)
    dtype = dtype_of(type_, op)
    return np.asarray(bits.astype(f"u{dtype.itemsize}"), order="C").view(dtype)


def single_bits(type_: Attribute, value: Value) -> Value:
    """Each number as a row of bits, the lowest first."""
    bits = bits_of(type_, value)
    places: Any = np.arange(width_of(type_)).astype(bits.dtype)
    return np.asarray((bits[..., np.newaxis] >> places) & 1).astype(np.bool_)


def value_of_single_bits(type_: Attribute, bits: Value, op: Operation) -> Value:
    """The numbers that such rows are of."""
    width = width_of(type_)
    dtype = np.dtype(object if width > 64 else np.uint64)
    weights = np.array([1 << place for place in range(width)], dtype)
    whole = np.asarray((bits.astype(dtype) * weights).sum(-1), dtype)
    return value_of(type_, whole, op)
