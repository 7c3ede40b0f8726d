"""Reductions, of whole dimensions and of windows, and cumulative sums.

    stablehlo.reduce          ->   linalg.generic with reduction loops
    stablehlo.reduce_window   ->   the same over a window; padding is filled in first
                              ->   tm_tensor.scan if each window ends at its element

JAX writes `cumsum` as a window as long as the tensor. As a scan it takes one pass.
"""

from collections.abc import Sequence
from math import inf
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.stablehlo.reductions import (
    ReduceOp,
    ReduceWindowOp,
    ReducingOp,
)
from xdsl_bufferization.dialects.tm_tensor.scan import ScanOp
from xdsl_bufferization.dialects.tm_tensor.yields import YieldOp

from .element_builder import ElementBuilder
from .payloads import write_payload
from .shapes import reverse
from .slices import pad
from .types import Kind, kind_of
from .writer import PARALLEL, REDUCTION, Value, Values, Writer, identity, result_type

_Read = tuple[SSAValue, Sequence[AffineExpr]]


def write_reduce(op: ReduceOp, writer: Writer) -> Sequence[Value]:
    """Loops over all elements; those over `dimensions` are reductions."""
    dims, rank = op.ints("dimensions"), len(op.shape())
    kept = [AffineDimExpr(d) for d in range(rank) if d not in dims]
    inputs: list[_Read] = [
        (writer[value].as_tensor(), identity(rank)) for value in op.values[: op.count]
    ]
    iterators = [REDUCTION if d in dims else PARALLEL for d in range(rank)]
    return _reduce(op, writer, inputs, kept, iterators)


def _reduce(
    op: ReducingOp,
    writer: Writer,
    inputs: Sequence[_Read],
    kept: Sequence[AffineExpr],
    iterators: Sequence[Any],
) -> Sequence[Value]:
    """The structured op that combines what its inputs read, from the first values."""
    count = op.count
    outputs: list[_Read] = []
    for number in range(count):
        first = writer[op.values[count + number]].as_scalar(writer.code)
        outputs.append((writer.fill(first, result_type(op, number)), kept))

    def body(code: ElementBuilder, arguments: Values) -> Values:
        elements, so_far = arguments[:count], arguments[-count:]
        return write_payload(writer, code, op.body.block, [*so_far, *elements])

    results = writer.generic(inputs, outputs, iterators, body)
    return [writer.of_tensor(result) for result in results]


def write_reduce_window(op: ReduceWindowOp, writer: Writer) -> Sequence[Value]:
    """A scan, or loops over the places of the window and those inside."""
    along = _scanned(op, writer)
    if along is not None:
        dim, is_reversed = along
        return [_scan(op, writer, dim, is_reversed=is_reversed)]
    rank = len(op.shape())
    windows = op.per_dimension("window_dimensions")
    strides = op.per_dimension("window_strides")
    spread = op.per_dimension("window_dilations")
    base = op.per_dimension("base_dilations")
    paddings = [
        (low, high, dilation - 1)
        for (low, high), dilation in zip(op.paddings, base, strict=True)
    ]
    # A dimension in which the window has one element needs no loop.
    inner = [d for d in range(rank) if windows[d] > 1]
    exprs: list[AffineExpr] = []
    for d in range(rank):
        expr: AffineExpr = AffineDimExpr(d) * strides[d]
        if d in inner:
            expr = expr + AffineDimExpr(rank + inner.index(d)) * spread[d]
        exprs.append(expr)
    inputs: list[_Read] = []
    for number in range(op.count):
        fill = _padding(op, writer, number)
        value = writer[op.values[number]].as_tensor()
        inputs.append((pad(writer, value, fill, paddings), exprs))
    # How long the loops over the window are is in the sizes of a tensor.
    window = TensorType(IntegerType(1), [windows[d] for d in inner])
    offsets = [AffineDimExpr(rank + n) for n in range(len(inner))]
    inputs.append((writer.empty(window), offsets))
    iterators = [PARALLEL] * rank + [REDUCTION] * len(inner)
    return _reduce(op, writer, inputs, identity(rank), iterators)


