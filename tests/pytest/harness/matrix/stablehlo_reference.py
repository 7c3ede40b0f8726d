"""Ops of StableHLO in NumPy, by their definitions, for the reference.

    evaluate(module, "p7", arguments, STABLEHLO)

Shares nothing with the rules that write these ops as ops of linalg.

Source: https://openxla.org/stablehlo/spec#ops
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from harness.matrix.stablehlo_numbers import NUMBERS, Compute
from harness.matrix.stablehlo_places import (
    PLACES,
    Values,
    number_of,
    numbers_of,
    run,
    sizes_of,
    window,
)
from xdsl_bufferization.reference.machine import HandlerTable, Machine
from xdsl_bufferization.reference.values import Value, constant, of_type

_COMPARISONS: Final[dict[str, Compute]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GE": np.greater_equal,
    "GT": np.greater,
    "LE": np.less_equal,
    "LT": np.less,
}


def _compare(op: Any, operands: list[Value], _: Machine) -> Values:
    direction = op.properties["comparison_direction"].data.value
    return [_COMPARISONS[direction](*operands)]


def _convert(op: Any, operands: list[Value], _: Machine) -> Values:
    """To the nearest integer towards zero, in the range; of NaN, 0."""
    (x,), type_ = operands, op.results[0].type
    wanted = of_type(type_, np.zeros((), np.int64), op).dtype
    if wanted == np.bool_:
        return [x != 0]
    if wanted.kind == "i" and x.dtype.kind == "f":
        limits = np.iinfo(wanted)
        inside = np.clip(np.nan_to_num(np.trunc(x)), float(limits.min), limits.max)
        return [of_type(type_, inside.astype(wanted), op)]
    return [of_type(type_, x.astype(wanted), op)]


def _bitcast_convert(op: Any, operands: list[Value], _: Machine) -> Values:
    wanted = of_type(op.results[0].type, np.zeros((), np.int64), op).dtype
    return [np.ascontiguousarray(operands[0]).view(wanted)]


def _reduce_precision(op: Any, operands: list[Value], _: Machine) -> Values:
    """The formats of f16 and f32, whose rounding is NumPy's."""
    bits = number_of(op, "exponent_bits"), number_of(op, "mantissa_bits")
    format_ = {(5, 10): np.float16, (8, 23): np.float32}[bits]
    (x,) = operands
    return [x.astype(format_).astype(x.dtype)]


def _constant(op: Any, _: list[Value], __: Machine) -> Values:
    return [constant(op.properties["value"], op)]


def _iota(op: Any, _: list[Value], __: Machine) -> Values:
    indices = np.indices(sizes_of(op))[number_of(op, "iota_dimension")]
    return [of_type(op.results[0].type, indices, op)]


def _reshape(op: Any, operands: list[Value], _: Machine) -> Values:
    return [operands[0].reshape(sizes_of(op))]


def _broadcast(op: Any, operands: list[Value], _: Machine) -> Values:
    shape = [1] * len(sizes_of(op))
    for dimension, size in zip(
        numbers_of(op, "broadcast_dimensions"), operands[0].shape, strict=True
    ):
        shape[dimension] = size
    return [np.broadcast_to(_ordered(op, operands[0], shape), sizes_of(op))]


def _ordered(op: Any, x: Value, shape: Sequence[int]) -> Value:
    """The dimensions in the order of those of the result."""
    dimensions = numbers_of(op, "broadcast_dimensions")
    return x.transpose(np.argsort(dimensions)).reshape(shape)


def _transpose(op: Any, operands: list[Value], _: Machine) -> Values:
    return [operands[0].transpose(numbers_of(op, "permutation"))]


def _reverse(op: Any, operands: list[Value], _: Machine) -> Values:
    return [np.flip(operands[0], (*numbers_of(op, "dimensions"),))]


def _concatenate(op: Any, operands: list[Value], _: Machine) -> Values:
    return [np.concatenate(operands, number_of(op, "dimension"))]


def _slice(op: Any, operands: list[Value], _: Machine) -> Values:
    bounds = (numbers_of(op, f"{name}") for name in ("start_indices", "limit_indices"))
    places = zip(*bounds, numbers_of(op, "strides"), strict=True)
    return [operands[0][tuple(slice(*place) for place in places)]]


def _dynamic_slice(op: Any, operands: list[Value], _: Machine) -> Values:
    whole, *starts = operands
    return [whole[window(starts, sizes_of(op), whole)]]


def _dynamic_update_slice(_op: Any, operands: list[Value], _: Machine) -> Values:
    whole, part, *starts = operands
    changed = whole.copy()
    changed[window(starts, part.shape, whole)] = part
    return [changed]


def _pad(op: Any, operands: list[Value], _: Machine) -> Values:
    x, value = operands
    return [
        _padded(
            x,
            value,
            sizes_of(op),
            numbers_of(op, "edge_padding_low"),
            [each + 1 for each in numbers_of(op, "interior_padding")],
        )
    ]


