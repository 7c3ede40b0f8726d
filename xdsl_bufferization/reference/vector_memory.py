"""Vectors that are read from tensors and buffers, and written to them, in NumPy.

    %v = vector.transfer_read %m[%i], %pad : memref<?xf32>, vector<4xf32>
        ->  the elements from %i on, and %pad where there are none

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import vector
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.dialects.vector.masks import require_places
from xdsl_bufferization.support.errors import fail_at, op_name

from .machine import HandlerTable, Machine
from .tensors import checked_indices
from .values import Value
from .vectors import contract, multi_reduction, reduction


def _grid(shape: Sequence[int]) -> list[Value]:
    """The positions along each dimension of a vector, as arrays of its shape."""
    return [*np.indices(tuple(shape))]


def _positions(
    map_: AffineMap, indices: Sequence[Value], shape: Sequence[int]
) -> tuple[Value, ...]:
    """For each element of a vector, where it is in the source."""
    positions = [np.broadcast_to(index, tuple(shape)) for index in indices]
    for expr, steps in zip(map_.results, _grid(shape), strict=True):
        # Along any other dimension of the vector, one element is repeated.
        if isinstance(expr, AffineDimExpr):
            positions[expr.position] = positions[expr.position] + steps
    return tuple(positions)


def _transferred(
    op: vector.TransferReadOp | vector.TransferWriteOp,
    indices: Sequence[Value],
    masks: Sequence[Value],
    source: Value,
    shape: Sequence[int],
) -> tuple[tuple[Value, ...], Value]:
    """For each element of a vector, where it is in the source, and whether it is there.

    An element may be beyond the end of a dimension, if the op does not say that it is
    in bounds. An error at `op` otherwise, and for negative indices, as in checked code.
    """
    map_ = _map_of(op)
    positions = _positions(map_, indices, shape)
    chosen = np.ones(tuple(shape), np.bool_)
    for mask in masks:
        chosen &= _as_result(mask, map_, shape)
    may_leave = {
        expr.position
        for expr, flag in zip(map_.results, op.in_bounds, strict=True)
        if isinstance(expr, AffineDimExpr) and not flag.value.data
    }
    inside = chosen.copy()
    for position, size in zip(positions, source.shape, strict=True):
        inside &= position < size
    looked_up = [
        position[chosen & (position < size)] if at in may_leave else position[chosen]
        for at, (position, size) in enumerate(zip(positions, source.shape, strict=True))
    ]
    checked_indices(op, source.shape, looked_up)
    return positions, inside


def _as_result(mask: Value, map_: AffineMap, shape: Sequence[int]) -> Value:
    """A mask of a transfer, which has the order of the source, for each element."""
    loops = [e.position if isinstance(e, AffineDimExpr) else None for e in map_.results]
    present = sorted(loop for loop in loops if loop is not None)
    order = [present.index(loop) for loop in loops if loop is not None]
    axes = tuple(np.newaxis if loop is None else slice(None) for loop in loops)
    return np.broadcast_to(mask.transpose(order)[axes], tuple(shape))


def _map_of(op: Operation) -> AffineMap:
    return cast("AffineMapAttr", op.properties["permutation_map"]).data


def _transfer_read(
    op: vector.TransferReadOp,
    operands: list[Value],
    _: Machine,
    mask: Value | None = None,
) -> list[Value]:
    source, *rest = operands
    indices, padding = rest[: len(op.indices)], rest[len(op.indices)]
    masks = [*rest[len(op.indices) + 1 :], *([] if mask is None else [mask])]
    shape = cast(Any, op.result.type).get_shape()
    positions, inside = _transferred(op, indices, masks, source, shape)
    result = np.broadcast_to(padding, shape).copy()
    result[inside] = source[tuple(position[inside] for position in positions)]
    return [result]


def _transfer_write(
    op: vector.TransferWriteOp,
    operands: list[Value],
    _: Machine,
    mask: Value | None = None,
) -> list[Value]:
    values, dest, *rest = operands
    indices = rest[: len(op.indices)]
    masks = [*rest[len(op.indices) :], *([] if mask is None else [mask])]
    positions, inside = _transferred(op, indices, masks, dest, values.shape)
    target = dest.copy() if op.results else dest
    if target.ndim:
        target[tuple(position[inside] for position in positions)] = values[inside]
    elif inside:
        target[...] = values
    return [target] if op.results else []


def _block(
    op: Operation, source: Value, indices: Sequence[Value], shape: Sequence[int]
) -> tuple[Value, ...]:
    """Where the elements of a vector are that starts at these indices."""
    rank, inner = len(indices), len(shape)
    if source.ndim > rank:
        # The elements are vectors, of which one is meant.
        return checked_indices(op, source.shape, indices)
    steps = [0] * (rank - inner) + _grid(shape)
    positions = [index + step for index, step in zip(indices, steps, strict=True)]
    return checked_indices(op, source.shape, [*np.broadcast_arrays(*positions)])


def load(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    """A vector of neighbouring elements."""
    return [loaded(op, operands[0], operands[1:])]


def loaded(op: Operation, source: Value, indices: Sequence[Value]) -> Value:
    """The vector that starts at these indices, of the type of the result."""
    shape = cast(Any, op.results[0].type).get_shape()
    return np.array(source[_block(op, source, indices, shape)])


def _store(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    values, dest, *indices = operands
    store(op, values, dest, indices)
    return []


def store(op: Operation, values: Value, dest: Value, indices: Sequence[Value]) -> None:
    """Write a vector to neighbouring elements."""
    dest[_block(op, dest, indices, values.shape)] = values


def _lanes(
    op: Operation, dest: Value, indices: Sequence[Value], lanes: Value
) -> tuple[Value, ...]:
    """Where the elements are that are `lanes` behind the one at `indices`.

    They are counted in the order of the elements in memory, over the ends of rows.
    """
    *outer, last = indices
    if dest.flags.c_contiguous and dest.ndim == len(indices):
        first = np.ravel_multi_index(tuple(int(index) for index in indices), dest.shape)
        if (
            lanes.size
            and not 0 <= first + lanes.min() <= first + lanes.max() < dest.size
        ):
            fail_at(op, f"element {first + lanes.max()} of {dest.size}")
        return np.unravel_index(first + lanes, dest.shape)
    positions = [np.broadcast_to(index, lanes.shape) for index in outer]
    return checked_indices(op, dest.shape, [*positions, last + lanes])


def _masked_load(op: Any, operands: list[Value], _: Machine) -> list[Value]:
    source, *indices, mask, other = operands
    lanes = np.arange(mask.size)[mask]
    result = other.copy()
    result[mask] = source[_lanes(op, source, indices, lanes)]
    return [result]


def _masked_store(op: Any, operands: list[Value], _: Machine) -> list[Value]:
    dest, *indices, mask, values = operands
    lanes = np.arange(mask.size)[mask]
    dest[_lanes(op, dest, indices, lanes)] = values[mask]
    return []


def _expand_load(op: Any, operands: list[Value], _: Machine) -> list[Value]:
    """Neighbouring elements, to where the mask is set."""
    source, *indices, mask, other = operands
    result, count = other.copy(), int(np.count_nonzero(mask))
    result[mask] = source[_lanes(op, source, indices, np.arange(count))]
    return [result]


def _compress_store(op: Any, operands: list[Value], _: Machine) -> list[Value]:
    """The elements where the mask is set, next to each other."""
    dest, *indices, mask, values = operands
    count = int(np.count_nonzero(mask))
    dest[_lanes(op, dest, indices, np.arange(count))] = values[mask]
    return []


def _gather(op: Any, operands: list[Value], _: Machine) -> list[Value]:
    source, *indices, positions, mask, other = operands
    result = other.copy()
    lanes = positions[mask].astype(np.int64)
    result[mask] = source[_lanes(op, source, indices, lanes)]
    return [result]


def _scatter(op: Any, operands: list[Value], _: Machine) -> list[Value]:
    """Of two elements for one place, the later one stays."""
    dest, *indices, positions, mask, values = operands
    target = dest.copy() if op.results else dest
    chosen: list[Any] = [*zip(positions[mask], values[mask], strict=True)]
    for lane, value in chosen:
        target[_lanes(op, target, indices, np.asarray(lane, np.int64))] = value
    return [target] if op.results else []


Masked: TypeAlias = Callable[[Any, list[Value], Machine, Value], list[Value]]

_MASKED: Mapping[str, Masked] = {
    "vector.contract": contract,
    "vector.multi_reduction": multi_reduction,
    "vector.reduction": reduction,
    "vector.transfer_read": _transfer_read,
    "vector.transfer_write": _transfer_write,
}


def _mask(op: Any, operands: list[Value], machine: Machine) -> Sequence[Value]:
    """An op of which only some elements count; the others are `passthru` if given."""
    require_places(op)
    mask, *others = operands
    terminator = op.mask_region.block.last_op
    inner, given = terminator.prev_op, dict[SSAValue, Value]()
    if inner is not None:
        if (handler := _MASKED.get(inner.name)) is None:
            fail_at(inner, f"'{op_name(inner)}' cannot be masked here")
        results = handler(inner, machine.operands_of(inner), machine, mask)
        given.update(zip(inner.results, results, strict=True))
    yielded = [
        given[value] if value in given else machine.value_of(value)
        for value in terminator.operands
    ]
    if others:
        return [np.where(mask, yielded[0], others[0])]
    return yielded


VECTOR_MEMORY: HandlerTable = {
    "vector.compressstore": _compress_store,
    "vector.expandload": _expand_load,
    "vector.gather": _gather,
    "vector.load": load,
    "vector.mask": _mask,
    "vector.maskedload": _masked_load,
    "vector.maskedstore": _masked_store,
    "vector.scatter": _scatter,
    "vector.store": _store,
    "vector.transfer_read": _transfer_read,
    "vector.transfer_write": _transfer_write,
}
