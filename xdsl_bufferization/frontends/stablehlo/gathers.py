"""`stablehlo.gather` and `stablehlo.scatter`: parts at places that a tensor says.

A gather is a structured op over its result, whose body reads one element:

    start = clamp(indices[batch, :], 0, size - slice)     ->   tensor.extract

A scatter is a loop over the updates in order. Each combines one element; an update
beyond the tensor leaves the element that is there.

    scf.for ... iter_args(%tensor) { tensor.extract, the region, tensor.insert }

Where a part has many elements, the loop is over parts, and a structured op combines
each, so that its loop is about vectors:

    scf.for ... { scf.if %fits { tensor.extract_slice, generic, tensor.insert_slice } }

Source: https://openxla.org/stablehlo/spec#gather and #scatter
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Region, SSAValue

from xdsl_bufferization.dialects.arith.casts import IndexCastUIOp
from xdsl_bufferization.dialects.stablehlo import slices
from xdsl_bufferization.dialects.stablehlo.attributes import Record

from .element_builder import INDEX, ElementBuilder
from .payloads import write_payload
from .shapes import insert
from .types import Kind, kind_of
from .writer import (
    PARALLEL,
    Value,
    Values,
    Writer,
    clamped,
    element_at,
    identity,
    result_type,
)


@dataclass(frozen=True)
class _DimensionNumbers:
    """Which dimensions are what, for a gather and a scatter alike."""

    windows: tuple[int, ...]
    """The dimensions of the result, or of the updates, inside of a part."""

    gone: tuple[int, ...]
    """The dimensions of the tensor that no part has."""

    batching: tuple[int, ...]
    """Those of the tensor that are the same as dimensions of the indices."""

    indices_batching: tuple[int, ...]
    starts: tuple[int, ...]
    """For each number of a place the dimension of the tensor that it is of."""

    vector: int
    """The dimension of the indices along which the numbers of a place are."""


def _gather_numbers(numbers: Record) -> _DimensionNumbers:
    return _DimensionNumbers(
        numbers.dims("offset_dims"),
        numbers.dims("collapsed_slice_dims"),
        numbers.dims("operand_batching_dims"),
        numbers.dims("start_indices_batching_dims"),
        numbers.dims("start_index_map"),
        numbers.number("index_vector_dim"),
    )


def _scatter_numbers(numbers: Record) -> _DimensionNumbers:
    return _DimensionNumbers(
        numbers.dims("update_window_dims"),
        numbers.dims("inserted_window_dims"),
        numbers.dims("input_batching_dims"),
        numbers.dims("scatter_indices_batching_dims"),
        numbers.dims("scatter_dims_to_operand_dims"),
        numbers.number("index_vector_dim"),
    )


def _place(
    code: ElementBuilder,
    numbers: _DimensionNumbers,
    at: Values,
    rank: int,
    start_of: Callable[[ElementBuilder, int, Values], SSAValue],
) -> list[tuple[SSAValue | None, SSAValue | None]]:
    """For each dimension of the tensor where a part starts, and the index inside.

    `at` is the index in the result of a gather, or in the updates.
    """
    batch = [index for d, index in enumerate(at) if d not in numbers.windows]
    inside = iter([at[d] for d in numbers.windows])
    place: list[tuple[SSAValue | None, SSAValue | None]] = []
    for dim in range(rank):
        start = None
        if dim in numbers.starts:
            start = start_of(code, numbers.starts.index(dim), batch)
        elif dim in numbers.batching:
            which = numbers.indices_batching[numbers.batching.index(dim)]
            start = batch[which - (which > numbers.vector)]
        is_gone = dim in numbers.gone or dim in numbers.batching
        place.append((start, None if is_gone else next(inside)))
    return place


def _index_reader(
    numbers: _DimensionNumbers, indices: SSAValue, *, is_unsigned: bool
) -> Callable[[ElementBuilder, int, Values], SSAValue]:
    """What reads a number of a place, as an index without bounds."""
    type_ = cast("TensorType[Any]", indices.type)

    def read(code: ElementBuilder, which: int, batch: Values) -> SSAValue:
        at = [*batch]
        if numbers.vector < type_.get_num_dims():
            at.insert(numbers.vector, code.index(which))
        number = code.value(tensor.ExtractOp(indices, at, type_.element_type))
        to_index = IndexCastUIOp if is_unsigned else arith.IndexCastOp
        return code.value(to_index(number, INDEX))

    return read


def write_gather(op: slices.GatherOp, writer: Writer) -> Sequence[Value]:
    """A structured op over the result."""
    numbers = _gather_numbers(op.dimension_numbers)
    source, indices = writer[op.values[0]], writer[op.values[1]]
    type_, shape = result_type(op), op.shape()
    if source.element is not None:
        return [writer.of_element(source.element, type_)]
    sizes = op.ints("slice_sizes")
    value, places = source.as_tensor(), indices.as_tensor()
    is_unsigned = kind_of(op, op.element(1)) is Kind.UNSIGNED
    read = _index_reader(numbers, places, is_unsigned=is_unsigned)

    def start_of(code: ElementBuilder, which: int, batch: Values) -> SSAValue:
        dim = numbers.starts[which]
        last = shape[dim] - sizes[dim]
        return clamped(code, read(code, which, batch), last)

    def body(code: ElementBuilder, _: Values) -> Values:
        at = [code.value(IndexOp(d)) for d in range(type_.get_num_dims())]
        place = _place(code, numbers, at, len(shape), start_of)
        index = [_sum(code, start, inside) for start, inside in place]
        return [code.value(tensor.ExtractOp(value, index, type_.element_type))]

    rank = type_.get_num_dims()
    output = writer.empty(type_), identity(rank)
    (result,) = writer.generic([], [output], [PARALLEL] * rank, body)
    return [writer.of_tensor(result)]


def _sum(code: ElementBuilder, a: SSAValue | None, b: SSAValue | None) -> SSAValue:
    if a is None or b is None:
        given = b if a is None else a
        return code.index(0) if given is None else given
    return code.add(a, b)


LEAST_PART = 8
"""The fewest elements of a part that a structured op combines."""


def write_scatter(op: slices.ScatterOp, writer: Writer) -> Sequence[Value]:
    """A loop over the updates, in order."""
    tensors = [writer[value] for value in op.values[: op.count]]
    if 0 in op.shape() or 0 in op.shape(op.count + 1):
        return tensors
    scatter = _Scatter(op, writer)
    if prod(scatter.part) < LEAST_PART:
        bounds, step = scatter.bounds, scatter.combine_element
    else:
        bounds, step = scatter.batch(scatter.bounds), scatter.combine_part
    inits = [value.as_tensor() for value in tensors]
    return [
        writer.of_tensor(result) for result in nest(writer.code, bounds, inits, step)
    ]


class _Scatter:
    """What the loops of a scatter write."""

    def __init__(self, op: slices.ScatterOp, writer: Writer):
        self._op, self._writer = op, writer
        self._numbers = _scatter_numbers(op.scatter_dimension_numbers)
        places, *updates = [writer[v].as_tensor() for v in op.values[op.count :]]
        self._updates = updates
        is_unsigned = kind_of(op, op.element(op.count)) is Kind.UNSIGNED
        self._read = _index_reader(self._numbers, places, is_unsigned=is_unsigned)
        self.bounds = op.shape(op.count + 1)
        """The sizes of the updates."""
        self.part = [self.bounds[d] for d in self._numbers.windows]
        """The sizes of a part."""
        self._windows = _window_sizes(self._numbers, self.bounds, len(op.shape()))

    def batch(self, sizes: Sequence[int]) -> list[int]:
        """The sizes of the dimensions of the updates that are in no part."""
        windows = self._numbers.windows
        return [size for d, size in enumerate(sizes) if d not in windows]

    def combine_element(
        self, code: ElementBuilder, at: Values, carried: Values
    ) -> Values:
        """Combine one element of the updates."""
        fits, index = self._bounded(code, at)
        old = [element_at(code, value, index) for value in carried]
        new = [element_at(code, value, at) for value in self._updates]
        both = self._combined(code, [*old, *new])
        kept = [code.select(fits, b, a) for a, b in zip(old, both, strict=True)]
        return [
            code.value(tensor.InsertOp(element, value, index))
            for element, value in zip(kept, carried, strict=True)
        ]

    def combine_part(
        self, code: ElementBuilder, batch: Values, carried: Values
    ) -> Values:
        """Combine one part of the updates, if it fits."""
        windows, indices = self._numbers.windows, iter(batch)
        dims = range(len(self.bounds))
        at = [code.index(0) if d in windows else next(indices) for d in dims]
        sizes = [size if d in windows else 1 for d, size in enumerate(self.bounds)]
        fits, index = self._bounded(code, at)
        then, otherwise = code.inside(), code.inside()
        old = [self._part_of(then, v, index, self._windows) for v in carried]
        new = [self._part_of(then, v, at, sizes) for v in self._updates]
        parts = self._combined_parts(then, old, new)
        child, strides = self._writer.child(then), [1] * len(index)
        results = [
            insert(child, part, value, index, strides, self._windows)
            for part, value in zip(parts, carried, strict=True)
        ]
        then.insert(scf.YieldOp(*results))
        otherwise.insert(scf.YieldOp(*carried))
        types = [value.type for value in carried]
        regions = Region(then.block), Region(otherwise.block)
        return code.insert(scf.IfOp(fits, types, *regions)).results

    def _part_of(
        self, code: ElementBuilder, value: SSAValue, at: Values, sizes: Sequence[int]
    ) -> SSAValue:
        element = cast("TensorType[Any]", value.type).element_type
        type_ = TensorType(element, self.part)
        strides = [1] * len(sizes)
        return code.value(tensor.ExtractSliceOp(value, at, sizes, strides, type_))

    def _combined_parts(self, code: ElementBuilder, old: Values, new: Values) -> Values:
        """The old parts, written with what becomes of them."""
        rank, count = len(self.part), len(new)

        def body(inner: ElementBuilder, elements: Values) -> Values:
            return self._combined(inner, [*elements[count:], *elements[:count]])

        inputs, outputs = ([(v, identity(rank)) for v in each] for each in (new, old))
        child = self._writer.child(code)
        return child.generic(inputs, outputs, [PARALLEL] * rank, body)

    def _combined(self, code: ElementBuilder, elements: Values) -> Values:
        return write_payload(self._writer, code, self._op.body.block, elements)

    def _bounded(self, code: ElementBuilder, at: Values) -> tuple[SSAValue, Values]:
        """Whether the part at an index of the updates fits, and an index that does."""
        shape = self._op.shape()
        place = _place(code, self._numbers, at, len(shape), self._read)
        return _bounded(code, place, shape, self._windows)


def _window_sizes(
    numbers: _DimensionNumbers, bounds: Sequence[int], rank: int
) -> Sequence[int]:
    """How large a part is along each dimension of the tensor."""
    inside = iter([bounds[d] for d in numbers.windows])
    gone = {*numbers.gone, *numbers.batching}
    return [1 if dim in gone else next(inside) for dim in range(rank)]


def _bounded(
    code: ElementBuilder,
    place: Sequence[tuple[SSAValue | None, SSAValue | None]],
    shape: Sequence[int],
    windows: Sequence[int],
) -> tuple[SSAValue, Values]:
    """Whether the part fits into the tensor, and an index that does in any case."""
    fits = code.number(1, IntegerType(1))
    index: list[SSAValue] = []
    for (start, inside), size, window in zip(place, shape, windows, strict=True):
        if start is not None:
            last = code.index(size - window)
            # Compared without signs, a negative start is beyond the last one.
            fits = code.both(fits, code.compare("ule", start, last))
        index.append(_sum(code, start, inside))
    zero = code.index(0)
    return fits, [code.select(fits, each, zero) for each in index]


def nest(
    code: ElementBuilder,
    bounds: Sequence[int],
    carried: Values,
    body: Callable[[ElementBuilder, Values, Values], Values],
    at: tuple[SSAValue, ...] = (),
) -> Values:
    """Loops over all indices below `bounds`, in order, that hand on values."""
    if not bounds:
        return body(code, at, carried)
    inner = code.inside([INDEX, *(value.type for value in carried)])
    index, *inside = inner.block.args
    results = nest(inner, bounds[1:], inside, body, (*at, index))
    inner.insert(scf.YieldOp(*results))
    zero, end, one = code.index(0), code.index(bounds[0]), code.index(1)
    loop = scf.ForOp(zero, end, one, [*carried], Region(inner.block))
    return code.insert(loop).results
