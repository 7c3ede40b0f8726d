"""How numbers of type bf16 are computed with: as f32, rounded after each op.

xDSL's LLVM back end has no bf16, so its bits travel as i16, the upper half of an f32.
Each op is computed in f32 and rounded once to the nearest bf16, ties to even, as MLIR's
`arith-emulate-unsupported-floats` has it: for the basic operations that is as exact as
to compute in bf16.

    %r = arith.addf %a, %b : bf16   -> widen both, llvm.fadd : f32, round to i16
"""

from __future__ import annotations

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import BFloat16Type, FloatAttr, f32, i16, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.transforms.lowering.llvm.function import (
    FunctionLowering,
    Rule,
    Rules,
)

_HALF_WIDTH = 16
_ALMOST_HALF = 0x7FFF
"""What carries over unless the lower half is below half of the last place."""

_QUIET_NAN = 0x0040


def _is_bf16(type: Attribute) -> bool:
    return isinstance(type, BFloat16Type)


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
        in_f32 = _operation_in_f32(op, f)
        rule(in_f32, f)
        for result, computed in zip(op.results, in_f32.results, strict=True):
            value = f.scalar(computed)
            f.bind(result, _round(f, value) if _is_bf16(result.type) else value)

    return lower


def _has_bf16(op: Operation) -> bool:
    return any(_is_bf16(operand.type) for operand in op.operands) or any(
        _is_bf16(result.type) for result in op.results
    )


def _operation_in_f32(op: Operation, f: FunctionLowering) -> Operation:
    """The same op on f32, its operands bound to the widened ones of `op`."""
    types = [f32 if _is_bf16(each.type) else each.type for each in op.operands]
    stand_ins = Block(arg_types=types).args
    for operand, stand_in in zip(op.operands, stand_ins, strict=True):
        value = f.scalar(operand)
        f.bind(stand_in, _widen(f, value) if _is_bf16(operand.type) else value)
    return type(op).create(
        operands=stand_ins,
        result_types=[f32 if _is_bf16(each.type) else each.type for each in op.results],
        properties=op.properties,
        attributes=op.attributes,
    )


def _constant_rule(rule: Rule) -> Rule:
    def lower(op: arith.ConstantOp, f: FunctionLowering) -> None:
        if not _is_bf16(op.result.type):
            rule(op, f)
            return
        assert isa(op.value, FloatAttr)
        bits = BFloat16Type().pack([op.value.value.data])
        f.bind(op.result, f.integer(int.from_bytes(bits, "little", signed=True), i16))

    return lower


def _extension_rule(rule: Rule) -> Rule:
    emulated = _emulating_rule(rule)

    def lower(op: arith.ExtFOp, f: FunctionLowering) -> None:
        if _is_bf16(op.input.type) and op.result.type == f32:
            f.bind(op.result, _widen(f, f.scalar(op.input)))
        else:
            emulated(op, f)

    return lower


def _truncation_rule(rule: Rule) -> Rule:
    def lower(op: arith.TruncFOp, f: FunctionLowering) -> None:
        if not _is_bf16(op.result.type):
            rule(op, f)
        elif op.input.type == f32:
            f.bind(op.result, _round(f, f.scalar(op.input)))
        else:
            fail_at(
                op,
                f"{op.input.type} cannot be rounded to bf16 at once; truncate it to "
                "f32 first, where rounding twice does no harm",
            )

    return lower


def _widen(f: FunctionLowering, bits: SSAValue) -> SSAValue:
    wide = f.cast(llvm.ZExtOp, bits, i32)
    upper = f.integer_op(llvm.ShlOp, wide, f.integer(_HALF_WIDTH, i32))
    return f.cast(llvm.BitcastOp, upper, f32)


def _round(f: FunctionLowering, value: SSAValue) -> SSAValue:
    """The bits of the nearest bf16, ties to even; of a NaN those of a quiet NaN."""
    shift = f.integer(_HALF_WIDTH, i32)
    bits = f.cast(llvm.BitcastOp, value, i32)
    upper = f.integer_op(llvm.LShrOp, bits, shift)
    is_odd = f.integer_op(llvm.AndOp, upper, f.integer(1, i32))
    half = f.integer_op(llvm.AddOp, is_odd, f.integer(_ALMOST_HALF, i32))
    nearest = f.integer_op(llvm.LShrOp, f.integer_op(llvm.AddOp, bits, half), shift)
    quiet = f.integer_op(llvm.OrOp, upper, f.integer(_QUIET_NAN, i32))
    is_nan = f.emit(llvm.FCmpOp(value, value, "uno"))
    return f.cast(llvm.TruncOp, f.select(is_nan, quiet, nearest), i16)
