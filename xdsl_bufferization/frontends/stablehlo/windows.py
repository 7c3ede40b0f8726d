"""`stablehlo.select_and_scatter`: the gradient of the maximum of windows.

    for each place of the window, in order:
        best = the index that the region selects among those inside of the tensor
        result[best] = scatter(result[best], source[place])

Source: https://openxla.org/stablehlo/spec#select_and_scatter
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.stablehlo.reductions import SelectAndScatterOp

from .element_builder import ElementBuilder
from .gathers import nest
from .payloads import write_payload
from .writer import Value, Values, Writer, clamped, result_type


def write_select_and_scatter(op: SelectAndScatterOp, writer: Writer) -> Sequence[Value]:
    """Loops over the places of the window, and inside over the window."""
    operand = writer[op.values[0]].as_tensor()
    source = writer[op.values[1]].as_tensor()
    first = writer[op.values[2]].as_scalar(writer.code)
    result = writer.fill(first, result_type(op))
    if 0 in op.shape() or 0 in op.shape(1):
        return [writer.of_tensor(result)]

    def step(code: ElementBuilder, place: Values, carried: Values) -> Values:
        found, index = _selected(op, writer, code, operand, place)
        (whole,) = carried
        old = _element(code, whole, index)
        added = _element(code, source, place)
        block = op.scatter.block
        (new,) = write_payload(writer, code, block, [old, added])
        new = code.select(found, new, old)
        return [code.value(tensor.InsertOp(new, whole, index))]

    (result,) = nest(writer.code, op.shape(1), [result], step)
    return [writer.of_tensor(result)]


def _selected(
    op: SelectAndScatterOp,
    writer: Writer,
    code: ElementBuilder,
    operand: SSAValue,
    place: Values,
) -> tuple[SSAValue, Values]:
    """Whether the window has an element of the tensor, and which is selected."""
    strides = op.per_dimension("window_strides")
    starts = [
        code.subtract(code.multiply(index, code.index(stride)), code.index(low))
        for index, stride, (low, _) in zip(place, strides, op.paddings, strict=True)
    ]
    element = cast("TensorType[Any]", operand.type).element_type
    nothing = code.number(0, IntegerType(1))
    zeros = [code.index(0) for _ in starts]
    inits = [nothing, _element(code, operand, zeros), *zeros]

    def step(inner: ElementBuilder, offsets: Values, carried: Values) -> Values:
        found, best, *at = carried
        index = [inner.add(a, b) for a, b in zip(starts, offsets, strict=True)]
        fits = inner.number(1, IntegerType(1))
        for each, size in zip(index, op.shape(), strict=True):
            is_inside = inner.compare("ult", each, inner.index(size))
            fits = inner.both(fits, is_inside)
        safe = [
            clamped(inner, each, size - 1)
            for each, size in zip(index, op.shape(), strict=True)
        ]
        value = inner.value(tensor.ExtractOp(operand, safe, element))
        block = op.select.block
        (keeps,) = write_payload(writer, inner, block, [best, value])
        loses = inner.value(arith.OrIOp(inner.opposite(found), inner.opposite(keeps)))
        takes = inner.both(fits, loses)
        return [
            inner.value(arith.OrIOp(found, fits)),
            inner.select(takes, value, best),
            *(inner.select(takes, a, b) for a, b in zip(safe, at, strict=True)),
        ]

    windows = op.per_dimension("window_dimensions")
    found, _, *index = nest(code, windows, inits, step)
    return found, index


def _element(code: ElementBuilder, value: SSAValue, index: Values) -> SSAValue:
    element = cast("TensorType[Any]", value.type).element_type
    return code.value(tensor.ExtractOp(value, index, element))
