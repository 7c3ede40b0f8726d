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
)
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.arith import RemFOp
from xdsl_bufferization.dialects.common.elementwise import with_element_type
from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.transforms.lowering.llvm.emission.descriptor import (
    Unranked,
    buffer_from_carried,
)
from xdsl_bufferization.transforms.lowering.llvm.emission.emitter import (
    NO_FAST_MATH,
    dense_row,
)
from xdsl_bufferization.transforms.lowering.llvm.emission.function import (
    FunctionLowering,
    Rule,
    Rules,
)
from xdsl_bufferization.transforms.lowering.llvm.emission.types import (
    integer_width,
    is_buffer,
    row_vector_type,
)

_NO_OVERFLOW_FLAGS = IntegerAttr(0, 32)
_OVERFLOW_BITS = {"nsw": 1, "nuw": 2}


def fast_math_flags(op: Operation) -> llvm.FastMathAttr:
    """Return the fast-math flags of a floating-point op."""
    flags = op.get_attr_or_prop("fastmath")
    if not isinstance(flags, arith.FastMathFlagsAttr) or not flags.data:
        return NO_FAST_MATH
    return llvm.FastMathAttr(list(flags.data))


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
    values: Sequence[Any] = list(dense.get_values())
    if isinstance(type.element_type, BFloat16Type):
        values = [bfloat16_bits(value) for value in values]
    if isinstance(type.element_type, IndexType):
        values = [f.types.wrapped(value) for value in values]
    assert isa(row, VectorType)
    width = row.get_shape()[0]
    rows = [
        f.constant(dense_row(values[at : at + width], row), row)
        for at in range(0, len(values), width)
    ]
    f.bind_rows(op.result, rows)


def bfloat16_bits(value: float) -> int:
    """Return the bits of the nearest bf16, as a signed integer."""
    return int.from_bytes(BFloat16Type().pack([value]), "little", signed=True)


def _integer_rule(target: type[Operation]) -> Rule:
    """Lower to one op of two integers, which keeps `exact`."""

    def lower(op: arith.SignlessIntegerBinaryOperation, f: FunctionLowering) -> None:
        exact = op.properties.get("isExact")
        flags = None if exact is None else {"isExact": exact}
        result = f.integer_op(target, f.scalar(op.lhs), f.scalar(op.rhs), flags)
        f.bind(op.result, result)

    return lower


def _overflow_rule(target: type[Operation]) -> Rule:
    """Lower to one op of two integers, which keeps nsw and nuw."""

    def lower(
        op: arith.SignlessIntegerBinaryOperationWithOverflow, f: FunctionLowering
    ) -> None:
        flags = _overflow_flags(op)
        lhs, rhs = f.scalar(op.lhs), f.scalar(op.rhs)
        result = f.integer_op(target, lhs, rhs, {"overflowFlags": flags})
        f.bind(op.result, result)

    return lower


def _overflow_flags(op: Operation) -> IntegerAttr:
    flags = op.get_attr_or_prop("overflowFlags")
    if not isinstance(flags, arith.IntegerOverflowAttr) or not flags.data:
        return _NO_OVERFLOW_FLAGS
    return IntegerAttr(sum(_OVERFLOW_BITS[flag.value] for flag in set(flags.data)), 32)


def _float_rule(target: type[Operation]) -> Rule:
    """Lower to one op of two floating-point numbers."""

    def lower(op: arith.FloatingPointLikeBinaryOperation, f: FunctionLowering) -> None:
        lhs, rhs = f.scalar(op.lhs), f.scalar(op.rhs)
        flags = fast_math_flags(op)
        f.bind(op.result, f.float_op(target, lhs, rhs, fastmath=flags))

    return lower


def _intrinsic_rule(name: str) -> Rule:
    """Lower a binary op to an intrinsic of its type."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        operands = [f.scalar(operand) for operand in op.operands]
        f.bind(op.results[0], f.typed_intrinsic(name, operands))

    return lower


def _lower_negf(op: arith.NegfOp, f: FunctionLowering) -> None:
    operand = f.scalar(op.operand)
    f.bind(op.result, f.float_op(llvm.FNegOp, operand, fastmath=fast_math_flags(op)))


# Division that rounds otherwise than towards zero: MLIR's arith documentation defines
# the results; the corrections avoid negating, which would overflow for the smallest
# number.


def _division_rule(same_sign: bool) -> Callable[..., None]:
    """Lower a signed division that is one off towards up or down.

    The quotient that rounds towards zero is too small when the exact one is positive
    (operands of the same sign) and rounds up, and too large when the exact one is
    negative and rounds down.
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
    arith.AddiOp: _overflow_rule(llvm.AddOp),
    arith.SubiOp: _overflow_rule(llvm.SubOp),
    arith.MuliOp: _overflow_rule(llvm.MulOp),
    arith.ShLIOp: _overflow_rule(llvm.ShlOp),
    arith.ShRSIOp: _integer_rule(llvm.AShrOp),
    arith.ShRUIOp: _integer_rule(llvm.LShrOp),
    arith.AndIOp: _integer_rule(llvm.AndOp),
    arith.OrIOp: _integer_rule(llvm.OrOp),
    arith.XOrIOp: _integer_rule(llvm.XOrOp),
    arith.DivSIOp: _integer_rule(llvm.SDivOp),
    arith.DivUIOp: _integer_rule(llvm.UDivOp),
    arith.RemSIOp: _integer_rule(llvm.SRemOp),
    arith.RemUIOp: _integer_rule(llvm.URemOp),
    arith.CeilDivSIOp: _division_rule(same_sign=True),
    arith.FloorDivSIOp: _division_rule(same_sign=False),
    arith.CeilDivUIOp: _lower_ceildivui,
    arith.MaxSIOp: _intrinsic_rule("llvm.smax"),
    arith.MinSIOp: _intrinsic_rule("llvm.smin"),
    arith.MaxUIOp: _intrinsic_rule("llvm.umax"),
    arith.MinUIOp: _intrinsic_rule("llvm.umin"),
    arith.AddUIExtendedOp: _lower_addui_extended,
    arith.MulUIExtendedOp: _multiply_extended_rule(llvm.ZExtOp),
    arith.MulSIExtendedOp: _multiply_extended_rule(llvm.SExtOp),
    arith.CmpiOp: _lower_cmpi,
    # Floating point. Only maximum and minimum return NaN if one operand is NaN.
    arith.AddfOp: _float_rule(llvm.FAddOp),
    arith.SubfOp: _float_rule(llvm.FSubOp),
    arith.MulfOp: _float_rule(llvm.FMulOp),
    arith.DivfOp: _float_rule(llvm.FDivOp),
    RemFOp: _float_rule(llvm.FRemOp),
    arith.NegfOp: _lower_negf,
    arith.MaximumfOp: _intrinsic_rule("llvm.maximum"),
    arith.MinimumfOp: _intrinsic_rule("llvm.minimum"),
    arith.MaxnumfOp: _intrinsic_rule("llvm.maxnum"),
    arith.MinnumfOp: _intrinsic_rule("llvm.minnum"),
    arith.CmpfOp: _lower_cmpf,
    arith.SelectOp: _lower_select,
}
