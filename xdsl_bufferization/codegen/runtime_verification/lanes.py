"""Conditions on all elements of a vector, or of those that a mask selects.

require_lanes(%is_there, %mask, ...)
    -> %ok = %is_there or not %mask; %all = vector.reduction <and>, %ok
"""

from math import prod
from typing import Any, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.arith.builder import Truth
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.text.splats import has_constants
from xdsl_bufferization.dialects.vector.shapes import ShapeCastOp

from .checks import Checks, integer_attribute


def broadcast(value: SSAValue, type: VectorType, checks: Checks) -> SSAValue:
    """A vector with one value everywhere."""
    op = vector.BroadcastOp.create(operands=[value], result_types=[type])
    return checks.value(op)


def splat(value: Attribute, type: Attribute, checks: Checks) -> SSAValue:
    """A constant; of a vector type, in each element."""
    if isa(type, VectorType):
        if not has_constants(type.element_type):
            return broadcast(splat(value, type.element_type, checks), type, checks)
        assert isinstance(value, IntegerAttr | FloatAttr)
        row: Any = [value.value.data] * prod(type.get_shape())
        value = DenseIntOrFPElementsAttr.from_list(cast(Any, type), row)
    op = arith.ConstantOp.create(result_types=[type], properties={"value": value})
    return checks.value(op)


def compare(
    op: type[arith.CmpiOp] | type[arith.CmpfOp],
    predicate: int,
    lhs: SSAValue,
    rhs: SSAValue,
    checks: Checks,
) -> SSAValue:
    """A comparison of numbers or vectors."""
    type_ = lhs.type
    result = VectorType(i1, type_.get_shape()) if isa(type_, VectorType) else i1
    properties: dict[str, Attribute] = {"predicate": IntegerAttr(predicate, i64)}
    if op is arith.CmpfOp:
        properties["fastmath"] = arith.FastMathFlagsAttr("none")
    new = op.create(operands=[lhs, rhs], result_types=[result], properties=properties)
    return checks.value(new)


def compare_lanes(
    predicate: str, lanes: SSAValue, number: OpFoldResult, checks: Checks
) -> SSAValue:
    """A comparison of each element of a vector of indices with one number."""
    type = lanes.type
    assert isa(type, VectorType)
    other = broadcast(checks.index(number), type, checks)
    return compare(
        arith.CmpiOp,
        arith.CMPI_COMPARISON_OPERATIONS.index(predicate),
        lanes,
        other,
        checks,
    )


def compare_numbers(
    predicate: str, lhs: SSAValue, number: int, checks: Checks
) -> SSAValue:
    """A comparison of an integer or an index with a number."""
    other = splat(integer_attribute(number, lhs.type), lhs.type, checks)
    position = arith.CMPI_COMPARISON_OPERATIONS.index(predicate)
    return compare(arith.CmpiOp, position, lhs, other, checks)


def both(lhs: SSAValue, rhs: SSAValue, checks: Checks) -> SSAValue:
    """Whether two conditions hold, in each element of vectors."""
    op = arith.AndIOp.create(operands=[lhs, rhs], result_types=[lhs.type])
    return checks.value(op)


def either(lhs: SSAValue, rhs: SSAValue, checks: Checks) -> SSAValue:
    """Whether one of two conditions holds, in each element of vectors."""
    op = arith.OrIOp.create(operands=[lhs, rhs], result_types=[lhs.type])
    return checks.value(op)


def all_of(condition: SSAValue, checks: Checks) -> Truth:
    """Whether a condition holds, in each element if it is a vector."""
    type = condition.type
    if not isa(type, VectorType):
        return condition
    if type.get_num_dims() != 1:
        flat = VectorType(i1, [prod(type.get_shape())])
        cast = ShapeCastOp.create(operands=[condition], result_types=[flat])
        condition = checks.value(cast)
    kind = vector.CombiningKindAttr(vector.CombiningKindFlag.AND)
    return checks.value(_reduction(kind, condition, i1))


def require_lanes(
    condition: SSAValue,
    mask: SSAValue,
    reason: str,
    checks: Checks,
    *values: OpFoldResult,
) -> None:
    """Demand a condition of each element that a mask selects."""
    everywhere = splat(IntegerAttr(1, i1), mask.type, checks)
    left_out = checks.value(
        arith.XOrIOp.create(operands=[mask, everywhere], result_types=[mask.type])
    )
    holds = either(condition, left_out, checks)
    checks.require(all_of(holds, checks), reason, *values)


def count_lanes(mask: SSAValue, checks: Checks) -> SSAValue:
    """How many elements a mask selects."""
    type = mask.type
    assert isa(type, VectorType)
    wide = VectorType(i64, type.get_shape())
    numbers = arith.ExtUIOp.create(operands=[mask], result_types=[wide])
    kind = vector.CombiningKindAttr(vector.CombiningKindFlag.ADD)
    total = checks.value(_reduction(kind, checks.value(numbers), i64))
    return checks.value(arith.IndexCastOp(total, IndexType()))


def _reduction(
    kind: vector.CombiningKindAttr, lanes: SSAValue, type: Attribute
) -> vector.ReductionOp:
    return vector.ReductionOp.create(
        operands=[lanes],
        result_types=[type],
        properties={"kind": kind, "fastmath": arith.FastMathFlagsAttr("none")},
    )
