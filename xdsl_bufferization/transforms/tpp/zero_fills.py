"""Tensors full of zeros: recognised, and made.

%0 = tensor.empty() : tensor<4xf32>
%1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
"""

from xdsl.dialects import tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.interfaces.tile_builder import TileBuilder


def is_zeros(value: SSAValue) -> bool:
    """Whether a tensor is certainly full of zeros."""
    owner = value.owner
    if isinstance(owner, FillOp):
        return is_zeros(owner.inputs[0])
    if not isinstance(owner, ConstantOp):
        return False
    constant = owner.value
    if isinstance(constant, FloatAttr | IntegerAttr):
        return constant.value.data == 0
    return (
        isinstance(constant, DenseIntOrFPElementsAttr)
        and constant.is_splat()
        and constant.get_values()[0] == 0
    )


def new_empty(value: SSAValue, builder: TileBuilder) -> SSAValue:
    """A new tensor of the type and sizes of `value`."""
    type_ = ranked_type(value)
    dynamic: list[SSAValue] = []
    for dimension, known in enumerate(type_.get_shape()):
        size = builder.size_of(value, dimension)
        if known == DYNAMIC_INDEX and isinstance(size, SSAValue):
            dynamic.append(size)
    op = tensor.EmptyOp(dynamic, type_)
    builder.insert(op)
    return op.tensor


def new_fill(value: SSAValue, tensor_: SSAValue, builder: TileBuilder) -> SSAValue:
    """`tensor_`, full of `value`."""
    op = FillOp([value], [tensor_], [tensor_.type])
    builder.insert(op)
    return op.results[0]


def new_number(
    number: float, type_: Attribute, builder: TileBuilder
) -> SSAValue | None:
    """A constant of a type of integers or floating-point numbers; else None."""
    if isinstance(type_, AnyFloat):
        op = ConstantOp(FloatAttr(number, type_))
    elif isa(type_, IntegerType):
        op = ConstantOp(IntegerAttr(int(number), type_))
    else:
        return None
    builder.insert(op)
    return op.result
