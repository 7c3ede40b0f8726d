"""Sums of products of indices, as one `affine.apply` where they are not known.

    sum_of_products([(%o, 1), (%i, 8), (2, 1)])  -> affine.apply (s0 + s1 * 8 + 2)[%o, %i]
    sum_of_products([(%o, 1), (0, 8)])           -> %o

What an `affine.apply` computes that was made before is written out, as MLIR composes
maps; so a chain of views costs one op for each of its numbers, not for each view.
"""

from collections.abc import Iterable

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.memref.canonicalize.values import index_constant

Number = int | SSAValue
"""An index that is known, or the value that it has at run time."""


class _Terms:
    """A sum under construction."""

    def __init__(self):
        self.constant = 0
        self.expression: AffineExpr | None = None
        self.symbols: dict[SSAValue, int] = {}

    def add(self, factors: tuple[Number, Number]) -> None:
        """Add a product."""
        a, b = factors
        if isinstance(a, int) and isinstance(b, int):
            self.constant += a * b
        elif 0 not in (a, b):
            self._add(self._written(a) * self._written(b))

    def _add(self, term: AffineExpr) -> None:
        self.expression = term if self.expression is None else self.expression + term

    def _written(self, number: Number) -> AffineExpr:
        if isinstance(number, int):
            return AffineExpr.constant(number)
        owner = number.owner
        if isinstance(owner, affine.ApplyOp):
            return self._composed(owner)
        symbol = self.symbols.setdefault(number, len(self.symbols))
        return AffineExpr.symbol(symbol)

    def _composed(self, op: affine.ApplyOp) -> AffineExpr:
        """Return what an op computes, on the symbols of this sum."""
        map = op.map.data
        operands = [
            AffineExpr.symbol(self.symbols.setdefault(each, len(self.symbols)))
            for each in op.mapOperands
        ]
        return map.results[0].replace_dims_and_symbols(
            operands[: map.num_dims], operands[map.num_dims :]
        )


def sum_of_products(
    products: Iterable[tuple[Number, Number]], before: Operation
) -> Number:
    """Return a sum of products, computed in front of `before` if it must be."""
    terms = _Terms()
    for factors in products:
        terms.add(factors)
    expression = terms.expression
    if expression is None:
        return terms.constant
    if terms.constant:
        expression += terms.constant
    map = AffineMap(0, len(terms.symbols), (expression,))
    if len(terms.symbols) == 1 and expression == AffineExpr.symbol(0):
        return next(iter(terms.symbols))
    op = affine.ApplyOp([*terms.symbols], AffineMapAttr(map))
    Rewriter.insert_op(op, InsertPoint.before(before))
    return op.result


def product(factors: Iterable[Number], before: Operation) -> Number:
    """Return a product, computed in front of `before` if it must be."""
    result: Number = 1
    for factor in factors:
        result = sum_of_products([(result, factor)], before)
    return result


def as_value(number: Number, before: Operation) -> SSAValue:
    """Return an index as a value."""
    if not isinstance(number, int):
        return number
    constant = index_constant(number)
    Rewriter.insert_op(constant, InsertPoint.before(before))
    return constant.result
