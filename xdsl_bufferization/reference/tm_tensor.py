"""Evaluate ops of tm_tensor: one step along the dimension at a time, in all rows.

- Scans, scatters and top-k's follow the definitions of torch-mlir, element by element.
- A sort merges runs as `codegen/tm_tensor/sort.py` does, so that both agree
  where a comparison is no order, as that of NaN.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import fail_at

from .buffers import on_buffers_too
from .machine import HandlerTable, Machine
from .points import run_at_points
from .values import Value, of_type


def _scan(op: Operation, operands: list[Value], machine: Machine) -> Sequence[Value]:
    source, output, accumulator = operands
    along = _integer(op, "dimension")
    inclusive = bool(_integer(op, "inclusive"))
    rows, results = np.moveaxis(source, along, 0), np.empty_like(source)
    outputs = np.moveaxis(results, along, 0)
    count = len(rows)
    if not count:
        return output, accumulator
    outputs[0] = rows[0] if inclusive else accumulator
    for i in range(1, count):
        element = rows[i if inclusive else i - 1]
        outputs[i] = _payload(op, machine, [outputs[i - 1], element])
    return results, outputs[-1] if count > 1 else accumulator


def _scatter(op: Operation, operands: list[Value], machine: Machine) -> Sequence[Value]:
    updates, indices, original = operands
    columns = cast("DenseArrayBase[Any]", op.properties["dimension_map"]).get_values()
    first = original.ndim - updates.ndim + 1
    result = original.copy()
    for update, row in zip(updates, indices, strict=True):
        starts = dict.fromkeys(range(original.ndim), 0)
        for dimension, entry in zip(columns, row, strict=True):
            starts[int(dimension)] = int(entry)
        sizes = (1,) * first + update.shape
        place = tuple(
            slice(starts[d], starts[d] + size) for d, size in enumerate(sizes)
        )
        if any(
            each.start < 0 or each.stop > available
            for each, available in zip(place, original.shape, strict=True)
        ):
            fail_at(
                op,
                f"an update begins at {[*map(int, starts.values())]} and has sizes "
                f"{[*sizes]}, which is outside of {[*original.shape]}",
            )
        old = result[place]
        arguments = [update.reshape(old.shape), old.copy()]
        result[place] = _payload(op, machine, arguments)
    return (result,)


def _sort(op: Operation, operands: list[Value], machine: Machine) -> Sequence[Value]:
    along = _integer(op, "dimension")
    results = [operand.copy() for operand in operands]
    count = results[0].shape[along]
    if not results[0].size:
        return results
    # All rows one below the other; a merge takes a step in every row at once.
    tables = [np.moveaxis(result, along, -1).reshape(-1, count) for result in results]
    width = 1
    while width < count:
        tables = _merge_runs(op, machine, tables, width)
        width *= 2
    shape = np.moveaxis(results[0], along, -1).shape
    return [np.moveaxis(table.reshape(shape), -1, along) for table in tables]


def _merge_runs(
    op: Operation, machine: Machine, tables: list[Value], width: int
) -> list[Value]:
    """Merge every two neighbouring runs of `width` elements."""
    rows, count = tables[0].shape
    starts: list[int] = list(range(0, count - width, 2 * width))
    row: Value = np.repeat(np.arange(rows, dtype=np.int64), len(starts))
    first: Value = np.tile(starts, rows)
    middle = first + width
    end: Value = np.minimum(middle + width, count)
    i, j = first.copy(), middle.copy()
    merged = [table.copy() for table in tables]
    for step in range(2 * width):
        is_open = first + step < end
        if not is_open.any():
            break
        lefts = [table[row, np.minimum(i, count - 1)] for table in tables]
        rights = [table[row, np.minimum(j, count - 1)] for table in tables]
        takes_left = _stays_in_front(op, machine, lefts, rights)
        takes_left = (takes_left & (i < middle)) | (j >= end)
        at = first + step
        for table, left, right in zip(merged, lefts, rights, strict=True):
            value = _choose(takes_left, left, right)
            table[row[is_open], at[is_open]] = value[is_open]
        i += takes_left & is_open
        j += ~takes_left & is_open
    return merged


def _stays_in_front(
    op: Operation, machine: Machine, lefts: list[Value], rights: list[Value]
) -> Value:
    """Whether left elements go first: if they may, or if the right ones may not."""
    return _compare(op, machine, lefts, rights) | ~_compare(op, machine, rights, lefts)


def _compare(
    op: Operation, machine: Machine, firsts: list[Value], seconds: list[Value]
) -> Value:
    pairs = zip(firsts, seconds, strict=True)
    return _payload(op, machine, [each for pair in pairs for each in pair])


def _topk(op: Operation, operands: list[Value], machine: Machine) -> Sequence[Value]:
    *inputs, out_values, out_indices = operands
    along = _integer(op, "dimension")
    values = np.moveaxis(inputs[0], along, 0)
    results = [out_values.copy(), out_indices.copy()]
    kept = tuple(np.moveaxis(each, along, 0) for each in results)
    for i in range(len(values)):
        if len(inputs) > 1:
            index: Value = np.moveaxis(inputs[1], along, 0)[i]
        else:
            index = np.full(values.shape[1:], i, out_indices.dtype)
        carried = np.asarray(values[i]), index
        for j in range(len(kept[0])):
            carried = _exchange(op, machine, carried, (kept[0], kept[1], j))
    return results


def _exchange(
    op: Operation,
    machine: Machine,
    carried: tuple[Value, Value],
    place: tuple[Value, Value, int],
) -> tuple[Value, Value]:
    """Keep the better of two elements; returns the other one, and its index."""
    (value, index), (values, indices, j) = carried, place
    kept, where = np.array(values[j]), np.array(indices[j])
    better = _payload(op, machine, [value, kept])
    worse = _payload(op, machine, [kept, value])
    takes_index = better | ((better == worse) & (index < where))
    values[j] = _choose(better, value, kept)
    indices[j] = _choose(takes_index, index, where)
    return _choose(better, kept, value), _choose(takes_index, where, index)


def _attention(op: Operation, operands: list[Value], _: Machine) -> Sequence[Value]:
    inputs, output = operands[:-1], operands[-1]
    wide = np.promote_types(output.dtype, np.float32)
    query, key, value = (each.astype(wide) for each in inputs[:3])
    scale = op.properties.get("scale")
    if scale is None:
        factor = wide.type(1) / np.sqrt(wide.type(query.shape[-1]))
    else:
        factor = wide.type(cast("FloatAttr[Any]", scale).value.data)
    weights: Value = query @ np.swapaxes(key, -1, -2) * factor
    if len(inputs) > 3:
        mask = inputs[3]
        if mask.dtype == np.bool_:
            weights = _choose(mask, weights, np.asarray(-np.inf, wide))
        else:
            weights = weights + mask.astype(wide)
    largest: Value = np.max(weights, axis=-1, keepdims=True, initial=-np.inf)
    # A row of which nothing counts is zero.
    largest = _choose(np.isneginf(largest), np.zeros_like(largest), largest)
    weights = np.exp(weights - largest)
    total: Value = weights.sum(axis=-1, keepdims=True)
    result = weights @ value / _choose(total == 0, np.ones_like(total), total)
    return (of_type(op.operands[-1].type, result, op),)


def _payload(op: Operation, machine: Machine, arguments: list[Value]) -> Value:
    """What the region yields for arrays of elements."""
    arguments = [np.asarray(argument) for argument in arguments]
    body = op.regions[0].block
    terminator = body.last_op
    assert terminator is not None, "a body yields a value"
    type_ = terminator.operands[0].type
    return run_at_points(machine, body, arguments, arguments[0].shape, type_)


def _choose(condition: Value, a: Value, b: Value) -> Value:
    return np.where(condition, a, b)


def _integer(op: Operation, name: str) -> int:
    return cast("IntegerAttr[Any]", op.properties[name]).value.data


TM_TENSOR: HandlerTable = on_buffers_too(
    {
        "tm_tensor.attention": _attention,
        "tm_tensor.scan": _scan,
        "tm_tensor.scatter": _scatter,
        "tm_tensor.sort": _sort,
        "tm_tensor.topk": _topk,
    }
)
