"""`stablehlo.dot_general` as `linalg.matmul` or `linalg.batch_matmul`.

    [2, 5, 4] x [2, 6, 4], batching_dims = [0] x [0], contracting_dims = [2] x [2]
        ->   transposed to [2, 5, 4] x [2, 4, 6], and then linalg.batch_matmul

Dimensions of one kind are collapsed into one. So every product takes the path that
kernels are written for.
"""

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import ComplexType, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.dialects.linalg.named import make_named
from xdsl_bufferization.dialects.stablehlo.contractions import DotGeneralOp

from .element_builder import ElementBuilder
from .shapes import reshape, transpose
from .sums import factor, rounded, sum_element
from .types import Kind, kind_of, signless
from .writer import PARALLEL, REDUCTION, Value, Values, Writer, result_type


def write_dot_general(op: DotGeneralOp, writer: Writer) -> Sequence[Value]:
    """A product of matrices, or of as many as there are in a batch."""
    batching, contracting = op.dims("batching"), op.dims("contracting")
    type_ = result_type(op)
    free = [
        [d for d in range(len(op.shape(n))) if d not in (*batching[n], *contracting[n])]
        for n in (0, 1)
    ]
    batch = prod(op.shape()[d] for d in batching[0])
    inner = prod(op.shape()[d] for d in contracting[0])
    rows = prod(op.shape(0)[d] for d in free[0])
    columns = prod(op.shape(1)[d] for d in free[1])
    orders = (
        [*batching[0], *free[0], *contracting[0]],
        [*batching[1], *contracting[1], *free[1]],
    )
    front = [batch] if batching[0] else []
    shapes = [*front, rows, inner], [*front, inner, columns]
    kind = kind_of(op, op.result_element)
    is_named = kind not in (Kind.COMPLEX, Kind.BOOL)
    factors = [factor(op, writer, n, keeps_small=is_named) for n in (0, 1)]
    left, right = (
        reshape(writer, transpose(writer, each, order), shape)
        for each, order, shape in zip(factors, orders, shapes, strict=True)
    )
    flat = TensorType(signless(sum_element(op)), [*front, rows, columns])
    multiply = _named_product if is_named else _generic_product
    product = rounded(op, writer, multiply(writer, left, right, flat, kind))
    return [writer.of_tensor(reshape(writer, product, type_.get_shape()))]


def _named_product(
    writer: Writer,
    left: SSAValue,
    right: SSAValue,
    type_: TensorType[Any],
    _: Kind,
) -> SSAValue:
    """The product of two matrices, or of two batches."""
    name = "linalg.batch_matmul" if type_.get_num_dims() > 2 else "linalg.matmul"
    return writer.code.value(make_named(name, [left, right], [zeros(writer, type_)]))


def _zero(code: ElementBuilder, type_: Attribute) -> SSAValue:
    if isinstance(type_, ComplexType):
        whole = cast("ComplexType[Any]", type_)
        part = code.number(0.0, whole.element_type)
        return code.value(
            complex.CreateOp.create(operands=[part, part], result_types=[whole])
        )
    return code.number(0, type_)


def multiply_add(kind: Kind, code: ElementBuilder, arguments: Values) -> Values:
    """The third element and the product of the first two."""
    a, b, so_far = arguments
    if kind is Kind.COMPLEX:
        product = code.value(
            complex.MulOp.create(operands=[a, b], result_types=[a.type])
        )
        add = complex.AddOp.create(operands=[so_far, product], result_types=[a.type])
        return [code.value(add)]
    if kind is Kind.BOOL:
        return [code.value(arith.OrIOp(so_far, code.both(a, b)))]
    return [code.add(so_far, code.multiply(a, b))]


def zeros(writer: Writer, type_: TensorType[Any]) -> SSAValue:
    """A tensor of zeros."""
    return writer.fill(_zero(writer.code, type_.element_type), type_)


def _generic_product(
    writer: Writer,
    left: SSAValue,
    right: SSAValue,
    type_: TensorType[Any],
    kind: Kind,
) -> SSAValue:
    front = [AffineDimExpr(d) for d in range(type_.get_num_dims() - 2)]
    rows, columns, inner = (AffineDimExpr(len(front) + d) for d in range(3))
    (result,) = writer.generic(
        [(left, [*front, rows, inner]), (right, [*front, inner, columns])],
        [(zeros(writer, type_), [*front, rows, columns])],
        [PARALLEL] * (len(front) + 2) + [REDUCTION],
        lambda code, arguments: multiply_add(kind, code, arguments),
    )
    return result
