"""How the control flow of affine becomes branches of the llvm dialect.

A bound is the largest, or the smallest, result of a map:

    affine.for %i = max #lower(%a) to min #upper(%b) step 2 {...}
        -> a loop from the largest result of one map to the smallest of the other
    affine.if #set(%i) {...} else {...}  -> llvm.cond_br on all constraints
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from xdsl.dialects import affine, llvm
from xdsl.dialects.builtin import DenseIntElementsAttr, i1
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstraintKind, AffineMap

from xdsl_bufferization.dialects.affine.control import REDUCTIONS, ParallelOp
from xdsl_bufferization.dialects.common.definitions import defined
from xdsl_bufferization.support.errors import fail_at

from ..control.scf import begin_nest, end_nest, lower_branches, lower_for
from ..emission.function import FunctionLowering, Rules
from ..emission.stand_ins import apply
from ..scalars.combining import OPS, neutral_value
from .maps import apply_map, evaluate, extremum


def _bound(
    intrinsic: str, map: AffineMap, operands: Sequence[SSAValue], f: FunctionLowering
) -> SSAValue:
    values = apply_map(map, f.indices(operands), f)
    return extremum(intrinsic, values, f)


def _lower_for(op: affine.ForOp, f: FunctionLowering) -> None:
    lower = _bound("llvm.smax", op.lowerBoundMap.data, op.lowerBoundOperands, f)
    upper = _bound("llvm.smin", op.upperBoundMap.data, op.upperBoundOperands, f)
    bounds = lower, upper, f.integer(op.step.value.data)
    lower_for(op, op.body.block, bounds, op.inits, f)


def _lower_if(op: affine.IfOp, f: FunctionLowering) -> None:
    condition_set = op.condition.data
    operands = f.indices(op.args)
    dims = operands[: condition_set.num_dims]
    symbols = operands[condition_set.num_dims :]
    holds = f.integer(1, i1)
    for constraint in condition_set.constraints:
        lhs, rhs = (
            f.index(evaluate(each, dims, symbols, f))
            for each in (constraint.lhs, constraint.rhs)
        )
        met = f.compare(_PREDICATES[constraint.kind], lhs, rhs)
        holds = f.integer_op(llvm.AndOp, holds, met)
    lower_branches(op, holds, op.then_region, op.else_region, f)


_PREDICATES = {
    AffineConstraintKind.ge: "sge",
    AffineConstraintKind.le: "sle",
    AffineConstraintKind.eq: "eq",
}


def _lower_parallel(loop: affine.ParallelOp, f: FunctionLowering) -> None:
    """Lower to a sequential loop nest, as scf.parallel."""
    op = defined(loop)
    assert isinstance(op, ParallelOp)
    lower_map = op.lower_bounds_map.data
    first = lower_map.num_dims + lower_map.num_symbols
    lower = _bounds(
        "llvm.smax", lower_map, op.lower_bounds_groups, op.map_operands[:first], f
    )
    upper = _bounds(
        "llvm.smin",
        op.upper_bounds_map.data,
        op.upper_bounds_groups,
        op.map_operands[first:],
        f,
    )
    steps = [f.integer(step.value.data) for step in op.steps]
    kinds = [REDUCTIONS[reduction.value.data] for reduction in op.reductions]
    start = _neutral_values(loop, kinds, f)
    loops = begin_nest(
        list(zip(lower, upper, steps, strict=True)), op.body.block.args, start, f
    )
    # Without dimensions there is one iteration.
    totals = loops[-1].carried if loops else start
    f.open_scope()
    yielded = f.lower_ops(op.body.block).operands
    combined = [
        apply(OPS[kind], [total, f.scalar(value)], value.type, f)
        for kind, total, value in zip(kinds, totals, yielded, strict=True)
    ]
    f.close_scope()
    f.bind_carried(op.results, end_nest(loops, combined, f), loop)


def _neutral_values(
    op: affine.ParallelOp, kinds: Sequence[str], f: FunctionLowering
) -> list[SSAValue]:
    values: list[SSAValue] = []
    for kind, type in zip(kinds, op.result_types, strict=True):
        if kind not in OPS:
            fail_at(op, f"reduction '{kind}' has no lowering: its order would matter")
        values.append(neutral_value(kind, type, f))
    return values


def _bounds(
    intrinsic: str,
    map: AffineMap,
    groups: DenseIntElementsAttr,
    operands: Sequence[SSAValue],
    f: FunctionLowering,
) -> list[SSAValue]:
    """Return the bound of each dimension, which has a group of results."""
    values = apply_map(map, f.indices(operands), f)
    ends = accumulate((int(size) for size in groups.get_values()), initial=0)
    return [extremum(intrinsic, values[a:b], f) for a, b in pairwise(ends)]


RULES: Rules = {
    affine.ForOp: _lower_for,
    affine.IfOp: _lower_if,
    affine.ParallelOp: _lower_parallel,
}
