"""How reshapes name the dimensions that they split and merge.

memref.collapse_shape %m [[0, 1], [2]] : memref<2x2x8xf32> into memref<4x8xf32>

xDSL 0.74 writes a type after every number. Source:
https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcollapse_shape-memrefcollapseshapeop
"""

from typing_extensions import override
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i64
from xdsl.dialects.utils.reshape_ops_utils import ArrayOfIntArrayAttr
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.hints import isa


@irdl_custom_directive
class Reassociation(CustomDirective):
    """For each dimension of the smaller shape, those of the larger: `[[0, 1], [2]]`."""

    groups: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        groups = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: _parse_group(parser)
        )
        self.groups.set(state, ArrayAttr(groups))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        groups = self.groups.get(op)
        assert isa(groups, ArrayOfIntArrayAttr)
        with printer.in_square_brackets():
            printer.print_list(groups, lambda group: _print_group(printer, group))


def _parse_group(parser: Parser) -> ArrayAttr[IntegerAttr]:
    numbers = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _parse_number(parser)
    )
    return ArrayAttr(IntegerAttr(number, i64) for number in numbers)


def _parse_number(parser: Parser) -> int:
    number = parser.parse_integer(allow_boolean=False)
    if parser.parse_optional_punctuation(":") is not None:
        # As xDSL writes it.
        parser.parse_keyword("i64")
    return number


def _print_group(printer: Printer, group: ArrayAttr[IntegerAttr]) -> None:
    with printer.in_square_brackets():
        printer.print_list(group, lambda number: printer.print_int(number.value.data))
