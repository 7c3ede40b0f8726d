"""How math ops become ops of the llvm dialect.

Where LLVM has an intrinsic it is called, otherwise the C library's function. Names
carry the type, so that one module can use both f32 and f64.

    %r = math.exp %x : f32 -> llvm.call_intrinsic "llvm.exp.f32"(%x)
    %r = math.erf %x : f64 -> llvm.call @erf(%x)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import llvm, math
from xdsl.dialects.builtin import (
    AnyFloat,
    Float64Type,
    FloatAttr,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.math import (
    ClampFOp,
    ClassificationOp,
    ErfcOp,
    IsFiniteOp,
    IsInfOp,
    IsNaNOp,
    IsNormalOp,
    SinCosOp,
)

from ..emission.blocks import dense_row
from ..emission.emitter import intrinsic_suffix
from ..emission.function import FunctionLowering, Rule, Rules
from ..emission.stand_ins import by_lanes
from ..emission.types import integer_width
from .arith import intrinsic_rule
from .casts import extend_half, resize_integer, truncate_half

_Emit = Callable[[Sequence[SSAValue], Operation, FunctionLowering], SSAValue]


def _widened_rule(emit: _Emit) -> Rule:
    """Lower to what some targets lack for f16: computed in f32 instead."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        operands = [extend_half(f, f.scalar(operand)) for operand in op.operands]
        result = emit(operands, op, f)
        result_type = f.scalar_type(op.results[0].type, op)
        f.bind(op.results[0], truncate_half(f, result, result_type))

    return lower


def _widened_intrinsic_rule(name: str) -> Rule:
    """Lower to an intrinsic that some targets lack for f16."""
    return _widened_rule(lambda operands, _, f: f.typed_intrinsic(name, operands))


def _libm_rule(name: str) -> Rule:
    """Lower to a function of the C library: `name` for f64, `namef` for f32."""

    def emit(
        operands: Sequence[SSAValue], op: Operation, f: FunctionLowering
    ) -> SSAValue:
        type = operands[0].type
        function = name if isinstance(type, Float64Type) else f"{name}f"
        return f.call_external(function, operands, type, op).results[0]

    return by_lanes(_widened_rule(emit))


def _lower_rsqrt(op: math.RsqrtOp, f: FunctionLowering) -> None:
    root = f.typed_intrinsic("llvm.sqrt", [f.scalar(op.operand)])
    f.bind(op.result, f.float_op(llvm.FDivOp, _one(root.type, f), root))


def _one(type: Attribute, f: FunctionLowering) -> SSAValue:
    """Return 1.0, or a vector of it."""
    if isa(type, VectorType):
        return f.constant(dense_row([1.0] * type.get_shape()[0], type), type)
    assert isa(type, AnyFloat)
    return f.constant(FloatAttr(1.0, type), type)


def _lower_clampf(op: ClampFOp, f: FunctionLowering) -> None:
    value, low, high = f.scalars(op.operands)
    raised = f.typed_intrinsic("llvm.maximum", [value, low])
    f.bind(op.result, f.typed_intrinsic("llvm.minimum", [raised, high]))


def _lower_sincos(op: SinCosOp, f: FunctionLowering) -> None:
    operand = extend_half(f, f.scalar(op.operand))
    type = f.scalar_type(op.sin.type, op)
    for result, name in ((op.sin, "llvm.sin"), (op.cos, "llvm.cos")):
        value = f.typed_intrinsic(name, [operand])
        f.bind(result, truncate_half(f, value, type))


_NAN = 0b11
_FINITE = 0b1_1111_1000
_NORMAL = 0b1_0000_1000
_INFINITE = 0b10_0000_0100
"""Classes of floats, as bits of the operand of LLVM's `llvm.is.fpclass`."""


def _class_rule(classes: int) -> Rule:
    """Lower to the question whether a float is of one of some classes."""

    def lower(op: ClassificationOp, f: FunctionLowering) -> None:
        operand = f.scalar(op.operand)
        name = f"llvm.is.fpclass.{intrinsic_suffix(operand.type)}"
        operands = [operand, f.integer(classes, i32)]
        type = f.scalar_type(op.result.type, op)
        f.bind(op.result, f.value_of_intrinsic(name, operands, type))

    return lower


# Powers of integers.


