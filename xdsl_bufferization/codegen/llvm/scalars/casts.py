"""How arith's conversions become ops of the llvm dialect.

xDSL's llvm dialect has `sitofp` but neither `uitofp` nor conversions from floating
point. Conversions from floating point become LLVM's saturating intrinsics. These agree
with arith where arith defines a result. Elsewhere (out of range, NaN) they at least
return the same number on every machine.

    %r = arith.uitofp %a : i32 to f32  -> llvm.zext to i64, llvm.sitofp
    %r = arith.fptosi %a : f32 to i32  -> "llvm.fptosi.sat.i32.f32"
"""

from __future__ import annotations

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import Float16Type, IntegerAttr, f32, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.arith.casts import ROUNDING_MODES, IndexCastUIOp
from xdsl_bufferization.dialects.common.elementwise import with_element_type
from xdsl_bufferization.support.errors import fail_at

from ..emission.emitter import intrinsic_suffix
from ..emission.function import FunctionLowering, Rule, Rules
from ..emission.types import integer_width


def resize_integer(
    f: FunctionLowering, value: SSAValue, type: Attribute, extend: type[Operation]
) -> SSAValue:
    """Emit a conversion between integer types, by `extend` where it widens."""
    have, want = integer_width(value.type), integer_width(type)
    if have == want:
        return value
    return f.cast(extend if have < want else llvm.TruncOp, value, type)


def resize_rule(extend: type[Operation]) -> Rule:
    """Lower a conversion between integers or index."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        (operand,), (result,) = op.operands, op.results
        type = f.scalar_type(result.type, op)
        f.bind(result, resize_integer(f, f.scalar(operand), type, extend))

    return lower


def _cast_rule(target: type[Operation]) -> Rule:
    """Lower to one conversion of the llvm dialect."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        type = f.scalar_type(op.results[0].type, op)
        f.bind(op.results[0], f.cast(target, f.scalar(op.operands[0]), type))

    return lower


def check_rounding(op: arith.TruncFOp) -> None:
    """An error at `op` if its rounding mode is not that of the hardware."""
    mode = op.get_attr_or_prop("roundingmode")
    number = mode.value.data if isa(mode, IntegerAttr) else 0
    if number:
        fail_at(
            op,
            f"rounding {ROUNDING_MODES[number]} has no lowering to the llvm dialect: "
            "only to_nearest_even has",
        )


_lower_unchecked_truncf = _cast_rule(llvm.FPTruncOp)


def _lower_truncf(op: arith.TruncFOp, f: FunctionLowering) -> None:
    check_rounding(op)
    _lower_unchecked_truncf(op, f)


def _lower_bitcast(op: arith.BitcastOp, f: FunctionLowering) -> None:
    type, value = f.scalar_type(op.result.type, op), f.scalar(op.input)
    if value.type != type:
        value = f.cast(llvm.BitcastOp, value, type)
    f.bind(op.result, value)


def _saturating_rule(intrinsic: str) -> Rule:
    """Lower a conversion from floating point to integer."""

    def lower(op: arith.FPToSIOp | arith.FPToUIOp, f: FunctionLowering) -> None:
        value = f.scalar(op.input)
        type = f.scalar_type(op.result.type, op)
        name = f"{intrinsic}.{intrinsic_suffix(type)}.{intrinsic_suffix(value.type)}"
        f.bind(op.result, f.value_of_intrinsic(name, [value], type))

    return lower


def _lower_uitofp(op: arith.UIToFPOp, f: FunctionLowering) -> None:
    value = f.scalar(op.input)
    type = f.scalar_type(op.result.type, op)
    width = integer_width(value.type)
    if width < integer_width(i64):
        wider = i32 if width < integer_width(i32) else i64
        wide = with_element_type(value.type, wider)
        positive = f.cast(llvm.ZExtOp, value, wide)
        f.bind(op.result, f.cast(llvm.SIToFPOp, positive, type))
        return
    f.bind(op.result, _unsigned_to_float(f, value, type))


def _unsigned_to_float(
    f: FunctionLowering, value: SSAValue, type: Attribute
) -> SSAValue:
    """Emit the conversion of an unsigned number whose top bit may be set.

    Such a number is halved first; the bit shifted out is kept as a sticky bit, so
    that the one rounding, that of the signed conversion, is unchanged.
    """
    one = f.integer(1, value.type)
    halved = f.integer_op(llvm.LShrOp, value, one)
    sticky = f.integer_op(llvm.AndOp, value, one)
    half = f.integer_op(llvm.OrOp, halved, sticky)
    large = f.compare("slt", value, f.integer(0, value.type))
    signed = f.cast(llvm.SIToFPOp, f.select(large, half, value), type)
    doubled = f.float_op(llvm.FAddOp, signed, signed)
    return f.select(large, doubled, signed)


def extend_half(f: FunctionLowering, value: SSAValue) -> SSAValue:
    """Return `value` as f32 if it is f16, else unchanged."""
    if not isinstance(get_element_type_or_self(value.type), Float16Type):
        return value
    return f.cast(llvm.FPExtOp, value, with_element_type(value.type, f32))


def truncate_half(f: FunctionLowering, value: SSAValue, type: Attribute) -> SSAValue:
    """Undo `extend_half`."""
    return value if value.type == type else f.cast(llvm.FPTruncOp, value, type)


RULES: Rules = {
    arith.IndexCastOp: resize_rule(llvm.SExtOp),
    IndexCastUIOp: resize_rule(llvm.ZExtOp),
    arith.ExtSIOp: resize_rule(llvm.SExtOp),
    arith.ExtUIOp: resize_rule(llvm.ZExtOp),
    arith.TruncIOp: resize_rule(llvm.ZExtOp),
    arith.ExtFOp: _cast_rule(llvm.FPExtOp),
    arith.TruncFOp: _lower_truncf,
    arith.SIToFPOp: _cast_rule(llvm.SIToFPOp),
    arith.UIToFPOp: _lower_uitofp,
    arith.FPToSIOp: _saturating_rule("llvm.fptosi.sat"),
    arith.FPToUIOp: _saturating_rule("llvm.fptoui.sat"),
    arith.BitcastOp: _lower_bitcast,
}