def _padding(op: ReduceWindowOp, writer: Writer, number: int) -> Value:
    """What is around the elements: what changes nothing if that is known, as in XLA."""
    fill = writer[op.values[op.count + number]]
    neutral = _neutral_of(op, fill)
    if neutral is None:
        return fill
    return writer.of_element(neutral, fill.type)


# Scans.


def _scanned(op: ReduceWindowOp, writer: Writer) -> tuple[int, bool] | None:
    """The dimension of a scan, and whether it runs backwards; None if it is none."""
    first = writer[op.values[1]]
    if (
        op.count != 1
        or first.element is None
        or _neutral_of(op, first) != first.element
    ):
        return None
    ones = [op.per_dimension(n) for n in ("window_strides", "base_dilations")]
    ones.append(op.per_dimension("window_dilations"))
    windows, shape = op.per_dimension("window_dimensions"), op.shape()
    long = [d for d, size in enumerate(windows) if size != 1]
    if len(long) != 1 or any(set(each) != {1} for each in ones):
        return None
    (dim,) = long
    others = [p for d, p in enumerate(op.paddings) if d != dim]
    if windows[dim] != shape[dim] or any(p != (0, 0) for p in others):
        return None
    ends = {(shape[dim] - 1, 0): False, (0, shape[dim] - 1): True}
    is_reversed = ends.get(op.paddings[dim])
    return None if is_reversed is None else (dim, is_reversed)


def _neutral_of(op: ReduceWindowOp, first: Value) -> Attribute | None:
    """What changes nothing when it is combined, if the first value is a constant."""
    inner, end = op.body.block.first_op, op.body.block.last_op
    is_one_op = (
        inner is not None
        and end is not None
        and inner.next_op is end
        and {*inner.operands} == {*op.body.block.args}
        and list(end.operands) == list(inner.results)
    )
    if not is_one_op or inner is None or first.element is None:
        return None
    return _neutral(inner.name, kind_of(op, op.element()), first.element)


def _neutral(name: str, kind: Kind, element: Any) -> Any:
    """What changes nothing, as an attribute of the type of `element`."""
    type_ = element.type
    if kind is Kind.FLOAT:
        numbers = {"add": 0.0, "multiply": 1.0, "maximum": -inf, "minimum": inf}
        number = numbers.get(name.partition(".")[2])
        return None if number is None else FloatAttr(number, cast(AnyFloat, type_))
    bits = type_.width.data
    top = 1 << (bits - 1)
    least, largest = (-top, top - 1) if kind is Kind.SIGNED else (0, -1)
    if kind is Kind.BOOL:
        least, largest = 0, 1
    integers = {
        "add": 0,
        "or": 0,
        "multiply": 1,
        "and": largest if kind is Kind.BOOL else -1,
        "maximum": least,
        "minimum": largest,
    }
    whole = integers.get(name.partition(".")[2])
    return None if whole is None else IntegerAttr(whole, type_)


def _scan(op: ReduceWindowOp, writer: Writer, dim: int, *, is_reversed: bool) -> Value:
    type_ = result_type(op)
    source = writer[op.values[0]].as_tensor()
    if is_reversed:
        source = reverse(writer, source, [dim])
    shape = [size for d, size in enumerate(op.shape()) if d != dim]
    element = type_.element_type
    inner = ElementBuilder(
        InsertPoint.at_end(Block(arg_types=[element, element])), op.location
    )
    values = write_payload(writer, inner, op.body.block, inner.block.args)
    inner.insert(YieldOp(*values))
    outputs = [writer.empty(type_), writer.empty(TensorType(element, shape))]
    scan = ScanOp(source, outputs, dim, True, Region(inner.block))
    result = writer.code.insert(scan).results[0]
    if is_reversed:
        result = reverse(writer, result, [dim])
    return writer.of_tensor(result)
