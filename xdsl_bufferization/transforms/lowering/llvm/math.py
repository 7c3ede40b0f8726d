"""How math ops become ops of the llvm dialect.

Where LLVM has an intrinsic it is called, otherwise the C library's function. Names
carry the type, so that one module can use both f32 and f64.

    %r = math.exp %x : f32 -> llvm.call_intrinsic "llvm.exp.f32"(%x)
    %r = math.erf %x : f64 -> llvm.call @erf(%x)
"""

from __future__ import annotations

from xdsl.dialects import llvm, math
from xdsl.dialects.builtin import AnyFloat, Float64Type, FloatAttr, i1, i32
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.transforms.lowering.llvm.arith_casts import (
    extend_half,
    resize_integer,
    truncate_half,
)
from xdsl_bufferization.transforms.lowering.llvm.function import (
    FunctionLowering,
    Rule,
    Rules,
)


def _intrinsic_rule(name: str) -> Rule:
    """Lower to an intrinsic that takes and returns values of one type."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        operands = [f.scalar(operand) for operand in op.operands]
        type = operands[0].type
        result = f.value_of_intrinsic(f"{name}.{type}", operands, type)
        f.bind(op.results[0], result)

    return lower


def _flagged_intrinsic_rule(name: str) -> Rule:
    """Lower to an intrinsic whose last operand says what is undefined: nothing."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        operand = f.scalar(op.operands[0])
        operands = [operand, f.integer(0, i1)]
        result = f.value_of_intrinsic(f"{name}.{operand.type}", operands, operand.type)
        f.bind(op.results[0], result)

    return lower


def _widened_intrinsic_rule(name: str) -> Rule:
    """Lower to an intrinsic that some targets lack for f16."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        operands = [extend_half(f, f.scalar(operand)) for operand in op.operands]
        type = operands[0].type
        result = f.value_of_intrinsic(f"{name}.{type}", operands, type)
        result_type = f.scalar_type(op.results[0].type, op)
        f.bind(op.results[0], truncate_half(f, result, result_type))

    return lower


def _libm_rule(name: str) -> Rule:
    """Lower to a function of the C library: `name` for f64, `namef` for f32."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        operands = [extend_half(f, f.scalar(operand)) for operand in op.operands]
        type = operands[0].type
        function = name if isinstance(type, Float64Type) else f"{name}f"
        f.symbols.require(function, [value.type for value in operands], type, op)
        result = f.call(function, operands, type).results[0]
        result_type = f.scalar_type(op.results[0].type, op)
        f.bind(op.results[0], truncate_half(f, result, result_type))

    return lower


def _lower_rsqrt(op: math.RsqrtOp, f: FunctionLowering) -> None:
    operand = f.scalar(op.operand)
    type = operand.type
    root = f.value_of_intrinsic(f"llvm.sqrt.{type}", [operand], type)
    assert isa(type, AnyFloat)
    one = f.constant(FloatAttr(1.0, type), type)
    f.bind(op.result, f.float_op(llvm.FDivOp, one, root))


def _lower_fpowi(op: math.FPowIOp, f: FunctionLowering) -> None:
    base: SSAValue = extend_half(f, f.scalar(op.lhs))
    power = resize_integer(f, f.scalar(op.rhs), i32, llvm.SExtOp)
    name = f"llvm.powi.{base.type}.i32"
    result = f.value_of_intrinsic(name, [base, power], base.type)
    f.bind(op.result, truncate_half(f, result, f.scalar_type(op.result.type, op)))


RULES: Rules = {
    math.AbsFOp: _intrinsic_rule("llvm.fabs"),
    math.CeilOp: _intrinsic_rule("llvm.ceil"),
    math.CopySignOp: _intrinsic_rule("llvm.copysign"),
    math.FloorOp: _intrinsic_rule("llvm.floor"),
    math.FmaOp: _intrinsic_rule("llvm.fma"),
    math.RoundOp: _intrinsic_rule("llvm.round"),
    math.RoundEvenOp: _intrinsic_rule("llvm.roundeven"),
    math.SqrtOp: _intrinsic_rule("llvm.sqrt"),
    math.TruncOp: _intrinsic_rule("llvm.trunc"),
    math.CtPopOp: _intrinsic_rule("llvm.ctpop"),
    math.AbsIOp: _flagged_intrinsic_rule("llvm.abs"),
    math.CountLeadingZerosOp: _flagged_intrinsic_rule("llvm.ctlz"),
    math.CountTrailingZerosOp: _flagged_intrinsic_rule("llvm.cttz"),
    math.ExpOp: _widened_intrinsic_rule("llvm.exp"),
    math.Exp2Op: _widened_intrinsic_rule("llvm.exp2"),
    math.LogOp: _widened_intrinsic_rule("llvm.log"),
    math.Log2Op: _widened_intrinsic_rule("llvm.log2"),
    math.Log10Op: _widened_intrinsic_rule("llvm.log10"),
    math.PowFOp: _widened_intrinsic_rule("llvm.pow"),
    math.SinOp: _widened_intrinsic_rule("llvm.sin"),
    math.CosOp: _widened_intrinsic_rule("llvm.cos"),
    math.TanOp: _libm_rule("tan"),
    math.AsinOp: _libm_rule("asin"),
    math.AcosOp: _libm_rule("acos"),
    math.AtanOp: _libm_rule("atan"),
    math.Atan2Op: _libm_rule("atan2"),
    math.SinhOp: _libm_rule("sinh"),
    math.CoshOp: _libm_rule("cosh"),
    math.TanhOp: _libm_rule("tanh"),
    math.AsinhOp: _libm_rule("asinh"),
    math.AcoshOp: _libm_rule("acosh"),
    math.AtanhOp: _libm_rule("atanh"),
    math.CbrtOp: _libm_rule("cbrt"),
    math.ErfOp: _libm_rule("erf"),
    math.ExpM1Op: _libm_rule("expm1"),
    math.Log1pOp: _libm_rule("log1p"),
    math.RsqrtOp: _lower_rsqrt,
    math.FPowIOp: _lower_fpowi,
}
