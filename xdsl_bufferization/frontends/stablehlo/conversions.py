"""`stablehlo.convert`, comparisons, and the bits of elements.

    f32 -> i32      towards zero; what does not fit becomes the nearest; NaN becomes 0
    f32 -> i1       whether the number is not zero
    ui8 -> f32      without a sign

StableHLO leaves open what becomes of numbers that do not fit. XLA does the same.

Source: https://openxla.org/stablehlo/spec#convert and #compare
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import ComplexType, Float32Type, IntegerType
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.dialects.stablehlo.elementwise import CompareOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp
from xdsl_bufferization.support.errors import fail_at

from .element_builder import ElementBuilder
from .types import Kind, bits_of, kind_of, signless


def convert(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    """An element as one of another type."""
    return converted(op, code, args[0], op.element(), op.result_element)


def converted(
    op: StableHLOOp,
    code: ElementBuilder,
    value: SSAValue,
    old: Attribute,
    new: Attribute,
) -> SSAValue:
    """An element of type `old` as one of type `new`; both may have a sign."""
    before, after = kind_of(op, old), kind_of(op, new)
    if old == new:
        return value
    if after is Kind.COMPLEX:
        return _to_complex(op, code, value, old, cast("ComplexType[Any]", new))
    if before is Kind.COMPLEX:
        part = cast("ComplexType[Any]", old).element_type
        real = code.value(complex.ReOp.create(operands=[value], result_types=[part]))
        return converted(op, code, real, part, new)
    type_ = signless(new)
    if after is Kind.BOOL:
        zero = code.number(0, value.type)
        return code.compare("une" if before is Kind.FLOAT else "ne", value, zero)
    if before is Kind.FLOAT:
        if after is Kind.FLOAT:
            return _resize(code, value, type_)
        return _to_integer(code, value, type_, is_signed=after is Kind.SIGNED)
    is_signed = before is Kind.SIGNED
    if after is Kind.FLOAT:
        to_float = arith.SIToFPOp if is_signed else arith.UIToFPOp
        return code.value(to_float(value, cast(Any, type_)))
    width, wanted = bits_of(old), bits_of(new)
    if width == wanted:
        return value
    if width > wanted:
        return code.value(arith.TruncIOp(value, cast(IntegerType, type_)))
    extend = arith.ExtSIOp if is_signed else arith.ExtUIOp
    return code.value(extend(value, cast(IntegerType, type_)))


def _resize(code: ElementBuilder, value: SSAValue, type_: Attribute) -> SSAValue:
    """A number with more or fewer bits; between bf16 and f16 by way of f32."""
    before, after = bits_of(value.type), bits_of(type_)
    if before == after:
        wide = code.value(arith.ExtFOp(value, Float32Type()))
        return code.value(arith.TruncFOp(wide, cast(Any, type_)))
    resize = arith.ExtFOp if before < after else arith.TruncFOp
    return code.value(resize(value, cast(Any, type_)))


def _to_integer(
    code: ElementBuilder, value: SSAValue, type_: Attribute, *, is_signed: bool
) -> SSAValue:
    bits = bits_of(type_)
    least = -(1 << (bits - 1)) if is_signed else 0
    largest = (1 << (bits - 1)) - 1 if is_signed else (1 << bits) - 1
    if bits_of(value.type) < 32:
        value = code.value(arith.ExtFOp(value, Float32Type()))
    # Both bounds are powers of two, or zero: floats hold them.
    low = code.number(float(least), value.type)
    high = code.number(float(largest + 1), value.type)
    is_low = code.compare("olt", value, low)
    is_high = code.compare("oge", value, high)
    is_nan = code.compare("uno", value, value)
    fails = code.value(arith.OrIOp(is_low, is_high))
    fails = code.value(arith.OrIOp(fails, is_nan))
    safe = code.select(fails, code.number(0.0, value.type), value)
    cast_op = arith.FPToSIOp if is_signed else arith.FPToUIOp
    result = code.value(cast_op(safe, cast(Any, type_)))
    result = code.select(is_low, code.number(least, type_), result)
    return code.select(is_high, code.number(largest, type_), result)


def _to_complex(
    op: StableHLOOp,
    code: ElementBuilder,
    value: SSAValue,
    old: Attribute,
    new: "ComplexType[Any]",
) -> SSAValue:
    part = new.element_type
    if isinstance(old, ComplexType):
        given = cast("ComplexType[Any]", old).element_type
        real, imaginary = (
            converted(
                op,
                code,
                code.value(kind.create(operands=[value], result_types=[given])),
                given,
                part,
            )
            for kind in (complex.ReOp, complex.ImOp)
        )
    else:
        real = converted(op, code, value, old, part)
        imaginary = code.number(0.0, part)
    return code.value(
        complex.CreateOp.create(operands=[real, imaginary], result_types=[new])
    )


def bitcast(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    """The same bits as an element of another type."""
    before, after = kind_of(op, op.element()), kind_of(op, op.result_element)
    if bits_of(op.element()) != bits_of(op.result_element) or (
        Kind.COMPLEX in (before, after) and before is not after
    ):
        fail_at(
            op,
            f"'{op.name}' from {op.element()} to {op.result_element} is not lowered; "
            "types of the same number of bits are",
        )
    return code.bits(args[0], signless(op.result_element))


_FLOAT = {"EQ": "oeq", "NE": "une", "GE": "oge", "GT": "ogt", "LE": "ole", "LT": "olt"}
_SIGNED = {"EQ": "eq", "NE": "ne", "GE": "sge", "GT": "sgt", "LE": "sle", "LT": "slt"}
_UNSIGNED = {"EQ": "eq", "NE": "ne", "GE": "uge", "GT": "ugt", "LE": "ule", "LT": "ult"}


def compare(
    op: StableHLOOp, code: ElementBuilder, args: Sequence[SSAValue]
) -> SSAValue:
    """A comparison, as the type of the elements says."""
    assert isinstance(op, CompareOp)
    direction = str(op.comparison_direction.data)
    kind = kind_of(op, op.element())
    a, b = args
    if kind is Kind.COMPLEX:
        if direction not in ("EQ", "NE"):
            fail_at(op, "complex numbers are compared by EQ and NE only")
        compare_op = complex.EqualOp if direction == "EQ" else complex.NotEqualOp
        i1 = IntegerType(1)
        return code.value(compare_op.create(operands=[a, b], result_types=[i1]))
    if kind is not Kind.FLOAT:
        names = _SIGNED if kind is Kind.SIGNED else _UNSIGNED
        return code.compare(names[direction], a, b)
    if op.compare_type is not None and str(op.compare_type.data) == "TOTALORDER":
        return code.compare(
            _SIGNED[direction], in_total_order(code, a), in_total_order(code, b)
        )
    return code.compare(_FLOAT[direction], a, b)


def in_total_order(code: ElementBuilder, value: SSAValue) -> SSAValue:
    """The number as an integer: -NaN < -inf < -0.0 < 0.0 < inf < NaN."""
    type_ = IntegerType(bits_of(value.type))
    bits = code.bits(value, type_)
    shift = code.number(type_.width.data - 1, type_)
    sign = code.value(arith.ShRSIOp(bits, shift))
    mask = code.value(arith.ShRUIOp(sign, code.number(1, type_)))
    return code.value(arith.XOrIOp(bits, mask))
