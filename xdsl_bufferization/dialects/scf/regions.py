"""What the ops of the scf dialect share: how their regions are written, and connected.

scf.for ... -> (f32) { ... }    types after an arrow, a body that ends in scf.yield
"""

from collections.abc import Callable, Sequence

from xdsl.dialects.utils import parse_assignment
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException


def parse_arrow_types(parser: Parser) -> list[Attribute]:
    """Parse `-> type`, `-> (type, ...)`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    types = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_type
    )
    return [parser.parse_type()] if types is None else [*types]


def print_arrow_types(
    printer: Printer, types: Sequence[Attribute], *, always_in_parentheses: bool = True
) -> None:
    """Print ` -> (type, ...)`, or nothing if there are no types."""
    if not types:
        return
    printer.print_string(" -> ")
    if len(types) == 1 and not always_in_parentheses:
        printer.print_attribute(types[0])
        return
    with printer.in_parens():
        printer.print_list(types, printer.print_attribute)


COUNTS_DIFFER = (
    "number of operands and types do not match: got {} operands and {} types"
)
"""What most ops say where a list of operands and that of their types differ."""


def parse_carried(
    parser: Parser, keyword: str, mismatch: str = COUNTS_DIFFER
) -> tuple[list[Parser.Argument], list[SSAValue]]:
    """Parse `keyword(%argument = %operand, ...) -> (type, ...)`, or nothing.

    `mismatch` is the error if the numbers of pairs and of types differ.
    """
    position = parser.pos
    if parser.parse_optional_keyword(keyword) is None:
        return [], []
    pairs = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parse_assignment(parser)
    )
    types = parse_arrow_types(parser)
    if len(types) != len(pairs):
        parser.raise_error(mismatch.format(len(pairs), len(types)), position)
    return resolve_assignments(parser, pairs, types)


def resolve_assignments(
    parser: Parser,
    pairs: Sequence[tuple[Parser.UnresolvedArgument, UnresolvedOperand]],
    types: Sequence[Attribute],
) -> tuple[list[Parser.Argument], list[SSAValue]]:
    """Give the parsed `%argument = %operand` their types."""
    arguments = [a.resolve(type_) for (a, _), type_ in zip(pairs, types, strict=True)]
    operands = [
        parser.resolve_operand(operand, type_)
        for (_, operand), type_ in zip(pairs, types, strict=True)
    ]
    return arguments, operands


def parse_body(
    parser: Parser,
    terminator: Callable[[], Operation],
    arguments: Sequence[Parser.Argument] | None = None,
) -> Region:
    """Parse a region of one block, whose terminator may be left out."""
    region = parser.parse_region(arguments)
    add_terminator(region, terminator)
    return region


def add_terminator(region: Region, terminator: Callable[[], Operation]) -> None:
    """End the only block of `region`, or a new one, with a new `terminator`.

    A region that ends in any terminator, or has several blocks, stays as it is.
    """
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    if block.next_block is None and not _is_terminated(block):
        block.add_op(terminator())


def _is_terminated(block: Block) -> bool:
    last = block.last_op
    return last is not None and last.has_trait(
        IsTerminator, value_if_unregistered=False
    )


def print_body(printer: Printer, region: Region, *, show_terminator: bool) -> None:
    """Print a region without the arguments of its block.

    Its terminator is shown if it says more than where the region ends.
    """
    block = region.blocks.last
    last = None if block is None else block.last_op
    says_more = last is not None and bool(last.operands or last.attributes)
    printer.print_string(" ")
    printer.print_region(
        region,
        print_entry_block_args=False,
        print_empty_block=False,
        print_block_terminators=show_terminator or says_more,
    )


def verify_edge(
    source: str, values: Sequence[SSAValue], goal: str, inputs: Sequence[SSAValue]
) -> None:
    """The `values` that `source` forwards fit the `inputs` of `goal`, one for each."""
    edge = f"along control flow edge from {source} to {goal}"
    if len(values) != len(inputs):
        raise VerifyException(
            f"{edge}: region branch point has {len(values)} operands, but region "
            f"successor needs {len(inputs)} inputs"
        )
    for index, (value, target) in enumerate(zip(values, inputs, strict=True)):
        if value.type != target.type:
            raise VerifyException(
                f"{edge}: successor operand type #{index} '{value.type}' should match "
                f"successor input type #{index} '{target.type}'"
            )


def verify_no_arguments(region: Region, index: int) -> None:
    """The first block of `region`, which is number `index`, takes no arguments."""
    block = region.blocks.first
    if block is not None and block.args:
        raise VerifyException(f"region #{index} should have no arguments")
