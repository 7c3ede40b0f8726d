"""tensor and bufferization operations in NumPy, each giving a new value.

    %1 = tensor.insert %v into %0[%i]   ->   a copy of %0 that differs at i

Results may be views of their operands: no value is ever changed. An index or a slice
outside of its tensor, which MLIR leaves undefined, is an error.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import bufferization, memref, tensor
from xdsl.dialects.builtin import (
    DenseArrayBase,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import fail_at

from .bits import bits_of, value_of
from .machine import HandlerTable, Machine
from .points import run_at_points
from .values import Value, known_numbers, of_type, require_shape, sizes_of, undefined


def _result_type(op: Operation) -> TensorType:
    type_ = op.results[0].type
    if not isinstance(type_, TensorType):
        fail_at(op, f"the reference evaluation needs a ranked tensor, not {type_}")
    return cast(TensorType, type_)


def _empty(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    type_ = _result_type(op)
    # Nobody changes a value, so that one element stands for all.
    return [np.broadcast_to(undefined(type_, (), op), sizes_of(type_, operands, op))]


def _cast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    (value,) = operands
    type_ = op.results[0].type
    if not isinstance(type_, UnrankedTensorType):
        require_shape(op, type_, value)
    return [value]


def dim(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """One of the sizes of a tensor or buffer."""
    source, index = operands
    if not 0 <= int(index) < source.ndim:
        fail_at(op, f"a tensor of rank {source.ndim} has no dimension {int(index)}")
    return [np.asarray(source.shape[int(index)], np.int64)]


def rank(_: Operation, operands: list[Value], __: Machine) -> list[Value]:
    """How many dimensions a tensor or buffer has."""
    return [np.asarray(operands[0].ndim, np.int64)]


def checked_indices(
    op: Operation, shape: Sequence[int], indices: Sequence[Value]
) -> tuple[Value, ...]:
    """Indices of an element, or of many; an error at `op` where there is none.

    The elements themselves may be vectors, whose dimensions are the last ones.
    """
    for dimension, (size, index) in enumerate(zip(shape, indices, strict=False)):
        if index.size and not (index.min() >= 0 and index.max() < size):
            wrong = int(index.min() if index.min() < 0 else index.max())
            fail_at(
                op,
                f"index {wrong} is out of bounds in dimension {dimension} "
                f"of a tensor of shape {list(shape)}",
            )
    return tuple(indices)


def _extract(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, *indices = operands
    return [np.asarray(source[checked_indices(op, source.shape, indices)])]


def _insert(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    scalar, dest, *indices = operands
    result = dest.copy()
    result[checked_indices(op, dest.shape, indices)] = scalar
    return [result]


def slices_of(
    op: tensor.ExtractSliceOp | tensor.InsertSliceOp | memref.SubviewOp,
    operands: Sequence[Value],
    shape: Sequence[int],
) -> tuple[list[int], tuple[slice, ...]]:
    """Sizes and NumPy slices of a slice op, from its operands after the tensors."""
    number, sized = len(op.offsets), len(op.sizes)
    offsets = known_numbers(op.static_offsets.get_values(), operands[:number])
    sizes = known_numbers(
        op.static_sizes.get_values(), operands[number : number + sized]
    )
    strides = known_numbers(op.static_strides.get_values(), operands[number + sized :])
    slices: list[slice] = []
    for bound, offset, size, stride in zip(shape, offsets, sizes, strides, strict=True):
        last = offset + (size - 1) * stride
        inside = size >= 0 and offset >= 0 and stride != 0
        inside = inside and (not size or 0 <= last < bound)
        if not inside:
            fail_at(
                op,
                f"slice [{offset}][{size}][{stride}] is out of bounds "
                f"of a tensor of shape {list(shape)}",
            )
        end = last + (1 if stride > 0 else -1)
        # NumPy counts what is below 0 from the end.
        slices.append(
            slice(offset, None if end < 0 else end, stride)
            if size
            else slice(offset, offset)
        )
    return sizes, tuple(slices)


def kept_sizes(
    op: tensor.ExtractSliceOp | memref.SubviewOp,
    sizes: Sequence[int],
    wanted: Sequence[int],
) -> list[bool]:
    """Which dimensions a result of these sizes has, which may lack some of size one."""
    surplus, found = len(sizes) - len(wanted), 0
    kept: list[bool] = []
    static_sizes = cast(Sequence[int], op.static_sizes.get_values())
    for static_size in static_sizes:
        needed = found < len(wanted) and wanted[found] == 1
        is_dropped = bool(surplus) and static_size == 1 and not needed
        surplus -= is_dropped
        found += not is_dropped
        kept.append(not is_dropped)
    if found != len(wanted):
        fail_at(op, f"a slice of sizes {list(sizes)} is not a {op.results[0].type}")
    return kept


def _extract_slice(
    op: tensor.ExtractSliceOp, operands: list[Value], _: Machine
) -> list[Value]:
    source, *rest = operands
    sizes, slices = slices_of(op, rest, source.shape)
    kept = kept_sizes(op, sizes, _result_type(op).get_shape())
    shape = [size for size, keep in zip(sizes, kept, strict=True) if keep]
    # The slice of an array without dimensions is a number, not an array.
    return [np.asarray(source[slices]).reshape(shape)]


def _insert_slice(
    op: tensor.InsertSliceOp, operands: list[Value], _: Machine
) -> list[Value]:
    source, dest, *rest = operands
    return [inserted(op, source, dest, rest)]


def inserted(op: Any, source: Value, dest: Value, numbers: list[Value]) -> Value:
    """`dest` with `source` in the slice of `op`, whose dynamic `numbers` are given.

    For `tensor.insert_slice` and every op that describes its slice in the same way.
    """
    sizes, slices = slices_of(op, numbers, dest.shape)
    if source.size != int(np.prod(sizes)):
        fail_at(op, f"a source of shape {list(source.shape)} does not fill {sizes}")
    result = dest.copy()
    result[slices] = source.reshape(sizes)
    return result


def _from_elements(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    type_ = _result_type(op)
    elements = np.array([operand[()] for operand in operands])
    return [of_type(type_, elements, op).reshape(type_.get_shape())]


def _splat(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    scalar, *sizes = operands
    return [np.full(sizes_of(_result_type(op), sizes, op), scalar)]


def _reshape(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, shape = operands
    return [_reshaped(op, source, [int(size) for size in shape])]


def _collapse_shape(
    op: tensor.CollapseShapeOp, operands: list[Value], _: Machine
) -> list[Value]:
    source = operands[0]
    shape = [
        int(np.prod([source.shape[int(dim.value.data)] for dim in group]))
        for group in op.reassociation
    ]
    return [source.reshape(shape)]


def _expand_shape(
    op: tensor.ExpandShapeOp, operands: list[Value], _: Machine
) -> list[Value]:
    source, *sizes = operands
    return [
        _reshaped(op, source, known_numbers(op.static_output_shape.get_values(), sizes))
    ]


def _reshaped(op: Operation, source: Value, shape: list[int]) -> Value:
    if any(size < 0 for size in shape) or source.size != int(np.prod(shape)):
        fail_at(op, f"a tensor of shape {list(source.shape)} cannot become {shape}")
    return source.reshape(shape)


def _concat(op: tensor.ConcatOp, operands: list[Value], _: Machine) -> list[Value]:
    dimension = op.dim.value.data
    others = {
        operand.shape[:dimension] + operand.shape[dimension + 1 :]
        for operand in operands
    }
    if len(others) != 1:
        fail_at(op, f"tensors of different sizes beside dimension {dimension}")
    return [np.concatenate(operands, axis=dimension)]


def _points(shape: Sequence[int]) -> list[Value]:
    """Positions along each dimension, ready to be broadcast against each other."""
    return [
        np.arange(size, dtype=np.int64).reshape(
            [-1 if at == dimension else 1 for at in range(len(shape))]
        )
        for dimension, size in enumerate(shape)
    ]


def _generate(op: Operation, operands: list[Value], machine: Machine) -> list[Value]:
    type_ = _result_type(op)
    shape = sizes_of(type_, operands, op)
    return [_computed(op, shape, machine)]


def _computed(op: Operation, shape: Sequence[int], machine: Machine) -> Value:
    """The body of `op` at all positions."""
    body = op.regions[0].block
    return run_at_points(machine, body, _points(shape), shape, op.results[0].type)


def _pad(op: tensor.PadOp, operands: list[Value], machine: Machine) -> list[Value]:
    source, *rest = operands
    low = known_numbers(op.static_low.get_values(), rest[: len(op.low)])
    high = known_numbers(op.static_high.get_values(), rest[len(op.low) :])
    if any(amount < 0 for amount in (*low, *high)):
        fail_at(op, f"negative padding: low {low}, high {high}")
    shape = [
        size + before + after
        for size, before, after in zip(source.shape, low, high, strict=True)
    ]
    result = np.array(_computed(op, shape, machine))
    inside = tuple(
        slice(start, start + size)
        for start, size in zip(low, source.shape, strict=True)
    )
    result[inside] = source
    return [result]


def _bitcast(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, target = op.operands[0].type, op.results[0].type
    return [value_of(target, bits_of(source, operands[0]), op)]


def _selected(
    op: Operation, whole: Value, indices: Value, dims: DenseArrayBase[Any]
) -> tuple[Value, ...]:
    """NumPy indices of the slices at `indices`, which are of size 1 along `dims`."""
    selected = [int(dimension) for dimension in dims.get_values()]
    leading, rest = indices.ndim - 1, whole.ndim - len(selected)
    leading_shape = indices.shape[:-1]
    positions: list[Value] = []
    kept = 0
    for dimension, size in enumerate(whole.shape):
        if dimension in selected:
            at = indices[..., selected.index(dimension)]
            positions.append(np.reshape(at, leading_shape + (1,) * rest))
            continue
        shape = [1] * (leading + rest)
        shape[leading + kept] = size
        positions.append(np.arange(size, dtype=np.int64).reshape(shape))
        kept += 1
    return checked_indices(op, whole.shape, positions)


def _gather(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, indices = operands
    dims = cast("DenseArrayBase[Any]", op.properties["gather_dims"])
    slices = source[_selected(op, source, indices, dims)]
    if _result_type(op).get_num_dims() != slices.ndim:
        for dimension in dims.get_values():
            slices = np.expand_dims(slices, indices.ndim - 1 + int(dimension))
    return [slices]


def _scatter(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, dest, indices = operands
    dims = cast("DenseArrayBase[Any]", op.properties["scatter_dims"])
    at = _selected(op, dest, indices, dims)
    result = dest.copy()
    result[at] = source.reshape(np.broadcast_shapes(*(where.shape for where in at)))
    return [result]


def _alloc_tensor(
    op: bufferization.AllocTensorOp, operands: list[Value], machine: Machine
) -> list[Value]:
    if op.copy is not None:
        return [operands[len(op.dynamic_sizes)]]
    return _empty(op, operands[: len(op.dynamic_sizes)], machine)


def _nothing(_: Operation, __: list[Value], ___: Machine) -> list[Value]:
    return []


TENSORS: HandlerTable = {
    "tensor.empty": _empty,
    "tensor.cast": _cast,
    "tensor.dim": dim,
    "tensor.rank": rank,
    "tensor.extract": _extract,
    "tensor.insert": _insert,
    "tensor.extract_slice": _extract_slice,
    "tensor.insert_slice": _insert_slice,
    "tensor.from_elements": _from_elements,
    "tensor.splat": _splat,
    "tensor.reshape": _reshape,
    "tensor.collapse_shape": _collapse_shape,
    "tensor.expand_shape": _expand_shape,
    "tensor.concat": _concat,
    "tensor.bitcast": _bitcast,
    "tensor.gather": _gather,
    "tensor.scatter": _scatter,
    "tensor.generate": _generate,
    "tensor.pad": _pad,
    "bufferization.alloc_tensor": _alloc_tensor,
    "bufferization.dealloc_tensor": _nothing,
}
