"""Gathers, scatters and windows of StableHLO in NumPy, element by element.

    x 1 2 3 4, windows of 2 with a step of 2   ->   the places (0, 1), (2, 3)

Source: https://openxla.org/stablehlo/spec#ops
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from xdsl.ir import Block

from xdsl_bufferization.reference.machine import HandlerTable, Machine
from xdsl_bufferization.reference.values import Value, of_type

Values = Sequence[Value]


def numbers_of(op: Any, name: str, default: Sequence[int] = ()) -> list[int]:
    """The numbers of a property, which may be left out."""
    value = op.properties.get(name)
    return [*default] if value is None else [int(each) for each in value.get_values()]


def number_of(op: Any, name: str) -> int:
    """The number that a property is."""
    return op.properties[name].value.data


def sizes_of(op: Any, number: int = 0) -> tuple[int, ...]:
    """The sizes of a result."""
    return op.results[number].type.get_shape()


def window(starts: Sequence[Any], sizes: Sequence[int], whole: Value) -> Any:
    """A part that is moved so that it fits."""
    first = (
        min(max(int(start), 0), all_ - size)
        for start, size, all_ in zip(starts, sizes, whole.shape, strict=True)
    )
    return tuple(slice(at, at + size) for at, size in zip(first, sizes, strict=True))


def run(machine: Machine, block: Block, *arguments: Any) -> Values:
    """What a region returns for some arguments."""
    return machine.run_block(block, [np.asarray(each) for each in arguments])[1]


def _pairs(op: Any, name: str, rank: int) -> list[tuple[int, int]]:
    flat = numbers_of(op, name, [0] * (2 * rank))
    return [(flat[2 * at], flat[2 * at + 1]) for at in range(rank)]


def _places_of_windows(
    op: Any, shape: Sequence[int], windows: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], list[tuple[int, ...] | None]]]:
    """For each window, its number and its places; None: of the padding."""
    rank = len(shape)
    size = numbers_of(op, "window_dimensions", [1] * rank)
    step = numbers_of(op, "window_strides", [1] * rank)
    wide = numbers_of(op, "window_dilations", [1] * rank)
    base = numbers_of(op, "base_dilations", [1] * rank)
    low = [pair[0] for pair in _pairs(op, "padding", rank)]
    for number in np.ndindex(*windows):
        found: list[tuple[int, ...] | None] = []
        for inside in np.ndindex(*size):
            spread = [
                n * s + i * w - p
                for n, s, i, w, p in zip(number, step, inside, wide, low, strict=True)
            ]
            place = tuple(at // b for at, b in zip(spread, base, strict=True))
            is_between = any(at % b for at, b in zip(spread, base, strict=True))
            fits = all(0 <= at < all_ for at, all_ in zip(place, shape, strict=True))
            found.append(place if fits and not is_between else None)
        yield number, found


def _map(op: Any, operands: list[Value], machine: Machine) -> Values:
    result = np.empty_like(operands[0])
    for place in np.ndindex(*result.shape):
        inside = (x[place] for x in operands)
        (result[place],) = run(machine, op.computation.block, *inside)
    return [result]


def _reduce_window(op: Any, operands: list[Value], machine: Machine) -> Values:
    """The padding, also that between elements, holds what a window starts from."""
    count = len(operands) // 2
    inputs, inits = operands[:count], operands[count:]
    results = [np.full(sizes_of(op, at), init) for at, init in enumerate(inits)]
    for number, places in _places_of_windows(op, inputs[0].shape, sizes_of(op)):
        values: Values = inits
        for place in places:
            inside = inits if place is None else [x[place] for x in inputs]
            values = run(machine, op.body.block, *values, *inside)
        for result, value in zip(results, values, strict=True):
            result[number] = value
    return results


def _select_and_scatter(op: Any, operands: list[Value], machine: Machine) -> Values:
    x, source, init = operands
    result = np.full(x.shape, init)
    for number, all_places in _places_of_windows(op, x.shape, source.shape):
        places = [place for place in all_places if place is not None]
        best = places[0]
        for place in places[1:]:
            if not run(machine, op.select.block, x[best], x[place])[0]:
                best = place
        values = (result[best], source[number])
        (result[best],) = run(machine, op.scatter.block, *values)
    return [result]


def _gather(op: Any, operands: list[Value], _: Machine) -> Values:
    x, indices = operands
    numbers, sizes = op.properties["dimension_numbers"], numbers_of(op, "slice_sizes")
    gone = {
        *numbers.dims("collapsed_slice_dims"),
        *numbers.dims("operand_batching_dims"),
    }
    result = np.empty(sizes_of(op), x.dtype)
    batch = [d for d in range(result.ndim) if d not in numbers.dims("offset_dims")]
    for at, start in _starts(numbers, "start_index_map", indices, x.ndim):
        part = x[window(start, sizes, x)]
        kept = tuple(slice(None) if d not in gone else 0 for d in range(x.ndim))
        place: list[Any] = [slice(None)] * result.ndim
        for dimension, number in zip(batch, at, strict=True):
            place[dimension] = number
        result[tuple(place)] = part[kept]
    return [result]


def _starts(
    numbers: Any, name: str, indices: Value, rank: int
) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Each place of the batch, and where in the tensor a part begins."""
    axis = numbers.number("index_vector_dim")
    if axis == indices.ndim:
        indices = indices[..., np.newaxis]
    vectors = np.moveaxis(indices, axis, -1)
    batching = (
        ("operand_batching_dims", "start_indices_batching_dims")
        if name == "start_index_map"
        else ("input_batching_dims", "scatter_indices_batching_dims")
    )
    for at in np.ndindex(*vectors.shape[:-1]):
        start = [0] * rank
        for dimension, value in zip(numbers.dims(name), vectors[at], strict=True):
            start[dimension] = int(value)
        pairs = zip(*map(numbers.dims, batching), strict=True)
        for dimension, of_indices in pairs:
            start[dimension] = at[of_indices - (of_indices > axis)]
        yield at, start


