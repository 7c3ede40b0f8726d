"""The loops, branches and accesses of affine in NumPy.

affine.for %i = max #lower(%a) to min #upper(%b) step 2   ->   a Python loop
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, cast

import numpy as np
from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstraintKind, AffineMap

from xdsl_bufferization.dialects.affine.control import REDUCTIONS
from xdsl_bufferization.support.errors import fail_at

from .affine import evaluate_expr, evaluate_map
from .combining import combined, neutral
from .machine import HandlerTable, Machine
from .tensors import checked_indices
from .values import Value, known_numbers
from .vector_memory import loaded, store


def _numbers(map_: AffineMap, operands: Sequence[Value], op: Operation) -> list[int]:
    return [int(value) for value in evaluate_map(map_, operands, op)]


def _for(op: affine.ForOp, operands: list[Value], machine: Machine) -> Sequence[Value]:
    first, second = len(op.lowerBoundOperands), len(op.upperBoundOperands)
    lower = max(_numbers(op.lowerBoundMap.data, operands[:first], op))
    bounds = operands[first : first + second]
    upper = min(_numbers(op.upperBoundMap.data, bounds, op))
    carried: Sequence[Value] = operands[first + second :]
    for position in range(lower, upper, op.step.value.data):
        index = np.asarray(position, np.int64)
        _, carried = machine.run_block(op.body.block, [index, *carried])
    return carried


def _if(op: affine.IfOp, operands: list[Value], machine: Machine) -> Sequence[Value]:
    condition = op.condition.data
    dims, symbols = operands[: condition.num_dims], operands[condition.num_dims :]
    for each in condition.constraints:
        lhs, rhs = (
            int(evaluate_expr(side, dims, symbols, op)) for side in (each.lhs, each.rhs)
        )
        holds = {
            AffineConstraintKind.ge: lhs >= rhs,
            AffineConstraintKind.le: lhs <= rhs,
            AffineConstraintKind.eq: lhs == rhs,
        }
        if not holds[each.kind]:
            region = op.else_region
            break
    else:
        region = op.then_region
    return machine.run_region(region, [])[1] if region.blocks else []


def _parallel(
    op: affine.ParallelOp, operands: list[Value], machine: Machine
) -> Sequence[Value]:
    """Iterations in order; the first result of a reduction is combined with nothing."""
    split = op.lowerBoundsMap.data.num_dims + op.lowerBoundsMap.data.num_symbols
    lower = _grouped(op, "lowerBounds", operands[:split], max)
    upper = _grouped(op, "upperBounds", operands[split:], min)
    steps = [cast("IntegerAttr[Any]", step).value.data for step in op.steps]
    kinds = [
        REDUCTIONS[cast("IntegerAttr[Any]", each).value.data] for each in op.reductions
    ]
    types = list(op.result_types)
    pairs = zip(kinds, types, strict=True)
    totals = [_neutral(kind, type_, op) for kind, type_ in pairs]
    ranges = [range(*each) for each in zip(lower, upper, steps, strict=True)]
    for point in product(*ranges):
        indices = [np.asarray(position, np.int64) for position in point]
        _, terms = machine.run_block(op.body.block, indices)
        totals = [
            combined(kind, type_, total, term, op)
            for kind, type_, total, term in zip(
                kinds, types, totals, terms, strict=True
            )
        ]
    return totals


def _neutral(kind: str, type_: Any, op: Operation) -> Value:
    if kind == "assign":
        fail_at(op, "reduction 'assign' depends on the order of the iterations")
    return neutral(kind, type_, op)


def _grouped(
    op: affine.ParallelOp, name: str, operands: Sequence[Value], choose: Any
) -> list[int]:
    """The bound of each loop, which is the largest or smallest of its group."""
    map_ = cast("AffineMapAttr", op.properties[f"{name}Map"]).data
    groups = cast(Any, op.properties[f"{name}Groups"]).get_values()
    values = iter(_numbers(map_, operands, op))
    return [choose(next(values) for _ in range(int(size))) for size in groups]


def _indices(op: Operation, buffer: Value, operands: Sequence[Value]) -> list[Value]:
    return evaluate_map(cast("AffineMapAttr", op.properties["map"]).data, operands, op)


def _load(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, *rest = operands
    indices = _indices(op, source, rest)
    return [np.array(source[checked_indices(op, source.shape, indices)])]


def _store(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    value, dest, *rest = operands
    dest[checked_indices(op, dest.shape, _indices(op, dest, rest))] = value
    return []


def _vector_load(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    source, *rest = operands
    return [loaded(op, source, _indices(op, source, rest))]


def _vector_store(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    values, dest, *rest = operands
    store(op, values, dest, _indices(op, dest, rest))
    return []


def _inner_sizes(op: Any, digits: int, dynamic: Sequence[Value]) -> list[int]:
    """The sizes of a basis but for the outermost one, which does not matter."""
    basis = known_numbers(op.static_basis.get_values(), dynamic)
    return basis[len(basis) - digits + 1 :]


def _delinearize(op: Operation, operands: list[Value], _: Machine) -> list[Value]:
    rest, *dynamic = operands
    digits: list[Value] = []
    for size in reversed(_inner_sizes(op, len(op.results), dynamic)):
        if size <= 0:
            fail_at(op, f"a size of {size} in the basis")
        digits.append(np.asarray(rest % size))
        rest = np.asarray(rest // size)
    return [rest, *reversed(digits)]


def _linearize(op: Any, operands: list[Value], _: Machine) -> list[Value]:
    count = len(op.multi_index)
    digits, dynamic = operands[:count], operands[count:]
    if not digits:
        return [np.asarray(0, np.int64)]
    linear, *inner = digits
    for digit, size in zip(inner, _inner_sizes(op, count, dynamic), strict=True):
        linear = np.asarray(linear * size + digit)
    return [linear]


def _nothing(_: Operation, __: list[Value], ___: Machine) -> list[Value]:
    return []


AFFINE_CONTROL: HandlerTable = {
    "affine.delinearize_index": _delinearize,
    "affine.for": _for,
    "affine.if": _if,
    "affine.linearize_index": _linearize,
    "affine.load": _load,
    "affine.parallel": _parallel,
    "affine.prefetch": _nothing,
    "affine.store": _store,
    "affine.vector_load": _vector_load,
    "affine.vector_store": _vector_store,
}
