"""What cannot be right is an error where it is written.

While xDSL 0.74 parses, a type that does not verify, or operands whose types contradict
the op, raise a `VerifyException` without a place, and a product of symbols in an affine
map a `NotImplementedError`. Here these get a place: the type, attribute or op.

    func.func private @f(memref<4xf32, f32>)
                         ^^^^^^^^^^^^^^^^^^ unsupported memory space Attribute
"""

from functools import cache

from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.parser import AttrParser, Parser
from xdsl.utils.exceptions import VerifyException

_parse_optional_attribute = AttrParser.parse_optional_attribute
_parse_optional_type = AttrParser.parse_optional_type
_parse_operation = Parser.parse_operation


@cache
def locate_parse_errors() -> None:
    """Correct xDSL's parsers; once in a process."""
    AttrParser.parse_optional_attribute = _parse_optional_attribute_here
    AttrParser.parse_optional_type = _parse_optional_type_here
    Parser.parse_operation = _parse_operation_here


def _parse_optional_attribute_here(self: AttrParser) -> Attribute | None:
    start = self.pos
    try:
        return _parse_optional_attribute(self)
    except (NotImplementedError, VerifyException) as error:
        self.raise_error(str(error), start, self.pos)


def _parse_optional_type_here(self: AttrParser) -> TypeAttribute | None:
    start = self.pos
    try:
        return _parse_optional_type(self)
    except (NotImplementedError, VerifyException) as error:
        self.raise_error(str(error), start, self.pos)


def _parse_operation_here(self: Parser) -> Operation:
    start = self.pos
    try:
        return _parse_operation(self)
    except (NotImplementedError, VerifyException) as error:
        self.raise_error(str(error), start, self.pos)
