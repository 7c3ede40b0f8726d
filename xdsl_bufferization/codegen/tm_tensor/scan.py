"""The loops of `tm_tensor.scan`: one over the dimension, inside of parallel ones.

    for every other index, in parallel:
        previous = first;  for i in 1 .. n:  out[i] = previous = f(previous, x[i])

An exclusive scan starts with the accumulator and uses `x[i - 1]`. The accumulator gets
the last output if there are at least two.
"""

from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.tm_tensor.scan import ScanOp

from ..loop_builder import LoopBuilder, Values, within, without


def write_scan(op: ScanOp, code: LoopBuilder) -> None:
    """Write the loops of a scan on buffers."""
    sizes = code.sizes(op.input)
    count = sizes[op.along]

    row = op.input, op.along

    def scan(inner: LoopBuilder, others: Values) -> None:
        inner.if_longer(0, row, lambda some: _scan(op, some, count, others))

    code.parallel(without(sizes, op.along), scan)


def _scan(op: ScanOp, code: LoopBuilder, count: SSAValue, others: Values) -> None:
    """Scan a row that has elements."""
    zero, one = code.index(0), code.index(1)

    def at(index: SSAValue) -> Values:
        return within(others, op.along, index)

    if op.is_inclusive:
        first = code.load(op.input, at(zero))
    else:
        first = code.load(op.accumulator, others)
    code.store(first, op.output, at(zero))

    def step(inner: LoopBuilder, i: SSAValue, carried: Values) -> Values:
        source = i if op.is_inclusive else inner.subtract(i, one)
        element = inner.load(op.input, at(source))
        value = inner.inline(op.payload, [*carried, element])
        inner.store(value, op.output, at(i))
        return (value,)

    (last,) = code.fold((one, count, one), [first], step)

    code.if_longer(
        1,
        (op.input, op.along),
        lambda inner: inner.store(last, op.accumulator, others),
    )
