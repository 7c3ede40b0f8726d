"""Sums of products of indices, as one `affine.apply` where they are not known.

    sum_of_products([(%o, 1), (%i, 8), (2, 1)])
        -> affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 8 + 2)>()[%o, %i]
    sum_of_products([(%o, 1), (0, 8)])
        -> %o

A sum may use the result of an earlier `affine.apply`. Then its map is written out in
the new one, as MLIR composes maps. So a chain of views costs one op for each of its
numbers, not for each view.
"""

from collections.abc import Iterable
from itertools import chain

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    index_constant,
)
from xdsl_bufferization.dialects.text.semi_affine import binary, replace_operands
from xdsl_bufferization.support.traversal import ops_inside

_MOST_SYMBOLS = 8
"""Of a map that is written out in another: expressions must not grow with a chain."""


class _Terms:
    """A sum under construction."""

    def __init__(self):
        self.constant = 0
        self.expression: AffineExpr | None = None
        self.symbols: dict[SSAValue, int] = {}

    def note(self, number: OpFoldResult) -> None:
        """Let a value that is not written out have the next symbol, as in MLIR."""
        if not isinstance(number, int) and _map_of(number) is None:
            self.symbols.setdefault(number, len(self.symbols))

    def add(self, factors: tuple[OpFoldResult, OpFoldResult]) -> None:
        """Add a product."""
        a, b = factors
        if isinstance(a, int) and isinstance(b, int):
            self.constant += a * b
        elif isinstance(a, int):
            self.add((b, a))
        elif b == 1:
            self._add(self._written(a))
        elif b != 0:
            written = self._written(a), self._written(b)
            self._add(binary(AffineBinaryOpKind.Mul, *written))

    def _add(self, term: AffineExpr) -> None:
        self.expression = term if self.expression is None else self.expression + term

    def _written(self, number: OpFoldResult) -> AffineExpr:
        if isinstance(number, int):
            return AffineExpr.constant(number)
        op = _map_of(number)
        return (
            AffineExpr.symbol(self.symbols[number])
            if op is None
            else self._composed(op)
        )

    def _composed(self, op: affine.ApplyOp) -> AffineExpr:
        """Return what an op computes, on the symbols of this sum."""
        map = op.map.data
        operands = [
            AffineExpr.symbol(self.symbols.setdefault(each, len(self.symbols)))
            for each in op.mapOperands
        ]
        return replace_operands(
            map.results[0], operands[: map.num_dims], operands[map.num_dims :]
        )


def _map_of(value: SSAValue) -> affine.ApplyOp | None:
    """Return the op whose map is to be written out in place of its result."""
    owner = value.owner
    if isinstance(owner, affine.ApplyOp) and len(owner.operands) <= _MOST_SYMBOLS:
        return owner
    return None


def sum_of_products(
    products: Iterable[tuple[OpFoldResult, OpFoldResult]], before: Operation
) -> OpFoldResult:
    """Return a sum of products, computed in front of `before` if it must be."""
    products = [factors for factors in products if 0 not in factors]
    terms = _Terms()
    for number in chain.from_iterable(products):
        terms.note(number)
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


def product(factors: Iterable[OpFoldResult], before: Operation) -> OpFoldResult:
    """Return a product, computed in front of `before` if it must be."""
    result: OpFoldResult = 1
    for factor in factors:
        result = sum_of_products([(result, factor)], before)
    return result


def as_value(number: OpFoldResult, before: Operation) -> SSAValue:
    """Return an index as a value."""
    if not isinstance(number, int):
        return number
    constant = index_constant(number)
    Rewriter.insert_op(constant, InsertPoint.before(before))
    return constant.result


def remove_unused(module: Operation) -> None:
    """Remove the ops in `module` whose results nobody uses and that do nothing else."""
    for op in reversed(ops_inside(module)):
        if op is not module and is_trivially_dead(op):
            Rewriter.erase_op(op)
