"""What affine expressions demand: divisors that are not zero.

    affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%a, %b]     %b is not 0
    affine.apply affine_map<()[s0, s1] -> (s0 mod s1)>()[%a, %b]          0 < %b

Source: https://mlir.llvm.org/docs/Dialects/Affine/#affine-expressions
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xdsl_bufferization.dialects.affine.accesses import PrefetchOp
from xdsl_bufferization.dialects.affine.control import ParallelOp
from xdsl_bufferization.dialects.affine.maps import (
    DelinearizeIndexOp,
    MaxOp,
)
from xdsl_bufferization.dialects.common.definitions import defined
from xdsl_bufferization.dialects.common.static_values import OpFoldResult

from .accesses import Rules, require_block, require_element, shape_of_vector
from .checks import Checks

_DIVISIONS = (AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv)
_SMALLEST = -(1 << 63)


class _Operands:
    """The dimensions and symbols of expressions."""

    def __init__(self, num_dims: int, values: Sequence[SSAValue], checks: Checks):
        self._num_dims = num_dims
        self._values = values
        self._checks = checks

    def number(self, expr: AffineExpr) -> OpFoldResult:
        """What an expression is."""
        match expr:
            case AffineConstantExpr(value=value):
                return value
            case AffineDimExpr(position=position):
                return self._values[position]
            case AffineSymExpr(position=position):
                return self._values[self._num_dims + position]
            case _:
                symbols = len(self._values) - self._num_dims
                part = AffineMap(self._num_dims, symbols, (expr,))
                apply = affine.ApplyOp(self._values, AffineMapAttr(part))
                return self._checks.value(apply)

    def require_divisors(self, expressions: Iterable[AffineExpr]) -> None:
        """Demand of all divisions that they have a result, the innermost first."""
        for division in chain.from_iterable(map(_divisions, expressions)):
            self._require_divisor(division)

    def _require_divisor(self, division: AffineBinaryOpExpr) -> None:
        checks, divisor = (
            self._checks,
            self._checks.number_of(self.number(division.rhs)),
        )
        if division.kind is AffineBinaryOpKind.Mod:
            is_right = checks.holds("sgt", divisor, 0)
            checks.require(is_right, "the divisor {0} of mod is not positive", divisor)
            return
        checks.require(checks.holds("ne", divisor, 0), "division by zero")
        if isinstance(divisor, int) and divisor != -1:
            return
        fits = checks.either(
            checks.holds("ne", divisor, -1),
            checks.holds("ne", self.number(division.lhs), _SMALLEST),
        )
        checks.require(fits, f"{_SMALLEST} divided by -1 does not fit index")


def _divisions(expr: AffineExpr) -> Iterator[AffineBinaryOpExpr]:
    if isinstance(expr, AffineBinaryOpExpr):
        yield from _divisions(expr.lhs)
        yield from _divisions(expr.rhs)
        if expr.kind is AffineBinaryOpKind.Mod or expr.kind in _DIVISIONS:
            yield expr


def mapped(
    map_: AffineMap, operands: Sequence[SSAValue], checks: Checks
) -> list[OpFoldResult]:
    """What the results of a map are, which may divide."""
    values = _Operands(map_.num_dims, operands, checks)
    values.require_divisors(map_.results)
    return [values.number(expr) for expr in map_.results]


def _require_divisors(
    map_: AffineMap, operands: Sequence[SSAValue], checks: Checks
) -> None:
    _Operands(map_.num_dims, operands, checks).require_divisors(map_.results)


def _check_map(op: affine.ApplyOp | affine.MinOp | MaxOp, checks: Checks) -> None:
    _require_divisors(op.map.data, op.operands, checks)


def _check_prefetch(op: PrefetchOp, checks: Checks) -> None:
    _require_divisors(op.map.data, op.indices, checks)


# Accesses.


def _check_access(op: affine.LoadOp | affine.StoreOp, checks: Checks) -> None:
    require_element(op.memref, mapped(op.map.data, op.indices, checks), checks)


def _check_vector(
    op: affine.VectorLoadOp | affine.VectorStoreOp, checks: Checks
) -> None:
    value = op.result if isinstance(op, affine.VectorLoadOp) else op.value
    shape = shape_of_vector(value)
    require_block(op.memref, mapped(op.map.data, op.indices, checks), shape, checks)


# Control flow.


def _check_for(op: affine.ForOp, checks: Checks) -> None:
    _require_divisors(op.lowerBoundMap.data, op.lowerBoundOperands, checks)
    _require_divisors(op.upperBoundMap.data, op.upperBoundOperands, checks)


def _check_if(op: affine.IfOp, checks: Checks) -> None:
    set_ = op.condition.data
    sides = ((each.lhs, each.rhs) for each in set_.constraints)
    values = _Operands(set_.num_dims, op.args, checks)
    values.require_divisors(chain.from_iterable(sides))


def _check_parallel(loop: affine.ParallelOp, checks: Checks) -> None:
    op = defined(loop)
    assert isinstance(op, ParallelOp)
    lower, upper = op.lower_bounds_map.data, op.upper_bounds_map.data
    first = lower.num_dims + lower.num_symbols
    _require_divisors(lower, op.map_operands[:first], checks)
    _require_divisors(upper, op.map_operands[first:], checks)


def _check_basis(op: DelinearizeIndexOp, checks: Checks) -> None:
    """What an index is divided by is positive; the outermost size is not used."""
    basis = checks.mixed_values(op.static_basis.get_values(), op.dynamic_basis)
    for size in basis[len(basis) - len(op.multi_index) + 1 :]:
        is_right = checks.holds("sgt", size, 0)
        checks.require(is_right, "the size {0} of the basis is not positive", size)


RULES: Rules = {
    DelinearizeIndexOp: _check_basis,
    MaxOp: _check_map,
    PrefetchOp: _check_prefetch,
    affine.ApplyOp: _check_map,
    affine.ForOp: _check_for,
    affine.IfOp: _check_if,
    affine.LoadOp: _check_access,
    affine.MinOp: _check_map,
    affine.ParallelOp: _check_parallel,
    affine.StoreOp: _check_access,
    affine.VectorLoadOp: _check_vector,
    affine.VectorStoreOp: _check_vector,
}
