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

from collections.abc import Callable, Iterator

from typing_extensions import override
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
)
from xdsl.parser import Parser
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

from xdsl_bufferization.mlir_text.semi_affine import binary

_KINDS = {
    "*": AffineBinaryOpKind.Mul,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "mod": AffineBinaryOpKind.Mod,
}
"""The operators that xDSL has for numbers alone, by their text."""


class SemiAffineParser(AffineParser):
    """A parser of expressions whose errors say where the operator stands."""

    @override
    def _create_binop_expr(
        self, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken
    ) -> AffineExpr:
        kind = _KINDS.get(binop.text)
        if kind is None:
            return super()._create_binop_expr(lhs, rhs, binop)
        try:
            return binary(kind, lhs, rhs)
        except NotImplementedError as error:
            # What one of the operators says, at the place that they do not know.
            self.raise_error(str(error), binop.span)

    @override
    def _get_parse_optional_bare_id(
        self, dims: list[str], syms: list[str]
    ) -> Callable[[], AffineExpr | None]:
        # xDSL goes through the lists for each name.
        names = {name: AffineExpr.symbol(each) for each, name in _last_first(syms)}
        names |= {name: AffineExpr.dimension(each) for each, name in _last_first(dims)}

        def parse_optional_bare_id() -> AffineExpr | None:
            token = self._parse_optional_token(MLIRTokenKind.BARE_IDENT)
            if token is None:
                return None
            if (expression := names.get(token.text)) is None:
                self.raise_error(f"Identifier not in space {token.text}", token.span)
            return expression

        return parse_optional_bare_id


def _last_first(names: list[str]) -> Iterator[tuple[int, str]]:
    """Names with their numbers, so that the first of equal names comes last."""
    return reversed(list(enumerate(names)))


class StrictAffineParser(SemiAffineParser):
    """A parser of expressions with the numbers that MLIR has: 64 bits."""

    @override
    def _parse_primary(
        self, parse_optional_bare_id: Callable[[], AffineExpr | None]
    ) -> AffineExpr:
        token = self._current_token
        return self._in_range(super()._parse_primary(parse_optional_bare_id), token)

    @override
    def _create_binop_expr(
        self, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken
    ) -> AffineExpr:
        return self._in_range(super()._create_binop_expr(lhs, rhs, binop), binop)

    def _in_range(self, expression: AffineExpr, token: MLIRToken) -> AffineExpr:
        """`expression`, unless the text at `token` has made a number too large."""
        number = expression
        if isinstance(number, AffineBinaryOpExpr):
            number = number.rhs
        if (value := _constant(number)) is not None and abs(value) >= 1 << 63:
            self.raise_error("constant too large for index", token.span)
        return expression


class AffineMapParser(Parser):
    """A parser that reads semi-affine maps and sets."""

    @override
    def parse_affine_map(self) -> AffineMap:
        return SemiAffineParser(self._parser_state).parse_affine_map()

    @override
    def parse_affine_set(self) -> AffineSet:
        return SemiAffineParser(self._parser_state).parse_affine_set()


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