def _scatter(op: Any, operands: list[Value], machine: Machine) -> Values:
    count = (len(operands) - 1) // 2
    results = [each.copy() for each in operands[:count]]
    indices, updates = operands[count], operands[count + 1 :]
    numbers = op.properties["scatter_dimension_numbers"]
    inserted = {
        *numbers.dims("inserted_window_dims"),
        *numbers.dims("input_batching_dims"),
    }
    windows = numbers.dims("update_window_dims")
    batch = [d for d in range(updates[0].ndim) if d not in windows]
    kept = [d for d in range(results[0].ndim) if d not in inserted]
    name = "scatter_dims_to_operand_dims"
    starts = dict(_starts(numbers, name, indices, results[0].ndim))
    for index in np.ndindex(*updates[0].shape):
        place = [*starts[tuple(index[d] for d in batch)]]
        for dimension, window in zip(kept, windows, strict=True):
            place[dimension] += index[window]
        at = tuple(place)
        if all(0 <= p < s for p, s in zip(at, results[0].shape, strict=True)):
            old, new = [x[at] for x in results], [x[index] for x in updates]
            changed = run(machine, op.body.block, *old, *new)
            for result, value in zip(results, changed, strict=True):
                result[at] = value
    return results


def _convolution(op: Any, operands: list[Value], _: Machine) -> Values:
    """Batch, features and space are brought into one order; then each tap is added."""
    numbers = op.properties["dimension_numbers"]
    spatial = [str(at) for at in range(operands[0].ndim - 2)]
    orders = {
        "input": ("b", "f", *spatial),
        "kernel": ("o", "i", *spatial),
        "output": ("b", "f", *spatial),
    }
    x, kernel = (
        each.transpose([numbers.names(which).index(name) for name in orders[which]])
        for each, which in zip(operands, ("input", "kernel"), strict=True)
    )
    names = numbers.names("output")
    sizes: list[int] = [sizes_of(op)[names.index(name)] for name in orders["output"]]
    result = np.zeros(sizes, x.dtype)
    for index in np.ndindex(*sizes):
        result[index] = _sum_of_taps(op, x, kernel, index)
    back = [orders["output"].index(name) for name in names]
    return [of_type(op.results[0].type, result.transpose(back), op)]


def _sum_of_taps(op: Any, x: Value, kernel: Value, index: Sequence[int]) -> Any:
    """One element of a convolution."""
    batch, feature, *place = index
    group, batch = _group(op, x, kernel, feature, batch)
    channels = kernel.shape[1]
    turned = numbers_of(op, "window_reversal", [0] * len(place))
    total = x.dtype.type(0)
    for tap in np.ndindex(*kernel.shape[2:]):
        inside = _place_of_tap(op, x, place, tap)
        if inside is None:
            continue
        used = (
            size - 1 - at if is_turned else at
            for at, size, is_turned in zip(tap, kernel.shape[2:], turned, strict=True)
        )
        weights = kernel[(feature, slice(None), *used)]
        for channel in range(channels):
            element = x[(batch, group * channels + channel, *inside)]
            total = total + element * weights[channel]
    return total


def _group(
    op: Any, x: Value, kernel: Value, feature: int, batch: int
) -> tuple[int, int]:
    """The group of features, and the place in the batch, of the input."""
    features = number_of(op, "feature_group_count")
    batches = number_of(op, "batch_group_count")
    group = feature // (kernel.shape[0] // features)
    part = feature // (kernel.shape[0] // batches)
    return group, batch + part * (x.shape[0] // batches)


def _place_of_tap(
    op: Any, x: Value, place: Sequence[int], tap: Sequence[int]
) -> list[int] | None:
    """Where in the input a tap is, if it is on an element."""
    ones = [1] * len(place)
    steps = numbers_of(op, "window_strides", ones)
    spread, wide = (
        numbers_of(op, "lhs_dilation", ones),
        numbers_of(op, "rhs_dilation", ones),
    )
    low = [pair[0] for pair in _pairs(op, "padding", len(place))]
    at = [
        number * step + inside * dilation - before
        for number, step, inside, dilation, before in zip(
            place, steps, tap, wide, low, strict=True
        )
    ]
    if any(each % by for each, by in zip(at, spread, strict=True)):
        return None
    found = [each // by for each, by in zip(at, spread, strict=True)]
    fits = all(0 <= e < size for e, size in zip(found, x.shape[2:], strict=True))
    return found if fits else None


PLACES: Final[HandlerTable] = {
    "stablehlo.convolution": _convolution,
    "stablehlo.gather": _gather,
    "stablehlo.map": _map,
    "stablehlo.reduce_window": _reduce_window,
    "stablehlo.scatter": _scatter,
    "stablehlo.select_and_scatter": _select_and_scatter,
}
