"""How numbers of type bf16 are computed with: as f32, rounded after each op.

xDSL's LLVM back end has no bf16, so its bits travel as i16, the upper half of an f32.
Each op is computed in f32 and rounded once to the nearest bf16, ties to even. MLIR's
`arith-emulate-unsupported-floats` does the same. For the basic operations that is as
exact as to compute in bf16.

    %r = arith.addf %a, %b : bf16   -> widen both, llvm.fadd : f32, round to i16
"""

from __future__ import annotations

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import BFloat16Type, Float64Type, FloatAttr, f32, i16, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.common.elementwise import with_element_type

from ..emission.function import FunctionLowering, Rule, Rules
from ..emission.stand_ins import lower_stand_in
from .arith import bfloat16_bits
from .casts import check_rounding

_HALF_WIDTH = 16
_ALMOST_HALF = 0x7FFF
"""What carries over unless the lower half is below half of the last place."""

_QUIET_NAN = 0x0040


def _is_bf16(type: Attribute) -> bool:
    return isinstance(get_element_type_or_self(type), BFloat16Type)


def _in_f32(type: Attribute) -> Attribute:
    return with_element_type(type, f32) if _is_bf16(type) else type


def emulate_bf16(rules: Rules) -> Rules:
    """The rules, which now take and give bf16 wherever they take and give f32."""
    exceptions: Rules = {
        arith.ConstantOp: _constant_rule(rules[arith.ConstantOp]),
        arith.SelectOp: rules[arith.SelectOp],
        arith.BitcastOp: rules[arith.BitcastOp],
        arith.ExtFOp: _extension_rule(rules[arith.ExtFOp]),
        arith.TruncFOp: _truncation_rule(rules[arith.TruncFOp]),
    }
    return {
        op: exceptions.get(op) or _emulating_rule(rule) for op, rule in rules.items()
    }


def _emulating_rule(rule: Rule) -> Rule:
    def lower(op: Operation, f: FunctionLowering) -> None:
        if not _has_bf16(op):
            rule(op, f)
            return
        operands = [
            (_widen(f, value) if _is_bf16(type) else value, _in_f32(type))
            for value, type in zip(
                f.scalars(op.operands), op.operand_types, strict=True
            )
        ]
        types = list(map(_in_f32, op.result_types))
        computed = lower_stand_in(rule, op, operands, types, f)
        for result, value in zip(op.results, computed, strict=True):
            f.bind(result, _round(f, value) if _is_bf16(result.type) else value)

    return lower


def _has_bf16(op: Operation) -> bool:
    return any(map(_is_bf16, op.operand_types)) or any(map(_is_bf16, op.result_types))


def _constant_rule(rule: Rule) -> Rule:
    def lower(op: arith.ConstantOp, f: FunctionLowering) -> None:
        if not _is_bf16(op.result.type) or not isa(op.value, FloatAttr):
            rule(op, f)
            return
        f.bind(op.result, f.integer(bfloat16_bits(op.value.value.data), i16))

    return lower


def _extension_rule(rule: Rule) -> Rule:
    emulated = _emulating_rule(rule)

    def lower(op: arith.ExtFOp, f: FunctionLowering) -> None:
        if _is_bf16(op.input.type) and get_element_type_or_self(op.result.type) == f32:
            f.bind(op.result, _widen(f, f.scalar(op.input)))
        else:
            emulated(op, f)

    return lower


def _truncation_rule(rule: Rule) -> Rule:
    def lower(op: arith.TruncFOp, f: FunctionLowering) -> None:
        if not _is_bf16(op.result.type):
            rule(op, f)
            return
        check_rounding(op)
        value = f.scalar(op.input)
        if isinstance(get_element_type_or_self(value.type), Float64Type):
            value = _round_to_odd(f, value)
        f.bind(op.result, _round(f, value))

    return lower


def _widen(f: FunctionLowering, bits: SSAValue) -> SSAValue:
    wide_type = with_element_type(bits.type, i32)
    wide = f.cast(llvm.ZExtOp, bits, wide_type)
    upper = f.integer_op(llvm.ShlOp, wide, f.integer(_HALF_WIDTH, wide_type))
    return f.cast(llvm.BitcastOp, upper, with_element_type(bits.type, f32))


def _round(f: FunctionLowering, value: SSAValue) -> SSAValue:
    """The bits of the nearest bf16, ties to even; of a NaN those of a quiet NaN."""
    wide = with_element_type(value.type, i32)
    shift = f.integer(_HALF_WIDTH, wide)
    bits = f.cast(llvm.BitcastOp, value, wide)
    upper = f.integer_op(llvm.LShrOp, bits, shift)
    is_odd = f.integer_op(llvm.AndOp, upper, f.integer(1, wide))
    half = f.integer_op(llvm.AddOp, is_odd, f.integer(_ALMOST_HALF, wide))
    nearest = f.integer_op(llvm.LShrOp, f.integer_op(llvm.AddOp, bits, half), shift)
    quiet = f.integer_op(llvm.OrOp, upper, f.integer(_QUIET_NAN, wide))
    is_nan = f.compare_floats("uno", value, value)
    rounded = f.select(is_nan, quiet, nearest)
    return f.cast(llvm.TruncOp, rounded, with_element_type(value.type, i16))


def _round_to_odd(f: FunctionLowering, value: SSAValue) -> SSAValue:
    """An f64 as an f32 that rounds to the same bf16.

    A number between two f32 becomes the one whose last bit is set. So the number never
    seems to be half-way between two numbers of type bf16.
    """
    single, bits_type = (with_element_type(value.type, each) for each in (f32, i32))
    nearest = f.cast(llvm.FPTruncOp, value, single)
    bits = f.cast(llvm.BitcastOp, nearest, bits_type)
    one = f.integer(1, bits_type)
    magnitude, exact = (
        f.typed_intrinsic("llvm.fabs", [each])
        for each in (value, f.cast(llvm.FPExtOp, nearest, value.type))
    )
    # Bits count magnitudes, whatever the sign.
    above = f.integer_op(llvm.AddOp, bits, one)
    below = f.integer_op(llvm.SubOp, bits, one)
    other = f.select(f.compare_floats("olt", magnitude, exact), below, above)
    is_even = f.compare(
        "eq", f.integer_op(llvm.AndOp, bits, one), f.integer(0, bits_type)
    )
    inexact = f.compare_floats("one", magnitude, exact)
    moves = f.integer_op(llvm.AndOp, is_even, inexact)
    return f.cast(llvm.BitcastOp, f.select(moves, other, bits), single)
