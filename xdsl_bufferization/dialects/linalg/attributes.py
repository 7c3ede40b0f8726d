"""The enumerations of MLIR's linalg dialect: how payloads compute.

    {cast = #linalg.type_fn<cast_unsigned>}
    kind = #linalg.elementwise_kind<add>

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#attributes
"""

from enum import auto
from typing import Any

from typing_extensions import override
from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.utils.str_enum import StrEnum

from ..common.enums import InAngleBrackets


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


class _OneOf(InAngleBrackets):
    """`<name>`, or an error that lists the names there are."""

    @override
    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        names = [member.value for member in cls.enum_type]
        with parser.in_angle_brackets():
            start = parser.pos
            name = parser.parse_identifier()
            if name not in names:
                message = f"expected one of {', '.join(names)}"
                parser.raise_error(message, start, parser.pos)
        return cls.enum_type(name)


@irdl_attr_definition
class TypeFnAttr(_OneOf, EnumAttribute[TypeFn]):
    """A `TypeFn` as an attribute."""

    name = "linalg.type_fn"


@irdl_attr_definition
class UnaryFnAttr(_OneOf, EnumAttribute[UnaryFn]):
    """A `UnaryFn` as an attribute."""

    name = "linalg.unary_fn"


@irdl_attr_definition
class BinaryFnAttr(_OneOf, EnumAttribute[BinaryFn]):
    """A `BinaryFn` as an attribute."""

    name = "linalg.binary_fn"


@irdl_attr_definition
class TernaryFnAttr(_OneOf, EnumAttribute[TernaryFn]):
    """A `TernaryFn` as an attribute."""

    name = "linalg.ternary_fn"


@irdl_attr_definition
class ElementwiseKindAttr(_OneOf, EnumAttribute[ElementwiseKind]):
    """An `ElementwiseKind` as an attribute."""

    name = "linalg.elementwise_kind"
