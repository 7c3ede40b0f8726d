"""The sizes of tensors, without asking tensors that ops compute.

    %1 = linalg.add ins(%a, %b) outs(%0) -> tensor<?xf32>
    size 0 of %1    -> size 0 of %0, or what %0 was made with, and so on

A check that asks a computed tensor would be one more use of the tensor, and passes that
look for a single use would see another program.
"""

from collections.abc import Callable

from xdsl.dialects import bufferization, memref, tensor
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.tensor.canonicalization.sizes import defined_size
from xdsl_bufferization.dialects.tensor.canonicalization.values import constant_index
from xdsl_bufferization.interfaces.operands import (
    is_elementwise_on_tensors,
    is_ranked_tensor_type,
)
from xdsl_bufferization.interfaces.same_shape import same_shape

Number = int | SSAValue
"""A number that is known now, or the index that holds it at run time."""

Ask = Callable[[SSAValue, int], SSAValue]
"""Emits what asks a tensor or buffer for a size."""


def tensor_size(tensor_: SSAValue, dimension: int, ask: Ask) -> Number:
    """Size `dimension` of a tensor, followed to where it comes from."""
    while True:
        found = defined_size(tensor_, dimension)
        if found is not None:
            return found if isinstance(found, int) else origin(found, ask)
        owner = tensor_.owner
        if isinstance(owner, bufferization.ToTensorOp) and isa(
            owner.memref.type, MemRefType
        ):
            return ask(owner.memref, dimension)
        source = _source(tensor_)
        if source is None:
            return ask(tensor_, dimension)
        tensor_ = source


def origin(size: SSAValue, ask: Ask) -> Number:
    """What a number is: if it was asked of a tensor, where the tensor has it from."""
    owner = size.owner
    if not isinstance(owner, tensor.DimOp):
        return size
    index, type_ = constant_index(owner.index), owner.source.type
    if index is None or not is_ranked_tensor_type(type_):
        return size
    has_dimension = 0 <= index < type_.get_num_dims()
    return tensor_size(owner.source, index, ask) if has_dimension else size


def _source(value: SSAValue) -> SSAValue | None:
    """What has the sizes of a tensor, and comes before it."""
    if not isinstance(value, OpResult):
        return None
    op: Operation = value.op
    if is_elementwise_on_tensors(op):
        tensors = (each for each in op.operands if isinstance(each.type, TensorType))
        return next(tensors)
    source = same_shape(op, value.index)
    if source is None or not is_ranked_tensor_type(source.type):
        return None
    return source


def ask_for_size(value: SSAValue, index: SSAValue) -> Operation:
    """The op that asks a tensor or a buffer for a size."""
    dim = memref.DimOp if isa(value.type, MemRefType) else tensor.DimOp
    return dim(value, index)


def shape_of(value: SSAValue) -> tuple[int, ...] | None:
    """The shape of a tensor or buffer with a rank; None for anything else."""
    type_ = value.type
    if isa(type_, MemRefType) or isinstance(type_, TensorType):
        return type_.get_shape()
    return None
