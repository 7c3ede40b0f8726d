"""The pass `vectorize-loop-nests`: loops of linalg on buffers work on vectors.

    linalg.generic ... { %0 = arith.addf %in, %c : f32 }      1000 elements
        -> scf.for %i = %c0 to %c992 step %c32 {
             %a = vector.load %x[%i] : memref<1000xf32>, vector<32xf32>
             %0 = arith.addf %a, %v : vector<32xf32>
             vector.store %0, %y[%i] : memref<1000xf32>, vector<32xf32>
           }
           the last 8 elements, by vectors of 8

Runs last before `lower-to-llvm`. The innermost loop is one along rows: each operand
either has its elements next to each other, or has one element for all iterations.

- What is left over at the end of a row is masked.
- Rows that are added up are added eight at a time, in their order, so that the row of
  sums is loaded and stored less often.
- A reduction has one partial result for each element of a vector, in registers. After
  the loop they are combined pairwise. So sums must have the flag `reassoc`: it allows
  another order. The order then depends on the length of the row alone, not on the
  processor and not on the number of threads.
- An op stays as it is if its body has other ops than arithmetic on elements, if no loop
  fits, or if rows have less than 4 elements.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.common.elementwise import bit_width
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.support.traversal import ops_inside

from .vector_loops.bodies import is_vectorizable
from .vector_loops.nest import Nest, is_along_rows, nest_of
from .vector_loops.reductions import Reduction, reductions_of
from .vector_loops.writer import Plan, write_loops

_VECTOR_BITS = 512
_VECTORS_AT_ONCE, _SUMS_AT_ONCE = 2, 4
"""How many vectors of a processor an iteration takes, without and with a reduction.

A sum must wait for the one before, so that more of them are computed side by side.
"""

_ITERATIONS_AT_ONCE, _FEW_OPS = 8, 4
"""How many rows are added to a row of sums at once, if the body has so few ops."""

_MANY_OPS = 12
"""With so many ops in the body, registers would not do for that many sums."""


def vectorize_loop_nests(module: ModuleOp) -> None:
    """Vectorize all structured ops on buffers that it is possible for."""
    for op in ops_inside(module):
        if op.dialect_name() != "linalg" or op.results or isinstance(op, FillOp):
            continue
        plan = _plan(op)
        if plan is not None:
            write_loops(plan)
            Rewriter.erase_op(op)


def _plan(op: Operation) -> Plan | None:
    structure = structure_of(op)
    if structure is None or not is_vectorizable(structure.body.block):
        return None
    nest = nest_of(op, structure)
    if nest is None:
        return None
    for loop in reversed(range(len(nest.loops))):
        if is_along_rows(nest, loop):
            reductions = _reductions(nest, loop)
            if reductions is not None:
                width = _width(nest, loop, reductions)
                plan = Plan(nest, loop, width, reductions)
                return replace(plan, at_once=_at_once(plan))
    return None


def _at_once(plan: Plan) -> int:
    """How many iterations of a reduction around the innermost loop to compute at once.

    Each output is then loaded and stored once for all of them. The order stays.
    """
    nest, around = plan.nest, plan.around
    if plan.reductions or around is None or nest.loops[around].is_parallel:
        return 1
    size = nest.loops[around].size
    is_short = len(nest.body.ops) <= _FEW_OPS
    if size is None or size < _ITERATIONS_AT_ONCE or not is_short:
        return 1
    if any(access.uses(around) for access in nest.results):
        return 1
    return _ITERATIONS_AT_ONCE


def _reductions(nest: Nest, loop: int) -> list[Reduction] | None:
    """How outputs are combined along a loop: empty for a parallel one.

    None if the outputs do not allow it.
    """
    moves = {access.uses(loop) for access in nest.results}
    if nest.loops[loop].is_parallel:
        return [] if moves == {True} else None
    if moves != {False}:
        return None
    return reductions_of(nest.body, nest.outputs)


def _width(nest: Nest, loop: int, reductions: list[Reduction]) -> int:
    """How many elements a vector has: a power of two."""
    types: list[Attribute] = [argument.type for argument in nest.body.args]
    types += [result.type for op in nest.body.ops for result in op.results]
    widest = max((_bits(each) for each in types), default=0)
    many = len(nest.body.ops) > _MANY_OPS
    at_once = _SUMS_AT_ONCE if reductions and not many else _VECTORS_AT_ONCE
    most = at_once * _VECTOR_BITS // max(widest, 8)
    size = nest.loops[loop].size
    if size is None:
        return most
    return min(most, 1 << (size - 1).bit_length())


def _bits(type_: Attribute) -> int:
    return 64 if isinstance(type_, IndexType) else bit_width(type_)


class VectorizeLoopNestsPass(LoweringPass):
    """Let loops of linalg on buffers work on vectors."""

    name = "vectorize-loop-nests"
    rewrite = staticmethod(vectorize_loop_nests)
