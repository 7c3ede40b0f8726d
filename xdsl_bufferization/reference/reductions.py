"""Reductions that NumPy can do as a whole: `out = combine(out, term)`.

    out + a * b, maps of distinct loops  ->  numpy.matmul
    max(out, f(a, i))                    ->  f at all points, numpy.maximum.reduce

Sums of floating-point values are taken in float64, those of complex numbers in
complex128, and rounded once.
"""

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from .loop_nest import LoopNest, projected_loops
from .machine import Machine
from .values import Value, of_type

MOST_TERMS = 1 << 24
"""With more points than this, the terms are not held all at once."""

_COMBINERS: dict[str, Any] = {
    "arith.addf": np.add,
    "arith.mulf": np.multiply,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.maxnumf": np.fmax,
    "arith.minnumf": np.fmin,
    "complex.add": np.add,
    "complex.mul": np.multiply,
    "arith.addi": np.add,
    "arith.muli": np.multiply,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
}

_CONTRACTIONS = (
    ("arith.addf", "arith.mulf"),
    ("arith.addi", "arith.muli"),
    ("complex.add", "complex.mul"),
)
"""Sums and the products that they are of."""

_CASTS = frozenset(
    f"arith.{name}"
    for name in ("extf", "extsi", "extui", "truncf", "sitofp", "uitofp", "trunci")
)


class Reduction(NamedTuple):
    """A payload that combines its output with a term, and yields that."""

    combine: Operation
    term_index: int
    """Which operand of `combine` is the term."""

    @property
    def term(self) -> SSAValue:
        """The value that is reduced."""
        return self.combine.operands[self.term_index]


def reduce_at_once(nest: LoopNest, machine: Machine) -> Value | None:
    """The only result of `nest`, or None if it must be computed step by step."""
    output = nest.operands[-1]
    loops = projected_loops(nest.maps[-1])
    if len(nest.operands) != nest.num_inputs + 1 or output.dtype == np.bool_:
        return None
    parallel = set(range(len(nest.sizes))) - set(nest.reductions)
    if loops is None or set(loops) != parallel:
        return None
    if (reduction := _recognise(nest.body)) is None:
        return None
    reduced = _contraction(nest, machine, reduction, loops)
    if reduced is None:
        reduced = _reduce_terms(nest, machine, reduction, loops)
    if reduced is None:
        return None
    combine = _COMBINERS[reduction.combine.name]
    initial = output.astype(np.result_type(reduced.dtype, output.dtype))
    return of_type(
        reduction.combine.results[0].type, combine(initial, reduced), nest.op
    )


def _recognise(body: Block) -> Reduction | None:
    terminator = body.last_op
    if terminator is None or len(terminator.operands) != 1:
        return None
    combine = terminator.operands[0].owner
    output = body.args[-1]
    if not isinstance(combine, Operation) or combine.name not in _COMBINERS:
        return None
    # One use, so that the term cannot depend on what is being reduced.
    if combine.parent is not body or len(set(output.uses)) != 1:
        return None
    if combine.operands[0] is output:
        return Reduction(combine, 1)
    return Reduction(combine, 0) if combine.operands[1] is output else None


def _reduce_terms(
    nest: LoopNest, machine: Machine, reduction: Reduction, loops: Sequence[int]
) -> Value | None:
    if nest.num_points > MOST_TERMS:
        return None
    everywhere = nest.everywhere()
    machine.points = nest.positions(everywhere)
    arguments = [nest.read(at, everywhere) for at in range(len(nest.operands))]
    _, operands = machine.run_block(nest.body, arguments, stop=reduction.combine)
    term = np.broadcast_to(operands[reduction.term_index], nest.sizes)
    exact = _exact_type(term)
    combine = _COMBINERS[reduction.combine.name]
    reduced: Value = combine.reduce(term, axis=tuple(nest.reductions), dtype=exact)
    # The axes that are left are the parallel loops in order; put them as the map does.
    left = sorted(loops)
    return np.asarray(reduced).transpose([left.index(loop) for loop in loops])


