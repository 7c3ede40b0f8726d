"""A product of two matrices as a sum over a batch of one.

    xsmm.gemm(%0, %a, %b, %c)
        -> %1 = memref.expand_shape %a [[0, 1], [2]] ... into memref<1x8x16xf32>
           %2 = memref.expand_shape %b [[0, 1], [2]] ... into memref<1x16x4xf32>
           ... %1, %2, %c, and the constant 1

For kernels that only sums have, above all the fused ones.
"""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    i64,
)
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.memref.reshapes import get_expanded_type
from xdsl_bufferization.dialects.xsmm import BrgemmOp, GemmOp
from xdsl_bufferization.dialects.xsmm.dispatch import ProductDispatchOp
from xdsl_bufferization.optimization.common.relayout import reassociation

from .strided_matrices import as_buffer, row_strides


class Batch(NamedTuple):
    """What a kernel for sums of products works on."""

    a: SSAValue
    b: SSAValue
    size: SSAValue
    inputs: list[int]
    """Of the dispatch of a `brgemm`."""

    new_ops: Sequence[Operation]
    """What defines the values that were not there before."""


def as_batch(product: GemmOp | BrgemmOp, dispatch: ProductDispatchOp) -> Batch:
    """The factors of `product` as batches; those of a `brgemm` are."""
    inputs = list(map(int, dispatch.inputs.get_values()))
    if isinstance(product, BrgemmOp):
        return Batch(product.a, product.b, product.batch, inputs, [])
    one = arith.ConstantOp(IntegerAttr(1, i64))
    a, b = _expanded(product.a), _expanded(product.b)
    distances = [_distance(each.result) for each in (a, b)]
    return Batch(a.result, b.result, one.result, [*inputs, *distances], [one, a, b])


def _expanded(value: SSAValue) -> memref.ExpandShapeOp:
    """A buffer with another dimension in front."""
    type_ = as_buffer(value.type)
    assert type_ is not None
    shape = (1, *type_.get_shape())
    groups = [[0, 1], *([number] for number in range(2, len(shape)))]
    return memref.ExpandShapeOp.create(
        operands=[value],
        result_types=[get_expanded_type(type_, groups, shape)],
        properties={
            "reassociation": reassociation(groups),
            "static_output_shape": DenseArrayBase.from_list(i64, shape),
        },
    )


def _distance(batch: SSAValue) -> int:
    strides = row_strides(batch.type)
    assert strides is not None
    return strides[0]
