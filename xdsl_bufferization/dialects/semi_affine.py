"""Affine expressions with products of, and divisions by, symbols: semi-affine ones.

    affine_map<(d0)[s0, s1] -> (d0 * s0 + s1)>
    affine_map<()[s0] -> (96 ceildiv s0)>

xDSL 0.74 stops at these; MLIR has them in all strides that are not known before the
program runs. What is multiplied with or divided by must have no dimensions, as there.

Source: https://mlir.llvm.org/docs/Dialects/Affine/#semi-affine-maps
"""

from collections.abc import Callable
from functools import cache
from typing import TypeVar, cast

from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.mlir_lexer import MLIRToken

_Operator = TypeVar("_Operator", bound=Callable[..., AffineExpr])

_CREATE = "_create_binop_expr"
"""The method of xDSL's parser that applies an operator it has read."""

_create_in_xdsl = vars(AffineParser)[_CREATE]


@cache
def amend_affine_expressions() -> None:
    """Make xDSL build and read semi-affine expressions; once in a process."""
    kinds = AffineBinaryOpKind
    AffineExpr.__mul__ = _semi_affine(AffineExpr.__mul__, kinds.Mul)
    AffineExpr.__floordiv__ = _semi_affine(AffineExpr.__floordiv__, kinds.FloorDiv)
    AffineExpr.ceil_div = _semi_affine(AffineExpr.ceil_div, kinds.CeilDiv)
    AffineExpr.__mod__ = _semi_affine(AffineExpr.__mod__, kinds.Mod)
    setattr(AffineParser, _CREATE, _create)


def _semi_affine(apply: _Operator, kind: AffineBinaryOpKind) -> _Operator:
    """The operator, which also takes symbols where xDSL's takes constants only."""

    def apply_here(self: AffineExpr, other: AffineExpr | int) -> AffineExpr:
        try:
            return apply(self, other)
        except NotImplementedError:
            # That is what xDSL's operator says to anything but a number.
            assert isinstance(other, AffineExpr)
            if kind is AffineBinaryOpKind.Mul and other.used_dims():
                # What has no dimensions goes to the right, as constants do.
                self, other = other, self
            if other.used_dims():
                what = f"the right operand of {kind.get_token()} has"
                if kind is AffineBinaryOpKind.Mul:
                    what = "one of the operands of a product has"
                # As from xDSL's operator: who reads a text knows where it stands.
                raise NotImplementedError(
                    f"non-affine expression: {what} to be a constant or made of symbols"
                ) from None
            return AffineBinaryOpExpr(kind, self, other)

    return cast("_Operator", apply_here)


def _create(
    self: AffineParser, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken
) -> AffineExpr:
    try:
        return _create_in_xdsl(self, lhs, rhs, binop)
    except NotImplementedError as error:
        # What one of the operators above says, at the place that they do not know.
        self.raise_error(str(error), binop.span)
