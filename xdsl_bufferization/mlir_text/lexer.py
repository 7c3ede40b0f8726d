"""Tokens of MLIR's text, found in time that is linear in the length of the text.

    "a string of 26 characters that does not end

xDSL 0.74 tries all ways to cut a string into pieces before it says that the string does
not end. The time doubles with each character: 26 characters take 13 seconds. Here a
character that was read is never given back.

xDSL gives a long number in decimals to Python, which refuses it in words of Python's.
Python takes quadratic time for such a number. Here the number is refused at its place.
"""

import re

from typing_extensions import override
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Position
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind

from xdsl_bufferization.mlir_text.tokens import LightToken, next_token

MOST_DIGITS = 4000
"""The longest number in decimals; Python takes no longer ones than 4300 digits."""


class LinearLexer(MLIRLexer):
    """A lexer that never reads a character of a token twice."""

    _unescaped_characters_regex = re.compile(
        r'"[^"\\\n\v\f]*(?:\\(?:["nt\\]|[0-9A-Fa-f]{2})[^"\\\n\v\f]*)*"'
    )

    @override
    def lex(self) -> LightToken:
        token = next_token(self.input, self.pos)
        if token is None or token.end - token.start > MOST_DIGITS:
            found = super().lex()
            span = found.span
            return LightToken(found.kind, span.start, span.end, span.text, span.input)
        self.pos = token.end
        return token

    @override
    def _lex_number(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_number(start_pos)
        if (
            token.kind is MLIRTokenKind.INTEGER_LIT
            and self.pos - start_pos > MOST_DIGITS
            and not self.input.content.startswith("0x", start_pos)
        ):
            raise ParseError(
                token.span,
                f"a number in decimals has at most {MOST_DIGITS} digits; write this "
                "number in hexadecimals",
            )
        return token