def _padded(
    x: Value,
    value: Any,
    sizes: Sequence[int],
    low: Sequence[int],
    steps: Sequence[int],
) -> Value:
    """Each element in its place, if the result has it."""
    found = np.full(sizes, value, x.dtype)
    for index in np.ndindex(*x.shape):
        place = tuple(
            first + at * step for at, first, step in zip(index, low, steps, strict=True)
        )
        if all(0 <= at < size for at, size in zip(place, sizes, strict=True)):
            found[place] = x[index]
    return found


def _while(op: Any, operands: list[Value], machine: Machine) -> Values:
    carried: Values = operands
    while run(machine, op.cond.block, *carried)[0]:
        carried = run(machine, op.body.block, *carried)
    return carried


def _if(op: Any, operands: list[Value], machine: Machine) -> Values:
    return run(machine, op.branches[0 if operands[0] else 1].block)


def _case(op: Any, operands: list[Value], machine: Machine) -> Values:
    number, count = int(operands[0]), len(op.branches)
    taken = number if 0 <= number < count else count - 1
    return run(machine, op.branches[taken].block)


def _same(_op: Any, operands: list[Value], _: Machine) -> Values:
    return operands


def _composite(op: Any, operands: list[Value], machine: Machine) -> Values:
    name = op.properties["decomposition"].root_reference.data
    return machine.call(machine.functions[name], operands)


def _reduce(op: Any, operands: list[Value], machine: Machine) -> Values:
    count, dimensions = len(operands) // 2, numbers_of(op, "dimensions")
    results = [np.full(sizes_of(op, at), operands[count + at]) for at in range(count)]
    for index in np.ndindex(*operands[0].shape):
        place = tuple(at for d, at in enumerate(index) if d not in dimensions)
        old = [each[place] for each in results]
        new = run(machine, op.body.block, *old, *(x[index] for x in operands[:count]))
        for result, value in zip(results, new, strict=True):
            result[place] = value
    return results


def _sort(op: Any, operands: list[Value], machine: Machine) -> Values:
    """By insertion, which keeps the order of equal elements."""
    axis = number_of(op, "dimension") if "dimension" in op.properties else -1
    moved = [np.moveaxis(each.copy(), axis, -1) for each in operands]
    for row in np.ndindex(*moved[0].shape[:-1]):
        ordered: list[tuple[Any, ...]] = []
        for element in zip(*(each[row] for each in moved), strict=True):
            at = len(ordered)
            while at and _is_before(op, machine, element, ordered[at - 1]):
                at -= 1
            ordered.insert(at, element)
        for number, each in enumerate(moved):
            each[row] = [element[number] for element in ordered]
    return [np.moveaxis(each, -1, axis) for each in moved]


def _is_before(op: Any, machine: Machine, one: Any, other: Any) -> bool:
    pairs = zip(one, other, strict=True)
    given = (value for pair in pairs for value in pair)
    return bool(run(machine, op.comparator.block, *given)[0])


def _dot_general(op: Any, operands: list[Value], _: Machine) -> Values:
    numbers, (left, right) = op.properties["dot_dimension_numbers"], operands
    names = iter("abcdefghijklmnop")
    of_left = [next(names) for _ in left.shape]
    of_right = [next(names) for _ in right.shape]
    batch = _dimensions(numbers, "batching")
    summed = _dimensions(numbers, "contracting")
    for one, other in (*batch, *summed):
        of_right[other] = of_left[one]
    gone = {of_left[one] for one, _ in (*batch, *summed)}
    result = [of_left[one] for one, _ in batch]
    result += [name for name in (*of_left, *of_right) if name not in gone]
    type_ = op.results[0].type
    dtype = of_type(type_, np.zeros((), np.int64), op).dtype
    wide = [each.astype(dtype) for each in operands]
    text = f"{''.join(of_left)},{''.join(of_right)}->{''.join(result)}"
    return [of_type(type_, np.einsum(text, *wide), op)]


def _dimensions(numbers: Any, kind: str) -> list[tuple[int, int]]:
    sides = (numbers.dims(f"{side}_{kind}_dimensions") for side in ("lhs", "rhs"))
    return [*zip(*sides, strict=True)]


STABLEHLO: Final[HandlerTable] = {
    **PLACES,
    **NUMBERS,
    "stablehlo.bitcast_convert": _bitcast_convert,
    "stablehlo.case": _case,
    "stablehlo.compare": _compare,
    "stablehlo.composite": _composite,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.constant": _constant,
    "stablehlo.convert": _convert,
    "stablehlo.broadcast_in_dim": _broadcast,
    "stablehlo.dot_general": _dot_general,
    "stablehlo.dynamic_slice": _dynamic_slice,
    "stablehlo.dynamic_update_slice": _dynamic_update_slice,
    "stablehlo.if": _if,
    "stablehlo.iota": _iota,
    "stablehlo.optimization_barrier": _same,
    "stablehlo.pad": _pad,
    "stablehlo.reduce": _reduce,
    "stablehlo.reduce_precision": _reduce_precision,
    "stablehlo.reshape": _reshape,
    "stablehlo.reverse": _reverse,
    "stablehlo.slice": _slice,
    "stablehlo.sort": _sort,
    "stablehlo.transpose": _transpose,
    "stablehlo.while": _while,
}
