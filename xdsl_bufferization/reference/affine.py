"""Affine maps of index values in NumPy: `affine.apply`, `min` and `max`.

    %0 = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]    min(8, n - i)

In the payload of a linalg operation the values are arrays of all positions.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import cast

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xdsl_bufferization.support.errors import fail_at

from .machine import Handler, HandlerTable, Machine
from .values import Value


def evaluate_expr(
    expr: AffineExpr, dims: Sequence[Value], symbols: Sequence[Value], op: Operation
) -> Value:
    """An expression of dimensions and symbols; an error at `op` where it has none."""
    if isinstance(expr, AffineConstantExpr):
        return np.asarray(expr.value, np.int64)
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    assert isinstance(expr, AffineBinaryOpExpr), "there is no other kind"
    lhs = evaluate_expr(expr.lhs, dims, symbols, op)
    rhs = evaluate_expr(expr.rhs, dims, symbols, op)
    return _combine(expr.kind, lhs, rhs, op)


def _combine(kind: AffineBinaryOpKind, lhs: Value, rhs: Value, op: Operation) -> Value:
    if kind in _DIVISIONS and np.any(rhs <= 0):
        fail_at(op, f"division by {rhs.min()}: an affine divisor is positive")
    return _BINARY[kind](lhs, rhs)


def _ceil_divide(lhs: Value, rhs: Value) -> Value:
    return -np.floor_divide(-lhs, rhs)


_BINARY: dict[AffineBinaryOpKind, Callable[[Value, Value], Value]] = {
    AffineBinaryOpKind.Add: np.add,
    AffineBinaryOpKind.Mul: np.multiply,
    AffineBinaryOpKind.Mod: np.mod,
    AffineBinaryOpKind.FloorDiv: np.floor_divide,
    AffineBinaryOpKind.CeilDiv: _ceil_divide,
}

_DIVISIONS = frozenset(
    (
        AffineBinaryOpKind.Mod,
        AffineBinaryOpKind.FloorDiv,
        AffineBinaryOpKind.CeilDiv,
    )
)


def evaluate_map(
    map_: AffineMap, operands: Sequence[Value], op: Operation
) -> list[Value]:
    """The results of a map, of which the operands are dimensions, then symbols."""
    dims, symbols = operands[: map_.num_dims], operands[map_.num_dims :]
    return [evaluate_expr(expr, dims, symbols, op) for expr in map_.results]


def _reduced_by(combine: Callable[[Value, Value], Value]) -> Handler:
    """The operation that combines all results of its map."""

    def run(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
        map_ = cast(AffineMapAttr, op.properties["map"]).data
        return [np.asarray(reduce(combine, evaluate_map(map_, operands, op)))]

    return run


AFFINE: HandlerTable = {
    "affine.apply": _reduced_by(np.minimum),
    "affine.max": _reduced_by(np.maximum),
    "affine.min": _reduced_by(np.minimum),
}
