"""Slices of the tensor dialect as subsets of their containers."""

from collections.abc import Hashable, Sequence

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DenseArrayBase, ShapedType, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

from ...interfaces.boxes import Box
from ...interfaces.operands import OpOperand, operand_values
from ...interfaces.subset import (
    WHOLE,
    SubsetExtraction,
    SubsetExtractionOpInterface,
    SubsetOpInterface,
)
from ..linear import linear
from ..slices import (
    STATIC_NUMBERS,
    SliceOp,
    is_as_large,
    kept_dimensions,
    mixed_slice,
    static_numbers,
)
from .insertion import Insertion


class ExtractSliceOpSubset(SubsetExtractionOpInterface):
    """`tensor.extract_slice`: a slice of its source."""

    @override
    def get_container(self, op: Operation) -> OpOperand:
        return OpOperand(op, 0)

    @override
    def get_subset(self, op: Operation) -> Hashable:
        assert isinstance(op, tensor.ExtractSliceOp)
        # Also without its dimensions of size 1 it has these elements in this order.
        return ("slice", mixed_slice(op))

    @override
    def get_box(self, op: Operation) -> Box | None:
        assert isinstance(op, tensor.ExtractSliceOp)
        sizes = static_numbers(op, "static_sizes")
        return _box(op, kept_dimensions(op, sizes, _shape(op.results[0])))


class InsertSliceOpSubset(Insertion):
    """`tensor.insert_slice` and `parallel_insert_slice`: a slice of the destination."""

    @override
    def get_subset(self, op: Operation) -> Hashable:
        assert isinstance(op, tensor.InsertSliceOp | ParallelInsertSliceOp)
        # As in MLIR, which only takes this for granted where iterations run at once.
        if isinstance(op, ParallelInsertSliceOp) and is_as_large(op, op.operands[1]):
            return WHOLE
        return ("slice", mixed_slice(op))

    @override
    def build_subset_extraction(self, op: Operation) -> SubsetExtraction:
        # Without the source: destination, offsets, sizes, strides.
        segments = static_numbers(op, AttrSizedOperandSegments.attribute_name)[1:]
        static = {name: op.properties[name] for name in STATIC_NUMBERS}
        slice_ = tensor.ExtractSliceOp.create(
            operands=op.operands[1:],
            result_types=[op.operands[0].type],
            properties={
                **static,
                AttrSizedOperandSegments.attribute_name: DenseArrayBase.from_list(
                    i32, segments
                ),
            },
        )
        return SubsetExtraction(slice_.result, slice_)

    @override
    def get_box(self, op: Operation) -> Box | None:
        assert isinstance(op, tensor.InsertSliceOp | ParallelInsertSliceOp)
        return _box(op)

    @override
    def overwrites_box(self, op: Operation) -> bool:
        return True


class ElementSubset(SubsetOpInterface):
    """`tensor.extract` and `tensor.insert`: one element."""

    @override
    def get_container(self, op: Operation) -> OpOperand:
        return OpOperand(op, 1 if type(op) is tensor.InsertOp else 0)

    @override
    def get_subset(self, op: Operation) -> Hashable:
        return op

    @override
    def get_box(self, op: Operation) -> Box | None:
        first = 2 if type(op) is tensor.InsertOp else 1
        offsets = tuple(map(linear, operand_values(op)[first:]))
        ones = (1,) * len(offsets)
        return Box(offsets, ones, ones)

    @override
    def overwrites_box(self, op: Operation) -> bool:
        return isinstance(op, tensor.InsertOp)


def _box(op: SliceOp, kept: Sequence[int] | None = None) -> Box:
    offsets, sizes, strides = mixed_slice(op)
    return Box(
        tuple(map(linear, offsets)),
        tuple(map(_known, sizes)),
        tuple(map(_known, strides)),
        None if kept is None else tuple(kept),
    )


def _known(number: OpFoldResult) -> int | None:
    return number if isinstance(number, int) else None


def _shape(value: SSAValue) -> tuple[int, ...]:
    assert isinstance(value.type, ShapedType)
    return value.type.get_shape()


MODELS: dict[type[Operation], SubsetOpInterface] = {
    tensor.ExtractOp: ElementSubset(),
    tensor.ExtractSliceOp: ExtractSliceOpSubset(),
    tensor.InsertOp: ElementSubset(),
    tensor.InsertSliceOp: InsertSliceOpSubset(),
    ParallelInsertSliceOp: InsertSliceOpSubset(),
}
