"""Transposes of any elements: xDSL's constructor takes numbers alone, not complex ones.

new_transpose(%a, %b, [1, 0])
->  linalg.transpose ins(%a : ...) outs(%b : ...) permutation = [1, 0]
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.dialects.linalg.ops import TransposeOp, YieldOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.utils.type import get_element_type_or_self


def new_transpose(
    source: SSAValue, init: SSAValue, permutation: Sequence[int]
) -> TransposeOp:
    """A transpose, whose result is of the type of `init` if that is a tensor."""
    types = [get_element_type_or_self(value.type) for value in (source, init)]
    body = Block(arg_types=types)
    body.add_op(YieldOp(body.args[0]))
    return TransposeOp.create(
        operands=[source, init],
        result_types=[init.type] if isinstance(init.type, TensorType) else [],
        properties={"permutation": DenseArrayBase.from_list(i64, permutation)},
        regions=[Region(body)],
    )
