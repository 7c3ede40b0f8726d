"""Affine expressions that are multiplied with, or divided by, symbols.

    binary(AffineBinaryOpKind.Mul, d0, s0)    # d0 * s0

The operators of xDSL 0.74 take numbers on the right alone. MLIR also takes what has no
dimensions, as in strides that are not known before the program runs.

Source: https://mlir.llvm.org/docs/Dialects/Affine/#semi-affine-maps
"""

from collections.abc import Sequence

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
)


def binary(kind: AffineBinaryOpKind, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """Return `AffineExpr.binary(kind, lhs, rhs)`, which may be semi-affine here.

    Raises a `NotImplementedError` for what MLIR refuses as well.
    """
    if kind is AffineBinaryOpKind.Add or _has_number(kind, lhs, rhs):
        return AffineExpr.binary(kind, lhs, rhs)
    if kind is AffineBinaryOpKind.Mul and rhs.used_dims():
        # What has no dimensions goes to the right, as constants do.
        lhs, rhs = rhs, lhs
    if rhs.used_dims():
        what = f"the right operand of {kind.get_token()} has"
        if kind is AffineBinaryOpKind.Mul:
            what = "one of the operands of a product has"
        # As from xDSL's operator: who reads a text knows where it stands.
        raise NotImplementedError(
            f"non-affine expression: {what} to be a constant or made of symbols"
        )
    return AffineBinaryOpExpr(kind, lhs, rhs)


def _has_number(kind: AffineBinaryOpKind, lhs: AffineExpr, rhs: AffineExpr) -> bool:
    """Whether xDSL's operators take the operands."""
    return isinstance(rhs, AffineConstantExpr) or (
        kind is AffineBinaryOpKind.Mul and isinstance(lhs, AffineConstantExpr)
    )


def replace_operands(
    expression: AffineExpr, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr]
) -> AffineExpr:
    """`replace_dims_and_symbols` of an expression that may be semi-affine."""
    if not isinstance(expression, AffineBinaryOpExpr):
        return expression.replace_dims_and_symbols(dims, symbols)
    lhs = replace_operands(expression.lhs, dims, symbols)
    rhs = replace_operands(expression.rhs, dims, symbols)
    return binary(expression.kind, lhs, rhs)
