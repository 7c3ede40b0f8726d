"""`stablehlo.sort` as `tm_tensor.sort`, and `chlo.top_k` as that or as a selection.

The region of StableHLO says whether the first element is less. That of tm_tensor says
whether the first may stay in front. It may unless the second is less; so elements that
are equal keep their order.

A few of many elements are selected, which sorts nothing else:

    for i in 0 .. n:
        if i < k or x[i] > kept[k - 1]:  insert x[i] into kept

Elements in random order are inserted `k log(n / k)` times in a row.
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import TensorType, i1
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.chlo import TopKOp
from xdsl_bufferization.dialects.stablehlo.reductions import SortOp
from xdsl_bufferization.dialects.tm_tensor import sort as tm
from xdsl_bufferization.dialects.tm_tensor.yields import YieldOp

from .conversions import in_total_order
from .element_builder import ElementBuilder
from .gathers import nest
from .payloads import write_payload
from .slices import extract
from .types import Kind, kind_of
from .writer import (
    PARALLEL,
    Value,
    Values,
    Writer,
    element_at,
    identity,
    result_type,
)


def write_sort(op: SortOp, writer: Writer) -> Sequence[Value]:
    """The same sort with another question."""
    values = [writer[value].as_tensor() for value in op.values]

    def is_less(code: ElementBuilder, elements: Values) -> SSAValue:
        swapped = [
            element
            for pair in zip(elements[1::2], elements[::2], strict=True)
            for element in pair
        ]
        (result,) = write_payload(writer, code, op.comparator.block, swapped)
        return result

    types: list[Attribute] = [
        result_type(op, number // 2).element_type for number in range(2 * len(values))
    ]
    inner = ElementBuilder(InsertPoint.at_end(Block(arg_types=types)), op.location)
    stays = inner.opposite(is_less(inner, inner.block.args))
    return [
        writer.of_tensor(result)
        for result in _sort(writer, inner, stays, values, op.along)
    ]


def _sort(
    writer: Writer, inner: ElementBuilder, stays: SSAValue, values: Values, along: int
) -> Values:
    inner.insert(YieldOp(stays))
    op = tm.SortOp(values, along, Region(inner.block))
    return writer.code.insert(op).results


MOST_SELECTED = 32
"""The most elements that are selected. At worst, each of `n` is inserted behind `k`."""


def write_top_k(op: TopKOp, writer: Writer) -> Sequence[Value]:
    """The first of all elements in descending order, with their indices."""
    source = writer[op.values[0]].as_tensor()
    size, count = op.shape()[-1], result_type(op).get_shape()[-1]
    is_selected = 0 < count <= min(MOST_SELECTED, size // 4)
    write = _select if is_selected else _sort_all
    return [writer.of_tensor(each) for each in write(op, writer, source)]


def _sort_all(op: TopKOp, writer: Writer, source: SSAValue) -> Values:
    type_, indices = result_type(op), result_type(op, 1)
    shape, along = op.shape(), len(op.shape()) - 1
    whole = TensorType(indices.element_type, shape)

    def count(code: ElementBuilder, _: Values) -> Values:
        index = code.value(IndexOp(along))
        return [code.value(arith.IndexCastOp(index, whole.element_type))]

    output = writer.empty(whole), identity(len(shape))
    (numbers,) = writer.generic([], [output], [PARALLEL] * len(shape), count)
    elements = [type_.element_type, indices.element_type]
    inner = ElementBuilder(
        InsertPoint.at_end(Block(arg_types=[e for e in elements for _ in range(2)])),
        op.location,
    )
    first, second = inner.block.args[:2]
    is_less = _is_larger(op, inner, second, first)
    results = _sort(writer, inner, inner.opposite(is_less), [source, numbers], along)
    zeros, ones = [0] * len(shape), [1] * len(shape)
    return [extract(writer, each, zeros, type_.get_shape(), ones) for each in results]


def _is_larger(op: TopKOp, code: ElementBuilder, a: SSAValue, b: SSAValue) -> SSAValue:
    """Whether an element comes before another, in the total order of floats."""
    kind = kind_of(op, op.element())
    if kind is Kind.FLOAT:
        a, b = in_total_order(code, a), in_total_order(code, b)
    is_unsigned = kind in (Kind.UNSIGNED, Kind.BOOL)
    return code.compare("ugt" if is_unsigned else "sgt", a, b)


def _select(op: TopKOp, writer: Writer, source: SSAValue) -> Values:
    """Loops that insert each element into those kept, in front of smaller ones."""
    type_, indices = result_type(op), result_type(op, 1)
    count = type_.get_shape()[-1]

    def step(code: ElementBuilder, at: Values, kept: Values) -> Values:
        *others, i = at
        element = element_at(code, source, at)
        last = element_at(code, kept[0], [*others, code.index(count - 1)])
        is_better = code.either(
            code.compare("ult", i, code.index(count)),
            _is_larger(op, code, element, last),
        )
        index = code.value(arith.IndexCastOp(i, indices.element_type))
        then, otherwise = code.inside(), code.inside()
        results = _insert(op, then, (*others, i), (kept, (element, index)))
        then.insert(scf.YieldOp(*results))
        otherwise.insert(scf.YieldOp(*kept))
        regions = Region(then.block), Region(otherwise.block)
        types = [value.type for value in kept]
        return code.insert(scf.IfOp(is_better, types, *regions)).results

    # What is compared has been written.
    inits = [
        writer.fill(writer.code.number(0, each.element_type), each)
        for each in (type_, indices)
    ]
    return nest(writer.code, op.shape(), inits, step)


def _insert(
    op: TopKOp, code: ElementBuilder, at: Values, what: tuple[Values, Values]
) -> Values:
    """Put an element in front of the first that is smaller, or that is no element yet.

    That one and those behind it move by one place.
    """
    *others, i = at
    kept, inserted = what
    count = cast("TensorType[Any]", kept[0].type).get_shape()[-1]

    def step(code: ElementBuilder, at: Values, carried: Values) -> Values:
        (j,), (moves, *rest) = at, carried
        places, moved = [*others, j], rest[2:]
        old = [element_at(code, each, places) for each in rest[:2]]
        moves = code.either(moves, code.compare("uge", j, i))
        moves = code.either(moves, _is_larger(op, code, moved[0], old[0]))
        pairs = list(zip(moved, old, strict=True))
        new = [code.select(moves, a, b) for a, b in pairs]
        written = [
            code.value(tensor.InsertOp(element, value, places))
            for element, value in zip(new, rest[:2], strict=True)
        ]
        return [moves, *written, *(code.select(moves, b, a) for a, b in pairs)]

    inits = [code.number(0, i1), *kept, *inserted]
    return nest(code, [count], inits, step)[1:3]
