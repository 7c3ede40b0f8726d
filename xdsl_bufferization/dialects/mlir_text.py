"""How MLIR writes floats and affine expressions, where xDSL writes them otherwise.

Both forms mean the same and parse here and there; but text that differs from MLIR's for
no reason is hard to compare.

    affine_map<(d0, d1) -> (d0 * 2 - d1)>    # xDSL 0.74: ((d0 * 2) + (d1 * -1))
    dense<[0x7F800000, 3.40282347E+38]>      # xDSL 0.74: 0x7f800000, 3.40282347e+38

Source: https://mlir.llvm.org/docs/Dialects/Affine/#affine-expressions
"""

import math
from collections.abc import Iterator

from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
)
from xdsl.printer import Printer


def amend_text() -> None:
    """Make xDSL write floats and affine expressions as MLIR does."""
    Printer.print_float = _print_float
    AffineBinaryOpExpr.__str__ = _expression_text


def _print_float(self: Printer, value: float, type: AnyFloat) -> None:
    self.print_string(float_text(value, type))


def float_text(value: float, type_: AnyFloat) -> str:
    """A float with six digits if that says it all, else with more, else its bits."""
    bits = f"0x{type_.pack((value,))[::-1].hex().upper()}"
    if math.isnan(value) or math.isinf(value):
        return bits
    mantissa, exponent = f"{value:.5e}".split("e")
    text = f"{mantissa}0e{exponent}"
    if type_.unpack(type_.pack((float(text),)), 1)[0] == value:
        return text
    text = repr(value)
    if isinstance(type_, Float32Type | Float64Type):
        text = f"{value:.9g}" if isinstance(type_, Float32Type) else f"{value:.17g}"
    mantissa, e, exponent = text.partition("e")
    if "." not in mantissa:
        return bits
    return f"{mantissa}E{int(exponent):+d}" if e else mantissa


def _expression_text(self: AffineBinaryOpExpr) -> str:
    return "".join(map(str, expression_parts(self)))


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
