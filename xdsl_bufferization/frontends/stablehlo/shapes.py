"""Constants, indices, and the same elements in another shape.

stablehlo.iota               ->   linalg.generic with linalg.index
stablehlo.reshape            ->   tensor.collapse_shape, tensor.expand_shape
stablehlo.broadcast_in_dim   ->   a view: whoever reads has another indexing map
stablehlo.transpose          ->   linalg.transpose
stablehlo.concatenate        ->   tensor.insert_slice of each operand
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    decompose_mixed_values,
)
from xdsl_bufferization.dialects.linalg.moves import new_transpose
from xdsl_bufferization.dialects.stablehlo import shapes
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp

from .conversions import converted
from .element_builder import ElementBuilder
from .types import Kind, kind_of, signless
from .writer import PARALLEL, Value, Values, Writer, identity, result_type


def write_constant(op: shapes.ConstantOp, writer: Writer) -> Sequence[Value]:
    """Known elements."""
    return [writer.of_constant(signless(op.value))]


def write_iota(op: shapes.IotaOp, writer: Writer) -> Sequence[Value]:
    """The index in one dimension, as an element."""
    type_ = result_type(op)
    kind = kind_of(op, op.result_element)
    dim = op.integer("iota_dimension")

    def body(code: ElementBuilder, _: Values) -> Values:
        index = code.value(IndexOp(dim))
        return [_as_element(op, code, index, kind, type_.element_type)]

    rank = type_.get_num_dims()
    output = writer.empty(type_), identity(rank)
    (result,) = writer.generic([], [output], [PARALLEL] * rank, body)
    return [writer.of_tensor(result)]


def _as_element(
    op: StableHLOOp, code: ElementBuilder, index: SSAValue, kind: Kind, type_: Any
) -> SSAValue:
    if kind in (Kind.FLOAT, Kind.COMPLEX):
        number = code.value(arith.IndexCastOp(index, i64))
        return converted(op, code, number, i64, op.result_element)
    return code.value(arith.IndexCastOp(index, type_))


def write_broadcast(op: shapes.BroadcastInDimOp, writer: Writer) -> Sequence[Value]:
    """A view: nothing is computed until somebody asks for a tensor."""
    value = writer[op.values[0]]
    shape, type_ = op.shape(), result_type(op)
    if value.type == type_:
        return [value]
    dims: list[int | None] = [
        dim if size == op.result_shape[dim] else None
        for size, dim in zip(shape, op.dims, strict=True)
    ]
    return [writer.of_view(value, tuple(dims), type_)]


def write_transpose(op: shapes.TransposeOp, writer: Writer) -> Sequence[Value]:
    """The same elements with dimensions in another order."""
    value = writer[op.values[0]]
    order = op.ints("permutation")
    if value.element is not None:
        return [writer.of_element(value.element, result_type(op))]
    if order == tuple(range(len(order))):
        return [value]
    return [writer.of_tensor(transpose(writer, value.as_tensor(), order))]


def transpose(writer: Writer, value: SSAValue, order: Sequence[int]) -> SSAValue:
    """The tensor with its dimensions in this order."""
    if tuple(order) == tuple(range(len(order))):
        return value
    old = cast("TensorType[Any]", value.type)
    type_ = TensorType(old.element_type, [old.get_shape()[d] for d in order])
    op = new_transpose(value, writer.empty(type_), order)
    return writer.code.value(op)


def write_reshape(op: StableHLOOp, writer: Writer) -> Sequence[Value]:
    """The same elements in another shape."""
    value, type_ = writer[op.values[0]], result_type(op)
    if value.type == type_:
        return [value]
    if value.element is not None:
        return [writer.of_element(value.element, type_)]
    if not value.shape and value.tensor is None:
        return [writer.of_view(value, (), type_)]
    if not type_.get_shape() and value.view is not None and not value.view[0].shape:
        return [value.view[0]]
    return [writer.of_tensor(reshape(writer, value.as_tensor(), type_.get_shape()))]


def reshape(writer: Writer, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    """The tensor with other sizes: groups of dimensions become one, and one a group."""
    old = cast("TensorType[Any]", value.type)
    before = old.get_shape()
    if before == tuple(shape):
        return value
    groups = _groups(before, shape)
    if groups is None:
        groups = [(range(len(before)), range(len(shape)))]
    if not before or not shape:
        groups = []
    element = old.element_type
    if any(len(source) > 1 for source, _ in groups) or not shape:
        middle = [_product(before, source) for source, _ in groups]
        value = writer.code.value(
            tensor.CollapseShapeOp.create(
                operands=[value],
                properties={"reassociation": _indices([s for s, _ in groups])},
                result_types=[TensorType(element, middle)],
            )
        )
    if any(len(target) > 1 for _, target in groups) or not before:
        sizes = DenseArrayBase.from_list(i64, shape)
        value = writer.code.value(
            tensor.ExpandShapeOp.build(
                operands=[value, []],
                properties={
                    "reassociation": _indices([t for _, t in groups]),
                    "static_output_shape": sizes,
                },
                result_types=[TensorType(element, shape)],
            )
        )
    return value


def _product(shape: Sequence[int], dims: range) -> int:
    result = 1
    for dim in dims:
        result *= shape[dim]
    return result


def _groups(
    before: Sequence[int], after: Sequence[int]
) -> list[tuple[range, range]] | None:
    """The smallest groups of neighbours with equal products; None: there are none."""
    if 0 in before:
        return None
    groups: list[tuple[range, range]] = []
    i = j = 0
    while i < len(before) or j < len(after):
        start, first = i, j
        left = right = 1
        while left != right or start == i or first == j:
            if (left <= right and i < len(before)) or j == len(after):
                if i == len(before):
                    return _joined(groups, len(before), len(after))
                left *= before[i]
                i += 1
            else:
                right *= after[j]
                j += 1
        groups.append((range(start, i), range(first, j)))
    return groups


def _joined(
    groups: list[tuple[range, range]], before: int, after: int
) -> list[tuple[range, range]] | None:
    """With dimensions of size 1 at the end, which belong to the last group."""
    if not groups:
        return None
    source, target = groups[-1]
    groups[-1] = range(source.start, before), range(target.start, after)
    return groups


def _indices(groups: Sequence[range]) -> ArrayAttr[Any]:
    return ArrayAttr(
        [ArrayAttr([IntegerAttr(d, i64) for d in group]) for group in groups]
    )


def write_reverse(op: shapes.ReverseOp, writer: Writer) -> Sequence[Value]:
    """The elements in the opposite order along dimensions."""
    value = writer[op.values[0]]
    if value.element is not None:
        return [value]
    dims = op.ints("dimensions")
    return [writer.of_tensor(reverse(writer, value.as_tensor(), dims))]


def reverse(writer: Writer, value: SSAValue, dims: Sequence[int]) -> SSAValue:
    """The tensor in the opposite order along dimensions."""
    type_ = cast("TensorType[Any]", value.type)
    if not dims:
        return value

    def body(code: ElementBuilder, _: Values) -> Values:
        indices: list[SSAValue] = []
        for dim, size in enumerate(type_.get_shape()):
            index = code.value(IndexOp(dim))
            if dim in dims:
                index = code.subtract(code.index(size - 1), index)
            indices.append(index)
        return [code.value(tensor.ExtractOp(value, indices, type_.element_type))]

    rank = type_.get_num_dims()
    output = writer.empty(type_), identity(rank)
    (result,) = writer.generic([], [output], [PARALLEL] * rank, body)
    return result


def write_concatenate(op: shapes.ConcatenateOp, writer: Writer) -> Sequence[Value]:
    """Each operand is inserted behind the one before."""
    if len(op.values) == 1:
        return [writer[op.values[0]]]
    type_, dim = result_type(op), op.integer("dimension")
    whole = writer.empty(type_)
    at = 0
    for number, operand in enumerate(op.values):
        sizes = op.shape(number)
        offsets = [at if d == dim else 0 for d in range(len(sizes))]
        at += sizes[dim]
        if 0 not in sizes:
            part = writer[operand].as_tensor()
            whole = insert(writer, part, whole, offsets, [1] * len(sizes))
    return [writer.of_tensor(whole)]


def insert(
    writer: Writer,
    part: SSAValue,
    whole: SSAValue,
    offsets: Sequence[OpFoldResult],
    strides: Sequence[int],
    sizes: Sequence[int] | None = None,
) -> SSAValue:
    """The tensor `whole` with `part` from `offsets` on.

    `sizes` are those in `whole`, where `part` lacks dimensions of size 1.
    """
    if sizes is None:
        sizes = cast("TensorType[Any]", part.type).get_shape()
    static, dynamic = decompose_mixed_values(offsets)
    return writer.code.value(
        tensor.InsertSliceOp.build(
            operands=[part, whole, dynamic, [], []],
            result_types=[whole.type],
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, static),
                "static_sizes": DenseArrayBase.from_list(i64, sizes),
                "static_strides": DenseArrayBase.from_list(i64, strides),
            },
        )
    )
