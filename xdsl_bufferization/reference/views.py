"""Views of buffers in NumPy: the same memory with other sizes and strides.

    %1 = memref.subview %0[1] [2] [2] : ...    ->  array[1:4:2]
    %2 = memref.transpose %0 (i, j) -> (j, i)  ->  array.transpose(1, 0)

The memory that a view is of, and its distance to the first element, are those of the
allocation, or of the array that an argument is.
"""

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects import memref
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, UnrankedMemRefType
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from xdsl_bufferization.support.errors import fail_at

from .machine import HandlerTable, Machine
from .tensors import dim, kept_sizes, rank, slices_of
from .values import (
    Value,
    dtype_of,
    has_shape,
    is_bf16,
    known_numbers,
    sizes_of,
    width_of,
)


class Memory:
    """Memory that NumPy makes an array of, which has no larger array behind it."""

    def __init__(self, whole: Value, interface: dict[str, Any], root: Value | None):
        self.whole = whole
        self.root = root
        self.__array_interface__ = interface


def as_memory(array: Value) -> Value:
    """An array of the same memory, which is an allocation of its own."""
    if array.dtype == object:
        return array
    return np.asarray(Memory(array, dict(array.__array_interface__), None))


def _allocation(view: Value) -> Value:
    """The array that a view was made of first."""
    while (base := cast(Any, view.base)) is not None:
        behind: Any = base.root if isinstance(base, Memory) else base
        if not isinstance(behind, np.ndarray):
            break
        view = cast("Value", behind)
    return view


def _address(array: Value) -> int:
    return int(array.__array_interface__["data"][0])


def _distance(view: Value) -> int:
    """From the first element of the allocation to that of the view, in elements."""
    return (_address(view) - _address(_allocation(view))) // view.itemsize


def _window(
    op: Operation,
    source: Value,
    offset: int,
    sizes: Sequence[int],
    strides: Sequence[int],
) -> Value:
    """A view of the allocation of `source`; an error at `op` if that is too small."""
    root = _allocation(source)
    steps = [(size - 1) * stride for size, stride in zip(sizes, strides, strict=True)]
    lowest = offset + sum(min(step, 0) for step in steps)
    highest = offset + sum(max(step, 0) for step in steps)
    start, stop = np.lib.array_utils.byte_bounds(root)
    first = (start - _address(root)) // root.itemsize
    last = (stop - _address(root)) // root.itemsize
    if min(sizes, default=1) > 0 and not first <= lowest <= highest < last:
        fail_at(
            op,
            f"elements {lowest} to {highest} are outside of the memory, which has "
            f"{last - first}",
        )
    interface: dict[str, Any] = dict(root.__array_interface__)
    interface["data"] = (_address(root) + offset * root.itemsize, False)
    interface["shape"] = tuple(sizes)
    interface["strides"] = tuple(stride * root.itemsize for stride in strides)
    return np.asarray(Memory(root, interface, root))


def _cast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    type_ = op.results[0].type
    if not isinstance(type_, UnrankedMemRefType) and not has_shape(type_, operands[0]):
        fail_at(op, f"a buffer of shape {list(operands[0].shape)} is not a {type_}")
    return [operands[0]]


