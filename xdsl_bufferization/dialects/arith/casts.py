"""Casts of MLIR's arith dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 has no `index_castui`, `scaling_extf` and `scaling_truncf`, and casts only
scalars. Its casts know neither a rounding mode nor fast-math flags, and it takes
`extsi` for an op with side effects.

    %0 = arith.truncf %v downward : vector<4xf64> to vector<4xf32>
    %1 = arith.index_castui %t : tensor<4xi32> to tensor<4xindex>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.arith import (
    FastMathFlagsAttr,
    IntegerOverflowAttr,
    floatingPointLike,
)
from xdsl.dialects.builtin import (
    I32,
    AnyFloatConstr,
    IndexType,
    IndexTypeConstr,
    IntegerAttr,
    MemRefType,
    SignlessIntegerConstraint,
    container_of,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from ..common.elementwise import (
    bit_width,
    verify_cast,
    verify_conversion,
    verify_same_shape,
)
from .arithmetic import verify_enum

ROUNDING_MODES = (
    "to_nearest_even",
    "downward",
    "upward",
    "toward_zero",
    "to_nearest_away",
)
"""How a float is rounded; the value of the attribute is the index."""
_INTEGER_LIKE = container_of(SignlessIntegerConstraint)
_CAST_TO_INDEX = container_of(SignlessIntegerConstraint | IndexTypeConstr) | (
    MemRefType.constr(SignlessIntegerConstraint | IndexTypeConstr)
)
_BITS = container_of(SignlessIntegerConstraint | AnyFloatConstr) | (
    MemRefType.constr(SignlessIntegerConstraint | AnyFloatConstr)
)


@irdl_custom_directive
class RoundingMode(CustomDirective):
    """A rounding mode by its name, or nothing."""

    mode: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        for value, keyword in enumerate(ROUNDING_MODES):
            if parser.parse_optional_keyword(keyword) is not None:
                self.mode.set(state, IntegerAttr(value, i32))
                return

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        mode = self.mode.get(op)
        if isa(mode, IntegerAttr):
            state.print_whitespace(printer)
            printer.print_string(ROUNDING_MODES[mode.value.data])


class _Cast(IRDLOperation):
    """A cast of each element; the fields are those of the subclass."""

    input = operand_def()
    result = result_def()

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"


class _WideningOp(_Cast):
    """A cast to a wider type."""

    @override
    def verify_(self) -> None:
        """The result has more bits, in the same shape."""
        source, target = self.input.type, self.result.type
        verify_cast(source, target, fits=bit_width(source) < bit_width(target))


class _NarrowingOp(_Cast):
    """A cast to a narrower type."""

    @override
    def verify_(self) -> None:
        """The result has fewer bits, in the same shape."""
        source, target = self.input.type, self.result.type
        verify_cast(source, target, fits=bit_width(source) > bit_width(target))


@irdl_op_definition
class ExtSIOp(_WideningOp):
    """A wider integer of the same signed value."""

    name = "arith.extsi"
    input = operand_def(_INTEGER_LIKE)
    result = result_def(_INTEGER_LIKE)


@irdl_op_definition
class ExtUIOp(_WideningOp):
    """A wider integer of the same unsigned value."""

    name = "arith.extui"
    input = operand_def(_INTEGER_LIKE)
    result = result_def(_INTEGER_LIKE)


@irdl_op_definition
class TruncIOp(_NarrowingOp):
    """The low bits of an integer."""

    name = "arith.trunci"
    input = operand_def(_INTEGER_LIKE)
    result = result_def(_INTEGER_LIKE)
    overflow_flags = prop_def(
        IntegerOverflowAttr,
        default_value=IntegerOverflowAttr("none"),
        prop_name="overflowFlags",
    )

    assembly_format = (
        "$input (`overflow` `` $overflowFlags^)? attr-dict `:` type($input) `to` "
        "type($result)"
    )


@irdl_op_definition
class ExtFOp(_WideningOp):
    """A wider float of the same value."""

    name = "arith.extf"
    input = operand_def(floatingPointLike)
    result = result_def(floatingPointLike)
    fastmath = opt_prop_def(FastMathFlagsAttr)

    assembly_format = (
        "$input (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `to` "
        "type($result)"
    )


@irdl_op_definition
class TruncFOp(_NarrowingOp):
    """A narrower float next to the value."""

    name = "arith.truncf"
    input = operand_def(floatingPointLike)
    result = result_def(floatingPointLike)
    roundingmode = opt_prop_def(IntegerAttr[I32])
    fastmath = opt_prop_def(FastMathFlagsAttr)

    custom_directives = (RoundingMode,)
    assembly_format = (
        "$input custom<RoundingMode>($roundingmode) (`fastmath` `` $fastmath^)? "
        "attr-dict `:` type($input) `to` type($result)"
    )

    @override
    def verify_(self) -> None:
        """The result has fewer bits, in the same shape, and the rounding exists."""
        if self.roundingmode is not None:
            verify_enum(self.roundingmode, ROUNDING_MODES, "rounding mode")
        source, target = self.input.type, self.result.type
        verify_cast(source, target, fits=bit_width(source) > bit_width(target))


class _ConversionOp(_Cast):
    """A cast between integers and floats of any widths."""

    @override
    def verify_(self) -> None:
        """Both have the same shape."""
        verify_conversion(self.input.type, self.result.type)


@irdl_op_definition
class FPToSIOp(_ConversionOp):
    """The float rounded towards zero, as a signed integer."""

    name = "arith.fptosi"
    input = operand_def(floatingPointLike)
    result = result_def(_INTEGER_LIKE)


@irdl_op_definition
class FPToUIOp(_ConversionOp):
    """The float rounded towards zero, as an unsigned integer."""

    name = "arith.fptoui"
    input = operand_def(floatingPointLike)
    result = result_def(_INTEGER_LIKE)


@irdl_op_definition
class SIToFPOp(_ConversionOp):
    """The float next to a signed integer."""

    name = "arith.sitofp"
    input = operand_def(_INTEGER_LIKE)
    result = result_def(floatingPointLike)


@irdl_op_definition
class UIToFPOp(_ConversionOp):
    """The float next to an unsigned integer."""

    name = "arith.uitofp"
    input = operand_def(_INTEGER_LIKE)
    result = result_def(floatingPointLike)


class _IndexCastOp(_Cast):
    """A cast between indices and integers."""

    @override
    def verify_(self) -> None:
        """One of the two has elements of type `index`, the other has not."""
        source, target = self.input.type, self.result.type
        elements = [get_element_type_or_self(type_) for type_ in (source, target)]
        verify_cast(source, target, fits=elements.count(IndexType()) == 1)


@irdl_op_definition
class IndexCastOp(_IndexCastOp):
    """An index as an integer, or back, with the sign kept."""

    name = "arith.index_cast"
    input = operand_def(_CAST_TO_INDEX)
    result = result_def(_CAST_TO_INDEX)


@irdl_op_definition
class IndexCastUIOp(_IndexCastOp):
    """An index as an integer, or back, extended with zeros."""

    name = "arith.index_castui"
    input = operand_def(_CAST_TO_INDEX)
    result = result_def(_CAST_TO_INDEX)

    def __init__(self, value: SSAValue | Operation, target_type: Attribute):
        super().__init__(operands=[value], result_types=[target_type])


@irdl_op_definition
class BitcastOp(_Cast):
    """The same bits, taken for another type."""

    name = "arith.bitcast"
    input = operand_def(_BITS)
    result = result_def(_BITS)

    @override
    def verify_(self) -> None:
        """Both have the same width and shape."""
        source, target = self.input.type, self.result.type
        verify_cast(source, target, fits=bit_width(source) == bit_width(target))


class _ScalingOp(IRDLOperation):
    """A cast of `input` after a product or quotient with the power of two `scale`."""

    traits = traits_def(Pure())


@irdl_op_definition
class ScalingExtFOp(_ScalingOp):
    """A wider float, times a power of two."""

    name = "arith.scaling_extf"

    input = operand_def(floatingPointLike)
    scale = operand_def(floatingPointLike)
    out = result_def(floatingPointLike)
    fastmath = opt_prop_def(FastMathFlagsAttr)

    assembly_format = (
        "$input `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($input) "
        "`,` type($scale) `to` type($out)"
    )

    @override
    def verify_(self) -> None:
        """The result is wider than the input, and all have one shape."""
        types = (self.input.type, self.scale.type, self.out.type)
        _verify_scaling(types, fits=bit_width(types[0]) < bit_width(types[2]))


@irdl_op_definition
class ScalingTruncFOp(_ScalingOp):
    """A narrower float, of the quotient with a power of two."""

    name = "arith.scaling_truncf"

    input = operand_def(floatingPointLike)
    scale = operand_def(floatingPointLike)
    out = result_def(floatingPointLike)
    roundingmode = opt_prop_def(IntegerAttr[I32])
    fastmath = opt_prop_def(FastMathFlagsAttr)

    custom_directives = (RoundingMode,)
    assembly_format = (
        "$input `,` $scale custom<RoundingMode>($roundingmode) "
        "(`fastmath` `` $fastmath^)? attr-dict `:` type($input) `,` type($scale) `to` "
        "type($out)"
    )

    @override
    def verify_(self) -> None:
        """The result is narrower than the input, and all have one shape."""
        if self.roundingmode is not None:
            verify_enum(self.roundingmode, ROUNDING_MODES, "rounding mode")
        types = (self.input.type, self.scale.type, self.out.type)
        _verify_scaling(types, fits=bit_width(types[0]) > bit_width(types[2]))


def _verify_scaling(types: Sequence[Attribute], *, fits: bool) -> None:
    verify_same_shape(types)
    if not fits:
        raise VerifyException(
            f"operand types '{types[0]}', '{types[1]}' and result type '{types[2]}' "
            "are cast incompatible"
        )
