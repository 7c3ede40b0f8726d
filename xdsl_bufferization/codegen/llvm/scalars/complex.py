"""How complex ops become ops of the llvm dialect: on structs of two numbers.

Sums and products are computed in the type of the parts, and rounded after each step, as
in MLIR. For all that may overflow or lose digits on the way, parts of f16, bf16 and f32
become f64, and the result is rounded once.

    %r = complex.re %z : complex<f32>  -> llvm.extractvalue %z[0]
    %r = complex.exp %z : complex<f32> -> llvm.fpext, "llvm.exp.f64"(...), llvm.fptrunc
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, complex, llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    ComplexType,
    IntegerType,
    f32,
    f64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.complex import PowIOp

from ..emission.function import FunctionLowering, Rule, Rules
from ..emission.stand_ins import apply
from ..emission.types import integer_width
from . import complex_functions as functions
from .complex_functions import Number
from .math import power_by_squaring
from .real_numbers import Real

# The parts of numbers of the program, as numbers of a formula.


def _part_type(type: Attribute) -> AnyFloat:
    if isa(type, ComplexType):
        type = type.element_type
    assert isinstance(type, AnyFloat)
    return type


def _parts(value: SSAValue, f: FunctionLowering) -> list[SSAValue]:
    return [f.extract(value, [0]), f.extract(value, [1])]


def _converted(
    value: SSAValue, source: AnyFloat, target: AnyFloat, f: FunctionLowering
) -> SSAValue:
    """Return a number of the program as one of another type."""
    if source == target:
        return value
    widens = source.bitwidth < target.bitwidth
    op = arith.ExtFOp if widens else arith.TruncFOp
    return apply(op, [value], source, f, target)


def _number(
    value: SSAValue, of: AnyFloat, type: AnyFloat, op: Operation, f: FunctionLowering
) -> Number:
    """Return the number `value` with parts of type `of`, in a formula on `type`."""
    parts = [_converted(part, of, type, f) for part in _parts(f.scalar(value), f)]
    re, im = (Real(part, f, op) for part in parts)
    return Number(re, im, of != f64)


def _bind(op: Operation, number: Number, type: AnyFloat, f: FunctionLowering) -> None:
    """Record a result that was computed in `type`."""
    of = _part_type(op.results[0].type)
    parts = [_converted(part.value, type, of, f) for part in (number.re, number.im)]
    f.bind(op.results[0], f.struct(parts))


def _own_type(of: AnyFloat) -> AnyFloat:
    """Return the type in which sums and products are computed."""
    return f32 if isinstance(of, BFloat16Type) else of


# Rules.


def _lower_create(op: complex.CreateOp, f: FunctionLowering) -> None:
    f.bind(op.complex, f.struct(f.scalars([op.real, op.imaginary])))


def _lower_constant(op: complex.ConstantOp, f: FunctionLowering) -> None:
    parts: list[SSAValue] = []
    for value in op.value.data:
        constant = arith.ConstantOp(value)
        f.lower(constant)
        parts.append(f.scalar(constant.result))
    f.bind(op.complex, f.struct(parts))


def _part_rule(position: int) -> Rule:
    def lower(op: complex.ReOp | complex.ImOp, f: FunctionLowering) -> None:
        f.bind(op.result, f.extract(f.scalar(op.complex), [position]))

    return lower


def _arithmetic_rule(compute: Callable[..., Number]) -> Rule:
    """Lower to a formula in the type of the parts."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        of = _part_type(op.operands[0].type)
        type = _own_type(of)
        _bind(op, compute(*(_number(v, of, type, op, f) for v in op.operands)), type, f)

    return lower


def _function_rule(compute: Callable[..., Number]) -> Rule:
    """Lower to a formula on f64."""

    def lower(op: Operation, f: FunctionLowering) -> None:
        of = _part_type(op.operands[0].type)
        _bind(op, compute(*(_number(v, of, f64, op, f) for v in op.operands)), f64, f)

    return lower


def _real_function_rule(compute: Callable[[Number], Real]) -> Rule:
    """Lower to a formula on f64 whose result is real."""

    def lower(op: complex.ComplexUnaryRealResultOperation, f: FunctionLowering) -> None:
        of = _part_type(op.complex.type)
        result = compute(_number(op.complex, of, f64, op, f))
        f.bind(op.result, _converted(result.value, f64, of, f))

    return lower


def _subtract(a: Number, b: Number) -> Number:
    return a.with_parts(a.re - b.re, a.im - b.im)


def _negate(z: Number) -> Number:
    return z.with_parts(-z.re, -z.im)


def _conjugate(z: Number) -> Number:
    return z.with_parts(z.re, -z.im)


def _lower_eq(op: complex.EqualOp, f: FunctionLowering) -> None:
    re, im = _compared(op, "oeq", f)
    f.bind(op.result, f.integer_op(llvm.AndOp, re, im))


def _lower_neq(op: complex.NotEqualOp, f: FunctionLowering) -> None:
    re, im = _compared(op, "une", f)
    f.bind(op.result, f.integer_op(llvm.OrOp, re, im))


