"""The loops of `tm_tensor.topk`: each element is inserted into the sorted outputs.

    for every other index, in parallel:
        for i in 0 .. n:
            carried = x[i], index[i] or i
            for j in 0 .. k:
                if carried is better than kept[j]:  exchange them

The time is that of 2 * n * k comparisons. Of elements that are equal, the one with the
smaller index counts as better, but the values stay where they are.
"""

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.tm_tensor.topk import TopkOp

from ..loop_builder import LoopBuilder, Values, within, without


def write_topk(op: TopkOp, code: LoopBuilder) -> None:
    """Write the loops of a top-k on buffers."""
    sizes = code.sizes(op.values)
    kept = code.size(op.output_values, op.along)

    def row(inner: LoopBuilder, others: Values) -> None:
        inner.count(
            sizes[op.along], lambda each, i: _insert(op, each, i, (kept, others))
        )

    code.parallel(without(sizes, op.along), row)


def _insert(
    op: TopkOp, code: LoopBuilder, i: SSAValue, where: tuple[SSAValue, Values]
) -> None:
    """Insert one element into the outputs."""
    kept, others = where
    at = within(others, op.along, i)
    if op.indices is None:
        index = code.insert(arith.IndexCastOp(i, i32)).result
    else:
        index = code.load(op.indices, at)
    inits = [code.load(op.values, at), index]
    bounds = code.index(0), kept, code.index(1)
    code.fold(
        bounds,
        inits,
        lambda inner, j, carried: _exchange(
            op, inner, within(others, op.along, j), carried
        ),
    )


def _exchange(op: TopkOp, code: LoopBuilder, at: Values, carried: Values) -> Values:
    """Keep the better of two elements; returns the other one."""
    value, index = carried
    kept_value = code.load(op.output_values, at)
    kept_index = code.load(op.output_indices, at)
    is_better = code.inline(op.payload, [value, kept_value])
    is_worse = code.inline(op.payload, [kept_value, value])
    is_equal = code.insert(arith.CmpiOp(is_better, is_worse, "eq")).result
    comes_first = code.compare("slt", index, kept_index)
    takes_index = code.either(is_better, code.both(is_equal, comes_first))
    code.store(code.select(is_better, value, kept_value), op.output_values, at)
    code.store(code.select(takes_index, index, kept_index), op.output_indices, at)
    return (
        code.select(is_better, kept_value, value),
        code.select(takes_index, kept_index, index),
    )
