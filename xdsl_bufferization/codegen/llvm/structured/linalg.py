"""How linalg ops on buffers become loops.

xDSL's `convert-linalg-to-loops` keeps the order of the iterators, which for a matrix
product walks down the columns of one operand. Here the innermost loop is the parallel
one that walks along rows where there is such a loop, so that LLVM can use vector
instructions. Reductions keep their order: every element is the same sum, added up in
the same order, as in the loops that linalg's documentation describes.

    linalg.matmul ins(%a, %b) outs(%c)
        -> for i, for k, for j: c[i, j] += a[i, k] * b[k, j]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.linalg.aggregates import SoftmaxOp
from xdsl_bufferization.dialects.linalg.mapped import MapOp
from xdsl_bufferization.dialects.linalg.structure import Structure, structure_of
from xdsl_bufferization.support.errors import fail_at

from ..affine.maps import apply_map
from ..control.scf import Loop, begin_loop, end_loop
from ..emission.boundary import bind_packed, pack
from ..emission.descriptor import Buffer
from ..emission.function import FunctionLowering, Rules, unsupported
from ..memory.memref import load_element, store_element
from .softmax import lower_softmax


class LoopNest:
    """A linalg op on buffers in the terms of its loops."""

    def __init__(self, op: Operation, structure: Structure):
        self.op = op
        self.operands = (*structure.inputs, *structure.outputs)
        self.first_output = len(structure.inputs)
        self.maps = structure.maps
        self.parallel = structure.parallel
        self.body = structure.body.block

    @property
    def output_maps(self) -> Sequence[AffineMap]:
        """The maps of the outputs."""
        return self.maps[self.first_output :]


# The order of the loops. Costs are per element and only have to rank the loops: an
# access that stays where it is, one that moves to the neighbour, one that jumps, and a
# sum that cannot go on before the last addition is done.

_NEIGHBOUR, _JUMP, _CHAIN, _SHORT = 1, 4, 3, 4
_SHORT_TRIP_COUNT = 4


def loop_order(nest: LoopNest, bounds: Sequence[OpFoldResult], f: FunctionLowering):
    """Return the loops from outermost to innermost.

    At most one loop moves, a parallel one to the innermost place, so the iterations
    of reductions keep their order.
    """
    loops = list(range(len(nest.parallel)))
    if not loops:
        return loops
    candidates = [loops[-1], *(d for d in loops[:-1] if _may_be_innermost(nest, d))]
    innermost = min(candidates, key=lambda d: _innermost_cost(nest, d, bounds, f))
    loops.remove(innermost)
    return [*loops, innermost]


def _may_be_innermost(nest: LoopNest, loop: int) -> bool:
    return nest.parallel[loop] and all(
        loop in map.used_dims() for map in nest.output_maps
    )


def _innermost_cost(
    nest: LoopNest, loop: int, bounds: Sequence[OpFoldResult], f: FunctionLowering
) -> int:
    cost = 0 if nest.parallel[loop] else _CHAIN
    bound = bounds[loop]
    if isinstance(bound, int) and bound < _SHORT_TRIP_COUNT:
        cost += _SHORT
    for operand, map in zip(nest.operands, nest.maps, strict=True):
        lowered = f.values[operand]
        if isinstance(lowered, Buffer):
            cost += _access_cost(lowered, map, loop)
    return cost


def _access_cost(buffer: Buffer, map: AffineMap, loop: int) -> int:
    """Return what one step of `loop` costs for an access through `map`."""
    moved = [i for i, expr in enumerate(map.results) if loop in expr.used_dims()]
    if not moved:
        return 0
    by_one = isinstance(map.results[moved[0]], AffineDimExpr)
    if len(moved) == 1 and by_one and buffer.strides[moved[0]] == 1:
        return _NEIGHBOUR
    return _JUMP


# The loops.


def lower_nest(nest: LoopNest, f: FunctionLowering) -> None:
    """Emit the loops of a linalg op on buffers."""
    bounds = _bounds(nest, f)
    order = loop_order(nest, bounds, f)
    if not order:
        f.loops.append(())
        _lower_body(nest, (), {}, f)
        f.loops.pop()
        return
    zero, one = f.integer(0), f.integer(1)
    ivs: list[SSAValue] = [zero] * len(order)
    loops: list[Loop] = []
    for loop in order[:-1]:
        loops.append(begin_loop(f, (zero, f.index(bounds[loop]), one)))
        ivs[loop] = loops[-1].induction
    innermost = order[-1]
    sums = _accumulators(nest, innermost)
    inits = [_load(nest, position, ivs, f) for position in sums]
    last = begin_loop(f, (zero, f.index(bounds[innermost]), one), inits)
    ivs[innermost] = last.induction
    f.loops.append(ivs)
    carried = dict(zip(sums, last.carried, strict=True))
    end_loop(f, last, _lower_body(nest, ivs, carried, f))
    f.loops.pop()
    for position, value in carried.items():
        _store(nest, position, value, ivs, f)
    for loop in reversed(loops):
        end_loop(f, loop)


def _bounds(nest: LoopNest, f: FunctionLowering) -> list[OpFoldResult]:
    """Return the trip counts, each from an operand that the loop indexes directly."""
    bounds: dict[int, OpFoldResult] = {}
    for operand, map in zip(nest.operands, nest.maps, strict=True):
        lowered = f.values[operand]
        if not isinstance(lowered, Buffer):
            continue
        for expr, size in zip(map.results, lowered.sizes, strict=True):
            if isinstance(expr, AffineDimExpr):
                known = bounds.get(expr.position)
                if not isinstance(known, int):
                    bounds[expr.position] = size
    for loop in range(len(nest.parallel)):
        if loop not in bounds:
            fail_at(nest.op, f"no operand gives the trip count of loop d{loop}")
    return [bounds[loop] for loop in range(len(nest.parallel))]


def _accumulators(nest: LoopNest, innermost: int) -> list[int]:
    """Return the outputs that stay in a register during the innermost loop."""
    if nest.parallel[innermost]:
        return []
    first = nest.first_output
    return [
        first + number
        for number, map in enumerate(nest.output_maps)
        if innermost not in map.used_dims() and nest.body.args[first + number].uses
    ]


def _lower_body(
    nest: LoopNest,
    ivs: Sequence[SSAValue],
    carried: Mapping[int, SSAValue],
    f: FunctionLowering,
) -> list[SSAValue]:
    """Emit one iteration and return the new values of what is carried."""
    for position, argument in enumerate(nest.body.args):
        if position in carried:
            bind_packed(argument, carried[position], f, nest.op)
        elif argument.uses:
            bind_packed(argument, _load(nest, position, ivs, f), f, nest.op)
    yielded = f.lower_ops(nest.body).operands
    results = [pack(f.values[value], f) for value in yielded]
    following: list[SSAValue] = []
    for position, value in enumerate(results, nest.first_output):
        if position in carried:
            following.append(value)
        else:
            _store(nest, position, value, ivs, f)
    return following


def _load(
    nest: LoopNest, position: int, ivs: Sequence[SSAValue], f: FunctionLowering
) -> SSAValue:
    """Return the element of an operand; an operand that is a number is itself."""
    lowered = f.values[nest.operands[position]]
    if not isinstance(lowered, Buffer):
        return pack(lowered, f)
    return load_element(lowered, apply_map(nest.maps[position], ivs, f), f)


def _store(
    nest: LoopNest,
    position: int,
    value: SSAValue,
    ivs: Sequence[SSAValue],
    f: FunctionLowering,
) -> None:
    buffer = f.buffer(nest.operands[position])
    store_element(value, buffer, apply_map(nest.maps[position], ivs, f), f)


# The ops.


def _check_buffers(op: Operation) -> None:
    if op.results:
        fail_at(op, f"'{op.name}' on tensors must be bufferized first")


def lower_structured(op: Operation, f: FunctionLowering) -> None:
    """Lower an op that knows its maps, iterators and body."""
    _check_buffers(op)
    structure = structure_of(op)
    if structure is None:
        fail_at(op, unsupported(op))
    lower_nest(LoopNest(op, structure), f)


def _lower_index(op: linalg.IndexOp, f: FunctionLowering) -> None:
    loop: int = op.dim.value.data
    f.bind(op.result, f.loops[-1][loop])


RULES: Rules = {
    LinalgStructuredOperation: lower_structured,
    linalg.BroadcastOp: lower_structured,
    linalg.ReduceOp: lower_structured,
    MapOp: lower_structured,
    SoftmaxOp: lower_softmax,
    linalg.IndexOp: _lower_index,
}
