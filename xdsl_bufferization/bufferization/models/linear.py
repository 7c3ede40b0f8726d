"""Index values as sums of other values and a number.

%0 = arith.muli %i, %c4          // 4 * %i
%1 = arith.addi %0, %c8          // 4 * %i + 8
%2 = affine.apply affine_map<(d0) -> (d0 - 2)>(%1)     // 4 * %i + 6
"""

from collections.abc import Callable

from xdsl.dialects import affine, arith, scf
from xdsl.ir import BlockArgument, Operation, OpResult
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.scf import ForallOp

from ..interfaces.boxes import Linear
from ..interfaces.operands import operand_values
from .slices import constant_value

_DEPTH = 8
"""How many ops behind a value are looked at: a chain of any length costs the same."""


def linear(number: OpFoldResult, depth: int = _DEPTH) -> Linear:
    """`number` as a sum, of itself if nothing else is known."""
    if isinstance(number, int):
        return Linear(number)
    found = constant = None
    if type(number) is OpResult:
        rule = _RULES.get(type(number.op))
        if rule is None:
            constant = constant_value(number)
        elif depth:
            found = rule(number.op, depth - 1)
    else:
        assert isinstance(number, BlockArgument)
        constant = _sole_index(number)
    if constant is not None:
        return Linear(constant)
    return Linear(0, frozenset(((number, 1),))) if found is None else found


def _add(op: Operation, depth: int) -> Linear:
    first, second = operand_values(op)
    return linear(first, depth).plus(linear(second, depth))


def _subtract(op: Operation, depth: int) -> Linear:
    first, second = operand_values(op)
    return linear(first, depth).plus(linear(second, depth).times(-1))


def _multiply(op: Operation, depth: int) -> Linear | None:
    first, second = operand_values(op)
    return _product(linear(first, depth), linear(second, depth))


def _product(first: Linear, second: Linear) -> Linear | None:
    if not second.terms:
        return first.times(second.constant)
    return None if first.terms else second.times(first.constant)


def _apply(op: Operation, depth: int) -> Linear | None:
    assert isinstance(op, affine.ApplyOp)
    map_ = op.map.data
    inputs = [linear(operand, depth) for operand in op.mapOperands]
    return _evaluate(map_.results[0], inputs, map_.num_dims)


def _evaluate(expr: AffineExpr, inputs: list[Linear], dims: int) -> Linear | None:
    match expr:
        case AffineConstantExpr():
            return Linear(expr.value)
        case AffineDimExpr():
            return inputs[expr.position]
        case AffineSymExpr():
            return inputs[dims + expr.position]
        case AffineBinaryOpExpr():
            first = _evaluate(expr.lhs, inputs, dims)
            second = _evaluate(expr.rhs, inputs, dims)
            if first is None or second is None:
                return None
            if expr.kind is AffineBinaryOpKind.Add:
                return first.plus(second)
            if expr.kind is AffineBinaryOpKind.Mul:
                return _product(first, second)
            return None
        case _:
            return None


def _sole_index(value: BlockArgument) -> int | None:
    """The index of a loop that has at most one iteration, with that index."""
    loop, number = value.block.parent_op(), value.index
    bounds: tuple[OpFoldResult, OpFoldResult, OpFoldResult]
    if type(loop) is scf.ForOp and number == 0:
        bounds = loop.lb, loop.ub, loop.step
    elif type(loop) is ForallOp and number < loop.rank:
        bounds = (
            loop.lower_bounds[number],
            loop.upper_bounds[number],
            loop.steps[number],
        )
    else:
        return None
    lower, upper, step = map(_known, bounds)
    if lower is None or upper is None or step is None or lower + step < upper:
        return None
    return lower


def _known(number: OpFoldResult) -> int | None:
    return number if isinstance(number, int) else constant_value(number)


_RULES: dict[type[Operation], Callable[[Operation, int], Linear | None]] = {
    affine.ApplyOp: _apply,
    arith.AddiOp: _add,
    arith.MuliOp: _multiply,
    arith.SubiOp: _subtract,
}
