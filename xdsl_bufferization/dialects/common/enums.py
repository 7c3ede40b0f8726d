"""Attributes written as a name in angle brackets: `#vector.punctuation<comma>`.

xDSL's `EnumAttribute` has no brackets. A class is derived from both:

    class PunctuationAttr(InAngleBrackets, EnumAttribute[Punctuation]):
"""

from typing import Any, ClassVar, cast

from typing_extensions import override
from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    UniqueBaseAttributeVariable,
    irdl_custom_directive,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class InAngleBrackets:
    """The text of an enumeration attribute, with brackets."""

    enum_type: ClassVar[type[StrEnum]]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        """Parse `<name>`."""
        with parser.in_angle_brackets():
            return parser.parse_str_enum(cls.enum_type)

    def print_parameter(self, printer: Printer) -> None:
        """Print `<name>`."""
        with printer.in_angle_brackets():
            printer.print_string(cast(EnumAttribute[Any], self).data.value)


@irdl_custom_directive
class Name(CustomDirective):
    """A member of an enumeration by its name alone."""

    member: UniqueBaseAttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        kind: Any = self.member.unique_base
        self.member.set(state, kind(parser.parse_str_enum(kind.enum_type)))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        member: Any = self.member.get(op)
        state.print_whitespace(printer)
        printer.print_string(member.data.value)
