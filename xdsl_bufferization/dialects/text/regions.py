"""Regions and blocks, read in time that is linear in the length of the text.

    scf.if %c { %0 = ... }    // %0 is forgotten behind the brace

xDSL 0.74 copies the table of all values for each region, to have it back behind the
region. Here the names that a region defines are forgotten one by one: the table has
them in the order of their definitions. xDSL also makes a new tuple of all arguments of
a block for each argument.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, NoReturn, TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.utils.exceptions import MultipleSpansParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xdsl_bufferization.support.xdsl_releases.block_arguments import new_arguments

from .quick import QuickParser
from .tokens import LightToken

_Key = TypeVar("_Key")
_T = TypeVar("_T")


def forget_added(table: dict[_Key, _T], size: int) -> None:
    """Take out what was added to a table since it had a size."""
    while len(table) > size:
        table.popitem()


class _Reference(NamedTuple):
    """What stood for a value that was used before its definition."""

    value: ForwardDeclaredValue[Attribute]
    name: str
    number: int
    """Which value of that name."""


class RegionParser(QuickParser):
    """A parser that takes linear time for regions, and for arguments of blocks."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._replaced: dict[SSAValue, _Reference] = {}

    def define(self, name: LightToken | Span, values: Sequence[SSAValue]) -> None:
        """Let a name stand for values from now on."""
        text = name.text[1:]
        if text in self.ssa_values:
            self.raise_error(f"SSA value %{text} is already defined", _span(name))
        self.ssa_values[text] = tuple(values)
        if text in self.forward_ssa_references:
            self._replace_references(text, values, _span(name))
        if not text.isdecimal() and SSAValue.is_valid_name(text):
            for value in values:
                value.name_hint = text

    def _replace_references(
        self, name: str, values: Sequence[SSAValue], span: Span
    ) -> None:
        """Let what was used under a name before its definition be what it defines."""
        references = self.forward_ssa_references.pop(name)
        if any(number >= len(values) for number in references):
            self.raise_error(
                f"SSA value %{name} is referenced with an index larger than its size",
                span,
            )
        for number, reference in references.items():
            value = values[number]
            if reference.type != value.type:
                which = f"#{number}" if len(values) != 1 else ""
                self.raise_error(
                    f"Result %{name}{which} is defined with type {value.type}, but "
                    f"used with type {reference.type}",
                    span,
                )
            reference.replace_all_uses_with(value)
            self._replaced[reference] = _Reference(reference, name, number)

    def leave_undefined(self, op: Operation) -> None:
        """Let an op not use what its own regions define.

        A format may read operands before regions. Nobody uses such an operand yet when
        a value of the same name is defined in the region.
        """
        for operand in op.operands:
            found = self._replaced.pop(operand, None)
            if found is not None:
                references = self.forward_ssa_references.setdefault(found.name, {})
                reference = references.setdefault(found.number, found.value)
                found.value.replace_all_uses_with(reference)

    @override
    def parse_optional_region(
        self, arguments: Iterable[Parser.Argument] | None = None
    ) -> Region | None:
        if self.parse_optional_punctuation("{") is None:
            return None
        region = Region()
        # Nothing is put back after an error, as in xDSL.
        num_values = len(self.ssa_values)
        blocks, references = self.blocks, self.forward_block_references
        self.blocks = {}
        self.forward_block_references = defaultdict(list)
        kind = self.reading.current_token.kind
        if arguments is not None:
            region.add_block(self._parse_entry_block(arguments))
        elif kind not in (MLIRTokenKind.CARET_IDENT, MLIRTokenKind.R_BRACE):
            block = Block()
            self._read_ops(block)
            region.add_block(block)
        while self.parse_optional_punctuation("}") is None:
            region.add_block(self.read_block())
        if self.forward_block_references:
            self._refuse_missing_blocks()
        forget_added(self.ssa_values, num_values)
        self.blocks, self.forward_block_references = blocks, references
        return region

    def _parse_entry_block(self, arguments: Iterable[Parser.Argument]) -> Block:
        """A block without a label, whose arguments were read before the region."""
        arguments = tuple(arguments)
        types = [argument.type for argument in arguments]
        if self.reading.current_token.kind is MLIRTokenKind.CARET_IDENT:
            self.raise_error("invalid block name in region with named arguments")
        block = Block(arg_types=types)
        for value, argument in zip(block.args, arguments, strict=True):
            self.define(argument.name, (value,))
            if argument.location is not None:
                value.location = argument.location
        self._read_ops(block)
        return block

    def read_block(self) -> Block:
        """A block with its label."""
        label = self.take(MLIRTokenKind.CARET_IDENT, " in block definition")
        block = self._labeled_block(label)
        if self.reading.current_token.kind is MLIRTokenKind.L_PAREN:
            self._read_arguments(block)
        self.parse_punctuation(":")
        self._read_ops(block)
        return block

    def _labeled_block(self, label: LightToken) -> Block:
        """The block of a label, which may be known from branches to it."""
        name = label.text[1:]
        if name not in self.blocks:
            block = Block()
            self.blocks[name] = block, label.span
        else:
            block, defined_at = self.blocks[name]
            if defined_at is not None:
                raise MultipleSpansParseError(
                    label.span,
                    f"re-declaration of block '{name}'",
                    "originally declared here:",
                    [(defined_at, None)],
                )
            self.forward_block_references.pop(name)
        if not Block.is_default_block_name(name):
            block.name_hint = name
        return block

    def _read_ops(self, block: Block) -> None:
        while (op := self.parse_optional_operation()) is not None:
            block.add_op(op)

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

    def _read_arguments(self, block: Block) -> None:
        arguments = new_arguments(block)

        def read_argument() -> None:
            name = self.take(MLIRTokenKind.PERCENT_IDENT, "block argument expected")
            self.parse_punctuation(":")
            type_ = self.parse_attribute()
            location = self.parse_optional_location() or UNKNOWN_LOC
            self.define(name, (arguments.add(type_, location),))

        self.parse_comma_separated_list(self.Delimiter.PAREN, read_argument)
        arguments.finish()


def _span(name: LightToken | Span) -> Span:
    return name.span if isinstance(name, LightToken) else name