def _compared(
    op: complex.ComplexCompareOp, predicate: str, f: FunctionLowering
) -> Sequence[SSAValue]:
    of = _part_type(op.lhs.type)
    type = _own_type(of)
    a, b = (_number(value, of, type, op, f) for value in (op.lhs, op.rhs))
    pairs = ((a.re, b.re), (a.im, b.im))
    return [f.compare_floats(predicate, x.value, y.value) for x, y in pairs]


def _lower_powi(op: PowIOp, f: FunctionLowering) -> None:
    """Lower to squarings, and to a division of one if the power is negative."""
    of = _part_type(op.result.type)
    base, power = _number(op.lhs, of, f64, op, f), f.scalar(op.rhs)
    is_one_bit = integer_width(power.type) == 1
    one = base.constant(1.0, 0.0)

    def structured(number: Number) -> SSAValue:
        return f.struct([number.re.value, number.im.value])

    def number(value: SSAValue) -> Number:
        re, im = (Real(part, f, op) for part in _parts(value, f))
        return base.with_parts(re, im)

    def multiply(a: SSAValue, b: SSAValue) -> SSAValue:
        return structured(functions.multiply(number(a), number(b)))

    zero = f.integer(0, power.type)
    negative = f.compare("slt", power, zero)
    below = f.integer_op(llvm.SubOp, zero, power)
    # The smallest number is its own magnitude, without a sign.
    count = power if is_one_bit else f.select(negative, below, power)
    start = (structured(base), count, structured(one))
    positive = power_by_squaring(*start, multiply, f)
    inverse = structured(functions.divide(one, number(positive)))
    _bind(op, number(f.select(negative, inverse, positive)), f64, f)


# Bits: the real part is in the lower half.


def _lower_bitcast(op: complex.BitcastOp, f: FunctionLowering) -> None:
    source, target = op.operand.type, op.result.type
    value = f.scalar(op.operand)
    if source == target:
        f.bind(op.result, value)
    elif isa(source, ComplexType):
        bits = _bits_of_parts(value, _part_type(source), f)
        f.bind(op.result, _as_type(bits, f.scalar_type(target, op), f))
    else:
        type = f.scalar_type(_part_type(target), op)
        f.bind(op.result, f.struct(_parts_of_bits(value, type, op, f)))


def _as_type(value: SSAValue, type: Attribute, f: FunctionLowering) -> SSAValue:
    return value if value.type == type else f.cast(llvm.BitcastOp, value, type)


def _bits_of_parts(value: SSAValue, of: AnyFloat, f: FunctionLowering) -> SSAValue:
    half, whole = IntegerType(of.bitwidth), IntegerType(2 * of.bitwidth)
    low, high = (
        f.cast(llvm.ZExtOp, _as_type(part, half, f), whole) for part in _parts(value, f)
    )
    upper = f.integer_op(llvm.ShlOp, high, f.integer(of.bitwidth, whole))
    return f.integer_op(llvm.OrOp, upper, low)


def _parts_of_bits(
    value: SSAValue, type: Attribute, op: complex.BitcastOp, f: FunctionLowering
) -> list[SSAValue]:
    width = _part_type(op.result.type).bitwidth
    half, whole = IntegerType(width), IntegerType(2 * width)
    bits = _as_type(value, whole, f)
    upper = f.integer_op(llvm.LShrOp, bits, f.integer(width, whole))
    halves = (f.cast(llvm.TruncOp, each, half) for each in (bits, upper))
    return [_as_type(each, type, f) for each in halves]


RULES: Rules = {
    complex.CreateOp: _lower_create,
    complex.ConstantOp: _lower_constant,
    complex.ReOp: _part_rule(0),
    complex.ImOp: _part_rule(1),
    complex.BitcastOp: _lower_bitcast,
    complex.EqualOp: _lower_eq,
    complex.NotEqualOp: _lower_neq,
    complex.AddOp: _arithmetic_rule(functions.add),
    complex.SubOp: _arithmetic_rule(_subtract),
    complex.MulOp: _arithmetic_rule(functions.multiply),
    complex.NegOp: _arithmetic_rule(_negate),
    complex.ConjOp: _arithmetic_rule(_conjugate),
    complex.DivOp: _function_rule(functions.divide),
    complex.AbsOp: _real_function_rule(functions.magnitude),
    complex.AngleOp: _real_function_rule(functions.angle),
    complex.SignOp: _function_rule(functions.sign),
    complex.ExpOp: _function_rule(functions.exponential),
    complex.Expm1Op: _function_rule(functions.exponential_minus_one),
    complex.LogOp: _function_rule(functions.logarithm),
    complex.Log1pOp: _function_rule(functions.logarithm_of_one_plus),
    complex.SqrtOp: _function_rule(functions.square_root),
    complex.RsqrtOp: _function_rule(functions.inverse_square_root),
    complex.PowOp: _function_rule(functions.power),
    PowIOp: _lower_powi,
    complex.Atan2Op: _function_rule(functions.atan2),
    complex.SinOp: _function_rule(functions.sine),
    complex.CosOp: _function_rule(functions.cosine),
    complex.TanOp: _function_rule(functions.tangent),
    complex.TanhOp: _function_rule(functions.hyperbolic_tangent),
}
