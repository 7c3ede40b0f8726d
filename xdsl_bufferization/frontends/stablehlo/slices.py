"""Parts of tensors, read and written.

stablehlo.slice                  ->   tensor.extract_slice
stablehlo.dynamic_slice          ->   tensor.extract_slice at indices that fit
stablehlo.dynamic_update_slice   ->   tensor.insert_slice at indices that fit
stablehlo.pad                    ->   linalg.fill, tensor.insert_slice
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.stablehlo import slices
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp

from .shapes import insert
from .types import Kind, kind_of
from .writer import Value, Writer, result_type


def write_slice(op: slices.SliceOp, writer: Writer) -> Sequence[Value]:
    """A part whose place is known."""
    value, type_ = writer[op.values[0]], result_type(op)
    if value.element is not None:
        return [writer.of_element(value.element, type_)]
    if value.type == type_:
        return [value]
    starts, _, strides = zip(*op.ranges, strict=True)
    part = extract(writer, value.as_tensor(), starts, type_.get_shape(), strides)
    return [writer.of_tensor(part)]


def extract(
    writer: Writer,
    value: SSAValue,
    offsets: Sequence[OpFoldResult],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> SSAValue:
    """A part of a tensor.

    One without elements may begin where the tensor ends, which a slice of MLIR may not.
    """
    type_ = cast("TensorType[Any]", value.type)
    part = TensorType(type_.element_type, sizes)
    if 0 in sizes:
        return writer.empty(part)
    if part == type_ and all(offset == 0 for offset in offsets):
        return value
    op = tensor.ExtractSliceOp(value, offsets, sizes, strides, part)
    return writer.code.value(op)


def _starts(
    op: StableHLOOp, writer: Writer, first: int, sizes: Sequence[int]
) -> list[OpFoldResult]:
    """Where a part of these sizes starts, moved so that the part fits."""
    starts: list[OpFoldResult] = []
    for dim, (whole, size) in enumerate(zip(op.shape(), sizes, strict=True)):
        if whole == size:
            starts.append(0)
            continue
        number = first + dim
        is_unsigned = kind_of(op, op.element(number)) is Kind.UNSIGNED
        value = writer[op.values[number]]
        starts.append(writer.start(value, is_unsigned, whole - size))
    return starts


def write_dynamic_slice(op: slices.DynamicSliceOp, writer: Writer) -> Sequence[Value]:
    """A part that starts where numbers say, or as near as it fits."""
    value, type_ = writer[op.values[0]], result_type(op)
    if value.element is not None:
        return [writer.of_element(value.element, type_)]
    sizes = op.ints("slice_sizes")
    starts = _starts(op, writer, 1, sizes)
    part = extract(writer, value.as_tensor(), starts, sizes, [1] * len(sizes))
    return [writer.of_tensor(part)]


def write_dynamic_update_slice(
    op: slices.DynamicUpdateSliceOp, writer: Writer
) -> Sequence[Value]:
    """The tensor with a part replaced that starts where numbers say."""
    sizes = op.shape(1)
    whole = writer[op.values[0]]
    if 0 in sizes:
        return [whole]
    starts = _starts(op, writer, 2, sizes)
    part = writer[op.values[1]].as_tensor()
    result = insert(writer, part, whole.as_tensor(), starts, [1] * len(sizes))
    return [writer.of_tensor(result)]


def write_pad(op: slices.PadOp, writer: Writer) -> Sequence[Value]:
    """The elements with others around and between."""
    value, fill = writer[op.values[0]], writer[op.values[1]]
    if all(padding == (0, 0, 0) for padding in op.paddings):
        return [value]
    if value.element is not None and value.element == fill.element:
        return [writer.of_element(value.element, result_type(op))]
    result = pad(writer, value.as_tensor(), fill, op.paddings)
    return [writer.of_tensor(result)]


def pad(
    writer: Writer,
    value: SSAValue,
    fill: Value,
    paddings: Sequence[tuple[int, int, int]],
) -> SSAValue:
    """The tensor with padding in front, behind and between; negative: less of it."""
    type_ = cast("TensorType[Any]", value.type)
    if all(padding == (0, 0, 0) for padding in paddings):
        return value
    shape = type_.get_shape()
    strides = [between + 1 for _, _, between in paddings]
    spread = [
        (size - 1) * stride + 1 if size else 0
        for size, stride in zip(shape, strides, strict=True)
    ]
    # What is cut off is padded with nothing first, and cut off at the end.
    fronts = [max(low, 0) for low, _, _ in paddings]
    sizes = [
        front + size + max(high, 0)
        for front, size, (_, high, _) in zip(fronts, spread, paddings, strict=True)
    ]
    element = fill.as_scalar(writer.code)
    result = writer.fill(element, TensorType(type_.element_type, sizes))
    if 0 not in shape:
        result = insert(writer, value, result, fronts, strides)
    cuts = [max(-low, 0) for low, _, _ in paddings]
    kept = [
        size - cut - max(-high, 0)
        for size, cut, (_, high, _) in zip(sizes, cuts, paddings, strict=True)
    ]
    return extract(writer, result, cuts, kept, [1] * len(kept))
