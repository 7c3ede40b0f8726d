"""What ops of StableHLO have in common: operands, clauses, and types in their text.

    stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
                               ^^ ^^^^^^^^^^   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                         operands  a clause    the types: both, or one for all

The operands of every op are `values`, and its results `outputs`.
"""

from abc import ABC
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Any, ClassVar, NamedTuple, Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorType,
    DenseArrayBase,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..linalg.syntax import parse_integers, shown_attributes, split_properties

TENSOR = AnyTensorType


class Types(Enum):
    """How the text of an op shows its types."""

    SAME = auto()
    """One type for all if they are equal, else those of a function."""

    FUNCTION = auto()
    """Those of a function: `(tensor<4xf32>) -> tensor<2x4xf32>`."""

    RESULT = auto()
    """That of the result; there are no operands."""

    LISTED = auto()
    """One for each operand; the results have the same."""

    ARROW = auto()
    """Those of the operands without parentheses: `tensor<4xf32> -> tensor<4xi1>`."""


TypeLists = tuple[Sequence[Attribute], Sequence[Attribute]]
"""The types of operands, and those of results."""

ParseShort = Callable[[Parser], TypeLists]
"""Reads a form of the types that one op alone has, where they are no function type."""


class Clause(NamedTuple):
    """A property in the text: `dims = [0, 1]` or `dim = 0`."""

    attribute: str
    keyword: str
    is_list: bool = True


class StableHLOOp(IRDLOperation, ABC):
    """An op with tensors as operands and results."""

    values = var_operand_def(TENSOR)
    outputs = var_result_def(TENSOR)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)

    def __init__(
        self,
        values: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        **properties: Attribute,
    ):
        super().__init__(
            operands=[values], result_types=[result_types], properties=properties
        )

    def ints(self, name: str) -> tuple[int, ...]:
        """The numbers of a property that is an array; none where it is missing."""
        value = self.properties.get(name)
        if not isinstance(value, DenseArrayBase):
            return ()
        return tuple(cast("DenseArrayBase[Any]", value).get_values())

    def integer(self, name: str) -> int:
        """The number that a property is."""
        return cast("IntegerAttr[Any]", self.properties[name]).value.data

    def shape(self, number: int = 0) -> tuple[int, ...]:
        """The sizes of an operand."""
        return tensor_type(self.values[number]).get_shape()

    def element(self, number: int = 0) -> Attribute:
        """The element type of an operand, with its sign."""
        return tensor_type(self.values[number]).element_type

    @property
    def result_shape(self) -> tuple[int, ...]:
        """The sizes of the first result."""
        return tensor_type(self.outputs[0]).get_shape()

    @property
    def result_element(self) -> Attribute:
        """The element type of the first result, with its sign."""
        return tensor_type(self.outputs[0]).element_type

    @property
    def has_open_sizes(self) -> bool:
        """Whether a size of an operand or a result is not known."""
        types = (*self.values.types, *self.outputs.types)
        return any(
            DYNAMIC_INDEX in cast("TensorType[Attribute]", each).get_shape()
            for each in types
        )

    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """The sizes of each result, as operands and properties have them.

        The sizes of the operands are known. Where nothing follows from them: the sizes
        that the results have.
        """
        return [tensor_type(each).get_shape() for each in self.outputs]

    @override
    def verify_(self) -> None:
        """Whether the types fit is known where sizes are."""
        if not self.has_open_sizes:
            self.verify_types()

    def verify_types(self) -> None:
        """The types of operands and results fit."""

    def verify_inferred(self, element: Attribute) -> None:
        """The first result has the sizes that follow, and these elements."""
        self.verify_result(self.inferred_shapes()[0], element)

    def verify_counts(self, operands: int, results: int = 1) -> None:
        """There are as many operands and results as the op takes and gives."""
        for what, count, expected in (
            ("operand", len(self.values), operands),
            ("result", len(self.outputs), results),
        ):
            if count != expected:
                plural = "" if expected == 1 else "s"
                raise VerifyException(
                    f"expected {expected} {what}{plural}, but got {count}"
                )

    def verify_result(self, shape: Sequence[int], element: Attribute) -> None:
        """The first result has these sizes and elements."""
        expected = TensorType(element, shape)
        actual = tensor_type(self.outputs[0])
        if actual.get_shape() != tuple(shape) or actual.element_type != element:
            raise VerifyException(f"expected a result of type {expected}, got {actual}")


class PrettyOp(StableHLOOp, ABC):
    """An op whose text is operands, clauses, attributes and types."""

    ARITY: ClassVar[int | None] = 1
    """How many operands there are; None: any number."""

    CLAUSES: ClassVar[Sequence[Clause]] = ()
    TYPES: ClassVar[Types] = Types.FUNCTION

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        operands = parse_operands(parser)
        attributes = parse_clauses(parser, cls.CLAUSES, has_comma=bool(operands))
        return finish(cls, parser, operands, attributes, cls.TYPES)

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        print_clauses(printer, self, self.CLAUSES, has_comma=bool(self.values))
        print_end(printer, self, self.TYPES)

    @override
    def verify_(self) -> None:
        if self.ARITY is not None:
            self.verify_counts(self.ARITY)
        super().verify_()


