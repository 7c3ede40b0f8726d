"""Loops of several dimensions as one range of iterations; parts of it as loops again.

The last dimension changes fastest. A part of the range starts and ends anywhere. It is
lowered to a loop over the rows that it touches, around a loop over the part of a row.
So numbers are divided once for each row, and the inner loop is a plain one. The number
of an iteration has 64 bits, also where an index has fewer.

    (%i, %j) = (0, 0) to (8, 32), iterations 100 to 140
        -> for %row = 3 to 5: for %j = max(100 - 32 * %row, 0) to min(140 - ..., 32)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import llvm
from xdsl.dialects.builtin import i64
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult

from ..emission.function import FunctionLowering
from .scf import begin_loop, end_loop


@dataclass(frozen=True)
class Dimension:
    """One loop: where it starts, how far it steps, and how often."""

    lower: SSAValue
    step: SSAValue
    count: OpFoldResult


def trip_count(
    lower: SSAValue,
    upper: SSAValue,
    step: SSAValue,
    f: FunctionLowering,
    *,
    inclusive: bool = False,
) -> OpFoldResult:
    """How often a loop with a positive step runs; 0 if it starts behind its end."""
    numbers = f.known(lower), f.known(upper), f.known(step)
    first, end, distance = numbers
    if isinstance(first, int) and isinstance(end, int) and isinstance(distance, int):
        return len(range(first, end + inclusive, distance))
    predicate = "sle" if inclusive else "slt"
    runs = f.compare(predicate, lower, upper)
    # The distance fits 64 bits as an unsigned number.
    room = f.integer_op(llvm.SubOp, upper, lower)
    if not inclusive:
        room = f.integer_op(llvm.SubOp, room, f.integer(1, i64))
    steps = f.integer_op(llvm.UDivOp, room, step)
    count = f.integer_op(llvm.AddOp, steps, f.integer(1, i64))
    return f.select(runs, count, f.integer(0, i64))


def lower_iterations(
    dimensions: Sequence[Dimension],
    iterations: tuple[SSAValue, SSAValue],
    body: Callable[[list[OpFoldResult]], None],
    f: FunctionLowering,
) -> None:
    """Lower iterations from one up to another, of which there is at least one.

    `body` emits an iteration, given the values of all induction variables.
    """
    *outer, inner = dimensions
    start, end = iterations
    one = f.integer(1, i64)
    if not outer:
        loop = begin_loop(f, (start, end, one))
        body([_value(inner, loop.induction, f)])
        end_loop(f, loop)
        return
    first_row = _divide(llvm.UDivOp, start, inner.count, f)
    last_row = _divide(llvm.UDivOp, f.integer_op(llvm.SubOp, end, one), inner.count, f)
    rows = begin_loop(f, (first_row, f.index(f.add(last_row, 1), i64), one))
    before = f.index(f.multiply(rows.induction, inner.count), i64)
    start = f.integer_op(llvm.SubOp, start, before)
    start = f.value_of_intrinsic("llvm.smax.i64", [start, f.integer(0, i64)], i64)
    end = f.integer_op(llvm.SubOp, end, before)
    end = f.value_of_intrinsic("llvm.smin.i64", [end, f.index(inner.count, i64)], i64)
    indices = _indices_of_row(outer, rows.induction, f)
    loop = begin_loop(f, (start, end, one))
    body([*indices, _value(inner, loop.induction, f)])
    end_loop(f, loop)
    end_loop(f, rows)


def _indices_of_row(
    dimensions: Sequence[Dimension], row: SSAValue, f: FunctionLowering
) -> list[OpFoldResult]:
    """The values of the outer induction variables in a row."""
    indices: list[OpFoldResult] = []
    for dimension in reversed(dimensions[1:]):
        position = _divide(llvm.URemOp, row, dimension.count, f)
        indices.append(_value(dimension, position, f))
        row = _divide(llvm.UDivOp, row, dimension.count, f)
    indices.append(_value(dimensions[0], row, f))
    return indices[::-1]


def _divide(
    op: type[Operation], value: SSAValue, divisor: OpFoldResult, f: FunctionLowering
) -> SSAValue:
    return f.integer_op(op, value, f.index(divisor, i64))


def _value(
    dimension: Dimension, position: SSAValue, f: FunctionLowering
) -> OpFoldResult:
    """The induction variable in the iteration that has `position` in its dimension."""
    return f.add(dimension.lower, f.multiply(position, dimension.step))
