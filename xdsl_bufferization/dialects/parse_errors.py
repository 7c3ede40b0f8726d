"""What cannot be right is an error where it is written.

While xDSL 0.74 parses, a type that does not verify, or operands whose types contradict
the op, raise a `VerifyException` without a place, and a product of two indices in an
affine subscript a `NotImplementedError`. Here these get a place: the type, attribute or
op. A value that nobody defines is an error where it is used, not where the file ends.

    func.func private @f(memref<4xf32, f32>)
                         ^^^^^^^^^^^^^^^^^^ unsupported memory space Attribute
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Span

_Parse = TypeVar("_Parse", bound=Callable[..., Any])

_FIRST_USES = "first_uses_of_undefined_values"
"""The attribute of a parser that holds where a name stands that is not defined yet."""

_UNDEFINED = "values used but not defined"
"""How xDSL's message begins that says so at the end of the file."""

_resolve_in_xdsl = Parser.resolve_operand
_parse_module_in_xdsl = Parser.parse_module


@cache
def locate_parse_errors() -> None:
    """Correct xDSL's parsers; once in a process."""
    AttrParser.parse_optional_attribute = _located(AttrParser.parse_optional_attribute)
    AttrParser.parse_optional_type = _located(AttrParser.parse_optional_type)
    Parser.parse_operation = _located(Parser.parse_operation)
    Parser.resolve_operand = _resolve_operand
    Parser.parse_module = _parse_module


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


def _resolve_operand(
    self: Parser, operand: UnresolvedOperand, type: Attribute
) -> SSAValue[Any]:
    name = operand.operand_name
    if name not in self.ssa_values and name not in self.forward_ssa_references:
        uses: dict[str, Span] = vars(self).setdefault(_FIRST_USES, {})
        uses[name] = operand.span
    return _resolve_in_xdsl(self, operand, type)


def _parse_module(self: Parser, *arguments: Any, **options: Any) -> ModuleOp:
    try:
        return _parse_module_in_xdsl(self, *arguments, **options)
    except ParseError as error:
        if error.msg.startswith(_UNDEFINED):
            name = next(iter(self.forward_ssa_references))
            place = vars(self)[_FIRST_USES][name]
            self.raise_error(f"use of undeclared SSA value name %{name}", place)
        raise
