"""How arithmetic on bf16 is lowered: in f32, each result rounded to bf16.

xDSL's LLVM back end has no bf16. A number of it is the upper half of an f32, so that
it becomes the 16 bits of that half; moving such numbers takes nothing else.

    %r = arith.addf %a, %b : bf16
        -> both shifted to the upper half of an f32; llvm.fadd; rounded to 16 bits

Rounding a result of f32 once more gives the nearest bf16 of the exact sum, difference,
product and quotient, as f32 has more than twice as many digits. Source: MLIR's passes
`arith-emulate-unsupported-floats` and `arith-expand`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import BFloat16Type, Float16Type, bf16, f32, i16, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.transforms.lowering.llvm.function import (
    FunctionLowering,
    Rule,
    Rules,
)

_UPPER_HALF = 16
_ALMOST_HALF = 0x7FFF
"""What makes anything above half of the last place carry over."""

_NOT_A_NUMBER = 0x7FC0


def bits_of(number: float) -> int:
    """Return the bits of the bf16 nearest to `number`."""
    return int.from_bytes(bf16.pack([number]), "little")


def widen(f: FunctionLowering, value: SSAValue) -> SSAValue:
    """Emit the f32 of the same number."""
    bits = f.cast(llvm.ZExtOp, value, i32)
    upper = f.integer_op(llvm.ShlOp, bits, f.integer(_UPPER_HALF, i32))
    return f.cast(llvm.BitcastOp, upper, f32)


def narrow(f: FunctionLowering, value: SSAValue) -> SSAValue:
    """Emit the bf16 nearest to an f32, the even one of two that are as near."""
    bits = f.cast(llvm.BitcastOp, value, i32)
    half = f.integer(_UPPER_HALF, i32)
    last = f.integer_op(llvm.LShrOp, bits, half)
    is_odd = f.integer_op(llvm.AndOp, last, f.integer(1, i32))
    carry = f.integer_op(llvm.AddOp, is_odd, f.integer(_ALMOST_HALF, i32))
    rounded = f.integer_op(llvm.LShrOp, f.integer_op(llvm.AddOp, bits, carry), half)
    result = f.cast(llvm.TruncOp, rounded, i16)
    is_nan = f.emit(llvm.FCmpOp(value, value, "uno"))
    return f.select(is_nan, f.integer(_NOT_A_NUMBER, i16), result)


def with_bfloat16(rules: Rules) -> Rules:
    """Let rules for numbers also take bf16."""
    return {op_type: _rule_for(op_type, rule) for op_type, rule in rules.items()}


def _rule_for(op_type: type[Operation], rule: Rule) -> Rule:
    if op_type in _MOVES_BITS:
        return rule
    return _RULES.get(op_type) or _in_f32(rule)


def _is_bfloat16(value: SSAValue) -> bool:
    return isinstance(value.type, BFloat16Type)


def _in_f32(rule: Rule) -> Rule:
    """Lower an op on bf16 as the same op on f32."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        if any(map(_is_bfloat16, (*op.operands, *op.results))):
            _lower_in_f32(op, rule, f)
        else:
            rule(op, f)

    return lower


def _lower_in_f32(op: Operation, rule: Rule, f: FunctionLowering) -> None:
    if isinstance(op, arith.SIToFPOp | arith.UIToFPOp):
        fail_at(op, "a large number would be rounded twice; convert it to f32 first")
    operands = Block(arg_types=_widened_types(op.operands)).args
    for operand, argument in zip(op.operands, operands, strict=True):
        value = f.scalar(operand)
        f.bind(argument, widen(f, value) if _is_bfloat16(operand) else value)
    wide = type(op).create(
        operands=operands,
        result_types=_widened_types(op.results),
        properties=op.properties,
        attributes=op.attributes,
    )
    rule(wide, f)
    for result, wide_result in zip(op.results, wide.results, strict=True):
        value = f.scalar(wide_result)
        f.bind(result, narrow(f, value) if _is_bfloat16(result) else value)


def _widened_types(values: Sequence[SSAValue]) -> list[Attribute]:
    return [f32 if _is_bfloat16(value) else value.type for value in values]


def _extension_rule(op: arith.ExtFOp, f: FunctionLowering) -> None:
    value, type = f.scalar(op.input), f.scalar_type(op.result.type, op)
    if _is_bfloat16(op.input):
        value = widen(f, value)
    f.bind(
        op.result, value if value.type == type else f.cast(llvm.FPExtOp, value, type)
    )


def _truncation_rule(op: arith.TruncFOp, f: FunctionLowering) -> None:
    value = f.scalar(op.input)
    if not _is_bfloat16(op.result):
        type = f.scalar_type(op.result.type, op)
        f.bind(op.result, f.cast(llvm.FPTruncOp, value, type))
        return
    if isinstance(value.type, Float16Type):
        value = f.cast(llvm.FPExtOp, value, f32)
    if value.type != f32:
        fail_at(op, f"{op.input.type} would be rounded twice; truncate it to f32 first")
    f.bind(op.result, narrow(f, value))


_MOVES_BITS = (arith.ConstantOp, arith.SelectOp, arith.BitcastOp)
"""Ops whose rules take the bits as they are."""

_RULES: Rules = {
    arith.ExtFOp: _extension_rule,
    arith.TruncFOp: _truncation_rule,
}
