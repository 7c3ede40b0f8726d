"""Arithmetic, comparisons and constants of MLIR's arith dialect.

xDSL 0.74 has no `remf` and compares only scalars. Its divisions and shifts know no
`exact`, and it takes `remui` for an op with side effects.

    %0 = arith.cmpf olt, %a, %b fastmath<nnan> : vector<4xf32>
    %1 = arith.select %0, %a, %b : vector<4xi1>, vector<4xf32>

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
    SignlessIntegerBinaryOperation,
    floatingPointLike,
    signlessIntegerLike,
)
from xdsl.dialects.builtin import (
    I64,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    UnitAttr,
    VectorType,
    i1,
    i64,
)
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

from ..common.elementwise import BOOL_LIKE, BoolsOf, with_element_type
from ..text.splats import splat_of

_NO_FLAGS = FastMathFlagsAttr("none")


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


def verify_enum(value: IntegerAttr, names: Sequence[str], what: str) -> None:
    """A number that stands for a name is the index of one."""
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
        verify_enum(self.predicate, CMPI_COMPARISON_OPERATIONS, "predicate")


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
        verify_enum(self.predicate, CMPF_COMPARISON_OPERATIONS, "predicate")


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
            and splat_of(value) is None
        ):
            raise VerifyException(
                "initializing scalable vectors with elements attribute is not "
                f"supported unless it's a vector splat: '{type_}'"
            )
