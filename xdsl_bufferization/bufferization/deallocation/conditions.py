"""Building i1 values, and not building those that are known.

conjoin(builder, True, %c)     // %c, no op
conjoin(builder, %c, %d)       // arith.andi %c, %d : i1
"""

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

Condition = bool | SSAValue
"""An i1 value, or what it is known to be."""


class Constants:
    """The constants true and false at one place: each built when first needed."""

    def __init__(self, place: Block | Operation):
        """Constants at the start of a block, or before an op."""
        self._place = place
        self._values: dict[bool, SSAValue] = {}

    def get(self, condition: Condition) -> SSAValue:
        """`condition` as a value."""
        if isinstance(condition, SSAValue):
            return condition
        if condition not in self._values:
            constant = arith.ConstantOp(IntegerAttr.from_bool(condition))
            place = self._place
            point = (
                InsertPoint.at_start(place)
                if isinstance(place, Block)
                else InsertPoint.before(place)
            )
            Builder(point).insert(constant)
            self._values[condition] = constant.result
        return self._values[condition]


def constant_condition(value: SSAValue) -> Condition:
    """What `value` is known to be, else `value`."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and value.type == i1:
        constant = owner.value
        return isinstance(constant, IntegerAttr) and constant.value.data != 0
    return value


def conjoin(builder: Builder, first: Condition, second: Condition) -> Condition:
    """`first` and `second`."""
    if isinstance(first, bool):
        return second if first else False
    if isinstance(second, bool):
        return first if second else False
    return builder.insert(arith.AndIOp(first, second)).result


def disjoin(builder: Builder, first: Condition, second: Condition) -> Condition:
    """`first` or `second`."""
    if isinstance(first, bool):
        return True if first else second
    if isinstance(second, bool):
        return True if second else first
    return builder.insert(arith.OrIOp(first, second)).result


def negate(builder: Builder, constants: Constants, condition: Condition) -> Condition:
    """Not `condition`."""
    if isinstance(condition, bool):
        return not condition
    return builder.insert(arith.XOrIOp(condition, constants.get(True))).result


def compare(
    builder: Builder, predicate: str, first: SSAValue, second: SSAValue
) -> SSAValue:
    """How two index values compare: `eq`, `ne`, ..."""
    return builder.insert(arith.CmpiOp(first, second, predicate)).result
