"""Iterations that a loop compares its counter with: it meets each at most once.

    scf.for %i = %low to %high step %step {
      %is_ten = arith.cmpi eq, %i, %ten : index    // in one iteration, or in none
      scf.if %is_ten { memref.dealloc %a }         // so this is freed once
    }

Without that, a comparison is unknown in each iteration, and true in several.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.common.static_values import constant_integer

EQ, NE = 0, 1
"""Predicates of `arith.cmpi`."""


@dataclass(frozen=True)
class Sought:
    """A value of a counter of a loop that ops in the loop compare the counter with."""

    comparisons: Sequence[arith.CmpiOp]
    is_first: bool
    """Whether it is the first one: the first iteration meets it."""

    is_met: bool | None
    """Whether some iteration meets it; None if that is not known."""

    @property
    def name(self) -> SSAValue | None:
        """The number of the program that says whether an iteration meets it."""
        for comparison in self.comparisons:
            if comparison.predicate.value.data == EQ:
                return comparison.result
        return None


def find_sought(op: Operation) -> list[Sought]:
    """What a loop compares its counter with, if it stays the same in the loop."""
    if not isinstance(op, scf.ForOp):
        return []
    groups: dict[int | SSAValue, list[arith.CmpiOp]] = {}
    for use in op.body.block.args[0].uses:
        comparison = use.operation
        if isinstance(comparison, arith.CmpiOp) and (
            comparison.predicate.value.data in (EQ, NE)
        ):
            other = comparison.operands[1 - use.index]
            if not op.is_ancestor(other.owner):
                groups.setdefault(_number(other), []).append(comparison)
    first, last, step = (_number(value) for value in (op.lb, op.ub, op.step))
    counts: range | None = None
    if isinstance(first, int) and isinstance(last, int) and isinstance(step, int):
        counts = range(first, last, step) if step > 0 else None
    return [
        Sought(
            comparisons,
            sought == first,
            sought in counts if counts and isinstance(sought, int) else None,
        )
        for sought, comparisons in groups.items()
    ]


def _number(value: SSAValue) -> int | SSAValue:
    number = constant_integer(value)
    return value if number is None else number
