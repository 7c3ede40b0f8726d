"""Which ops have a formula, and which of them may be replaced by it.

math.tanh %x : f32                   has one
math.tanh %x fastmath<afn> : f32     has one, and may be replaced
math.tanh %x : f64                   has none
"""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    VectorType,
)
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.text.splats import splat_of
from xdsl_bufferization.support.classes import of_classes

from .formulas import FORMULAS, POWERS, Formula

SHORT = (Float16Type, BFloat16Type)
"""Types whose functions are computed in f32."""


_is_power = of_classes(math.PowFOp, math.FPowIOp)


def formula_of(op: Operation) -> Formula | None:
    """What computes an op on f32, f16 or bf16, or on vectors of these."""
    formula = FORMULAS.get(type(op))
    if _is_power(op):
        exponent = _constant(op.operands[1])
        formula = None if exponent is None else POWERS.get(exponent)
    if formula is None or not _is_known(op.results[0].type):
        return None
    return formula


def is_allowed(op: Operation) -> bool:
    """Whether an op may be replaced by its formula, which it has."""
    flags = op.properties.get("fastmath")
    return (
        isinstance(flags, arith.FastMathFlagsAttr)
        and FastMathFlag.APPROX_FUNC in flags.data
        and formula_of(op) is not None
    )


def _constant(value: SSAValue) -> float | None:
    """The number that a value has in each element, if it is written in the program."""
    if not isinstance(value.owner, arith.ConstantOp):
        return None
    attribute = value.owner.value
    if isa(attribute, FloatAttr | IntegerAttr):
        return attribute.value.data
    if isa(attribute, DenseIntOrFPElementsAttr) and splat_of(attribute) is not None:
        first = next(iter(attribute.get_values()))
        return None if isinstance(first, tuple) else first
    return None


def _is_known(type_: Attribute) -> bool:
    """Whether numbers of a type, or its elements, are computed in f32."""
    element = get_element_type_or_self(type_)
    is_shape = type_ == element or isa(type_, VectorType)
    return is_shape and isinstance(element, (Float32Type, *SHORT))
