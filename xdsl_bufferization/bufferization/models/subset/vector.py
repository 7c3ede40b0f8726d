"""What vector transfers read and write, as subsets of their tensors.

vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<16xf32>     // %t[%i] [4] [1]
"""

from collections.abc import Hashable

from typing_extensions import override
from xdsl.dialects import vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.vector.masks import MaskOp

from ...interfaces.boxes import Box
from ...interfaces.operands import OpOperand
from ...interfaces.subset import SubsetExtractionOpInterface, SubsetOpInterface
from ..linear import linear
from ..slices import constant_value
from .insertion import Insertion


class TransferReadOpSubset(SubsetExtractionOpInterface):
    """`vector.transfer_read`: a slice of its source."""

    @override
    def get_container(self, op: Operation) -> OpOperand:
        return OpOperand(op, 0)

    @override
    def get_subset(self, op: Operation) -> Hashable:
        assert isinstance(op, vector.TransferReadOp)
        return _subset(op, op.result)

    @override
    def get_box(self, op: Operation) -> Box | None:
        assert isinstance(op, vector.TransferReadOp)
        return _box(op, op.result)


class TransferWriteOpSubset(Insertion):
    """`vector.transfer_write`: a slice of its destination."""

    @override
    def get_subset(self, op: Operation) -> Hashable:
        assert isinstance(op, vector.TransferWriteOp)
        return _subset(op, op.vector)

    @override
    def get_box(self, op: Operation) -> Box | None:
        assert isinstance(op, vector.TransferWriteOp)
        return _box(op, op.vector)

    @override
    def overwrites_box(self, op: Operation) -> bool:
        assert isinstance(op, vector.TransferWriteOp)
        return not is_masked(op) and all(each.value.data for each in op.in_bounds)


def is_masked(op: vector.TransferReadOp | vector.TransferWriteOp) -> bool:
    """Whether a transfer may leave some elements out."""
    return op.mask is not None or isinstance(op.parent_op(), MaskOp)


def _subset(
    op: vector.TransferReadOp | vector.TransferWriteOp, value: SSAValue
) -> Hashable:
    """The slice that a transfer accesses, as `tensor.extract_slice` describes it.

    A transfer that goes over the end is described by the whole vector, as in MLIR: a
    slice of that size does not exist there. One that permutes dimensions or is masked
    equals no other.
    """
    assert isa(value.type, VectorType)
    shape = value.type.get_shape()
    sizes = [1] * len(op.indices)
    leading = len(sizes) - len(shape)
    minor = [
        isinstance(expr, AffineDimExpr) and expr.position == leading + position
        for position, expr in enumerate(op.permutation_map.data.results)
    ]
    if is_masked(op) or not all(minor):
        return op
    for position, size in enumerate(shape):
        sizes[leading + position] = size
    offsets: list[OpFoldResult] = []
    for index in op.indices:
        constant = constant_value(index)
        offsets.append(index if constant is None else constant)
    return ("slice", (tuple(offsets), tuple(sizes), (1,) * len(sizes)))


def _box(
    op: vector.TransferReadOp | vector.TransferWriteOp, value: SSAValue
) -> Box | None:
    """What a transfer accesses at most: less if it is masked or goes over the end."""
    assert isa(value.type, VectorType)
    if value.type.get_num_scalable_dims():
        return None
    sizes = [1] * len(op.indices)
    shape = value.type.get_shape()
    for expr, size in zip(op.permutation_map.data.results, shape, strict=True):
        if isinstance(expr, AffineDimExpr):
            sizes[expr.position] = size
        elif expr != AffineExpr.constant(0):
            return None
    offsets = tuple(map(linear, op.indices))
    return Box(offsets, tuple(sizes), (1,) * len(sizes))


MODELS: dict[type[Operation], SubsetOpInterface] = {
    vector.TransferReadOp: TransferReadOpSubset(),
    vector.TransferWriteOp: TransferWriteOpSubset(),
}
