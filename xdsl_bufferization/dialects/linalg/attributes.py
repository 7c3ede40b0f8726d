"""The enumerations of MLIR's linalg dialect: how payloads compute.

    {cast = #linalg.type_fn<cast_unsigned>}
    kind = #linalg.elementwise_kind<add>

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#attributes
"""

from enum import auto

from typing_extensions import override
from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class TypeFn(StrEnum):
    """How a payload brings its inputs to the element type of the output."""

    CAST_SIGNED = auto()
    CAST_UNSIGNED = auto()


class UnaryFn(StrEnum):
    """Functions of one number."""

    EXP = auto()
    LOG = auto()
    ABS = auto()
    CEIL = auto()
    FLOOR = auto()
    NEGF = auto()
    RECIPROCAL = auto()
    ROUND = auto()
    SQRT = auto()
    RSQRT = auto()
    SQUARE = auto()
    TANH = auto()
    ERF = auto()


class BinaryFn(StrEnum):
    """Functions of two numbers."""

    ADD = auto()
    SUB = auto()
    MUL = auto()
    DIV = auto()
    DIV_UNSIGNED = auto()
    MAX_SIGNED = auto()
    MIN_SIGNED = auto()
    MAX_UNSIGNED = auto()
    MIN_UNSIGNED = auto()
    POWF = auto()


class TernaryFn(StrEnum):
    """Functions of three numbers."""

    SELECT = auto()


class ElementwiseKind(StrEnum):
    """What `linalg.elementwise` computes: any of the functions above."""

    EXP = auto()
    LOG = auto()
    ABS = auto()
    CEIL = auto()
    FLOOR = auto()
    NEGF = auto()
    RECIPROCAL = auto()
    ROUND = auto()
    SQRT = auto()
    RSQRT = auto()
    SQUARE = auto()
    TANH = auto()
    ERF = auto()
    ADD = auto()
    SUB = auto()
    MUL = auto()
    DIV = auto()
    DIV_UNSIGNED = auto()
    MAX_SIGNED = auto()
    MIN_SIGNED = auto()
    MAX_UNSIGNED = auto()
    MIN_UNSIGNED = auto()
    POWF = auto()
    SELECT = auto()


def _parse_in_brackets(parser: AttrParser, kinds: type[StrEnum]) -> str:
    """`<kind>`, or an error that names the kinds there are."""
    with parser.in_angle_brackets():
        start = parser.pos
        word = parser.parse_identifier()
        if word not in (kind.value for kind in kinds):
            parser.raise_error(
                f"expected one of {', '.join(kind.value for kind in kinds)}",
                start,
                parser.pos,
            )
    return word


@irdl_attr_definition
class TypeFnAttr(EnumAttribute[TypeFn]):
    """A `TypeFn` as an attribute."""

    name = "linalg.type_fn"

    @override
    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TypeFn:
        return TypeFn(_parse_in_brackets(parser, TypeFn))

    @override
    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data.value}>")


@irdl_attr_definition
class UnaryFnAttr(EnumAttribute[UnaryFn]):
    """A `UnaryFn` as an attribute."""

    name = "linalg.unary_fn"

    @override
    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> UnaryFn:
        return UnaryFn(_parse_in_brackets(parser, UnaryFn))

    @override
    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data.value}>")


@irdl_attr_definition
class BinaryFnAttr(EnumAttribute[BinaryFn]):
    """A `BinaryFn` as an attribute."""

    name = "linalg.binary_fn"

    @override
    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> BinaryFn:
        return BinaryFn(_parse_in_brackets(parser, BinaryFn))

    @override
    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data.value}>")


@irdl_attr_definition
class TernaryFnAttr(EnumAttribute[TernaryFn]):
    """A `TernaryFn` as an attribute."""

    name = "linalg.ternary_fn"

    @override
    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TernaryFn:
        return TernaryFn(_parse_in_brackets(parser, TernaryFn))

    @override
    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data.value}>")


@irdl_attr_definition
class ElementwiseKindAttr(EnumAttribute[ElementwiseKind]):
    """An `ElementwiseKind` as an attribute."""

    name = "linalg.elementwise_kind"

    @override
    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ElementwiseKind:
        return ElementwiseKind(_parse_in_brackets(parser, ElementwiseKind))

    @override
    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data.value}>")
