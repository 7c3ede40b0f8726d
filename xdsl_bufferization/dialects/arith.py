"""Ops of MLIR's arith dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 has no `remf`, `index_castui`, `scaling_extf` and `scaling_truncf`, casts and
compares only scalars, knows no rounding mode or fast-math flags of casts and no `exact`
of divisions and shifts, and takes some ops for ones with side effects (`remui`,
`extsi`). The classes below say what these ops are.

    %0 = arith.cmpf olt, %a, %b fastmath<nnan> : vector<4xf32>
    %1 = arith.select %0, %a, %b : vector<4xi1>, vector<4xf32>
    %2 = arith.truncf %1 to_nearest_even : vector<4xf32> to vector<4xbf16>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects import arith
from xdsl.dialects.arith import (
    CMPF_COMPARISON_OPERATIONS,
    CMPI_COMPARISON_OPERATIONS,
    FastMathFlagsAttr,
    FloatingPointLikeBinaryOperation,
    IntegerOverflowAttr,
    SignlessIntegerBinaryOperation,
    floatingPointLike,
    signlessIntegerLike,
)
from xdsl.dialects.builtin import (
    I32,
    I64,
    AnyFloatConstr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IndexTypeConstr,
    IntegerAttr,
    MemRefType,
    SignlessIntegerConstraint,
    UnitAttr,
    VectorType,
    container_of,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
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

from xdsl_bufferization.dialects.common.elementwise import (
    BOOL_LIKE,
    BoolsOf,
    bit_width,
    verify_cast,
    verify_same_shape,
    with_element_type,
)

ROUNDING_MODES = (
    "to_nearest_even",
    "downward",
    "upward",
    "toward_zero",
    "to_nearest_away",
)
"""How a float is rounded; the value of the attribute is the index."""

_NO_FLAGS = FastMathFlagsAttr("none")
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


class _Predicate(CustomDirective):
    """A predicate by its name; the value of the attribute is its index in `NAMES`."""

    NAMES: ClassVar[Sequence[str]]
    predicate: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        start = parser.pos
        name = parser.parse_optional_identifier_or_str_literal()
        if name not in self.NAMES:
            parser.raise_error(
                "expected string or keyword containing one of the following enum "
                f"values for attribute 'predicate' [{', '.join(self.NAMES)}]",
                start,
                parser.pos,
            )
        value = self.NAMES.index(name)
        self.predicate.set(state, IntegerAttr(value, i64))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        predicate = self.predicate.get(op)
        if isa(predicate, IntegerAttr):
            state.print_whitespace(printer)
            printer.print_string(self.NAMES[predicate.value.data])


@irdl_custom_directive
class IntegerPredicate(_Predicate):
    """The predicate of `arith.cmpi`."""

    NAMES: ClassVar[Sequence[str]] = CMPI_COMPARISON_OPERATIONS
    predicate: AttributeVariable


@irdl_custom_directive
class FloatPredicate(_Predicate):
    """The predicate of `arith.cmpf`."""

    NAMES: ClassVar[Sequence[str]] = CMPF_COMPARISON_OPERATIONS
    predicate: AttributeVariable


def _verify_enum(value: IntegerAttr, names: Sequence[str], what: str) -> None:
    if not 0 <= value.value.data < len(names):
        raise VerifyException(
            f"{what} {value.value.data} is not one of 0 ({names[0]}) to "
            f"{len(names) - 1} ({names[-1]})"
        )


@irdl_op_definition
class CmpiOp(IRDLOperation):
    """Whether a comparison of integers holds, for each element."""

    name = "arith.cmpi"

    T: ClassVar = VarConstraint("T", signlessIntegerLike)

    predicate = prop_def(IntegerAttr[I64])
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(BoolsOf("T"))

    custom_directives = (IntegerPredicate,)
    assembly_format = (
        "custom<IntegerPredicate>($predicate) `,` $lhs `,` $rhs attr-dict `:` "
        "type($lhs)"
    )

    @override
    def verify_(self) -> None:
        """The predicate exists."""
        _verify_enum(self.predicate, CMPI_COMPARISON_OPERATIONS, "predicate")


@irdl_op_definition
class CmpfOp(IRDLOperation):
    """Whether a comparison of floats holds, for each element."""

    name = "arith.cmpf"

    T: ClassVar = VarConstraint("T", floatingPointLike)

    predicate = prop_def(IntegerAttr[I64])
    lhs = operand_def(T)
    rhs = operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)
    result = result_def(BoolsOf("T"))

    custom_directives = (FloatPredicate,)
    assembly_format = (
        "custom<FloatPredicate>($predicate) `,` $lhs `,` $rhs "
        "(`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)"
    )

    @override
    def verify_(self) -> None:
        """The predicate exists."""
        _verify_enum(self.predicate, CMPF_COMPARISON_OPERATIONS, "predicate")


@irdl_op_definition
class SelectOp(IRDLOperation):
    """One of two values, or of two elements for each truth value of a container."""

    name = "arith.select"

    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def(BOOL_LIKE)
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> "SelectOp":
        """Parse MLIR's format: the type of the condition, unless it is `i1`."""
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = [i1, parser.parse_type()]
        if parser.parse_optional_punctuation(",") is not None:
            types = [types[1], parser.parse_type()]
        types = [*types, types[1]]
        return cls.create(
            operands=parser.resolve_operands(operands, types, parser.pos),
            result_types=[types[1]],
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if self.cond.type != i1:
            printer.print_attribute(self.cond.type)
            printer.print_string(", ")
        printer.print_attribute(self.result.type)

    @override
    def verify_(self) -> None:
        """A condition that is a container has the shape of what is selected."""
        condition, value = self.cond.type, self.result.type
        if condition not in (i1, with_element_type(value, i1)):
            raise VerifyException(
                "condition is signless i1 or has matching shape, but got "
                f"'{condition}' and '{value}'"
            )


@irdl_op_definition
class RemFOp(FloatingPointLikeBinaryOperation):
    """The remainder of a division, with the sign of the dividend."""

    name = "arith.remf"

    traits = traits_def(Pure())


class RemUIOp(arith.RemUIOp):
    """What `arith.remui` should be."""

    traits = traits_def(Pure())


class _ExactOp(SignlessIntegerBinaryOperation):
    """A quotient or shift; with `exact`, nothing but zeros is dropped."""

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")

    assembly_format = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"


@irdl_op_definition
class DivSIOp(_ExactOp):
    """The signed quotient, rounded towards zero."""

    name = "arith.divsi"


@irdl_op_definition
class DivUIOp(_ExactOp):
    """The unsigned quotient, rounded towards zero."""

    name = "arith.divui"


@irdl_op_definition
class ShRSIOp(_ExactOp):
    """The bits moved to the right, with copies of the sign on the left."""

    name = "arith.shrsi"


@irdl_op_definition
class ShRUIOp(_ExactOp):
    """The bits moved to the right, with zeros on the left."""

    name = "arith.shrui"


class AddUIExtendedOp(arith.AddUIExtendedOp):
    """What `arith.addui_extended` should check."""

    @override
    def verify_(self) -> None:
        """The overflow has a bit for each element of the sum."""
        expected = with_element_type(self.sum.type, i1)
        if self.overflow.type != expected:
            raise VerifyException(
                f"overflow type '{self.overflow.type}' does not match sum type "
                f"'{self.sum.type}': expected '{expected}'"
            )


class ConstantOp(arith.ConstantOp):
    """What `arith.constant` should check."""

    @override
    def verify_(self) -> None:
        """A scalable vector has one value for all elements."""
        type_, value = self.result.type, self.value
        if (
            isa(type_, VectorType)
            and any(type_.get_scalable_dims())
            and isa(value, DenseIntOrFPElementsAttr)
            and not value.is_splat()
        ):
            raise VerifyException(
                "initializing scalable vectors with elements attribute is not "
                f"supported unless it's a vector splat: '{type_}'"
            )


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
            _verify_enum(self.roundingmode, ROUNDING_MODES, "rounding mode")
        source, target = self.input.type, self.result.type
        verify_cast(source, target, fits=bit_width(source) > bit_width(target))


class _ConversionOp(_Cast):
    """A cast between integers and floats of any widths."""

    @override
    def verify_(self) -> None:
        """Both have the same shape."""
        verify_same_shape((self.input.type, self.result.type))


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
            _verify_enum(self.roundingmode, ROUNDING_MODES, "rounding mode")
        types = (self.input.type, self.scale.type, self.out.type)
        _verify_scaling(types, fits=bit_width(types[0]) > bit_width(types[2]))


def _verify_scaling(types: Sequence[Attribute], *, fits: bool) -> None:
    verify_same_shape(types)
    if not fits:
        raise VerifyException(
            f"operand types '{types[0]}', '{types[1]}' and result type '{types[2]}' "
            "are cast incompatible"
        )
