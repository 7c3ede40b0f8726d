"""Tensors of one type, one behind the other in one tensor, and each of them again.

%0 = tensor.expand_shape %a                  // 8 -> 1x8
%1 = tensor.expand_shape %b
%s = tensor.concat dim(0) %0, %1             // a stack of %a and %b
%p = tensor.extract_slice %s[%i, 0]          // %a or %b
"""

from collections.abc import Callable, Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ..common.relayout import reassociation


def stacked(
    values: Sequence[SSAValue], insert: Callable[[Operation], Operation]
) -> SSAValue:
    """A tensor with all of `values`, which have one type with known sizes."""
    type_ = ranked_type(values[0])
    groups = [[number + 1] for number in range(type_.get_num_dims())]
    if groups:
        groups[0] = [0, 1]
    shape = (1, *type_.get_shape())
    parts = [
        insert(
            tensor.ExpandShapeOp(
                value, [], reassociation(groups), shape, _with_shape(type_, shape)
            )
        )
        for value in values
    ]
    whole = _with_shape(type_, (len(values), *type_.get_shape()))
    return insert(tensor.ConcatOp(parts, 0, whole)).results[0]


def part_of_stack(
    stack: SSAValue, number: SSAValue, type_: TensorType
) -> tensor.ExtractSliceOp:
    """One of the tensors of a stack; nothing holds the op yet."""
    shape = type_.get_shape()
    offsets = [number, *(0 for _ in shape)]
    strides = [1] * len(offsets)
    return tensor.ExtractSliceOp(stack, offsets, [1, *shape], strides, type_)


def _with_shape(
    type_: TensorType[Attribute], shape: Sequence[int]
) -> TensorType[Attribute]:
    return TensorType(type_.element_type, shape, type_.encoding)
