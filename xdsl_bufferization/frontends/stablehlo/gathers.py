"""`stablehlo.gather` and `stablehlo.scatter`: parts at places that a tensor says.

A gather is a structured op over its result, whose body reads one element:

    start = clamp(indices[batch, :], 0, size - slice)     ->   tensor.extract

A scatter is a loop over the updates in order. Each combines one element; an update
beyond the tensor leaves the element that is there.

    scf.for ... iter_args(%tensor) { tensor.extract, the region, tensor.insert }

Source: https://openxla.org/stablehlo/spec#gather and #scatter
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from .types import Kind, kind_of
from .writer import PARALLEL, Value, Values, Writer, clamped, identity, result_type


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


def write_scatter(op: slices.ScatterOp, writer: Writer) -> Sequence[Value]:
    """A loop over the updates, in order."""
    count = op.count
    tensors = [writer[value] for value in op.values[:count]]
    shape, bounds = op.shape(), op.shape(count + 1)
    if 0 in shape or 0 in bounds:
        return tensors
    numbers = _scatter_numbers(op.scatter_dimension_numbers)
    places = writer[op.values[count]].as_tensor()
    updates = [writer[value].as_tensor() for value in op.values[count + 1 :]]
    is_unsigned = kind_of(op, op.element(count)) is Kind.UNSIGNED
    read = _index_reader(numbers, places, is_unsigned=is_unsigned)
    windows = _window_sizes(numbers, bounds, len(shape))

    def step(code: ElementBuilder, at: Values, carried: Values) -> Values:
        place = _place(code, numbers, at, len(shape), read)
        fits, index = _bounded(code, place, shape, windows)
        old = [_element(code, value, index) for value in carried]
        new = [_element(code, value, at) for value in updates]
        both = write_payload(writer, code, op.body.block, [*old, *new])
        kept = [code.select(fits, b, a) for a, b in zip(old, both, strict=True)]
        return [
            code.value(tensor.InsertOp(element, value, index))
            for element, value in zip(kept, carried, strict=True)
        ]

    inits = [value.as_tensor() for value in tensors]
    results = nest(writer.code, bounds, inits, step)
    return [writer.of_tensor(result) for result in results]


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


def _element(code: ElementBuilder, value: SSAValue, index: Values) -> SSAValue:
    element = cast("TensorType[Any]", value.type).element_type
    return code.value(tensor.ExtractOp(value, index, element))


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
