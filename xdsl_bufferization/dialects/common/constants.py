"""Which integer a value always is.

%c4 = arith.constant 4 : index      // 4
%c5 = index.constant 5              // 5
%n = tensor.dim %t, %c0             // unknown
"""

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

_OF_INDEX = "index.constant"
"""An op of a dialect that builds on this room, so that only its name is known here."""


def constant_integer(value: SSAValue) -> int | None:
    """The integer that `value` always is, or None."""
    owner = value.owner
    if not isinstance(owner, Operation):
        return None
    if not isinstance(owner, arith.ConstantOp) and owner.name != _OF_INDEX:
        return None
    attribute = owner.properties.get("value")
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None
