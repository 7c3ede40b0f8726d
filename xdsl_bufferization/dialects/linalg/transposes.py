"""A `linalg.transpose` of any element type.

    new_transpose(%t, %e, [1, 0])
        -> linalg.transpose ins(%t : tensor<2x4xindex>) outs(%e : tensor<4x2xindex>)
             permutation = [1, 0]

The constructor of xDSL's class takes only floats and integers.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.dialects.linalg.ops import TransposeOp, YieldOp
from xdsl.ir import Block, Region, SSAValue

from xdsl_bufferization.dialects.linalg.structure import (
    element_type_of,
    result_types_for,
)


def new_transpose(
    source: SSAValue, target: SSAValue, permutation: Sequence[int]
) -> TransposeOp:
    """A transpose into a destination; on tensors, with the type of its result."""
    body = Block(arg_types=[element_type_of(each.type) for each in (source, target)])
    body.add_op(YieldOp(body.args[0]))
    return TransposeOp.build(
        operands=[[source], [target]],
        result_types=[result_types_for([target])],
        properties={"permutation": DenseArrayBase.from_list(i64, permutation)},
        regions=[Region(body)],
    )
