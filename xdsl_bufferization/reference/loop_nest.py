"""The iteration space of a structured operation, and operands seen from it.

affine_map<(d0, d1, d2) -> (d2, d1)> on an operand of shape (5, 3)
->  a view of shape (1, 3, 5): one axis per loop, 1 where the operand repeats
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Block, Operation
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xdsl_bufferization.support.errors import fail_at

from .values import Value

Where: TypeAlias = Sequence[int | None]
"""Per loop, the one position that is looked at, or None for all of them."""


@dataclass(frozen=True)
class LoopNest:
    """A structured operation with the values of its operands."""

    op: Operation
    maps: Sequence[AffineMap]
    """One per operand, inputs first."""
    reductions: Sequence[int]
    """The loops that are not parallel."""
    operands: list[Value]
    num_inputs: int
    body: Block
    sizes: tuple[int, ...]
    """Trip counts of the loops."""

    @property
    def num_points(self) -> int:
        """How often the payload runs."""
        return prod(self.sizes)

    def with_copies(self) -> "LoopNest":
        """The same, with copies of the outputs, which may be changed."""
        inputs = self.operands[: self.num_inputs]
        outputs = [output.copy() for output in self.operands[self.num_inputs :]]
        return replace(self, operands=[*inputs, *outputs])

    def everywhere(self) -> list[int | None]:
        """All points at once."""
        return [None] * len(self.sizes)

    def positions(self, where: Where) -> tuple[Value, ...]:
        """Positions along each loop, of a shape to broadcast against each other."""
        rank = len(self.sizes)
        along: list[Value] = []
        for loop, (size, fixed) in enumerate(zip(self.sizes, where, strict=True)):
            span = range(size) if fixed is None else (fixed,)
            shape = [1] * rank
            shape[loop] = len(span)
            along.append(np.asarray(span, np.int64).reshape(shape))
        return tuple(along)

    def read(self, index: int, where: Where) -> Value:
        """What operand `index` holds at these points."""
        value, map_ = self.operands[index], self.maps[index]
        if (loops := projected_loops(map_)) is None:
            return value[self._gathered(map_, value, where)]
        # The ellipsis keeps a number an array.
        view = value[(*(_window(where[loop]) for loop in loops), ...)]
        order = sorted(range(len(loops)), key=loops.__getitem__)
        axes = tuple(
            slice(None) if loop in loops else np.newaxis
            for loop in range(len(self.sizes))
        )
        return view.transpose(order)[axes]

    def write(self, index: int, target: Value, value: Value, where: Where) -> None:
        """Put `value` into `target`, an array like operand `index`, at these points."""
        map_ = self.maps[index]
        loops = projected_loops(map_)
        if loops is None:
            target[self._gathered(map_, target, where)] = value
            return
        # The ellipsis keeps a target without dimensions an array.
        window = target[(*(_window(where[loop]) for loop in loops), ...)]
        rest = [loop for loop in range(len(self.sizes)) if loop not in loops]
        # A loop that the output does not depend on leaves its last value.
        last = tuple(
            slice(-1, None) if loop in rest else slice(None)
            for loop in range(len(self.sizes))
        )
        if value.ndim:
            ordered = value[last].transpose([*loops, *rest])
            value = ordered.reshape(ordered.shape[: len(loops)])
        window[...] = value

    def _gathered(
        self, map_: AffineMap, value: Value, where: Where
    ) -> tuple[Value, ...]:
        positions = self.positions(where)
        indices = tuple(_evaluate(expr, positions) for expr in map_.results)
        for size, index in zip(value.shape, indices, strict=True):
            if index.size and not (index.min() >= 0 and index.max() < size):
                fail_at(
                    self.op,
                    f"{map_} leaves an operand of shape {list(value.shape)}",
                )
        return tuple(np.broadcast_arrays(*indices))


def projected_loops(map_: AffineMap) -> list[int] | None:
    """The loop of each result if the results are distinct loops, else None."""
    loops: list[int] = []
    for expr in map_.results:
        if not isinstance(expr, AffineDimExpr) or expr.position in loops:
            return None
        loops.append(expr.position)
    return loops


def distinct_loops(map_: AffineMap) -> list[int] | None:
    """The loops of the results if they are distinct loops and constants, else None.

    So two points that differ in these loops have different elements.
    """
    dims = [e for e in map_.results if not isinstance(e, AffineConstantExpr)]
    return projected_loops(AffineMap(map_.num_dims, map_.num_symbols, tuple(dims)))


def trip_counts(
    op: Operation, maps: Sequence[AffineMap], operands: Sequence[Value]
) -> tuple[int, ...]:
    """Sizes of the loops, from the operands' dimensions that are plain loops."""
    sizes: dict[int, int] = {}
    for map_, value in zip(maps, operands, strict=True):
        if len(map_.results) != value.ndim or map_.num_symbols:
            fail_at(op, f"{map_} does not index an operand of rank {value.ndim}")
        for expr, size in zip(map_.results, value.shape, strict=True):
            if not isinstance(expr, AffineDimExpr):
                continue
            if sizes.setdefault(expr.position, size) != size:
                fail_at(
                    op,
                    f"loop d{expr.position} is {sizes[expr.position]} long for one "
                    f"operand and {size} for another",
                )
    loops = range(maps[0].num_dims if maps else 0)
    for loop in loops:
        if loop not in sizes:
            fail_at(op, f"no operand tells how long loop d{loop} is")
    return tuple(sizes[loop] for loop in loops)


def _window(fixed: int | None) -> slice:
    return slice(None) if fixed is None else slice(fixed, fixed + 1)


def _evaluate(expr: AffineExpr, positions: Sequence[Value]) -> Value:
    """An affine expression on arrays of positions."""
    match expr:
        case AffineDimExpr():
            return positions[expr.position]
        case AffineConstantExpr():
            return np.full((1,) * len(positions), expr.value, np.int64)
        case AffineBinaryOpExpr():
            lhs = _evaluate(expr.lhs, positions)
            rhs = _evaluate(expr.rhs, positions)
            return _BINARY[expr.kind](lhs, rhs)
        case _:
            raise ValueError(f"not an expression of loops: {expr}")


def _ceil_divide(lhs: Value, rhs: Value) -> Value:
    return -np.floor_divide(-lhs, rhs)


_BINARY: dict[AffineBinaryOpKind, Any] = {
    AffineBinaryOpKind.Add: np.add,
    AffineBinaryOpKind.Mul: np.multiply,
    AffineBinaryOpKind.Mod: np.mod,
    AffineBinaryOpKind.FloorDiv: np.floor_divide,
    AffineBinaryOpKind.CeilDiv: _ceil_divide,
}
