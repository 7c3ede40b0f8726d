"""How often an op runs each time its function is called: an estimate, from the loops.

    scf.for %i = %c0 to %c8 step %c1 { a }    // a runs 8 times
    scf.for %i = %c0 to %n step %c1 { b }     // b counts as running 10 times

Constant bounds are known. Other loops count 10 times, and so do loops made of branches.
Both sides of a branch count as taken. Cost: linear in the blocks that are asked about.
"""

from math import prod

from xdsl.dialects import scf
from xdsl.ir import Operation

from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.dialects.scf.loop_patterns import count_trips
from xdsl_bufferization.support.algorithms.program_points import (
    BlockPoint,
    Repetition,
    RepetitiveBlocks,
)

UNKNOWN_TRIPS = 10
"""What a loop counts as whose bounds are not constants."""

MOST_TRIPS = 10**9
"""More than that is not told apart."""


class EstimatedTrips:
    """How often blocks run, each looked at once."""

    def __init__(self) -> None:
        self._known: dict[BlockPoint, int] = {}

    def of_block(self, block: BlockPoint) -> int:
        """How often the ops of a block run for each call of the root."""
        todo = [block]
        while (parent := todo[-1].parent) is not None and todo[-1] not in self._known:
            todo.append(parent.block)
        trips = self._known.get(todo[-1], 1)
        for inner in reversed(todo):
            if inner not in self._known:
                trips = min(trips * _repeats(inner), MOST_TRIPS)
                self._known[inner] = trips
            trips = self._known[inner]
        return trips


def _repeats(block: BlockPoint) -> int:
    """How often a block runs for each time that the op around it runs."""
    times = 1
    repetition: Repetition | None = block.repetition
    while repetition is not None and repetition.op is block.parent:
        is_of_blocks = isinstance(repetition, RepetitiveBlocks)
        times *= UNKNOWN_TRIPS if is_of_blocks else _trips_of(repetition.op.op)
        repetition = repetition.outer
    return times


def _trips_of(op: Operation) -> int:
    """The iterations of a loop; one, if it never runs."""
    trips: int | None = None
    if isinstance(op, scf.ForOp):
        trips = count_trips(op.lb, op.ub, op.step)
    elif isinstance(op, ForallOp):
        bounds = zip(op.lower_bounds, op.upper_bounds, op.steps, strict=True)
        trips = _product([_count(*each) for each in bounds])
    return UNKNOWN_TRIPS if trips is None else max(trips, 1)


def _count(lower: object, upper: object, step: object) -> int | None:
    if isinstance(lower, int) and isinstance(upper, int) and isinstance(step, int):
        return len(range(lower, upper, step)) if step > 0 else None
    return None


def _product(counts: list[int | None]) -> int:
    return prod(UNKNOWN_TRIPS if count is None else count for count in counts)
