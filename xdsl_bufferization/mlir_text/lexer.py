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
from xdsl.context import Context
from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Block, BlockArgument
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Position
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind

MOST_DIGITS = 4000
"""The longest number in decimals; Python takes no longer ones than 4300 digits."""


class LinearLexer(MLIRLexer):
    """A lexer that never reads a character of a token twice."""

    _unescaped_characters_regex = re.compile(
        r'"[^"\\\n\v\f]*(?:\\(?:["nt\\]|[0-9A-Fa-f]{2})[^"\\\n\v\f]*)*"'
    )

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


class LinearParser(Parser):
    """A parser with a lexer that takes linear time, also for arguments of blocks."""

    def __init__(
        self, ctx: Context, input: str | bytes, name: str = "<unknown>"
    ) -> None:
        super().__init__(ctx, "", name)
        text = input.decode("utf-8") if isinstance(input, bytes) else input
        self._parser_state = ParserState(LinearLexer(Input(text, name)))

    @override
    def _parse_optional_block_arg_list(self, block: Block) -> Block | None:
        if self._current_token.kind != MLIRTokenKind.L_PAREN:
            return None
        arguments: list[BlockArgument] = []

        def parse_argument() -> None:
            name = self._parse_token(
                MLIRTokenKind.PERCENT_IDENT, "block argument expected"
            ).span
            self.parse_punctuation(":")
            type_ = self.parse_attribute()
            location = self.parse_optional_location() or UnknownLoc()
            argument = BlockArgument(type_, block, len(arguments), location)
            arguments.append(argument)
            self._register_ssa_definition(name.text[1:], (argument,), name)

        self.parse_comma_separated_list(self.Delimiter.PAREN, parse_argument)
        # xDSL makes a new tuple of all arguments for each argument.
        block._args = tuple(arguments)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        return block
