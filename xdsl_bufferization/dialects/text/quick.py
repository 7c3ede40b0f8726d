"""A parser that looks at the next token directly.

    if parser.parse_optional_punctuation("(") is not None: ...

In xDSL 0.74, that question is six calls: one checks the spelling, one looks up its
kind, two get the token, one compares, and one moves on. Here it is one call. What is
read, and each error with its place, are as in xDSL.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.lexer import Input, Position, Span
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRTokenKind,
    PunctuationSpelling,
    StringLiteral,
)

from .lexer import LinearLexer
from .tokens import LightToken

_T = TypeVar("_T")

_BARE_IDENT = MLIRTokenKind.BARE_IDENT
_PERCENT_IDENT = MLIRTokenKind.PERCENT_IDENT
_OF_OPS: Final = (_PERCENT_IDENT, _BARE_IDENT, MLIRTokenKind.STRING_LIT)
"""With what ops begin."""

_DECIMAL: Final = re.compile(r"[0-9]+")


class LightState(ParserState[MLIRTokenKind, str]):
    """Where a parser is; all tokens are light ones."""

    lexer: LinearLexer  # pyright: ignore[reportIncompatibleVariableOverride], nobody assigns it
    current_token: LightToken  # pyright: ignore[reportIncompatibleVariableOverride], of that lexer


class LightOperand(UnresolvedOperand):
    """The name of an operand; the object for its place is made for errors."""

    __slots__ = ("index", "operand_name", "token")

    def __init__(self, token: LightToken, index: int) -> None:
        self.token = token
        self.index = index
        self.operand_name = token.text[1:]  # pyright: ignore[reportIncompatibleMethodOverride,reportAttributeAccessIssue], a slot for a property

    @property
    @override
    def span(self) -> Span[str]:  # pyright: ignore[reportIncompatibleVariableOverride], it is read only
        """Where the name is, without a number behind it."""
        return self.token.span


class QuickParser(Parser):
    """xDSL's parser of single tokens, lists and operands, in fewer steps."""

    def __init__(
        self, ctx: Context, input: str | bytes, name: str = "<unknown>"
    ) -> None:
        super().__init__(ctx, "", name)
        text = input.decode("utf-8") if isinstance(input, bytes) else input
        self.reading = LightState(LinearLexer(Input(text, name)))
        """Where the parser is: the state that it shares with all methods of xDSL."""
        # The parser of attributes is the one that takes a state.
        AttrParser.__init__(self, self.reading, ctx)

    # Single tokens.

    @property
    @override
    def pos(self) -> Position:
        return self.reading.current_token.start

    def take_token(self) -> LightToken:
        """The current token; the parser goes on to the next one."""
        state = self.reading
        token = state.current_token
        state.current_token = state.lexer.lex()
        return token

    def take_optional(self, kind: MLIRTokenKind) -> LightToken | None:
        """The current token if it is of a kind; the parser then goes on."""
        state = self.reading
        token = state.current_token
        if token.kind is not kind:
            return None
        state.current_token = state.lexer.lex()
        return token

    def take(self, kind: MLIRTokenKind, message: str) -> LightToken:
        """The current token, which has to be of a kind; the parser goes on."""
        token = self.take_optional(kind)
        if token is None:
            self.raise_error(message)
        return token

    def go_to(self, position: Position) -> None:
        """Go on reading with the token that begins at, or after, a position."""
        state = self.reading
        state.lexer.pos = position
        state.current_token = state.lexer.lex()

    @override
    def parse_optional_punctuation(
        self, punctuation: PunctuationSpelling
    ) -> PunctuationSpelling | None:
        state = self.reading
        if state.current_token.kind is not KIND_BY_PUNCTUATION_SPELLING[punctuation]:
            return None
        state.current_token = state.lexer.lex()
        return punctuation

    @override
    def parse_punctuation(
        self, punctuation: PunctuationSpelling, context_msg: str = ""
    ) -> PunctuationSpelling:
        if self.parse_optional_punctuation(punctuation) is None:
            self.raise_error(f"Expected '{punctuation}'{context_msg}")
        return punctuation

    @override
    def parse_optional_characters(self, text: str) -> str | None:
        state = self.reading
        if state.current_token.text != text:
            return None
        state.current_token = state.lexer.lex()
        return text

    @override
    def parse_optional_keyword(self, keyword: str) -> str | None:
        state = self.reading
        token = state.current_token
        if token.text != keyword or token.kind is not _BARE_IDENT:
            return None
        state.current_token = state.lexer.lex()
        return keyword

    @override
    def parse_optional_str_literal(self) -> str | None:
        token = self.reading.current_token
        if token.kind is MLIRTokenKind.BYTES_LIT:
            return self._read_encoded()
        if token.kind is not MLIRTokenKind.STRING_LIT:
            return None
        text = token.text
        if "\\" in text or not text.isascii():
            return super().parse_optional_str_literal()
        self.take_token()
        return text[1:-1]

    def _read_encoded(self) -> str | None:
        r"""A string whose letters are written as bytes of UTF-8: `"\C3\A9"` is `"é"`.

        So are letters beyond ASCII printed. xDSL 0.75 takes no such text for a string.
        None if the bytes are no letters.
        """
        literal = self.reading.current_token.span
        assert isinstance(literal, StringLiteral)
        try:
            text = literal.string_contents
        except UnicodeDecodeError:
            return None
        self.take_token()
        return text

    @override
    def parse_optional_integer(
        self, allow_boolean: bool = True, allow_negative: bool = True
    ) -> int | None:
        token = self.reading.current_token
        if token.kind is MLIRTokenKind.INTEGER_LIT and token.text.isdecimal():
            self.take_token()
            return int(token.text)
        return super().parse_optional_integer(allow_boolean, allow_negative)

    @override
    def parse_optional_boolean(self) -> bool | None:
        token = self.reading.current_token
        if token.kind is not _BARE_IDENT or token.text not in ("false", "true"):
            return None
        self.take_token()
        return token.text == "true"

    @override
    def parse_optional_identifier(self) -> str | None:
        token = self.take_optional(_BARE_IDENT)
        return None if token is None else token.text

    @override
    def parse_optional_symbol_name(self) -> StringAttr | None:
        token = self.reading.current_token
        if token.kind is not MLIRTokenKind.AT_IDENT or token.text.startswith('@"'):
            return super().parse_optional_symbol_name()
        self.take_token()
        return StringAttr(token.text[1:])

    @override
    def parse_optional_operation(self) -> Operation | None:
        if self.reading.current_token.kind not in _OF_OPS:
            return None
        return self.parse_operation()

    def read_optional_number(self) -> tuple[int | float, Span] | None:
        """A number, `true` or `false`, with its place; nothing is read of others."""
        first = self.reading.current_token
        token = first
        if first.kind is MLIRTokenKind.MINUS:
            self.take_token()
            token = self.reading.current_token
        match token.kind:
            case MLIRTokenKind.BARE_IDENT if token.text in ("false", "true"):
                value = None if token is not first else token.text == "true"
            case MLIRTokenKind.INTEGER_LIT:
                value = token.kind.get_int_value(token.span)
            case MLIRTokenKind.FLOAT_LIT:
                value = float(token.text)
            case _:
                value = None
        if value is None:
            if token is not first:
                self.go_to(first.start)
            return None
        self.take_token()
        if token is first:
            return value, token.span
        return -value, Span(first.start, token.end, token.input)

    # Lists.

    @override
    def parse_list(
        self,
        delimiter: Parser.Delimiter,
        parse: Callable[[], _T],
        separator: str = ",",
        context_msg: str = "",
    ) -> list[_T]:
        brackets = delimiter.value
        if brackets is not None:
            self.parse_characters(brackets[0], context_msg)
            if self.parse_optional_characters(brackets[1]) is not None:
                return []
        elements = [parse()]
        state = self.reading
        while state.current_token.text == separator:
            state.current_token = state.lexer.lex()
            elements.append(parse())
            state = self.reading
        if brackets is not None:
            self.parse_characters(brackets[1], context_msg)
        return elements

    # Operands.

    @override
    def parse_optional_unresolved_operand(self) -> UnresolvedOperand | None:
        state = self.reading
        token = state.current_token
        if token.kind is not _PERCENT_IDENT:
            return None
        following = state.current_token = state.lexer.lex()
        if following.kind is MLIRTokenKind.HASH_IDENT:
            return LightOperand(token, self._parse_number_of_result())
        return LightOperand(token, 0)

    def _parse_number_of_result(self) -> int:
        token = self.take_token()
        digits = token.text[1:]
        if _DECIMAL.fullmatch(digits) is None:
            self.raise_error("Expected integer as SSA value tuple index", token.span)
        return int(digits, 10)

    @override
    def parse_unresolved_operand(
        self, msg: str = "operand expected"
    ) -> UnresolvedOperand:
        operand = self.parse_optional_unresolved_operand()
        if operand is None:
            self.raise_error(msg)
        return operand

    @override
    def resolve_operands(
        self,
        args: Sequence[UnresolvedOperand],
        input_types: Sequence[Attribute],
        error_pos: Position,
    ) -> Sequence[SSAValue]:
        if len(args) != len(input_types):
            return super().resolve_operands(args, input_types, error_pos)
        resolve = self.resolve_operand
        return [resolve(*each) for each in zip(args, input_types, strict=True)]

    @override
    def resolve_operand(
        self, operand: UnresolvedOperand, type: Attribute
    ) -> SSAValue[Attribute]:
        values = self.ssa_values.get(operand.operand_name)
        if values is not None and operand.index < len(values):
            value = values[operand.index]
            known = value.type
            if known is type or known == type:
                return value
        return super().resolve_operand(operand, type)
