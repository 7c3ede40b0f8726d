"""`stablehlo.sort` and `chlo.top_k` as `tm_tensor.sort`.

The region of StableHLO says whether the first element is less. That of tm_tensor says
whether the first may stay in front. It may unless the second is less; so elements that
are equal keep their order.
"""

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.chlo import TopKOp
from xdsl_bufferization.dialects.stablehlo.reductions import SortOp
from xdsl_bufferization.dialects.tm_tensor import sort as tm
from xdsl_bufferization.dialects.tm_tensor.yields import YieldOp

from .conversions import in_total_order
from .element_builder import ElementBuilder
from .payloads import write_payload
from .slices import extract
from .types import Kind, kind_of
from .writer import PARALLEL, Value, Values, Writer, identity, result_type


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


def write_top_k(op: TopKOp, writer: Writer) -> Sequence[Value]:
    """All elements sorted with their indices, and the first of them."""
    source = writer[op.values[0]].as_tensor()
    type_, indices = result_type(op), result_type(op, 1)
    kind = kind_of(op, op.element())
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
    predicate = "uge" if kind in (Kind.UNSIGNED, Kind.BOOL) else "sge"
    if kind is Kind.FLOAT:
        first, second = in_total_order(inner, first), in_total_order(inner, second)
    stays = inner.compare(predicate, first, second)
    results = _sort(writer, inner, stays, [source, numbers], along)
    zeros, ones = [0] * len(shape), [1] * len(shape)
    return [
        writer.of_tensor(extract(writer, each, zeros, type_.get_shape(), ones))
        for each in results
    ]
