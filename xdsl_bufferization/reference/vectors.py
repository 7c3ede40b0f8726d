"""Ops on vectors in NumPy that leave memory alone: a vector is an array.

    %1 = vector.reduction <add>, %0 : vector<4xf32> into f32  ->  ((v0 + v1) + v2) + v3

Elements are combined in order, and rounded after each step.
Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    VectorType,
    i64,
)
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from xdsl_bufferization.support.errors import fail_at

from .bits import single_bits, value_of_single_bits
from .combining import combined, neutral
from .elementwise import fused_multiply_add
from .machine import HandlerTable, Machine
from .values import Value, as_signed, element_type, is_float, known_numbers, of_type


def integers_of(op: Operation, name: str) -> list[int]:
    """The numbers of a property that is an array, in either of its two forms."""
    attribute = op.properties[name]
    if isinstance(attribute, DenseArrayBase):
        numbers = cast("DenseArrayBase[Any]", attribute).get_values()
        return [int(number) for number in numbers]
    array = cast("ArrayAttr[IntegerAttr[Any]]", attribute)
    return [number.value.data for number in array]


def _shape_of(value: SSAValue) -> tuple[int, ...]:
    type_ = value.type
    return type_.get_shape() if isa(type_, VectorType) else ()


def _kind(op: Operation) -> str:
    kind = op.properties.get("kind")
    return cast("CombiningKindAttr", kind).data.value if kind is not None else "add"


def combined_along(
    op: Operation, values: Value, start: Value, axis: int, mask: Value | None = None
) -> Value:
    """`start` and the values along an axis, one after the other, as `op` says."""
    kind, type_ = _kind(op), op.results[0].type
    total = start
    for at in range(values.shape[axis]):
        more = combined(kind, type_, total, values.take(at, axis), op)
        total = more if mask is None else np.where(mask.take(at, axis), more, total)
    return total


def reduction(
    op: Operation, operands: list[Value], _: Machine, mask: Value | None = None
) -> list[Value]:
    """One number of all that a mask selects."""
    values, *start = operands
    values = np.atleast_1d(values)
    if not start and mask is None:
        # Neither 0 nor another number is added: 0 + -0 is not -0.
        return [combined_along(op, values[1:], values[0], 0)]
    first = start[0] if start else neutral(_kind(op), op.results[0].type, op)
    picked = None if mask is None else np.atleast_1d(mask)
    return [combined_along(op, values, first, 0, picked)]


def multi_reduction(
    op: Operation, operands: list[Value], _: Machine, mask: Value | None = None
) -> list[Value]:
    """Elements along some dimensions, in the order of their numbers."""
    values, total = operands
    dims = integers_of(op, "reduction_dims")
    others = [at for at in range(values.ndim) if at not in dims]

    def rows(array: Value) -> Value:
        kept = [array.shape[at] for at in others]
        return array.transpose([*others, *dims]).reshape([*kept, -1])

    picked = None if mask is None else rows(mask)
    return [combined_along(op, rows(values), total, len(others), picked)]


def contract(
    op: Operation, operands: list[Value], _: Machine, mask: Value | None = None
) -> list[Value]:
    """Sums of products: rounded one after the other, the last loop fastest."""
    maps = [
        [cast("AffineDimExpr", expr).position for expr in each.data.results]
        for each in cast("ArrayAttr[AffineMapAttr]", op.properties["indexing_maps"])
    ]
    type_ = op.results[0].type
    factors = [
        _extended(operand.type, value, type_, op)
        for operand, value in zip(op.operands[:2], operands[:2], strict=True)
    ]
    sizes: dict[int, int] = {}
    for loops, value in zip(maps, operands, strict=True):
        sizes.update(zip(loops, value.shape, strict=True))
    summed = [loop for loop in sorted(sizes) if loop not in maps[2]]
    order = [*maps[2], *summed]
    shape = [sizes[loop] for loop in order]
    lhs, rhs = (_spread(*each, order) for each in zip(factors, maps[:2], strict=True))
    products = np.broadcast_to(combined("mul", type_, lhs, rhs, op), shape)
    rows = products.reshape([*shape[: len(maps[2])], -1])
    if mask is not None:
        mask = mask.transpose(order).reshape(rows.shape)
    return [combined_along(op, rows, operands[2], len(maps[2]), mask)]


def _extended(
    source: Attribute, value: Value, target: Attribute, op: Operation
) -> Value:
    if is_float(target):
        return of_type(target, value, op)
    is_index = isinstance(element_type(target), IndexType)
    return of_type(i64 if is_index else target, as_signed(source, value), op)


def _spread(value: Value, loops: Sequence[int], order: Sequence[int]) -> Value:
    """An operand with one axis for each loop in order, of size 1 if it has none."""
    present = [loop for loop in order if loop in loops]
    axes = tuple(slice(None) if loop in loops else np.newaxis for loop in order)
    return value.transpose([loops.index(loop) for loop in present])[axes]


def _outer_product(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    lhs, rhs, *start = operands
    type_ = op.results[0].type
    lhs = lhs[..., np.newaxis] if rhs.ndim else lhs
    product = combined("mul", type_, lhs, rhs, op)
    if start:
        product = combined(_kind(op), type_, start[0], product, op)
    return [product]


def _scan(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, initial = operands
    axis = cast("IntegerAttr[Any]", op.properties["reduction_dim"]).value.data
    inclusive = bool(cast("IntegerAttr[Any]", op.properties["inclusive"]).value.data)
    kind, type_ = _kind(op), op.results[0].type
    running = [source.take(0, axis) if inclusive else initial]
    for at in range(1, source.shape[axis]):
        added = source.take(at if inclusive else at - 1, axis)
        running.append(combined(kind, type_, running[-1], added, op))
    return [np.stack(running, axis), running[-1]]


def _broadcast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    return [np.broadcast_to(operands[0], _shape_of(op.results[0]))]


def _shape_cast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    return [operands[0].reshape(_shape_of(op.results[0]))]


def _transpose(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    return [operands[0].transpose(integers_of(op, "permutation"))]


def _position(op: Operation, source: Value, numbers: list[Value]) -> tuple[int, ...]:
    at = known_numbers(integers_of(op, "static_position"), numbers)
    for position, size in zip(at, source.shape, strict=False):
        if not 0 <= position < size:
            fail_at(op, f"position {position} in a dimension of size {size}")
    return tuple(at)


def _extract(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, *numbers = operands
    return [np.asarray(source[_position(op, source, numbers)])]


def _insert(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    value, dest, *numbers = operands
    result = dest.copy()
    result[_position(op, dest, numbers)] = value
    return [result]


def _shuffle(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    both = np.concatenate([np.atleast_1d(operand) for operand in operands])
    # A position of -1 is poison, for which any element does.
    return [both[integers_of(op, "mask")]]


def _slices(op: Operation, sizes: Sequence[int]) -> tuple[slice, ...]:
    offsets, strides = integers_of(op, "offsets"), integers_of(op, "strides")
    strides += [1] * (len(offsets) - len(strides))
    numbers = zip(offsets, sizes, strides, strict=True)
    return tuple(
        slice(offset, offset + (size - 1) * stride + 1, stride)
        for offset, size, stride in numbers
    )


def _extract_slice(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    return [operands[0][_slices(op, integers_of(op, "sizes"))]]


def _insert_slice(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    value, dest = operands
    rank = len(integers_of(op, "offsets"))
    shape = (1,) * (rank - value.ndim) + value.shape
    result = dest.copy()
    result[_slices(op, shape)] = value
    return [result]


def _interleave(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    return [np.stack(operands, axis=-1).reshape(_shape_of(op.results[0]))]


def _deinterleave(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    return [operands[0][..., ::2], operands[0][..., 1::2]]


def _from_elements(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    return [np.stack(operands).reshape(_shape_of(op.results[0]))]


def _to_elements(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    return [np.asarray(element) for element in operands[0].reshape(-1)]


def _step(op: Operation, _: list[Value], __: Machine) -> list[Value]:
    return [np.arange(*_shape_of(op.results[0]), dtype=np.int64)]


def _bitcast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, target = op.operands[0].type, op.results[0].type
    bits = single_bits(source, operands[0])
    shape = _shape_of(op.results[0])
    rows = bits.reshape(*shape, -1)
    return [value_of_single_bits(target, rows, op)]


def _mask(op: Operation, sizes: Sequence[int]) -> list[Value]:
    """True at the first positions along each dimension.

    A mask of one element has no dimension, and yet a size: 0 or 1.
    """
    shape = _shape_of(op.results[0])
    if not shape:
        return [np.asarray(sizes[0] > 0)]
    result = np.ones(shape, np.bool_)
    for axis, size in enumerate(sizes):
        steps = np.arange(shape[axis]).reshape([-1] + [1] * (len(shape) - axis - 1))
        result &= steps < size
    return [result]


def _create_mask(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    return _mask(op, [int(size) for size in operands])


def _constant_mask(op: Operation, _: list[Value], __: Machine) -> list[Value]:
    return _mask(op, integers_of(op, "mask_dim_sizes"))


VECTORS: HandlerTable = {
    "vector.bitcast": _bitcast,
    "vector.broadcast": _broadcast,
    "vector.constant_mask": _constant_mask,
    "vector.contract": contract,
    "vector.create_mask": _create_mask,
    "vector.deinterleave": _deinterleave,
    "vector.extract": _extract,
    "vector.extract_strided_slice": _extract_slice,
    "vector.fma": fused_multiply_add,
    "vector.from_elements": _from_elements,
    "vector.insert": _insert,
    "vector.insert_strided_slice": _insert_slice,
    "vector.interleave": _interleave,
    "vector.multi_reduction": multi_reduction,
    "vector.outerproduct": _outer_product,
    "vector.reduction": reduction,
    "vector.scan": _scan,
    "vector.shape_cast": _shape_cast,
    "vector.shuffle": _shuffle,
    "vector.step": _step,
    "vector.to_elements": _to_elements,
    "vector.transpose": _transpose,
}
