"""Ops of MLIR's math dialect that xDSL lacks, or defines too widely.

    %0 = math.erfc %x fastmath<nnan> : f32
    %1 = math.clampf %x to [%lower, %upper] : f32
    %sin, %cos = math.sincos %x : f32
    %2 = math.isnan %x : f32

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MathOps/
"""

from typing import ClassVar

from typing_extensions import override
from xdsl.dialects import math
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import i1
from xdsl.dialects.math import FloatingPointLikeUnaryMathOperation, floatingPointLike
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .common.elementwise import BoolsOf, verify_same_shape, with_element_type

_NO_FLAGS = FastMathFlagsAttr("none")


@irdl_op_definition
class ErfcOp(FloatingPointLikeUnaryMathOperation):
    """The complementary error function."""

    name = "math.erfc"

    traits = traits_def(Pure())


@irdl_op_definition
class ClampFOp(IRDLOperation):
    """`value`, or the bound that it is beyond."""

    name = "math.clampf"

    T: ClassVar = VarConstraint("T", floatingPointLike)

    value = operand_def(T)
    min = operand_def(T)
    max = operand_def(T)
    result = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)

    traits = traits_def(Pure())
    assembly_format = (
        "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict "
        "`:` type($result)"
    )

    def __init__(
        self,
        value: Operation | SSAValue,
        lower: Operation | SSAValue,
        upper: Operation | SSAValue,
        fastmath: FastMathFlagsAttr = _NO_FLAGS,
    ):
        value = SSAValue.get(value)
        super().__init__(
            operands=[value, lower, upper],
            result_types=[value.type],
            properties={"fastmath": fastmath},
        )


@irdl_op_definition
class SinCosOp(IRDLOperation):
    """Sine and cosine of one value."""

    name = "math.sincos"

    T: ClassVar = VarConstraint("T", floatingPointLike)

    operand = operand_def(T)
    sin = result_def(T)
    cos = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)

    traits = traits_def(Pure())
    assembly_format = (
        "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)"
    )

    def __init__(
        self, operand: Operation | SSAValue, fastmath: FastMathFlagsAttr = _NO_FLAGS
    ):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[operand.type, operand.type],
            properties={"fastmath": fastmath},
        )


class ClassificationOp(IRDLOperation):
    """Whether a float is of some class."""

    T: ClassVar = VarConstraint("T", floatingPointLike)

    operand = operand_def(T)
    result = result_def(BoolsOf("T"))
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$operand attr-dict `:` type($operand)"

    def __init__(
        self, operand: Operation | SSAValue, fastmath: FastMathFlagsAttr = _NO_FLAGS
    ):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[with_element_type(operand.type, i1)],
            properties={"fastmath": fastmath},
        )


@irdl_op_definition
class IsFiniteOp(ClassificationOp):
    """Whether a float is neither infinite nor NaN."""

    name = "math.isfinite"


@irdl_op_definition
class IsInfOp(ClassificationOp):
    """Whether a float is infinite."""

    name = "math.isinf"


@irdl_op_definition
class IsNaNOp(ClassificationOp):
    """Whether a float is not a number."""

    name = "math.isnan"


@irdl_op_definition
class IsNormalOp(ClassificationOp):
    """Whether a float is normal: not zero, subnormal, infinite or NaN."""

    name = "math.isnormal"


class FPowIOp(math.FPowIOp):
    """What `math.fpowi` should check."""

    @override
    def verify_(self) -> None:
        """Base and power have one shape."""
        verify_same_shape((self.lhs.type, self.rhs.type))
