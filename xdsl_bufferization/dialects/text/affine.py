"""Affine expressions with products of, and divisions by, symbols: semi-affine ones.

    affine_map<(d0)[s0, s1] -> (d0 * s0 + s1)>
    affine_map<()[s0] -> (96 ceildiv s0)>

xDSL 0.74 stops at these; MLIR has them in all strides that are not known before the
program runs. What is multiplied with or divided by must have no dimensions, as there.

MLIR writes no parentheses that the precedence of operators makes needless:

    affine_map<(d0, d1) -> (d0 * 2 - d1)>    # xDSL 0.74: ((d0 * 2) + (d1 * -1))

Sources: https://mlir.llvm.org/docs/Dialects/Affine/#affine-expressions and
https://mlir.llvm.org/docs/Dialects/Affine/#semi-affine-maps
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, cast

from typing_extensions import override
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineExpr,
    AffineMap,
    AffineSet,
)
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .quick import LightOperand, QuickParser
from .semi_affine import binary
from .tokens import LightToken

_KINDS = {
    "*": AffineBinaryOpKind.Mul,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "mod": AffineBinaryOpKind.Mod,
}
"""The operators that xDSL has for numbers alone, by their text."""


_RANKS: Final = {"+": 1, "-": 1, "*": 2, "ceildiv": 2, "floordiv": 2, "mod": 2}
"""The operators; those of a higher rank bind tighter."""


class ExpressionReader:
    """Reads expressions; what a name stands for, the one who makes the reader says."""

    def __init__(
        self, parser: QuickParser, read_name: Callable[[], AffineExpr | None]
    ) -> None:
        self.parser = parser
        self._read_name = read_name

    def read(self) -> AffineExpr:
        """An expression."""
        return self._read_operators(self.read_operand(), 1)

    def _read_operators(self, lhs: AffineExpr, least: int) -> AffineExpr:
        """`lhs`, with what is behind operators of such a rank or a higher one."""
        while (rank := self._rank_of_next()) >= least:
            operator = self.parser.take_token()
            rhs = self.read_operand()
            if self._rank_of_next() > rank:
                rhs = self._read_operators(rhs, rank + 1)
            lhs = self.combine(lhs, rhs, operator)
        return lhs

    def _rank_of_next(self) -> int:
        return _RANKS.get(self.parser.reading.current_token.text, 0)

    def read_operand(self) -> AffineExpr:
        """A name, a number, an operand with a minus, or one in parentheses."""
        if (named := self._read_name()) is not None:
            return named
        parser = self.parser
        token = parser.take_token()
        match token.kind:
            case MLIRTokenKind.L_PAREN:
                inside = self.read()
                message = "Expected closing parenthesis"
                parser.take(MLIRTokenKind.R_PAREN, message)
                return inside
            case MLIRTokenKind.INTEGER_LIT:
                return AffineExpr.constant(token.kind.get_int_value(token.span))
            case MLIRTokenKind.MINUS:
                return -self.read_operand()
            case _:
                raise ParseError(token.span, "Expected primary expression")

    def combine(
        self, lhs: AffineExpr, rhs: AffineExpr, operator: LightToken
    ) -> AffineExpr:
        """The expression of two operands."""
        try:
            return _combined(lhs, rhs, operator.text)
        except NotImplementedError as error:
            # What one of the operators says, at the place that they do not know.
            self.parser.raise_error(str(error), operator.span)


def _combined(lhs: AffineExpr, rhs: AffineExpr, operator: str) -> AffineExpr:
    match operator:
        case "+":
            return lhs + rhs
        case "-":
            return lhs - rhs
        case _:
            return binary(_KINDS[operator], lhs, rhs)


class StrictExpressionReader(ExpressionReader):
    """A reader of expressions with the numbers that MLIR has: 64 bits."""

    @override
    def read_operand(self) -> AffineExpr:
        token = self.parser.reading.current_token
        return self._in_range(super().read_operand(), token)

    @override
    def combine(
        self, lhs: AffineExpr, rhs: AffineExpr, operator: LightToken
    ) -> AffineExpr:
        return self._in_range(super().combine(lhs, rhs, operator), operator)

    def _in_range(self, expression: AffineExpr, token: LightToken) -> AffineExpr:
        """`expression`, unless the text at `token` has made a number too large."""
        number = expression
        if isinstance(number, AffineBinaryOpExpr):
            number = number.rhs
        if (value := _constant(number)) is not None and abs(value) >= 1 << 63:
            self.parser.raise_error("constant too large for index", token.span)
        return expression


class _Space(NamedTuple):
    """The names that are in front of a map or a set."""

    dims: list[str]
    symbols: list[str]

    def expressions(self) -> dict[str, AffineExpr]:
        """What the names stand for; of equal names, the first one counts."""
        names = {
            name: AffineExpr.symbol(each) for each, name in _last_first(self.symbols)
        }
        return names | {
            name: AffineExpr.dimension(each) for each, name in _last_first(self.dims)
        }


def _last_first(names: list[str]) -> Iterator[tuple[int, str]]:
    """Names with their numbers, so that the first of equal names comes last."""
    return reversed(list(enumerate(names)))


class AffineMapParser(QuickParser):
    """A parser that reads semi-affine maps and sets."""

    def expression_reader(
        self, read_name: Callable[[], AffineExpr | None]
    ) -> ExpressionReader:
        """What reads the expressions of a map or a set."""
        return ExpressionReader(self, read_name)

    @override
    def parse_affine_map(self) -> AffineMap:
        space = self._read_space()
        self.take(MLIRTokenKind.ARROW, "Expected `->`")
        read = self._reader_in(space).read
        results = self.parse_comma_separated_list(self.Delimiter.PAREN, read)
        return AffineMap(len(space.dims), len(space.symbols), tuple(results))

    @override
    def parse_affine_set(self) -> AffineSet:
        space = self._read_space()
        self.take(MLIRTokenKind.COLON, "Expected `:`")
        reader = self._reader_in(space)
        constraints = self.parse_comma_separated_list(
            self.Delimiter.PAREN, lambda: self._read_constraint(reader)
        )
        return AffineSet(len(space.dims), len(space.symbols), tuple(constraints))

    @override
    def parse_affine_map_of_ssa_ids(
        self,
    ) -> tuple[AffineMap, Sequence[SSAValue[IndexType]]]:
        known: dict[str, tuple[AffineExpr, LightToken]] = {}

        def read_name() -> AffineExpr | None:
            token = self.take_optional(MLIRTokenKind.PERCENT_IDENT)
            if token is None:
                return None
            new = AffineExpr.symbol(len(known)), token
            return known.setdefault(token.text, new)[0]

        read = self.expression_reader(read_name).read
        results = self.parse_comma_separated_list(self.Delimiter.SQUARE, read)
        index = IndexType()
        operands = [
            cast("SSAValue[IndexType]", self.resolve_operand(operand, index))
            for operand in (LightOperand(token, 0) for _, token in known.values())
        ]
        return AffineMap(0, len(known), tuple(results)), operands

    def _read_space(self) -> _Space:
        """`(d0, d1)[s0]`, where the symbols may be left out."""
        dims = self.parse_comma_separated_list(self.Delimiter.PAREN, self._read_id)
        symbols = self.parse_optional_comma_separated_list(
            self.Delimiter.SQUARE, self._read_id
        )
        return _Space(dims, symbols or [])

    def _read_id(self) -> str:
        return self.take(MLIRTokenKind.BARE_IDENT, "Expected identifier").text

    def _reader_in(self, space: _Space) -> ExpressionReader:
        # xDSL goes through the lists of names for each name.
        names = space.expressions()

        def read_name() -> AffineExpr | None:
            token = self.take_optional(MLIRTokenKind.BARE_IDENT)
            if token is None:
                return None
            if (expression := names.get(token.text)) is None:
                self.raise_error(f"Identifier not in space {token.text}", token.span)
            return expression

        return self.expression_reader(read_name)

    def _read_constraint(self, reader: ExpressionReader) -> AffineConstraintExpr:
        lhs = reader.read()
        operator = self.take_token().text + self.take_token().text
        kinds = {kind.value: kind for kind in AffineConstraintKind}
        if operator not in kinds:
            expected = ", ".join(f"`{each}`" for each in kinds)
            self.raise_error(f"Expected one of {expected}, got {operator}.")
        return AffineConstraintExpr(kinds[operator], lhs, reader.read())


# Text.


def expression_text(expression: AffineExpr) -> str:
    """The text of an expression, as MLIR writes it."""
    return "".join(map(str, expression_parts(expression)))


def map_text(map_: AffineMap | AffineSet) -> str:
    """The text of a map, or of a set, as MLIR writes it."""
    dims = ", ".join(f"d{number}" for number in range(map_.num_dims))
    symbols = ", ".join(f"s{number}" for number in range(map_.num_symbols))
    heads = f"({dims})" + (f"[{symbols}]" if symbols else "")
    if isinstance(map_, AffineMap):
        return f"{heads} -> ({', '.join(map(expression_text, map_.results))})"
    constraints = (
        f"{expression_text(each.lhs)} {each.kind.value} {expression_text(each.rhs)}"
        for each in map_.constraints
    )
    return f"{heads} : ({', '.join(constraints)})"


def expression_parts(
    expression: AffineExpr, *, inside: bool = False
) -> Iterator[AffineExpr | str]:
    """The text of an expression; what is no operator stands there for its own text.

    It is in parentheses if it is `inside` of one that binds tighter.
    """
    if not isinstance(expression, AffineBinaryOpExpr):
        yield expression
        return
    is_sum = expression.kind is AffineBinaryOpKind.Add
    yield "(" if inside else ""
    yield from _sum_parts(expression) if is_sum else _product_parts(expression)
    yield ")" if inside else ""


def _product_parts(expression: AffineBinaryOpExpr) -> Iterator[AffineExpr | str]:
    lhs = expression_parts(expression.lhs, inside=True)
    if expression.kind is AffineBinaryOpKind.Mul and _constant(expression.rhs) == -1:
        yield from ("-", *lhs)
        return
    rhs = expression_parts(expression.rhs, inside=True)
    yield from (*lhs, f" {expression.kind.get_token()} ", *rhs)


def _sum_parts(expression: AffineBinaryOpExpr) -> Iterator[AffineExpr | str]:
    """A sum; what is negative is subtracted instead."""
    yield from expression_parts(expression.lhs)
    rhs = expression.rhs
    constant = _constant(rhs)
    if constant is not None and constant < 0:
        yield f" - {-constant}"
        return
    if isinstance(rhs, AffineBinaryOpExpr) and rhs.kind is AffineBinaryOpKind.Mul:
        factor = _constant(rhs.rhs)
        if factor == -1:
            is_sum = (
                isinstance(rhs.lhs, AffineBinaryOpExpr)
                and rhs.lhs.kind is AffineBinaryOpKind.Add
            )
            yield from (" - ", *expression_parts(rhs.lhs, inside=is_sum))
            return
        if factor is not None and factor < 0:
            yield from (" - ", *expression_parts(rhs.lhs, inside=True), f" * {-factor}")
            return
    yield from (" + ", *expression_parts(rhs))


def _constant(expression: AffineExpr) -> int | None:
    return expression.value if isinstance(expression, AffineConstantExpr) else None
