"""A `linalg.transpose` and a `linalg.copy` of any element type.

    new_transpose(%s, %t, order)
        -> linalg.transpose ins(%s : tensor<2x3xcomplex<f32>>) outs(%t : ...)

The constructors of xDSL's classes take only floats and integers.
"""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, MemRefType, TensorType, i64
from xdsl.dialects.linalg.ops import CopyOp, TransposeOp, YieldOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.utils.hints import isa


def new_transpose(
    source: SSAValue, target: SSAValue, order: Sequence[int]
) -> TransposeOp:
    """A transpose into a tensor or a buffer.

    `order` has for each dimension of the target that of the source.
    """
    results: list[Attribute] = []
    if isa(target.type, TensorType):
        results.append(target.type)
    return TransposeOp.build(
        operands=[[source], [target]],
        result_types=[results],
        properties={"permutation": DenseArrayBase.from_list(i64, order)},
        regions=[_moving_body(source, target)],
    )


def new_copy(source: SSAValue, target: SSAValue) -> CopyOp:
    """A copy from buffer to buffer."""
    return CopyOp.build(
        operands=[[source], [target]],
        result_types=[[]],
        regions=[_moving_body(source, target)],
    )


def _moving_body(source: SSAValue, target: SSAValue) -> Region:
    """A body that gives what it takes."""
    block = Block(arg_types=[_element_type(each) for each in (source, target)])
    block.add_op(YieldOp(block.args[0]))
    return Region(block)


def _element_type(value: SSAValue) -> Attribute:
    type_ = cast("TensorType[Attribute] | MemRefType[Attribute]", value.type)
    return type_.element_type
