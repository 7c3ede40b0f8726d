"""Tensors full of zeros: recognised, and made.

%0 = tensor.empty() : tensor<4xf32>
%1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
"""

from collections.abc import Callable

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.tensor.canonicalization.values import splat_element

Insert = Callable[[Operation], object]
"""Inserts an op where it is wanted."""


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
    if not isinstance(constant, DenseIntOrFPElementsAttr):
        return False
    element = splat_element(constant)
    return element is not None and element.value.data == 0


def insert_fill(value: SSAValue, tensor: SSAValue, insert: Insert) -> SSAValue:
    """`tensor`, full of `value`."""
    op = new_fill(value, tensor, [tensor.type])
    insert(op)
    return op.results[0]


def new_number(number: float, type_: Attribute, insert: Insert) -> SSAValue | None:
    """A constant of a type of integers or floating-point numbers; else None."""
    if isinstance(type_, AnyFloat):
        op = ConstantOp(FloatAttr(number, type_))
    elif isa(type_, IntegerType):
        op = ConstantOp(IntegerAttr(int(number), type_))
    else:
        return None
    insert(op)
    return op.result
