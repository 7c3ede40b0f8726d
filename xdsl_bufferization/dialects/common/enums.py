"""Attributes written as a name in angle brackets: `#vector.punctuation<comma>`.

xDSL's `EnumAttribute` has no brackets. A class is derived from both:

    class PunctuationAttr(InAngleBrackets, EnumAttribute[Punctuation]):
"""

from typing import Any, ClassVar, cast

from xdsl.dialects.utils import EnumAttribute
from xdsl.parser import AttrParser
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
