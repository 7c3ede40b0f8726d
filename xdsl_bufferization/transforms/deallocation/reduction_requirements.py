"""Ends of regions that have regions themselves, and what these must not use.

A buffer of a round of `scf.parallel` is freed before `scf.reduce`, which ends the
round. The reduction comes later, and for any two results: it belongs to no round.

    scf.parallel (%i) = ... {
      %t = memref.alloc() : memref<1xf32>
      scf.reduce(%v : f32) {
      ^bb0(%x: f32, %y: f32):
        %u = memref.load %t[%c0] : memref<1xf32>     // refused

mlir-opt frees `%t` before, and the reduction reads what is freed.
"""

from collections.abc import Container, Iterable, Iterator

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.algorithms.reach import reach
from xdsl_bufferization.analyses.buffers.buffer_flow import (
    BufferFlow,
    block_of,
    walk_group,
)
from xdsl_bufferization.errors import fail_at, op_name
from xdsl_bufferization.interfaces.deallocation import Allocated, is_memref
from xdsl_bufferization.interfaces.operands import OpOperand


def check_reductions(flow: BufferFlow) -> None:
    """Raise an `OperationError` at the first op that uses what is freed before."""
    becomes: dict[SSAValue, list[SSAValue]] | None = None
    for op in flow.region_ops:
        assert op.parent is not None
        if op is not op.parent.last_op or not op.has_trait(IsTerminator):
            continue
        uses = tuple(_uses_of_round(flow, op))
        if uses:
            becomes = becomes or flow.successors()
            _check_uses(uses, reach(_find_allocations(flow, op), becomes), op)


def _check_uses(
    uses: Iterable[OpOperand], freed: Container[SSAValue], end: Operation
) -> None:
    for use in uses:
        if use.value in freed:
            fail_at(
                use.owner,
                f"'{op_name(use.owner)}' operand {use.number} is a buffer that is "
                f"freed before '{op_name(end)}', which comes after the round that the "
                "buffer is of; pass what is read from it as an operand of "
                f"'{op_name(end)}'",
            )


def _uses_of_round(flow: BufferFlow, end: Operation) -> Iterator[OpOperand]:
    """The uses in a reduction of buffers that are values of its round."""
    for op in walk_group(end):
        for number, value in enumerate(op.operands):
            if is_memref(value) and _is_of_round(flow, end, value):
                yield OpOperand(op, number)


def _find_allocations(flow: BufferFlow, end: Operation) -> Iterator[SSAValue]:
    """The memory that is allocated in a round."""
    loop = end.parent_op()
    assert loop is not None
    for op in walk_group(loop):
        for value in op.results:
            origin = flow.origins.get(value)
            if isinstance(origin, Allocated) and _is_of_round(flow, end, value):
                yield value


def _is_of_round(flow: BufferFlow, end: Operation, value: SSAValue) -> bool:
    """Whether a value is of the region that `end` ends, and not of one inside `end`."""
    block = block_of(value)
    is_of_end = any(flow.ancestor_in(region, block) for region in end.regions)
    return not is_of_end and flow.ancestor_in(end.parent_region(), block) is not None
