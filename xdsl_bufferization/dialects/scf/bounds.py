"""Bounds of a loop, each a number or an operand, as `scf.forall` has them.

(0, %n, 4)      numbers [0, dynamic, 4] and operands [%n]
"""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerType,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..common.static_values import (
    OpFoldResult,
    decompose_mixed_values,
    mixed_values,
)


class Bounds(NamedTuple):
    """Bounds as the op keeps them."""

    numbers: DenseArrayBase[IntegerType]
    """A number for each dimension, or `DYNAMIC_INDEX`."""

    values: list[SSAValue]
    """An operand for each `DYNAMIC_INDEX`."""


def split_bounds(bounds: Sequence[OpFoldResult]) -> Bounds:
    """Tell numbers and operands apart."""
    numbers, values = decompose_mixed_values(bounds)
    return Bounds(DenseArrayBase.from_list(i64, numbers), values)


def join_bounds(
    numbers: DenseArrayBase[IntegerType], values: Sequence[SSAValue]
) -> list[OpFoldResult]:
    """Put numbers and operands together again."""
    return mixed_values(numbers.get_values(), values)


def print_bounds(printer: Printer, word: str, bounds: Sequence[OpFoldResult]) -> None:
    """Print ` word (%a, 1, ...)`."""
    printer.print_string(f" {word} ")
    with printer.in_parens():
        printer.print_list(bounds, lambda bound: _print_bound(printer, bound))


def _print_bound(printer: Printer, bound: OpFoldResult) -> None:
    if isinstance(bound, int):
        printer.print_int(bound)
    else:
        printer.print_ssa_value(bound)


def parse_bounds(parser: Parser) -> Bounds:
    """Parse `(%a, 1, ...)`."""
    return split_bounds(
        parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: _parse_bound(parser)
        )
    )


def _parse_bound(parser: Parser) -> OpFoldResult:
    operand = parser.parse_optional_unresolved_operand()
    if operand is None:
        return parser.parse_integer(allow_boolean=False)
    return parser.resolve_operand(operand, IndexType())
