"""linalg's structured operations in NumPy: the payload once, on whole arrays.

- All loops are parallel: the payload runs on broadcast arrays.
- The payload is `out = combine(out, term)`: see `reductions.py`.
- Any other reduction: a loop over the reduction, arrays over the other loops.
- The payload computes more than numbers of numbers, see `points.py`: one point after
  the other, in the order of the loops. So a call, a branch or a tensor has one meaning.

    linalg.generic ... { %u = tensor.insert %a into %t[%j] ... }     one point at a time

On buffers, the outputs are overwritten; on tensors, they are copied.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import BroadcastOp, IndexOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.dialects.linalg.structure import (
    indexing_maps_of,
    iterator_types_of,
)

from .loop_nest import LoopNest, Where, distinct_loops, trip_counts
from .machine import HandlerTable, Machine
from .points import runs_on_arrays
from .reductions import reduce_at_once
from .values import Value


def structured(
    op: LinalgStructuredOperation, operands: list[Value], machine: Machine
) -> Sequence[Value]:
    """Evaluate any operation that has indexing maps and a payload."""
    maps = indexing_maps_of(op)
    reductions = [
        loop
        for loop, iterator in enumerate(iterator_types_of(op))
        if iterator.data is not IteratorType.PARALLEL
    ]
    return _run(op, maps, reductions, operands, len(op.inputs), machine)


def _broadcast(
    op: BroadcastOp, operands: list[Value], machine: Machine
) -> Sequence[Value]:
    rank = operands[1].ndim
    maps = [_map_without(rank, _dimensions(op)), AffineMap.identity(rank)]
    return _run(op, maps, [], operands, 1, machine)


def _reduce(op: Operation, operands: list[Value], machine: Machine) -> Sequence[Value]:
    inputs = len(operands) // 2
    rank = operands[0].ndim
    reductions = _dimensions(op)
    maps = [AffineMap.identity(rank)] * inputs
    maps += [_map_without(rank, reductions)] * inputs
    return _run(op, maps, reductions, operands, inputs, machine)


def _map(op: Operation, operands: list[Value], machine: Machine) -> Sequence[Value]:
    maps = [AffineMap.identity(operands[-1].ndim)] * len(operands)
    return _run(op, maps, [], operands, len(operands) - 1, machine)


def _dimensions(op: Operation) -> list[int]:
    dimensions = cast("DenseArrayBase[Any]", op.properties["dimensions"])
    return [int(dimension) for dimension in dimensions.get_values()]


def _map_without(rank: int, dropped: Sequence[int]) -> AffineMap:
    kept = (AffineDimExpr(loop) for loop in range(rank) if loop not in dropped)
    return AffineMap(rank, 0, tuple(kept))


def _run(
    op: Operation,
    maps: Sequence[AffineMap],
    reductions: Sequence[int],
    operands: list[Value],
    num_inputs: int,
    machine: Machine,
) -> Sequence[Value]:
    sizes = trip_counts(op, maps, operands)
    body = op.regions[0].block
    nest = LoopNest(op, maps, reductions, operands, num_inputs, body, sizes)
    outer_points = machine.points
    try:
        results = _results(nest, machine)
    finally:
        machine.points = outer_points
    return results if op.results else []


def _results(nest: LoopNest, machine: Machine) -> Sequence[Value]:
    outputs = nest.operands[nest.num_inputs :]
    if not nest.num_points:
        return outputs
    if not runs_on_arrays(nest.body) or _overlaps(nest):
        return _step_by_step(nest, machine, range(len(nest.sizes)))
    if nest.reductions and (result := reduce_at_once(nest, machine)) is not None:
        if not nest.op.results:
            outputs[0][...] = result
        return [result]
    return _step_by_step(nest, machine, _loops_in_order(nest))


def _loops_in_order(nest: LoopNest) -> Sequence[int]:
    """The loops to take one by one: two points of the others write different elements.

    A loop that is called parallel may be one of them: some programs overwrite, or add
    to, the same element in each of its iterations.
    """
    in_order, every = set(nest.reductions), range(len(nest.sizes))
    for map_ in nest.maps[nest.num_inputs :]:
        if (loops := distinct_loops(map_)) is None:
            return every
        in_order |= set(every) - set(loops)
    return sorted(in_order)


def _overlaps(nest: LoopNest) -> bool:
    """Whether a written buffer may be read, but for the element of the point."""
    if nest.op.results:
        return False
    operands = list(zip(nest.operands, nest.maps, strict=True))
    return any(op.name == "memref.load" for op in nest.body.ops) or any(
        np.may_share_memory(output, other)
        and (nest.reductions or map_ != other_map or not _is_same(output, other))
        for output, map_ in operands[nest.num_inputs :]
        for other, other_map in operands
        if other is not output
    )


def _is_same(one: Value, other: Value) -> bool:
    first, second = one.__array_interface__, other.__array_interface__
    return all(first[key] == second[key] for key in ("data", "shape", "strides"))


def _step_by_step(
    nest: LoopNest, machine: Machine, loops: Sequence[int]
) -> Sequence[Value]:
    """Run the payload once per point of `loops`, on all points of the others."""
    current = nest.with_copies() if nest.op.results else nest
    for point in product(*(range(nest.sizes[loop]) for loop in loops)):
        where = nest.everywhere()
        for loop, position in zip(loops, point, strict=True):
            where[loop] = position
        _step(current, machine, where)
    return current.operands[nest.num_inputs :]


def _step(nest: LoopNest, machine: Machine, where: Where) -> None:
    scalar = all(position is not None for position in where)
    machine.points = nest.positions(where)
    arguments = [nest.read(at, where) for at in range(len(nest.operands))]
    if scalar:
        # A branch needs a condition of rank 0. The body may overwrite buffers.
        machine.points = tuple(position.reshape(()) for position in machine.points)
        arguments = [argument.reshape(()).copy() for argument in arguments]
    wanted = arguments[: len(nest.body.args)]
    _, results = machine.run_block(nest.body, wanted)
    shape = [
        size if fixed is None else 1
        for size, fixed in zip(nest.sizes, where, strict=True)
    ]
    if len(results) > 1 or not nest.op.results:
        # One may be a view of the output that another one replaces.
        results = [result.copy() for result in results]
    for at, result in enumerate(results):
        index = nest.num_inputs + at
        value = np.broadcast_to(result, shape)
        nest.write(index, nest.operands[index], value, where)


def _index(op: IndexOp, _: list[Value], machine: Machine) -> Sequence[Value]:
    dimension = cast("IntegerAttr[Any]", op.dim).value.data
    return [machine.points[dimension]]


STRUCTURED: HandlerTable = {
    "linalg.broadcast": _broadcast,
    "linalg.reduce": _reduce,
    "linalg.map": _map,
    "linalg.index": _index,
}
