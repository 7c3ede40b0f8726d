"""Regions and blocks, read in time that is linear in the length of the text.

    scf.if %c { %0 = ... }    // %0 is forgotten behind the brace

xDSL 0.74 copies the table of all values for each region, to have it back behind the
region. Here the names that a region defines are forgotten one by one. xDSL also makes a
new tuple of all arguments of a block for each argument.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NoReturn

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.parser import Parser
from xdsl.utils.exceptions import MultipleSpansParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xdsl_bufferization.mlir_text.quick import QuickParser
from xdsl_bufferization.mlir_text.tokens import LightToken


class RegionParser(QuickParser):
    """A parser that takes linear time for regions, and for arguments of blocks."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._defined: list[str] = []
        """The names of values that are known, in the order of their definitions."""

    @override
    def _register_ssa_definition(
        self, name: str, values: Sequence[SSAValue], span: Span
    ) -> None:
        if name not in self.ssa_values:
            self._defined.append(name)
        super()._register_ssa_definition(name, values, span)

    def define(self, name: LightToken, values: Sequence[SSAValue]) -> None:
        """Let a name stand for values from now on."""
        text = name.text[1:]
        if text in self.ssa_values or text in self.forward_ssa_references:
            self._register_ssa_definition(text, values, name.span)
            return
        self.ssa_values[text] = tuple(values)
        self._defined.append(text)
        if not text.isdecimal() and SSAValue.is_valid_name(text):
            for value in values:
                value.name_hint = text

    @override
    def parse_optional_region(
        self, arguments: Iterable[Parser.Argument] | None = None
    ) -> Region | None:
        if self.parse_optional_punctuation("{") is None:
            return None
        region = Region()
        # Nothing is put back after an error, as in xDSL.
        num_defined = len(self._defined)
        blocks, references = self.blocks, self.forward_block_references
        self.blocks = {}
        self.forward_block_references = defaultdict(list)
        kind = self._parser_state.current_token.kind
        if arguments is not None:
            region.add_block(self._parse_entry_block(arguments))
        elif kind not in (MLIRTokenKind.CARET_IDENT, MLIRTokenKind.R_BRACE):
            block = Block()
            self._parse_block_body(block)
            region.add_block(block)
        while self.parse_optional_punctuation("}") is None:
            region.add_block(self._parse_block())
        if self.forward_block_references:
            self._refuse_missing_blocks()
        self._forget_from(num_defined)
        self.blocks, self.forward_block_references = blocks, references
        return region

    def _parse_entry_block(self, arguments: Iterable[Parser.Argument]) -> Block:
        """A block without a label, whose arguments were read before the region."""
        arguments = tuple(arguments)
        types = [argument.type for argument in arguments]
        if self._parser_state.current_token.kind is MLIRTokenKind.CARET_IDENT:
            self.raise_error("invalid block name in region with named arguments")
        block = Block(arg_types=types)
        for value, argument in zip(block.args, arguments, strict=True):
            name = argument.name
            self._register_ssa_definition(name.text[1:], (value,), name)
            if argument.location is not None:
                value.location = argument.location
        self._parse_block_body(block)
        return block

    def _forget_from(self, number: int) -> None:
        """Forget the names that were defined after so many others."""
        for name in self._defined[number:]:
            self.ssa_values.pop(name, None)
        del self._defined[number:]

    def _refuse_missing_blocks(self) -> NoReturn:
        missing = self.forward_block_references
        start = self.pos
        raise MultipleSpansParseError(
            Span(start, start + 1, self.lexer.input),
            "region ends with missing block declarations for block(s) "
            + ", ".join(missing),
            "dangling block references:",
            [
                (span, f'reference to block "{span.text}" without implementation')
                for span in itertools.chain(*missing.values())
            ],
        )

    @override
    def _parse_optional_block_arg_list(self, block: Block) -> Block | None:
        if self._parser_state.current_token.kind is not MLIRTokenKind.L_PAREN:
            return None
        arguments: list[BlockArgument] = []

        def parse_argument() -> None:
            name = self._parse_token(
                MLIRTokenKind.PERCENT_IDENT, "block argument expected"
            )
            self.parse_punctuation(":")
            type_ = self.parse_attribute()
            location = self.parse_optional_location() or UNKNOWN_LOC
            argument = BlockArgument(type_, block, len(arguments), location)
            arguments.append(argument)
            self.define(name, (argument,))

        self.parse_comma_separated_list(self.Delimiter.PAREN, parse_argument)
        block._args = tuple(arguments)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        return block