def _same(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    return operands


def _subview(op: memref.SubviewOp, operands: list[Value], _: Machine) -> list[Value]:
    source, *numbers = operands
    sizes, slices = slices_of(op, numbers, source.shape)
    wanted = cast("MemRefType[Any]", op.result.type).get_shape()
    kept = kept_sizes(op, sizes, wanted)
    view = source[(*slices, ...)]
    # Taking away a dimension of size one never copies.
    return [view[tuple(slice(None) if keep else 0 for keep in kept)]]


def _reinterpret_cast(
    op: memref.ReinterpretCastOp, operands: list[Value], _: Machine
) -> list[Value]:
    source, *numbers = operands
    moved, sized = len(op.offsets), len(op.sizes)
    (offset,) = known_numbers(op.static_offsets.get_values(), numbers[:moved])
    sizes = known_numbers(op.static_sizes.get_values(), numbers[moved : moved + sized])
    strides = known_numbers(op.static_strides.get_values(), numbers[moved + sized :])
    return [_window(op, source, offset, sizes, strides)]


def _metadata(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    (view,) = operands
    whole = _allocation(view)
    numbers = [
        _distance(view),
        *view.shape,
        *(stride // view.itemsize for stride in view.strides),
    ]
    first = whole[(0,) * whole.ndim + (...,)]
    return [first, *(np.asarray(number, np.int64) for number in numbers)]


def _pointer(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    return [np.asarray(_address(_allocation(operands[0])), np.int64)]


def _reshaped(op: Operation, source: Value, sizes: Sequence[int]) -> Value:
    if source.size != prod(sizes) or min(sizes, default=1) < 0:
        fail_at(
            op, f"a buffer of shape {list(source.shape)} cannot become {list(sizes)}"
        )
    view = source.reshape(tuple(sizes))
    if source.size and not np.may_share_memory(view, source):
        fail_at(op, "the elements of this buffer have gaps between them")
    return view


def _reshape(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, shape = operands
    return [_reshaped(op, source, [int(size) for size in shape])]


def _expand_shape(
    op: memref.ExpandShapeOp, operands: list[Value], _: Machine
) -> list[Value]:
    source, *sizes = operands
    return [
        _reshaped(op, source, known_numbers(op.static_output_shape.get_values(), sizes))
    ]


def _collapse_shape(
    op: memref.CollapseShapeOp, operands: list[Value], _: Machine
) -> list[Value]:
    source = operands[0]
    groups = [[int(dim.value.data) for dim in group] for group in op.reassociation]
    sizes = [prod(source.shape[at] for at in group) for group in groups]
    return [_reshaped(op, source, sizes)]


def _transpose(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    exprs = cast("AffineMapAttr", op.properties["permutation"]).data.results
    order = [expr.position for expr in exprs if isinstance(expr, AffineDimExpr)]
    return [operands[0].transpose(order)]


def _dealloc(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """Which retained buffers are owned now: those whose memory a condition frees."""
    freed, conditions, _ = cast(Any, op.properties["operandSegmentSizes"]).get_values()
    pairs = zip(operands[:freed], operands[freed : freed + conditions], strict=True)
    owned = {_address(_allocation(buffer)) for buffer, condition in pairs if condition}
    retained = operands[freed + conditions :]
    return [np.asarray(_address(_allocation(each)) in owned) for each in retained]


def _view(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, shift, *sizes = operands
    type_ = cast("MemRefType[Any]", op.results[0].type)
    dtype = dtype_of(type_, op)
    if is_bf16(type_) or width_of(type_) not in (8, 16, 32, 64):
        fail_at(op, f"the reference evaluation has no bytes of {type_.element_type}")
    shape = sizes_of(type_, sizes, op)
    start, size = int(shift), prod(shape) * dtype.itemsize
    if not 0 <= start <= start + size <= len(source):
        fail_at(op, f"bytes {start} to {start + size} of a buffer of {len(source)}")
    return [source[start : start + size].view(dtype).reshape(shape)]


def _type_cast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """A buffer of numbers as one of vectors: the array is the same."""
    if not isa(op.results[0].type, MemRefType):
        fail_at(op, "the result is no buffer with a rank")
    return operands


VIEWS: HandlerTable = {
    "bufferization.dealloc": _dealloc,
    "memref.assume_alignment": _same,
    "memref.cast": _cast,
    "memref.collapse_shape": _collapse_shape,
    "memref.dim": dim,
    "memref.distinct_objects": _same,
    "memref.expand_shape": _expand_shape,
    "memref.extract_aligned_pointer_as_index": _pointer,
    "memref.extract_strided_metadata": _metadata,
    "memref.memory_space_cast": _same,
    "memref.rank": rank,
    "memref.reinterpret_cast": _reinterpret_cast,
    "memref.reshape": _reshape,
    "memref.subview": _subview,
    "memref.transpose": _transpose,
    "memref.view": _view,
    "vector.type_cast": _type_cast,
}
