"""Slices of the tensor dialect as subsets of their containers."""

from collections.abc import Hashable

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp
from xdsl_bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.interfaces.subset import (
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
)
from xdsl_bufferization.models.slices import mixed_slice


class ExtractSliceOpSubset(SubsetExtractionOpInterface):
    """`tensor.extract_slice`: a slice of its source."""

    @override
    def get_container(self, op: Operation) -> OpOperand:
        return OpOperand(op, 0)

    @override
    def get_subset(self, op: Operation) -> Hashable:
        assert isinstance(op, tensor.ExtractSliceOp)
        # The shape tells which dimensions of size 1 were dropped.
        return ("slice", _shape(op.result), mixed_slice(op))


class InsertSliceOpSubset(SubsetInsertionOpInterface):
    """`tensor.insert_slice` and `parallel_insert_slice`: a slice of the destination."""

    @override
    def get_container(self, op: Operation) -> OpOperand:
        return OpOperand(op, 1)

    @override
    def get_source(self, op: Operation) -> OpOperand:
        return OpOperand(op, 0)

    @override
    def get_subset(self, op: Operation) -> Hashable:
        assert isinstance(op, tensor.InsertSliceOp | ParallelInsertSliceOp)
        return ("slice", _shape(op.source), mixed_slice(op))


def _shape(value: SSAValue) -> tuple[int, ...]:
    assert isinstance(value.type, ShapedType)
    return value.type.get_shape()


MODELS: dict[type[Operation], SubsetOpInterface] = {
    tensor.ExtractSliceOp: ExtractSliceOpSubset(),
    tensor.InsertSliceOp: InsertSliceOpSubset(),
    ParallelInsertSliceOp: InsertSliceOpSubset(),
}
