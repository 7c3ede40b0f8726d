"""What the ops of linalg demand: operands whose sizes fit each other.

    linalg.matmul ins(%a, %b) outs(%c)     the size of %a's dimension 1 is that of %b's
                                           dimension 0, ...
    (d0, d1) -> (d0 + d1)                  the largest index is inside of the operand

Where a loop has no iterations, nothing is accessed, and only equal sizes are demanded.
"""

from collections.abc import Iterable, Sequence

from xdsl.dialects.arith import XOrIOp
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import BroadcastOp, ReduceOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

from xdsl_bufferization.dialects.arith.builder import Truth
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.linalg.aggregates import SoftmaxOp
from xdsl_bufferization.dialects.linalg.structure import (
    HasStructure,
    Structure,
    structure_of,
)

from .accesses import Rules
from .allocations import require_same_sizes
from .checks import Checks
from .tensor_sizes import shape_of


def check_structured(op: Operation, checks: Checks) -> None:
    """Demand that the operands of a structured op fit its loops."""
    structure = structure_of(op)
    if structure is None:
        return
    operands = _Operands(structure, checks)
    bounds = operands.bounds()
    if len(bounds) < len(structure.iterator_types):
        return  # The lowering refuses the op.
    for number, dimension, expr, size in operands.accesses:
        if isinstance(expr, AffineDimExpr):
            wanted = bounds[expr.position]
            checks.require_same(
                size,
                wanted,
                f"size {{0}} of dimension {dimension} of operand {number} is not the "
                f"{{1}} of loop {expr.position}",
                size,
                wanted,
            )
    windows = [each for each in operands.accesses if _is_window(each[2])]
    runs = _runs(bounds.values(), checks) if windows else True
    for number, dimension, expr, size in windows:
        _require_range((number, dimension, size), expr, bounds, runs, checks)


def _is_window(expr: AffineExpr) -> bool:
    """Whether an index is more than that of a loop."""
    return not isinstance(expr, AffineDimExpr)


def _runs(bounds: Iterable[OpFoldResult], checks: Checks) -> Truth:
    """Whether there is any iteration."""
    runs: Truth = True
    for bound in bounds:
        runs = checks.both(runs, checks.holds("sgt", bound, 0))
    return runs


class _Operands:
    """The buffers or tensors of an op, and how its loops index them."""

    accesses: list[tuple[int, int, AffineExpr, OpFoldResult]]
    """Operand, dimension, index, and size."""

    def __init__(self, structure: Structure, checks: Checks):
        self.accesses = []
        operands: Sequence[SSAValue] = [*structure.inputs, *structure.outputs]
        for number, (operand, map_) in enumerate(
            zip(operands, structure.maps, strict=True)
        ):
            if shape_of(operand) is not None:
                sizes = checks.sizes(operand)
                pairs = zip(map_.results, sizes, strict=True)
                for dimension, (expr, size) in enumerate(pairs):
                    self.accesses.append((number, dimension, expr, size))

    def bounds(self) -> dict[int, OpFoldResult]:
        """The number of iterations of each loop, known where one operand knows it."""
        bounds: dict[int, OpFoldResult] = {}
        for _, _, expr, size in self.accesses:
            if isinstance(expr, AffineDimExpr):
                known = bounds.get(expr.position)
                if not isinstance(known, int):
                    bounds[expr.position] = size
        return bounds


def _require_range(
    access: tuple[int, int, OpFoldResult],
    expr: AffineExpr,
    bounds: dict[int, OpFoldResult],
    runs: Truth,
    checks: Checks,
) -> None:
    number, dimension, size = access
    found = _range(expr, bounds, checks)
    if found is None:
        return
    least, most = found
    is_inside = checks.both(
        checks.holds("sge", least, 0), checks.holds("slt", most, size)
    )
    runs_not: Truth = not runs if isinstance(runs, bool) else _negated(runs, checks)
    checks.require(
        checks.either(runs_not, is_inside),
        f"the indices from {{0}} to {{1}} are out of bounds: dimension {dimension} of "
        f"operand {number} has size {{2}}",
        least,
        most,
        size,
    )


def _negated(condition: SSAValue, checks: Checks) -> Truth:
    return checks.value(XOrIOp(condition, checks.bit(True)))


def _range(
    expr: AffineExpr, bounds: dict[int, OpFoldResult], checks: Checks
) -> tuple[OpFoldResult, OpFoldResult] | None:
    """The smallest and the largest value of an index; None if that is unknown."""
    match expr:
        case AffineDimExpr():
            return 0, checks.subtract(bounds[expr.position], 1)
        case AffineConstantExpr():
            return expr.value, expr.value
        case AffineBinaryOpExpr():
            return _range_of_two(expr, bounds, checks)
        case _:
            return None


def _range_of_two(
    expr: AffineBinaryOpExpr, bounds: dict[int, OpFoldResult], checks: Checks
) -> tuple[OpFoldResult, OpFoldResult] | None:
    lhs, rhs = (_range(each, bounds, checks) for each in (expr.lhs, expr.rhs))
    if lhs is None or rhs is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return checks.add(lhs[0], rhs[0]), checks.add(lhs[1], rhs[1])
    factor = rhs[0] if rhs[0] is rhs[1] or rhs[0] == rhs[1] else None
    if not isinstance(factor, int):
        return None
    if expr.kind is AffineBinaryOpKind.Mul:
        ends = [checks.multiply(each, factor) for each in lhs]
        return (ends[0], ends[1]) if factor >= 0 else (ends[1], ends[0])
    if expr.kind is AffineBinaryOpKind.FloorDiv and lhs[0] == 0 and factor > 0:
        return 0, checks.divide(lhs[1], factor)
    return None


def _check_softmax(op: SoftmaxOp, checks: Checks) -> None:
    require_same_sizes(op.input, op.output, checks)


RULES: Rules = {
    LinalgStructuredOperation: check_structured,
    HasStructure: check_structured,
    BroadcastOp: check_structured,
    ReduceOp: check_structured,
    SoftmaxOp: _check_softmax,
}
