"""What arithmetic demands: a divisor that is not zero, and results that exist.

arith.divui %a, %b      %b is not 0
arith.shli %a, %n       %n is less than the number of bits
arith.fptosi %x : i8    %x is a number from -128 to 127
"""

import struct
from collections.abc import Sequence

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects import index

from .accesses import Rules
from .checks import Checks, integer_attribute
from .lanes import all_of, both, compare, either, splat

_INDEX_BITS = 64
_EQ, _NE = 0, 1
_ULT = arith.CMPI_COMPARISON_OPERATIONS.index("ult")
_OGT, _OGE, _OLT = (
    arith.CMPF_COMPARISON_OPERATIONS.index(name) for name in ("ogt", "oge", "olt")
)


def _bits(type: Attribute) -> int:
    element = get_element_type_or_self(type)
    return element.width.data if isa(element, IntegerType) else _INDEX_BITS


def _constant_of(value: SSAValue) -> int | None:
    owner = value.owner
    attribute = None
    if isinstance(owner, arith.ConstantOp | index.ConstantOp):
        attribute = owner.value
    return attribute.value.data if isa(attribute, IntegerAttr) else None


def _integer(value: int, type: Attribute, checks: Checks) -> SSAValue:
    element = get_element_type_or_self(type)
    return splat(integer_attribute(value, element), type, checks)


def _check_divisor(op: Operation, checks: Checks) -> None:
    divisor = op.operands[1]
    if _constant_of(divisor) in (None, 0):
        zero = _integer(0, divisor.type, checks)
        holds = compare(arith.CmpiOp, _NE, divisor, zero, checks)
        checks.require(all_of(holds, checks), "division by zero")


def _check_signed_division(op: Operation, checks: Checks) -> None:
    _check_divisor(op, checks)
    number, divisor = op.operands
    if _constant_of(divisor) not in (None, -1):
        return
    smallest = -(1 << (_bits(number.type) - 1))
    least = _integer(smallest, number.type, checks)
    minus_one = _integer(-1, divisor.type, checks)
    holds = either(
        compare(arith.CmpiOp, _NE, number, least, checks),
        compare(arith.CmpiOp, _NE, divisor, minus_one, checks),
        checks,
    )
    reason = f"{smallest} divided by -1 does not fit {op.results[0].type}"
    checks.require(all_of(holds, checks), reason)


def _check_shift(op: Operation, checks: Checks) -> None:
    amount = op.operands[1]
    bits = _bits(amount.type)
    known = _constant_of(amount)
    if known is not None and 0 <= known < bits:
        return
    if bits == 1:
        holds = compare(
            arith.CmpiOp, _EQ, amount, _integer(0, amount.type, checks), checks
        )
    else:
        limit = _integer(bits, amount.type, checks)
        holds = compare(arith.CmpiOp, _ULT, amount, limit, checks)
    shown = [amount] if isinstance(amount.type, IntegerType | IndexType) else []
    found = " by {0}" if shown else ""
    checks.require(
        all_of(holds, checks), f"a shift{found} of a number of {bits} bits", *shown
    )


# Floats that become integers.

_MANTISSA_BITS: dict[type[Attribute], int] = {
    BFloat16Type: 8,
    Float16Type: 11,
    Float32Type: 24,
}
_F16_LARGEST = struct.unpack("<e", b"\xff\x7b")[0]


def _check_float_to_integer(
    op: arith.FPToSIOp | arith.FPToUIOp, checks: Checks
) -> None:
    source, target = op.input.type, op.result.type
    element = get_element_type_or_self(source)
    bits = _bits(target)
    is_signed = isinstance(op, arith.FPToSIOp)
    above = 1 << (bits - is_signed)
    below = -above - 1 if is_signed else -1
    # The number just below the smallest one is a float if it has few digits.
    exists = abs(below).bit_length() <= _MANTISSA_BITS.get(type(element), 53)
    predicate, least = (_OGT, below) if exists else (_OGE, below + 1)
    if isinstance(element, Float16Type) and -least > _F16_LARGEST:
        predicate, least = _OGT, float("-inf")
    most = float(above)
    if isinstance(element, Float16Type) and most > _F16_LARGEST:
        most = float("inf")
    lower = compare(
        arith.CmpfOp, predicate, op.input, _float(least, source, checks), checks
    )
    upper = compare(arith.CmpfOp, _OLT, op.input, _float(most, source, checks), checks)
    holds = all_of(both(lower, upper, checks), checks)
    kind = "a signed" if is_signed else "an unsigned"
    checks.require(holds, f"a number is NaN or does not fit {kind} {target}")


def _float(value: float, type: Attribute, checks: Checks) -> SSAValue:
    element = get_element_type_or_self(type)
    assert isinstance(element, AnyFloat)
    return splat(FloatAttr(float(value), element), type, checks)


# Positions in vectors.


def _check_positions(op: vector.ExtractOp | vector.InsertOp, checks: Checks) -> None:
    holder = op.vector if isinstance(op, vector.ExtractOp) else op.dest
    assert isa(holder.type, VectorType)
    static: Sequence[int] = op.static_position.get_values()
    dynamic = iter(op.dynamic_position)
    for dimension, position in enumerate(static):
        if position == DYNAMIC_INDEX:
            size = holder.type.get_shape()[dimension]
            checks.require_index(next(dynamic), size, dimension)


RULES: Rules = {
    **dict.fromkeys(
        (
            arith.DivSIOp,
            arith.RemSIOp,
            arith.CeilDivSIOp,
            arith.FloorDivSIOp,
            index.DivSOp,
            index.RemSOp,
            index.CeilDivSOp,
            index.FloorDivSOp,
        ),
        _check_signed_division,
    ),
    **dict.fromkeys(
        (
            arith.DivUIOp,
            arith.RemUIOp,
            arith.CeilDivUIOp,
            index.DivUOp,
            index.RemUOp,
            index.CeilDivUOp,
        ),
        _check_divisor,
    ),
    **dict.fromkeys(
        (
            arith.ShLIOp,
            arith.ShRSIOp,
            arith.ShRUIOp,
            index.ShlOp,
            index.ShrSOp,
            index.ShrUOp,
        ),
        _check_shift,
    ),
    arith.FPToSIOp: _check_float_to_integer,
    arith.FPToUIOp: _check_float_to_integer,
    vector.ExtractOp: _check_positions,
    vector.InsertOp: _check_positions,
}
