"""Affine expressions of SSA values, as loads and parallel loops write them.

    affine.load %m[%i + 1, symbol(%n)]    # affine_map<(d0)[s0] -> (d0 + 1, s0)>

xDSL 0.74 reads every value as a symbol; in MLIR only `symbol(%n)` is one, and the
induction variable of a loop must not be.

Source: https://mlir.llvm.org/docs/Dialects/Affine/#restrictions-on-dimensions-and-symbols
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..text.affine import expression_parts
from ..text.semi_affine import binary

_KEYWORDS = {
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "mod": AffineBinaryOpKind.Mod,
}
"""The operators that are words."""


class AffineExpressionParser:
    """Reads expressions that share their operands: each value is one dim or symbol."""

    parser: Parser
    dims: list[UnresolvedOperand]
    symbols: list[UnresolvedOperand]

    def __init__(self, parser: Parser):
        self.parser = parser
        self.dims = []
        self.symbols = []
        self._known: dict[tuple[str, int], AffineExpr] = {}

    def parse_expression(self) -> AffineExpr:
        """Sums and differences of terms."""
        value = self._parse_term()
        while True:
            if self.parser.parse_optional_characters("+") is not None:
                value = value + self._parse_term()
            elif self.parser.parse_optional_characters("-") is not None:
                value = value - self._parse_term()
            else:
                return value

    def resolve(
        self, results: Sequence[AffineExpr]
    ) -> tuple[AffineMap, list[SSAValue]]:
        """The map to `results`, and its operands."""
        operands: list[SSAValue] = [
            self.parser.resolve_operand(operand, IndexType())
            for operand in (*self.dims, *self.symbols)
        ]
        map_ = AffineMap(len(self.dims), len(self.symbols), tuple(results))
        return map_, operands

    def _parse_term(self) -> AffineExpr:
        value = self._parse_primary()
        while (kind := self._parse_operator()) is not None:
            value = binary(kind, value, self._parse_primary())
        return value

    def _parse_operator(self) -> AffineBinaryOpKind | None:
        if self.parser.parse_optional_characters("*") is not None:
            return AffineBinaryOpKind.Mul
        for keyword, kind in _KEYWORDS.items():
            if self.parser.parse_optional_keyword(keyword) is not None:
                return kind
        return None

    def _parse_primary(self) -> AffineExpr:
        parser = self.parser
        if parser.parse_optional_punctuation("(") is not None:
            value = self.parse_expression()
            parser.parse_punctuation(")")
            return value
        # Before numbers: these take the sign as theirs, and expect a digit then.
        if parser.parse_optional_characters("-") is not None:
            return -self._parse_primary()
        constant = parser.parse_optional_integer(allow_boolean=False)
        if constant is not None:
            return AffineExpr.constant(constant)
        if parser.parse_optional_keyword("symbol") is not None:
            with parser.in_parens():
                return self._identify(parser.parse_unresolved_operand(), self.symbols)
        return self._identify(parser.parse_unresolved_operand(), self.dims)

    def _identify(
        self, operand: UnresolvedOperand, kind: list[UnresolvedOperand]
    ) -> AffineExpr:
        key = (operand.operand_name, operand.index)
        if key not in self._known:
            make = AffineExpr.dimension if kind is self.dims else AffineExpr.symbol
            self._known[key] = make(len(kind))
            kind.append(operand)
        return self._known[key]


def parse_subscripts(parser: Parser) -> tuple[AffineMap, list[SSAValue]]:
    """Parse `[expression, ...]`."""
    expressions = AffineExpressionParser(parser)
    results = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, expressions.parse_expression
    )
    return expressions.resolve(results)


def print_subscripts(
    printer: Printer, map_: AffineMap, operands: Sequence[SSAValue]
) -> None:
    """Print `[expression, ...]`."""
    with printer.in_square_brackets():
        printer.print_list(
            map_.results, lambda e: print_expression(printer, e, map_, operands)
        )


def print_expression(
    printer: Printer,
    expression: AffineExpr,
    map_: AffineMap,
    operands: Sequence[SSAValue],
) -> None:
    """Print a result of `map_` with operands in the place of dims and symbols."""
    for part in expression_parts(expression):
        match part:
            case AffineDimExpr():
                printer.print_ssa_value(operands[part.position])
            case AffineSymExpr():
                printer.print_string("symbol(")
                printer.print_ssa_value(operands[map_.num_dims + part.position])
                printer.print_string(")")
            case _:
                printer.print_string(str(part))