def tensor_type(value: SSAValue) -> TensorType[Attribute]:
    """The type of a value that an op's definition says to be a ranked tensor."""
    return cast("TensorType[Attribute]", value.type)


# Reading.


def parse_operands(parser: Parser) -> Sequence[UnresolvedOperand]:
    """`%0, %1`, as long as a comma is followed by a value."""
    first = parser.parse_optional_unresolved_operand()
    operands: list[UnresolvedOperand] = []
    while first is not None:
        operands.append(first)
        if not _parse_comma_before_value(parser):
            break
        first = parser.parse_optional_unresolved_operand()
    return operands


def _parse_comma_before_value(parser: Parser) -> bool:
    """Read a comma if a value follows; otherwise leave the comma where it is."""
    start = parser.pos
    content = parser.lexer.input.content
    rest = content[start : start + 80].lstrip()
    if not rest.startswith(","):
        return False
    if not rest[1:].lstrip().startswith("%"):
        return False
    parser.parse_punctuation(",")
    return True


def parse_clauses(
    parser: Parser, clauses: Sequence[Clause], *, has_comma: bool
) -> dict[str, Attribute]:
    """`, dims = [0], dim = 1`."""
    attributes: dict[str, Attribute] = {}
    for clause in clauses:
        if has_comma:
            parser.parse_punctuation(",")
        has_comma = True
        if clause.is_list:
            attributes[clause.attribute] = parse_integers(parser, clause.keyword)
        else:
            parser.parse_keyword(clause.keyword)
            parser.parse_punctuation("=")
            value = parser.parse_integer()
            attributes[clause.attribute] = IntegerAttr(value, i64)
    return attributes


def parse_types(parser: Parser, count: int, types: Types | ParseShort) -> TypeLists:
    """The types of operands and results, behind the colon."""
    parser.parse_punctuation(":")
    if types is Types.RESULT:
        return (), [parser.parse_type()]
    if types is Types.LISTED:
        listed = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
        return listed, listed
    if types is Types.ARROW:
        listed = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
        parser.parse_punctuation("->")
        return listed, _parse_results(parser)
    function = parser.parse_optional_function_type()
    if function is not None:
        return function.inputs.data, function.outputs.data
    if callable(types):
        return types(parser)
    same = parser.parse_type()
    return [same] * count, [same]


def _parse_results(parser: Parser) -> Sequence[Attribute]:
    listed = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_type
    )
    return [parser.parse_type()] if listed is None else listed


def finish(
    op_type: type[Any],
    parser: Parser,
    operands: Sequence[UnresolvedOperand],
    attributes: dict[str, Attribute],
    types: Types | ParseShort,
) -> Any:
    """Read attributes and types, and build the op."""
    start = parser.pos
    attributes |= parser.parse_optional_attr_dict()
    inputs, results = parse_types(parser, len(operands), types)
    values = parser.resolve_operands(operands, inputs, start)
    properties, rest = split_properties(op_type, attributes)
    return op_type.build(
        operands=[values],
        result_types=[results],
        properties=properties,
        attributes=rest,
    )


# Printing.


def print_operands(printer: Printer, values: Sequence[SSAValue]) -> None:
    """` %0, %1`."""
    if values:
        printer.print_string(" ")
        printer.print_list(values, printer.print_ssa_value)


def print_clauses(
    printer: Printer, op: StableHLOOp, clauses: Sequence[Clause], *, has_comma: bool
) -> None:
    """`, dims = [0], dim = 1`."""
    for clause in clauses:
        printer.print_string(", " if has_comma else " ")
        has_comma = True
        printer.print_string(f"{clause.keyword} = ")
        if clause.is_list:
            print_numbers(printer, op.ints(clause.attribute))
        else:
            printer.print_string(str(op.integer(clause.attribute)))


def print_numbers(printer: Printer, numbers: Sequence[int]) -> None:
    """`[0, 1]`."""
    with printer.in_square_brackets():
        printer.print_list(numbers, lambda each: printer.print_string(str(each)))


def print_end(printer: Printer, op: StableHLOOp, types: Types, *hidden: str) -> None:
    """Attributes that are not shown yet, and types."""
    clauses = getattr(op, "CLAUSES", ())
    shown = (*hidden, *(clause.attribute for clause in clauses))
    printer.print_op_attributes(shown_attributes(op, *shown))
    printer.print_string(" : ")
    print_types(printer, op, types)


def print_types(printer: Printer, op: StableHLOOp, types: Types) -> None:
    """The types of operands and results."""
    inputs, results = op.values.types, op.outputs.types
    are_same = len(results) == 1 and all(each == results[0] for each in inputs)
    if types is Types.LISTED:
        printer.print_list(inputs, printer.print_attribute)
    elif types is Types.RESULT or (types is Types.SAME and are_same):
        printer.print_attribute(results[0])
    elif types is Types.ARROW:
        printer.print_list(inputs, printer.print_attribute)
        printer.print_string(" -> ")
        _print_results(printer, results)
    else:
        with printer.in_parens():
            printer.print_list(inputs, printer.print_attribute)
        printer.print_string(" -> ")
        _print_results(printer, results)


def _print_results(printer: Printer, types: Sequence[Attribute]) -> None:
    if len(types) == 1:
        printer.print_attribute(types[0])
        return
    with printer.in_parens():
        printer.print_list(types, printer.print_attribute)
