"""A parser that looks at the next token directly.

    if parser.parse_optional_punctuation("(") is not None: ...

In xDSL 0.74, that question is six calls: one checks the spelling, one looks up its
kind, two get the token, one compares, and one moves on. Here it is one call. What is
read, and each error with its place, are as in xDSL.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import LocationAttr, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.lexer import Input, Position, Span
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRTokenKind,
    PunctuationSpelling,
)

from xdsl_bufferization.mlir_text.lexer import LinearLexer
from xdsl_bufferization.mlir_text.tokens import LightToken

_T = TypeVar("_T")

_BARE_IDENT = MLIRTokenKind.BARE_IDENT
_PERCENT_IDENT = MLIRTokenKind.PERCENT_IDENT
_NO_TYPES = ("false", "loc", "true", "unit")
"""Words that attributes begin with and types do not."""


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

    _parser_state: LightState  # pyright: ignore[reportIncompatibleVariableOverride], nobody assigns another

    def __init__(
        self, ctx: Context, input: str | bytes, name: str = "<unknown>"
    ) -> None:
        super().__init__(ctx, "", name)
        text = input.decode("utf-8") if isinstance(input, bytes) else input
        self._parser_state = LightState(LinearLexer(Input(text, name)))  # pyright: ignore[reportIncompatibleVariableOverride], as above

    # Single tokens.

    @property
    @override
    def pos(self) -> Position:
        return self._parser_state.current_token.start

    @override
    def _consume_token(self, expected_kind: MLIRTokenKind | None = None) -> LightToken:
        state = self._parser_state
        token = state.current_token
        assert expected_kind is None or token.kind is expected_kind, (
            f"Unexpected token {token}, expected {expected_kind}"
        )
        state.current_token = state.lexer.lex()
        return token

    @override
    def _parse_optional_token(self, expected_kind: MLIRTokenKind) -> LightToken | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            return None
        state.current_token = state.lexer.lex()
        return token

    @override
    def _parse_token(self, expected_kind: MLIRTokenKind, error_msg: str) -> LightToken:
        token = self._parse_optional_token(expected_kind)
        if token is None:
            self.raise_error(error_msg)
        return token

    @override
    def parse_optional_punctuation(
        self, punctuation: PunctuationSpelling
    ) -> PunctuationSpelling | None:
        state = self._parser_state
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
        state = self._parser_state
        if state.current_token.text != text:
            return None
        state.current_token = state.lexer.lex()
        return text

    @override
    def parse_optional_keyword(self, keyword: str) -> str | None:
        state = self._parser_state
        token = state.current_token
        if token.text != keyword or token.kind is not _BARE_IDENT:
            return None
        state.current_token = state.lexer.lex()
        return keyword

    @override
    def parse_optional_str_literal(self) -> str | None:
        token = self._parser_state.current_token
        if token.kind is not MLIRTokenKind.STRING_LIT:
            return None
        text = token.text
        if "\\" in text or not text.isascii():
            return super().parse_optional_str_literal()
        self._consume_token()
        return text[1:-1]

    @override
    def parse_optional_integer(
        self, allow_boolean: bool = True, allow_negative: bool = True
    ) -> int | None:
        token = self._parser_state.current_token
        if token.kind is MLIRTokenKind.INTEGER_LIT and token.text.isdecimal():
            self._consume_token()
            return int(token.text)
        return super().parse_optional_integer(allow_boolean, allow_negative)

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
        state = self._parser_state
        while state.current_token.text == separator:
            state.current_token = state.lexer.lex()
            elements.append(parse())
            state = self._parser_state
        if brackets is not None:
            self.parse_characters(brackets[1], context_msg)
        return elements

    # Attributes.

    @override
    def _parse_optional_builtin_attr(self) -> Attribute | None:
        # The kind of the first token says which attributes it may be.
        token = self._parser_state.current_token
        match token.kind:
            case MLIRTokenKind.BARE_IDENT if token.text not in _NO_TYPES:
                type_ = self.parse_optional_type()
                if type_ is not None:
                    return type_
                return self._parse_optional_builtin_parametrized_attr()
            case MLIRTokenKind.INTEGER_LIT | MLIRTokenKind.FLOAT_LIT:
                return self.parse_optional_builtin_int_or_float_attr()
            case MLIRTokenKind.L_SQUARE:
                return self._parse_optional_array_attr()
            case MLIRTokenKind.AT_IDENT:
                return self._parse_optional_symref_attr()
            case MLIRTokenKind.L_BRACE:
                return self._parse_optional_builtin_dict_attr()
            case MLIRTokenKind.L_PAREN | MLIRTokenKind.EXCLAMATION_IDENT:
                return self.parse_optional_type()
            case MLIRTokenKind.STRING_LIT:
                text = self.parse_optional_str_literal()
                if text is not None:
                    return StringAttr(text)
            case _:
                pass
        return super()._parse_optional_builtin_attr()

    @override
    def parse_optional_location(self) -> LocationAttr | None:
        if self._parser_state.current_token.text != "loc":
            return None
        return super().parse_optional_location()

    # Operands.

    @override
    def parse_optional_unresolved_operand(self) -> UnresolvedOperand | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not _PERCENT_IDENT:
            return None
        following = state.current_token = state.lexer.lex()
        if following.kind is MLIRTokenKind.HASH_IDENT:
            return LightOperand(token, self._parse_number_of_result())
        return LightOperand(token, 0)

    def _parse_number_of_result(self) -> int:
        token = self._consume_token()
        digits = token.text[1:]
        if self._decimal_integer_regex.fullmatch(digits) is None:
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
