"""How arith ops become ops of the llvm dialect.

Most are one op there; MLIR's arith documentation defines what the others return.

    %r = arith.ceildivsi %a, %b : index -> a division and a correction
    %r = arith.maximumf %a, %b : f32    -> llvm.call_intrinsic "llvm.maximum.f32"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    UnrankedMemRefType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.arith.arithmetic import RemFOp
from xdsl_bufferization.dialects.common.elementwise import with_element_type
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.identity_cache import cached_by_identity

from ..emission.blocks import dense_row
from ..emission.descriptor import Unranked, buffer_from_carried
from ..emission.emitter import NO_FAST_MATH
from ..emission.function import FunctionLowering, Rule, Rules
from ..emission.types import TypeConverter, integer_width, is_buffer, row_vector_type

_NO_OVERFLOW_FLAGS = IntegerAttr(0, 32)
_OVERFLOW_BITS = {"nsw": 1, "nuw": 2}


def _lower_constant(op: arith.ConstantOp, f: FunctionLowering) -> None:
    if isa(op.value, DenseIntOrFPElementsAttr) and isa(op.result.type, VectorType):
        _lower_vector_constant(op, op.value, op.result.type, f)
        return
    type = f.scalar_type(op.result.type, op)
    match op.value:
        case value if isa(value, IntegerAttr):
            f.bind(op.result, f.integer(value.value.data, type))
        case value if isa(value, FloatAttr):
            f.bind(op.result, f.constant(value, type))
        case value:
            fail_at(op, f"constant {value} cannot be lowered; bufferize it first")


def _lower_vector_constant(
    op: arith.ConstantOp,
    dense: DenseIntOrFPElementsAttr,
    type: VectorType,
    f: FunctionLowering,
) -> None:
    row = f.scalar_type(row_vector_type(type) or type, op)
    assert isa(row, VectorType)
    rows = _rows_of(dense, type.element_type, row, f.types)
    f.bind_rows(op.result, [f.constant(each, row) for each in rows])


@cached_by_identity
def _rows_of(
    dense: DenseIntOrFPElementsAttr,
    element: Attribute,
    row: VectorType,
    types: TypeConverter,
) -> Sequence[Attribute]:
    """The constants for the rows of one, which are of the type `row`."""
    values: Sequence[Any] = list(dense.get_values())
    if isinstance(element, BFloat16Type):
        values = [bfloat16_bits(value) for value in values]
    if isinstance(element, IndexType):
        values = [types.wrapped(value) for value in values]
    starts = range(0, len(values), width := row.get_shape()[0])
    return [dense_row(values[at : at + width], row) for at in starts]


def bfloat16_bits(value: float) -> int:
    """Return the bits of the nearest bf16, as a signed integer."""
    return int.from_bytes(BFloat16Type().pack([value]), "little", signed=True)


def _op_rule(
    target: type[Operation], flags: Callable[[Operation], dict[str, Attribute]]
) -> Rule:
    """Lower to one op of the llvm dialect on the same operands."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        operands = f.scalars(op.operands)
        result = f.create(target, operands, operands[0].type, flags(op))
        f.bind(op.results[0], result)

    return lower


def _exact(op: Operation) -> dict[str, Attribute]:
    exact = op.properties.get("isExact")
    return {} if exact is None else {"isExact": exact}


def _overflow(op: Operation) -> dict[str, Attribute]:
    flags = op.get_attr_or_prop("overflowFlags")
    if not isinstance(flags, arith.IntegerOverflowAttr) or not flags.data:
        return {"overflowFlags": _NO_OVERFLOW_FLAGS}
    bits = sum(_OVERFLOW_BITS[flag.value] for flag in set(flags.data))
    return {"overflowFlags": IntegerAttr(bits, 32)}


def _fast_math(op: Operation) -> dict[str, Attribute]:
    flags = op.get_attr_or_prop("fastmath")
    if not isinstance(flags, arith.FastMathFlagsAttr) or not flags.data:
        return {"fastmathFlags": NO_FAST_MATH}
    return {"fastmathFlags": llvm.FastMathAttr(list(flags.data))}


