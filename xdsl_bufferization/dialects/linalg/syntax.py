"""The parts that the assembly of linalg's ops is made of.

    linalg.add {hint} ins(%a, %b : tensor<4xf32>, tensor<4xf32>)
        outs(%c : tensor<4xf32>) -> tensor<4xf32>

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#operations
"""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

NOT_PRINTED = (
    "indexing_maps",
    "iterator_types",
    "linalg.memoized_indexing_maps",
    "operandSegmentSizes",
)
"""Attributes that the assembly shows elsewhere or derives."""


def parse_operands(parser: Parser, keyword: str) -> Sequence[SSAValue]:
    """`keyword(%a, %b : type, type)`, or nothing."""
    if parser.parse_optional_keyword(keyword) is None:
        return ()
    start = parser.pos
    with parser.in_parens():
        operands = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        if operands is None:
            return ()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
    return parser.resolve_operands(operands, types, start)


def print_operands(
    printer: Printer, keyword: str, operands: Sequence[SSAValue]
) -> None:
    """` keyword(%a, %b : type, type)`, or nothing."""
    if not operands:
        return
    printer.print_string(f" {keyword}(")
    printer.print_list(operands, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_list(operands, lambda operand: printer.print_attribute(operand.type))
    printer.print_string(")")


def parse_result_types(parser: Parser) -> Sequence[Attribute]:
    """`-> type`, `-> (type, type)`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return ()
    types = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_type
    )
    if types is not None:
        return types
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)


def print_result_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """` -> type`, ` -> (type, type)`, or nothing."""
    if not types:
        return
    printer.print_string(" -> ")
    if len(types) == 1:
        printer.print_attribute(types[0])
        return
    with printer.in_parens():
        printer.print_list(types, printer.print_attribute)


def parse_optional_indexing_maps(parser: Parser) -> ArrayAttr[AffineMapAttr] | None:
    """`indexing_maps = [map, map]`, or nothing."""
    if parser.parse_optional_keyword("indexing_maps") is None:
        return None
    parser.parse_punctuation("=")
    start = parser.pos
    maps = parser.parse_attribute()
    if not isa(maps, ArrayAttr[AffineMapAttr]):
        parser.raise_error("expected an array of affine maps", start, parser.pos)
    return maps


def print_indexing_maps(printer: Printer, maps: Attribute) -> None:
    """` indexing_maps = [map, map]`."""
    printer.print_string(" indexing_maps = ")
    printer.print_attribute(maps)


def parse_integers(parser: Parser, keyword: str) -> DenseArrayBase:
    """`keyword = [1, 2]`."""
    parser.parse_keyword(keyword)
    parser.parse_punctuation("=")
    values = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_integer
    )
    return DenseArrayBase.from_list(i64, values)


def print_integers(printer: Printer, keyword: str, values: Sequence[int]) -> None:
    """` keyword = [1, 2]`."""
    printer.print_string(f" {keyword} = ")
    with printer.in_square_brackets():
        printer.print_list(values, printer.print_int)


def shown_attributes(op: IRDLOperation, *hidden: str) -> dict[str, Attribute]:
    """The attributes and properties that the assembly shows in braces, sorted."""
    return {
        name: attribute
        for name, attribute in sorted((op.attributes | op.properties).items())
        if name not in NOT_PRINTED and name not in hidden
    }


def split_properties(
    op_type: type[IRDLOperation], attributes: Mapping[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """What of `attributes` are properties of `op_type`, and the rest, sorted."""
    names = op_type.get_irdl_definition().properties
    ordered = sorted(attributes.items())
    properties = {name: value for name, value in ordered if name in names}
    rest = {name: value for name, value in ordered if name not in names}
    return properties, rest
