"""Attributes and types that dialects define, and aliases.

    !llvm.ptr<1>   #stablehlo.bounds<4>   !alias   #dialect<name<...>>

What nobody defines is kept as its text, up to the bracket that ends it.

Source: https://mlir.llvm.org/docs/LangRef/#dialect-types
"""

import re
from functools import cache
from typing import Any, Final, cast

from typing_extensions import override
from xdsl.dialects.builtin import UnregisteredAttr
from xdsl.ir import Attribute, Data, ParametrizedAttribute, TypeAttribute
from xdsl.parser import AttrParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .lexer import LinearLexer
from .quick import QuickParser

_PIECE: Final = re.compile(r'->|"(?:[^"\\]|\\.)*("?)|[<>()\[\]{}]', re.DOTALL)
"""What counts for where a text ends; a string that does not end has no last quote."""

_OPENED_BY: Final = {">": "<", ")": "(", "]": "[", "}": "{"}


class DialectSymbolParser(QuickParser):
    """A parser of attributes and types of dialects, which are told by their names."""

    @override
    def parse_optional_type(self) -> TypeAttribute | None:
        name = self.take_optional(MLIRTokenKind.EXCLAMATION_IDENT)
        if name is None:
            return super().parse_optional_type()
        return cast(TypeAttribute, self.read_symbol(name.text[1:], is_type=True))

    @override
    def parse_optional_attribute(self) -> Attribute | None:
        name = self.take_optional(MLIRTokenKind.HASH_IDENT)
        if name is None:
            return super().parse_optional_attribute()
        return self.read_symbol(name.text[1:], is_type=False)

    def read_symbol(self, name: str, *, is_type: bool) -> Attribute:
        """What a name stands for, which was read without its first character."""
        if "." in name:
            return self.read_body(name, None, is_type=is_type)
        if self.parse_optional_punctuation("<") is None:
            alias = f"{'!' if is_type else '#'}{name}"
            if alias not in self.attribute_aliases:
                self.raise_error(f"undefined symbol alias '{alias}'")
            return self.attribute_aliases[alias]
        short = self.take(MLIRTokenKind.BARE_IDENT, "Expected attribute name.")
        attribute = self.read_body(f"{name}.{short.text}", short.end, is_type=is_type)
        self.parse_punctuation(">")
        return attribute

    def read_body(
        self, name: str, start: Position | None, *, is_type: bool
    ) -> Attribute:
        """An attribute or a type whose name was read.

        The name may stand in the brackets itself: then its text begins at `start`.
        """
        find = self.ctx.get_optional_type if is_type else self.ctx.get_optional_attr
        definition = find(name)
        if definition is None:
            self.raise_error(f"'{name}' is not registered")
        if issubclass(definition, UnregisteredAttr):
            body = self.read_text() if start is None else self._read_text_from(start)
            return definition(name, is_type, start is not None, body)
        if issubclass(definition, ParametrizedAttribute):
            return definition.new(definition.parse_parameters(self))
        assert issubclass(definition, Data), "attributes have parameters or data"
        of_data = cast("type[Data[Any]]", definition)
        return of_data(of_data.parse_parameter(self))

    def read_text(self) -> str:
        """The text in brackets, if there are any; without the brackets."""
        if self.reading.current_token.kind is not MLIRTokenKind.LESS:
            return ""
        return read_bracketed_text(self)

    def _read_text_from(self, start: Position) -> str:
        """The text from `start` up to the bracket that ends it, which is left."""
        end = _end_of_text(self, start)
        self.go_to(end)
        return self.lexer.input.content[start:end]


@cache
def _kept_as(name: str) -> type[UnregisteredAttr]:
    return UnregisteredAttr.with_name_and_type(name, False)


def kept_attribute(name: str, text: str) -> Attribute:
    """An attribute that is kept as it is written: `#name<text>`."""
    return _kept_as(name)(name, False, False, text)


def read_bracketed_text(parser: AttrParser) -> str:
    """Read the text in angle brackets; it is returned without the brackets."""
    start, content = parser.pos, parser.lexer.input.content
    if not content.startswith("<", start):
        parser.raise_error("'<' expected")
    end = _end_of_text(parser, start + 1)
    if isinstance(parser, QuickParser):
        parser.go_to(end + 1)
    else:
        _skip_tokens(parser, end + 1)
    return content[start + 1 : end]


def _end_of_text(parser: AttrParser, start: Position) -> Position:
    """Where the bracket is that ends the text from `start` on."""
    opened: list[str] = []
    for piece in _PIECE.finditer(parser.lexer.input.content, start):
        text, at = piece[0], piece.start()
        if text in "<([{":
            opened.append(text)
        elif text == ">" and not opened:
            return at
        elif text in _OPENED_BY:
            if not opened or opened.pop() != _OPENED_BY[text]:
                parser.raise_error(f"Unbalanced '{text}' in dialect symbol body", at)
        elif text != "->" and not piece[1]:
            message = "Unterminated string literal in dialect symbol body"
            parser.raise_error(message, at)
    at = parser.pos
    message = "Unexpected end of file in dialect symbol body"
    raise ParseError(Span(at, at, parser.lexer.input), message)


def _skip_tokens(parser: AttrParser, position: Position) -> None:
    """Let a parser of anybody go on at a position, token by token."""
    lexer = LinearLexer(parser.lexer.input)
    while parser.pos < position:
        lexer.pos = parser.pos
        parser.parse_characters(lexer.lex().text)
