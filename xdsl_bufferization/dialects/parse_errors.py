"""What cannot be right is an error where it is written.

While xDSL 0.74 parses, a type that does not verify, or operands whose types contradict
the op, raise a `VerifyException` without a place, and a product of two indices in an
affine subscript a `NotImplementedError`. Here these get a place: the type, attribute or
op.

    func.func private @f(memref<4xf32, f32>)
                         ^^^^^^^^^^^^^^^^^^ unsupported memory space Attribute
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from xdsl.parser import AttrParser, Parser
from xdsl.utils.exceptions import VerifyException

_Parse = TypeVar("_Parse", bound=Callable[..., Any])


@cache
def locate_parse_errors() -> None:
    """Correct xDSL's parsers; once in a process."""
    AttrParser.parse_optional_attribute = _located(AttrParser.parse_optional_attribute)
    AttrParser.parse_optional_type = _located(AttrParser.parse_optional_type)
    Parser.parse_operation = _located(Parser.parse_operation)


def _located(parse: _Parse) -> _Parse:
    """The same parser, whose errors have the place of what it parses."""

    def parse_here(parser: AttrParser) -> object:
        start = parser.pos
        try:
            return parse(parser)
        # The operators of affine expressions raise the former for what is not affine.
        except (NotImplementedError, VerifyException) as error:
            parser.raise_error(str(error), start, parser.pos)

    return cast("_Parse", parse_here)