def intrinsic_rule(name: str, *flags: int) -> Rule:
    """Lower to an intrinsic of one type, which ends with `flags` of one bit each."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        operands = f.scalars(op.operands)
        operands += [f.integer(flag, i1) for flag in flags]
        f.bind(op.results[0], f.typed_intrinsic(name, operands))

    return lower


# Division that rounds otherwise than towards zero: MLIR's arith documentation defines
# the results; the corrections avoid negating, which would overflow for the smallest
# number.


def _division_rule(same_sign: bool) -> Rule:
    """Lower a signed division that is one off towards up or down.

    The quotient that is rounded towards zero is wrong in two cases:

    - It is to be rounded up, and the exact one is positive: it is too small. Then the
      operands have the same sign.
    - It is to be rounded down, and the exact one is negative: it is too large.
    """

    def lower(op: arith.CeilDivSIOp | arith.FloorDivSIOp, f: FunctionLowering) -> None:
        lhs, rhs = f.scalar(op.lhs), f.scalar(op.rhs)
        f.bind(op.result, round_division(f, lhs, rhs, same_sign=same_sign))

    return lower


def round_division(
    f: FunctionLowering, lhs: SSAValue, rhs: SSAValue, *, same_sign: bool
) -> SSAValue:
    """Emit `ceil(lhs / rhs)` if `same_sign`, else `floor(lhs / rhs)`."""
    zero = f.integer(0, lhs.type)
    quotient = f.integer_op(llvm.SDivOp, lhs, rhs)
    back = f.integer_op(llvm.MulOp, quotient, rhs)
    inexact = f.compare("ne", back, lhs)
    lhs_negative = f.compare("slt", lhs, zero)
    rhs_negative = f.compare("slt", rhs, zero)
    signs = "eq" if same_sign else "ne"
    wrong_way = f.compare(signs, lhs_negative, rhs_negative)
    correct = f.integer_op(llvm.AndOp, inexact, wrong_way)
    step = f.integer(1 if same_sign else -1, lhs.type)
    corrected = f.integer_op(llvm.AddOp, quotient, step)
    return f.select(correct, corrected, quotient)


def _lower_ceildivui(op: arith.CeilDivUIOp, f: FunctionLowering) -> None:
    lhs, rhs = f.scalar(op.lhs), f.scalar(op.rhs)
    zero, one = f.integer(0, lhs.type), f.integer(1, lhs.type)
    less_one = f.integer_op(llvm.SubOp, lhs, one)
    below = f.integer_op(llvm.UDivOp, less_one, rhs)
    rounded = f.integer_op(llvm.AddOp, below, one)
    is_zero = f.compare("eq", lhs, zero)
    f.bind(op.result, f.select(is_zero, zero, rounded))


def _lower_addui_extended(op: arith.AddUIExtendedOp, f: FunctionLowering) -> None:
    lhs = f.scalar(op.lhs)
    total = f.integer_op(llvm.AddOp, lhs, f.scalar(op.rhs))
    f.bind(op.sum, total)
    f.bind(op.overflow, f.compare("ult", total, lhs))


def _multiply_extended_rule(extend: type[Operation]) -> Rule:
    """Lower a product of twice the width, returned in two halves."""

    def lower(
        op: arith.MulUIExtendedOp | arith.MulSIExtendedOp, f: FunctionLowering
    ) -> None:
        narrow = f.scalar_type(op.low.type, op)
        width = integer_width(narrow)
        wide = with_element_type(narrow, IntegerType(2 * width))
        lhs = f.cast(extend, f.scalar(op.lhs), wide)
        rhs = f.cast(extend, f.scalar(op.rhs), wide)
        product = f.integer_op(llvm.MulOp, lhs, rhs)
        half = f.integer(width, wide)
        high = f.integer_op(llvm.LShrOp, product, half)
        f.bind(op.low, f.cast(llvm.TruncOp, product, narrow))
        f.bind(op.high, f.cast(llvm.TruncOp, high, narrow))

    return lower


def _lower_cmpi(op: arith.CmpiOp, f: FunctionLowering) -> None:
    predicate = llvm.ALL_ICMP_FLAGS[op.predicate.value.data].value
    f.bind(op.result, f.compare(predicate, f.scalar(op.lhs), f.scalar(op.rhs)))


_ALWAYS_FALSE, _ALWAYS_TRUE = 0, 15


def _lower_cmpf(op: arith.CmpfOp, f: FunctionLowering) -> None:
    number = op.predicate.value.data
    if number in (_ALWAYS_FALSE, _ALWAYS_TRUE):
        type = f.scalar_type(op.result.type, op)
        f.bind(op.result, f.integer(int(number == _ALWAYS_TRUE), type))
        return
    predicate = llvm.ALL_FCMP_FLAGS[number].value
    compared = f.compare_floats(predicate, f.scalar(op.lhs), f.scalar(op.rhs))
    f.bind(op.result, compared)


def _lower_select(op: arith.SelectOp, f: FunctionLowering) -> None:
    cond = f.scalar(op.cond)
    if isinstance(op.result.type, UnrankedMemRefType):
        lhs, rhs = f.unranked(op.lhs), f.unranked(op.rhs)
        rank = f.select(cond, lhs.rank, rhs.rank)
        descriptor = f.select(cond, lhs.descriptor, rhs.descriptor)
        f.bind(op.result, Unranked(rank, descriptor))
        return
    if not is_buffer(op.result.type):
        f.bind(op.result, f.select(cond, f.scalar(op.lhs), f.scalar(op.rhs)))
        return
    types = [op.result.type]
    lhs, rhs = f.carry([op.lhs], types, op), f.carry([op.rhs], types, op)
    fields = [f.select(cond, a, b) for a, b in zip(lhs, rhs, strict=True)]
    type = f.buffer_type(op.result.type, op)
    f.bind(op.result, buffer_from_carried(type, iter(fields)))


RULES: Rules = {
    arith.ConstantOp: _lower_constant,
    # Integers.
    arith.AddiOp: _op_rule(llvm.AddOp, _overflow),
    arith.SubiOp: _op_rule(llvm.SubOp, _overflow),
    arith.MuliOp: _op_rule(llvm.MulOp, _overflow),
    arith.ShLIOp: _op_rule(llvm.ShlOp, _overflow),
    arith.ShRSIOp: _op_rule(llvm.AShrOp, _exact),
    arith.ShRUIOp: _op_rule(llvm.LShrOp, _exact),
    arith.AndIOp: _op_rule(llvm.AndOp, _exact),
    arith.OrIOp: _op_rule(llvm.OrOp, _exact),
    arith.XOrIOp: _op_rule(llvm.XOrOp, _exact),
    arith.DivSIOp: _op_rule(llvm.SDivOp, _exact),
    arith.DivUIOp: _op_rule(llvm.UDivOp, _exact),
    arith.RemSIOp: _op_rule(llvm.SRemOp, _exact),
    arith.RemUIOp: _op_rule(llvm.URemOp, _exact),
    arith.CeilDivSIOp: _division_rule(same_sign=True),
    arith.FloorDivSIOp: _division_rule(same_sign=False),
    arith.CeilDivUIOp: _lower_ceildivui,
    arith.MaxSIOp: intrinsic_rule("llvm.smax"),
    arith.MinSIOp: intrinsic_rule("llvm.smin"),
    arith.MaxUIOp: intrinsic_rule("llvm.umax"),
    arith.MinUIOp: intrinsic_rule("llvm.umin"),
    arith.AddUIExtendedOp: _lower_addui_extended,
    arith.MulUIExtendedOp: _multiply_extended_rule(llvm.ZExtOp),
    arith.MulSIExtendedOp: _multiply_extended_rule(llvm.SExtOp),
    arith.CmpiOp: _lower_cmpi,
    # Floating point. Only maximum and minimum return NaN if one operand is NaN.
    arith.AddfOp: _op_rule(llvm.FAddOp, _fast_math),
    arith.SubfOp: _op_rule(llvm.FSubOp, _fast_math),
    arith.MulfOp: _op_rule(llvm.FMulOp, _fast_math),
    arith.DivfOp: _op_rule(llvm.FDivOp, _fast_math),
    RemFOp: _op_rule(llvm.FRemOp, _fast_math),
    arith.NegfOp: _op_rule(llvm.FNegOp, _fast_math),
    arith.MaximumfOp: intrinsic_rule("llvm.maximum"),
    arith.MinimumfOp: intrinsic_rule("llvm.minimum"),
    arith.MaxnumfOp: intrinsic_rule("llvm.maxnum"),
    arith.MinnumfOp: intrinsic_rule("llvm.minnum"),
    arith.CmpfOp: _lower_cmpf,
    arith.SelectOp: _lower_select,
}