def _lower_fpowi(op: math.FPowIOp, f: FunctionLowering) -> None:
    base: SSAValue = extend_half(f, f.scalar(op.lhs))
    power = f.scalar(op.rhs)
    if integer_width(power.type) > integer_width(i32):
        result = _power(base, power, f)
    else:
        power = resize_integer(f, power, i32, llvm.SExtOp)
        name = f"llvm.powi.{base.type}.i32"
        result = f.value_of_intrinsic(name, [base, power], base.type)
    f.bind(op.result, truncate_half(f, result, f.scalar_type(op.result.type, op)))


def _power(base: SSAValue, power: SSAValue, f: FunctionLowering) -> SSAValue:
    """Return a float to an integer power: that of the magnitude, or its inverse."""
    zero = f.integer(0, power.type)
    magnitude = f.typed_intrinsic("llvm.abs", [power, f.integer(0, i1)])
    one = _one(base.type, f)
    positive = power_by_squaring(
        base, magnitude, one, lambda a, b: f.float_op(llvm.FMulOp, a, b), f
    )
    inverse = f.float_op(llvm.FDivOp, _one(base.type, f), positive)
    return f.select(f.compare("slt", power, zero), inverse, positive)


def _lower_ipowi(op: math.IPowIOp, f: FunctionLowering) -> None:
    """Lower to squarings; only 1 and -1 have inverses that are no fractions."""
    base, power = f.scalar(op.lhs), f.scalar(op.rhs)
    type = base.type
    zero, one, minus_one = (f.integer(value, type) for value in (0, 1, -1))
    is_one = f.compare("eq", base, one)
    is_minus_one = f.compare("eq", base, minus_one)
    is_odd = f.compare("ne", f.integer_op(llvm.AndOp, power, one), zero)
    sign = f.select(is_odd, minus_one, one)
    inverse = f.select(is_one, one, f.select(is_minus_one, sign, zero))
    positive = power_by_squaring(
        base, power, one, lambda a, b: f.integer_op(llvm.MulOp, a, b), f
    )
    negative = f.compare("slt", power, zero)
    f.bind(op.result, f.select(negative, inverse, positive))


def power_by_squaring(
    base: SSAValue,
    power: SSAValue,
    one: SSAValue,
    multiply: Callable[[SSAValue, SSAValue], SSAValue],
    f: FunctionLowering,
) -> SSAValue:
    """Emit a loop over the bits of `power`, an unsigned number."""
    header = Block(arg_types=[one.type, base.type, power.type])
    body, exit = Block(), Block()
    f.branch(header, [one, base, power])
    f.start(header)
    product, square, rest = header.args
    zero, bit = f.integer(0, power.type), f.integer(1, power.type)
    f.cond_branch(f.compare("ne", rest, zero), body, (), exit, ())
    f.start(body)
    is_set = f.compare("ne", f.integer_op(llvm.AndOp, rest, bit), zero)
    following = f.select(is_set, multiply(product, square), product)
    shifted = f.integer_op(llvm.LShrOp, rest, bit)
    f.branch(header, [following, multiply(square, square), shifted])
    f.start(exit)
    return product


RULES: Rules = {
    math.AbsFOp: intrinsic_rule("llvm.fabs"),
    math.CeilOp: intrinsic_rule("llvm.ceil"),
    math.CopySignOp: intrinsic_rule("llvm.copysign"),
    math.FloorOp: intrinsic_rule("llvm.floor"),
    math.FmaOp: intrinsic_rule("llvm.fma"),
    math.RoundOp: intrinsic_rule("llvm.round"),
    math.RoundEvenOp: intrinsic_rule("llvm.roundeven"),
    math.SqrtOp: intrinsic_rule("llvm.sqrt"),
    math.TruncOp: intrinsic_rule("llvm.trunc"),
    math.CtPopOp: intrinsic_rule("llvm.ctpop"),
    math.AbsIOp: intrinsic_rule("llvm.abs", 0),
    math.CountLeadingZerosOp: intrinsic_rule("llvm.ctlz", 0),
    math.CountTrailingZerosOp: intrinsic_rule("llvm.cttz", 0),
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
    math.FPowIOp: by_lanes(_lower_fpowi),
    math.IPowIOp: by_lanes(_lower_ipowi),
    ErfcOp: _libm_rule("erfc"),
    ClampFOp: _lower_clampf,
    SinCosOp: _lower_sincos,
    IsFiniteOp: _class_rule(_FINITE),
    IsInfOp: _class_rule(_INFINITE),
    IsNaNOp: _class_rule(_NAN),
    IsNormalOp: _class_rule(_NORMAL),
}
