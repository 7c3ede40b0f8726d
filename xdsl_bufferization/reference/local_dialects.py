"""check and perf: a check that fails is an error; times are measured, and differ.

check.expect_sane(%t) : tensor<4xf32>      ->  np.isfinite(t).all()
"""

from collections.abc import Sequence
from time import perf_counter

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.dialects.perf import BenchOp
from xdsl_bufferization.support.errors import fail_at

from .machine import HandlerTable, Machine
from .values import Value


def _expect_true(op: Operation, operands: list[Value], _: Machine) -> Sequence[Value]:
    if not operands[0]:
        fail_at(op, "the condition is false")
    return []


def _expect_almost_eq(
    op: Operation, operands: list[Value], _: Machine
) -> Sequence[Value]:
    lhs, rhs, threshold = (np.asarray(each, np.float64) for each in operands)
    if lhs.shape != rhs.shape:
        fail_at(op, "the two operands have different shapes")
    if not np.all(np.abs(lhs - rhs) <= threshold):
        fail_at(op, "two elements differ by more than the threshold")
    return []


def _expect_sane(op: Operation, operands: list[Value], _: Machine) -> Sequence[Value]:
    if not np.all(np.isfinite(operands[0])):
        fail_at(op, "an element is NaN or infinite")
    return []


def _bench(op: BenchOp, operands: list[Value], machine: Machine) -> Sequence[Value]:
    started = perf_counter()
    carried: Sequence[Value] = operands[1:]
    for _ in range(int(operands[0])):
        _, carried = machine.run_block(op.body.block, carried)
    return [np.asarray(perf_counter() - started), *carried]


def _clock(_op: Operation, _operands: list[Value], _: Machine) -> Sequence[Value]:
    return [np.asarray(perf_counter())]


def _passed(_op: Operation, operands: list[Value], _: Machine) -> Sequence[Value]:
    return [np.asarray(perf_counter() - operands[0])]


def _mean(_op: Operation, operands: list[Value], _: Machine) -> Sequence[Value]:
    return [np.asarray(np.mean(operands[0]))]


def _deviation(_op: Operation, operands: list[Value], _: Machine) -> Sequence[Value]:
    deltas, mean = operands
    return [np.asarray(np.sqrt(np.mean(np.square(deltas - mean))))]


def _sink(_op: Operation, _operands: list[Value], _: Machine) -> Sequence[Value]:
    return []


LOCAL_DIALECTS: HandlerTable = {
    "check.expect_true": _expect_true,
    "check.expect_almost_eq": _expect_almost_eq,
    "check.expect_sane": _expect_sane,
    "perf.bench": _bench,
    "perf.mean": _mean,
    "perf.stdev": _deviation,
    "perf.start_timer": _clock,
    "perf.stop_timer": _passed,
    "perf.sink": _sink,
}
