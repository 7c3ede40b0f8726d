"""Which integer a value always is.

%c4 = arith.constant 4 : index      // 4
%c5 = index.constant 5              // 5
%n = tensor.dim %t, %c0             // unknown
"""

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects import index


def constant_integer(value: SSAValue) -> int | None:
    """The integer that `value` always is, or None."""
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp | index.ConstantOp):
        return None
    attribute = owner.value
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None