def _exact_type(value: Value) -> np.dtype[Any]:
    """In which type sums are taken: numbers that are rounded in the widest."""
    if not np.issubdtype(value.dtype, np.inexact):
        return value.dtype
    return np.dtype(np.complex128 if value.dtype.kind == "c" else np.float64)


def _contraction(
    nest: LoopNest, machine: Machine, reduction: Reduction, loops: Sequence[int]
) -> Value | None:
    product = reduction.term.owner
    if not isinstance(product, Operation):
        return None
    names = (reduction.combine.name, product.name)
    if names not in _CONTRACTIONS:
        return None
    last = nest.body.last_op
    if not all(
        op in (reduction.combine, product, last) or op.name in _CASTS
        for op in nest.body.ops
    ):
        # Another op might fail, and has to run.
        return None
    factors = [_factor(nest, machine, operand) for operand in product.operands]
    lhs, rhs = factors
    if lhs is None or rhs is None:
        return None
    return _contract(lhs, rhs, loops, nest.sizes)


class _Factor(NamedTuple):
    value: Value
    loops: list[int]
    """The loop of each axis."""


def _factor(nest: LoopNest, machine: Machine, value: SSAValue) -> _Factor | None:
    """The whole operand behind `value`, which is an argument or a cast of one."""
    if isinstance(value, BlockArgument):
        if value.owner is not nest.body or value.index >= nest.num_inputs:
            return None
        loops = projected_loops(nest.maps[value.index])
        return None if loops is None else _Factor(nest.operands[value.index], loops)
    cast = value.owner
    if not isinstance(cast, Operation) or cast.name not in _CASTS:
        return None
    if (inner := _factor(nest, machine, cast.operands[0])) is None:
        return None
    return _Factor(np.asarray(machine.run_op(cast, [inner.value])[0]), inner.loops)


def _contract(
    lhs: _Factor, rhs: _Factor, loops: Sequence[int], sizes: Sequence[int]
) -> Value | None:
    """Sum of products as one batched matrix product, axes ordered as `loops`."""
    known = set(lhs.loops) | set(rhs.loops)
    if known != set(range(len(sizes))):
        return None
    lhs, rhs = (_summed(one, other, loops) for one, other in ((lhs, rhs), (rhs, lhs)))
    both = set(lhs.loops) & set(rhs.loops)
    batch = [loop for loop in loops if loop in both]
    rows = [loop for loop in loops if loop in lhs.loops and loop not in both]
    columns = [loop for loop in loops if loop in rhs.loops and loop not in both]
    inner = sorted(both - set(loops))

    def matrix(factor: _Factor, *groups: list[int]) -> Value:
        order = [factor.loops.index(loop) for group in groups for loop in group]
        shape = [prod(sizes[loop] for loop in group) for group in groups]
        return factor.value.transpose(order).reshape(shape)

    product = np.matmul(
        matrix(lhs, batch, rows, inner), matrix(rhs, batch, inner, columns)
    )
    result = [*batch, *rows, *columns]
    unfolded = product.reshape([sizes[loop] for loop in result])
    return unfolded.transpose([result.index(loop) for loop in loops])


def _summed(factor: _Factor, other: _Factor, loops: Sequence[int]) -> _Factor:
    """Sum over the reduction loops that only this factor has; floats become exact."""
    value = factor.value.astype(_exact_type(factor.value), copy=False)
    alone = [
        axis
        for axis, loop in enumerate(factor.loops)
        if loop not in loops and loop not in other.loops
    ]
    kept = [loop for axis, loop in enumerate(factor.loops) if axis not in alone]
    summed = np.add.reduce(value, axis=tuple(alone), dtype=value.dtype)
    return _Factor(np.asarray(summed), kept)
