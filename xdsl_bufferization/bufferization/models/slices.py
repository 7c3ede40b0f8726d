"""Offsets, sizes and strides of slices, and the buffers that slices become.

%1 = tensor.extract_slice %0[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
%1 = memref.subview %0[%i] [2] [1]
    : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from xdsl.dialects import memref, tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.memref.layouts import StridedForm, get_strided_form
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.identity_cache import cached_by_identity

from ..interfaces.state import is_buffer_type
from .new_ops import segments

SliceOp = tensor.ExtractSliceOp | tensor.InsertSliceOp | ParallelInsertSliceOp

STATIC_NUMBERS = ("static_offsets", "static_sizes", "static_strides")
"""The properties with what is known of a slice."""


def mixed_slice(op: SliceOp) -> tuple[tuple[OpFoldResult, ...], ...]:
    """Offsets, sizes and strides; what a constant defines counts as known."""
    static = [static_numbers(op, name) for name in STATIC_NUMBERS]
    if len(op.operands) == (first := _first_number(op)):
        return tuple(static)
    dynamic = iter(op.operands[first:])
    return tuple(_mix(numbers, dynamic) for numbers in static)


def covers(op: SliceOp, container: SSAValue) -> bool:
    """Whether a slice of `container` is known to be all of it, in order."""
    if not is_as_large(op, container):
        return False
    offsets, _, strides = mixed_slice(op)
    return all(offset == 0 for offset in offsets) and all(
        stride == 1 for stride in strides
    )


def is_as_large(op: SliceOp, container: SSAValue) -> bool:
    """Whether a slice of `container` has its size.

    Where it is within bounds, it is all of it, whatever the offsets look like.
    """
    type_ = container.type
    return (
        isinstance(type_, TensorType)
        and DYNAMIC_INDEX not in type_.get_shape()
        and mixed_slice(op)[1] == type_.get_shape()
    )


def constant_value(value: SSAValue) -> int | None:
    """The number that `value` always is, or None."""
    # Asked of every index: `isinstance` of a class of xDSL takes several times as long.
    if type(value) is not OpResult or type(op := value.op) is not ConstantOp:
        return None
    number = op.value
    return number.value.data if isinstance(number, IntegerAttr) else None


def create_subview(
    op: SliceOp, source: SSAValue, result: TensorType
) -> memref.SubviewOp:
    """The slice that `op` works on, out of a buffer, with the shape of `result`."""
    static = {name: op.properties[name] for name in STATIC_NUMBERS}
    counts = (static_numbers(op, name).count(DYNAMIC_INDEX) for name in STATIC_NUMBERS)
    return memref.SubviewOp.create(
        operands=(source, *op.operands[_first_number(op) :]),
        result_types=(subview_type(op, source.type, result),),
        properties={**static, **segments(1, *counts)},
    )


def subview_type(op: SliceOp, source: object, result: TensorType) -> MemRefType:
    """The type of the slice that `op` works on: MLIR's rule for `memref.subview`."""
    if not is_buffer_type(source) or isinstance(source, UnrankedMemRefType):
        fail_at(op, f"cannot take a slice of a buffer of type {source}")
    form = _get_form(source)
    if form is None:
        fail_at(op, f"the layout of {source} is not strided; it cannot be sliced")
    strides, offset = form
    offsets, sizes, steps = (static_numbers(op, name) for name in STATIC_NUMBERS)
    for number, stride in zip(offsets, strides, strict=True):
        offset = _add(offset, _multiply(_known(number), stride))
    kept = kept_dimensions(op, sizes, result.get_shape())
    kept_strides = tuple(_multiply(strides[i], _known(steps[i])) for i in kept)
    return _get_strided_types(result, source.memory_space)(kept_strides, offset)


@cached_by_identity
def _get_form(type_: MemRefType) -> StridedForm | None:
    return get_strided_form(type_)


@cached_by_identity
def _get_strided_types(
    tensor: TensorType, memory_space: Attribute
) -> Callable[[tuple[int | None, ...], int | None], MemRefType]:
    """The buffer types for a tensor type, by strides and offset."""

    @lru_cache(maxsize=1024)
    def find(strides: tuple[int | None, ...], offset: int | None) -> MemRefType:
        layout = StridedLayoutAttr(strides, offset)
        return MemRefType(tensor.element_type, tensor.shape, layout, memory_space)

    return find


def _first_number(op: SliceOp) -> int:
    """The number of the first operand that is an offset, a size or a stride."""
    return 1 if isinstance(op, tensor.ExtractSliceOp) else 2


def kept_dimensions(
    op: Operation, sizes: Sequence[int], shape: Sequence[int]
) -> list[int]:
    """The dimensions of a slice that are left when ones are dropped to get `shape`."""
    kept: list[int] = []
    for dimension, size in enumerate(sizes):
        if len(kept) < len(shape) and size == shape[len(kept)]:
            kept.append(dimension)
        elif size != 1:
            break
    if len(kept) != len(shape):
        fail_at(
            op,
            f"a slice of sizes {list(sizes)} does not have the shape {list(shape)}; "
            "only dimensions of size 1 can be dropped",
        )
    return kept


def static_numbers(op: Operation, name: str) -> tuple[int, ...]:
    """The numbers in the property `name` of an op, which are i32 or i64."""
    numbers: DenseArrayBase[IntegerType] = op.properties[name]  # pyright: ignore[reportAssignmentType]
    assert isinstance(numbers, DenseArrayBase)
    data = numbers.data.data
    if numbers.elt_type.width.data == 64:
        return struct.unpack(f"<{len(data) // 8}q", data)
    return struct.unpack(f"<{len(data) // 4}i", data)


def _mix(
    static: Sequence[int], dynamic: Iterator[SSAValue]
) -> tuple[OpFoldResult, ...]:
    if DYNAMIC_INDEX not in static:
        return tuple(static)
    mixed: list[OpFoldResult] = []
    for number in static:
        if number != DYNAMIC_INDEX:
            mixed.append(number)
            continue
        value = next(dynamic)
        constant = constant_value(value)
        mixed.append(value if constant is None else constant)
    return tuple(mixed)


def _known(number: int) -> int | None:
    return None if number == DYNAMIC_INDEX else number


def _multiply(a: int | None, b: int | None) -> int | None:
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else a * b


def _add(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b
