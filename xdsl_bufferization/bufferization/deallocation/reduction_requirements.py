"""Refusing reductions that use a buffer which has been freed.

A buffer of an iteration of `scf.parallel` is freed before `scf.reduce`, which ends the
iteration. The reduction runs later, for the results of any two iterations. So it must
not use a buffer of one iteration.

    scf.parallel (%i) = ... {
      %t = memref.alloc() : memref<1xf32>
      scf.reduce(%v : f32) {
      ^bb0(%x: f32, %y: f32):
        %u = memref.load %t[%c0] : memref<1xf32>     // refused

mlir-opt frees `%t` before the reduction reads it.
"""

from collections.abc import Container, Iterable, Iterator

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.algorithms.reach import reach
from xdsl_bufferization.support.errors import fail_at, op_name

from ..analyses.buffers.buffer_flow import BufferFlow, block_of, walk_group
from ..interfaces.deallocation import Allocated, is_memref
from ..interfaces.operands import OpOperand


def check_reductions(flow: BufferFlow) -> None:
    """Raise an `OperationError` at the first op that uses a freed buffer."""
    becomes: dict[SSAValue, list[SSAValue]] | None = None
    for op in flow.region_ops:
        assert op.parent is not None
        if op is not op.parent.last_op or not op.has_trait(IsTerminator):
            continue
        uses = tuple(_uses_of_iteration(flow, op))
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
                f"freed before '{op_name(end)}', which runs after the iteration that "
                "the buffer belongs to; read the number before and pass it as an "
                f"operand of '{op_name(end)}'",
            )


def _uses_of_iteration(flow: BufferFlow, end: Operation) -> Iterator[OpOperand]:
    """The uses in a reduction of buffers that belong to one iteration."""
    for op in walk_group(end):
        for number, value in enumerate(op.operands):
            if is_memref(value) and _is_of_iteration(flow, end, value):
                yield OpOperand(op, number)


def _find_allocations(flow: BufferFlow, end: Operation) -> Iterator[SSAValue]:
    """The memory that is allocated in an iteration."""
    loop = end.parent_op()
    assert loop is not None
    for op in walk_group(loop):
        for value in op.results:
            origin = flow.origins.get(value)
            if isinstance(origin, Allocated) and _is_of_iteration(flow, end, value):
                yield value


def _is_of_iteration(flow: BufferFlow, end: Operation, value: SSAValue) -> bool:
    """Whether a value is of the region that `end` ends, and not of one inside `end`."""
    block = block_of(value)
    is_of_end = any(flow.ancestor_in(region, block) for region in end.regions)
    return not is_of_end and flow.ancestor_in(end.parent_region(), block) is not None
