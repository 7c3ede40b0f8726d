"""The loops of `tm_tensor.sort`: a merge sort from the bottom up, of one row at a time.

    for every other index, in parallel:
        row = a copy
        for width = 1, 2, 4, ... < n:                  sorted runs of `width` elements
            for start = 0, 2 * width, ... < n - width:
                left = row[start : start + width]
                merge left and row[start + width : start + 2 * width] into row[start:]
        write the row back

The time is that of n * log2(n) comparisons, and the memory that of two rows. Equal
elements keep their order: an element of the right run goes first only if it may stand
in front of the left one, and not the other way around. torch-mlir has a bubble sort,
which gives the same result for comparisons that say yes for equal elements.
"""

from dataclasses import dataclass

from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.tm_tensor.sort import SortOp

from ..loop_builder import LoopBuilder, Values, element_of, within, without


def write_sort(op: SortOp, code: LoopBuilder) -> None:
    """Write the loops of a sort on buffers."""
    sizes = code.sizes(op.outputs[0])

    def row(inner: LoopBuilder, others: Values) -> None:
        _sort_row(op, inner, sizes[op.along], others)

    code.parallel(without(sizes, op.along), row)


@dataclass(frozen=True)
class _Rows:
    """What one row of every tensor is sorted in."""

    op: SortOp
    count: SSAValue
    row: Values
    left: Values


def _sort_row(op: SortOp, code: LoopBuilder, count: SSAValue, others: Values) -> None:
    def new_rows() -> list[SSAValue]:
        return [
            code.new_row(element_of(output), output, op.along) for output in op.outputs
        ]

    rows = _Rows(op, count, new_rows(), new_rows())

    def fetch(inner: LoopBuilder, i: SSAValue) -> None:
        for output, row in zip(op.outputs, rows.row, strict=True):
            inner.store(inner.load(output, within(others, op.along, i)), row, [i])

    def write_back(inner: LoopBuilder, i: SSAValue) -> None:
        for output, row in zip(op.outputs, rows.row, strict=True):
            inner.store(inner.load(row, [i]), output, within(others, op.along, i))

    code.count(count, fetch)
    code.repeat(
        [code.index(1)],
        lambda inner, widths: inner.compare("slt", widths[0], count),
        lambda inner, widths: [_merge_runs(rows, inner, widths[0])],
    )
    code.count(count, write_back)
    for buffer in (*rows.row, *rows.left):
        code.free(buffer)


def _merge_runs(rows: _Rows, code: LoopBuilder, width: SSAValue) -> SSAValue:
    """Merge every two runs of `width` elements; returns the width of the results."""
    double = code.add(width, width)
    end = code.subtract(rows.count, width)
    code.loop(
        (code.index(0), end, double),
        lambda inner, start: _merge(rows, inner, start, width),
    )
    return double


def _merge(rows: _Rows, code: LoopBuilder, start: SSAValue, width: SSAValue) -> None:
    """Merge the runs in front of and behind `start + width`."""
    middle = code.add(start, width)
    end = code.minimum(code.add(middle, width), rows.count)

    def save(inner: LoopBuilder, i: SSAValue) -> None:
        for row, left in zip(rows.row, rows.left, strict=True):
            inner.store(inner.load(row, [inner.add(start, i)]), left, [i])

    code.count(width, save)

    def are_left(inner: LoopBuilder, places: Values) -> SSAValue:
        i, j, _ = places
        return inner.both(inner.compare("slt", i, width), inner.compare("slt", j, end))

    zero = code.index(0)
    i, _, at = code.repeat(
        [zero, middle, start],
        are_left,
        lambda inner, places: _take_one(rows, inner, places),
    )

    def append(inner: LoopBuilder, k: SSAValue) -> None:
        to = inner.add(at, inner.subtract(k, i))
        for row, left in zip(rows.row, rows.left, strict=True):
            inner.store(inner.load(left, [k]), row, [to])

    # What is left of the right run is where it belongs.
    code.loop((i, width, code.index(1)), append)


def _take_one(rows: _Rows, code: LoopBuilder, places: Values) -> Values:
    """Write the smaller one of two elements; returns the places of the next ones."""
    i, j, at = places
    lefts = [code.load(left, [i]) for left in rows.left]
    rights = [code.load(row, [j]) for row in rows.row]
    takes_left = _stays_in_front(rows.op, code, lefts, rights)
    for left, right, row in zip(lefts, rights, rows.row, strict=True):
        code.store(code.select(takes_left, left, right), row, [at])
    zero, one = code.index(0), code.index(1)
    return (
        code.add(i, code.select(takes_left, one, zero)),
        code.add(j, code.select(takes_left, zero, one)),
        code.add(at, one),
    )


def _stays_in_front(
    op: SortOp, code: LoopBuilder, lefts: Values, rights: Values
) -> SSAValue:
    """Whether the left element goes first."""

    def may_precede(inner: LoopBuilder, first: Values, second: Values) -> SSAValue:
        pairs = zip(first, second, strict=True)
        return inner.inline(op.payload, [each for pair in pairs for each in pair])

    def ask_the_other_way(inner: LoopBuilder) -> Values:
        return [inner.opposite(may_precede(inner, rights, lefts))]

    forwards = may_precede(code, lefts, rights)
    (result,) = code.choose(forwards, lambda _: [forwards], ask_the_other_way)
    return result
