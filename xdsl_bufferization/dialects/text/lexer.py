"""Tokens of MLIR's text, found in time that is linear in the length of the text.

    "a string of 26 characters that does not end

xDSL 0.74 tries all ways to cut a string into pieces before it says that the string does
not end. The time doubles with each character: 26 characters take 13 seconds. Here a
character that was read is never given back.

xDSL gives a long number in decimals to Python, which refuses it in words of Python's.
Python takes quadratic time for such a number. Here the number is refused at its place.
"""

import re
from typing import Final

from typing_extensions import override
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind, StringLiteral

from .tokens import BETWEEN, LightToken, next_token

MOST_DIGITS: Final = 4000
"""The longest number in decimals; Python takes no longer ones than 4300 digits."""

_BETWEEN: Final = re.compile(BETWEEN)
STRING: Final = re.compile(
    r'"[^"\\\n\v\f]*(?:\\(?:["nt\\]|[0-9A-Fa-f]{2})[^"\\\n\v\f]*)*"'
)
"""A string; a character that was read is never given back."""

_DECIMAL: Final = re.compile(r"[0-9]+(?![0-9.])")


class LinearLexer(MLIRLexer):
    """A lexer that never reads a character of a token twice."""

    @override
    def lex(self) -> LightToken:
        token = next_token(self.input, self.pos)
        if token is None or token.end - token.start > MOST_DIGITS:
            token = self._lex_rare_token()
        self.pos = token.end
        return token

    def _lex_rare_token(self) -> LightToken:
        """A token that is long, has escapes, or is none, which is an error."""
        between = _BETWEEN.match(self.input.content, self.pos)
        start = self.pos if between is None else between.end()
        text = self.input.content
        if text.startswith('"', start):
            return self._lex_string(start)
        if text.startswith('@"', start):
            string = self._lex_string(start + 1)
            name = text[start : string.end]
            return LightToken(
                MLIRTokenKind.AT_IDENT, start, string.end, name, self.input
            )
        self._refuse_long_number(start)
        self.pos = start
        found = super().lex()
        span = found.span
        return LightToken(found.kind, span.start, span.end, span.text, span.input)

    def _lex_string(self, start: Position) -> LightToken:
        """A string; one with bytes of another encoding is of another kind."""
        found = STRING.match(self.input.content, start)
        if found is None:
            message = "End of file reached before closing string literal."
            raise ParseError(Span(start, start + 1, self.input), message)
        end, text = found.end(), found[0]
        kind = MLIRTokenKind.STRING_LIT
        if "\\" in text:
            literal = StringLiteral(start, end, self.input)
            if not literal.bytes_contents.isascii():
                kind = MLIRTokenKind.BYTES_LIT
        return LightToken(kind, start, end, text, self.input)

    def _refuse_long_number(self, start: Position) -> None:
        number = _DECIMAL.match(self.input.content, start)
        if number is not None and number.end() - start > MOST_DIGITS:
            raise ParseError(
                Span(start, number.end(), self.input),
                f"a number in decimals has at most {MOST_DIGITS} digits; write this "
                "number in hexadecimals",
            )
