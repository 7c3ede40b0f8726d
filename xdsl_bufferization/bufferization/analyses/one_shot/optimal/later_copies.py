"""The copies that decisions cause later: yields, moved slices, and buffers with gaps.

    scf.yield %1                                 // not what the loop got: copied
    %2 = tensor.insert_slice %1 into %0[0][4][1] // not computed in its place: moved
    %3 = tensor.collapse_shape %0 [[0, 1]]       // in a buffer with gaps: copied

Each is asked about when all decisions are made. Cost: linear in the ops.
"""

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from xdsl_bufferization.support.errors import OperationError

from ....interfaces.noted_copies import NotedCopies
from ....interfaces.operands import OpOperand, is_tensor
from ..copy_cost import find_copies_of_gaps, note_copies
from ..root_analysis import RootAnalysis
from .copy_bytes import NOTHING, Bytes, CopyBytes


class Later(Enum):
    """What kind of copy it is."""

    YIELD = auto()
    """Of what a loop passes to its next iteration."""

    MOVE = auto()
    """Of a slice into its place."""

    GAPS = auto()
    """Of a buffer with gaps, for an op that wants none."""


class LaterCopy(NamedTuple):
    """A copy beside those of operands that are out of place."""

    kind: Later
    operand: OpOperand


def find_later_copies(analysis: RootAnalysis) -> Iterator[LaterCopy]:
    """The copies that the decisions of an analysis cause."""
    facts, decisions = analysis.facts, analysis.decisions
    noted = NotedCopies(decisions)
    for op, model in facts.models.resolving.of(facts.ops):
        model.resolve_conflicts(op, noted)
    for operand, count in noted.operands.items():
        if count > (not decisions.is_in_place(operand)):
            yield LaterCopy(Later.YIELD, operand)
    for op, model in facts.models.insertions.of(facts.ops):
        source = model.get_source(op)
        if is_tensor(source.value) and not analysis.insertions.is_written_in_place(op):
            yield LaterCopy(Later.MOVE, source)
    for use in find_copies_of_gaps(decisions):
        yield LaterCopy(Later.GAPS, use.operand)


def cost_of(copy: LaterCopy, costs: CopyBytes) -> Bytes:
    """What a later copy costs."""
    if copy.kind is Later.MOVE:
        return costs.of_transfer(copy.operand)
    if copy.kind is Later.GAPS:
        return costs.of_clone(copy.operand)
    return costs.of_copy(copy.operand)


def is_accepted(analysis: RootAnalysis) -> bool:
    """Whether every loop can live with the decisions, under the options given."""
    facts = analysis.facts
    try:
        for op, model in facts.models.resolving.of(facts.ops):
            model.verify_analysis(op, analysis.decisions)
    except OperationError:
        return False
    return True


def cost_of_decisions(
    analysis: RootAnalysis, own: dict[OpOperand, Bytes], costs: CopyBytes
) -> tuple[Bytes, list[LaterCopy]]:
    """What the decisions cost in all, and the later copies among that.

    `own` has the cost of each operand, were it out of place.
    """
    facts = analysis.facts
    total = NOTHING
    for op in facts.ops:
        for use in facts.get_uses(op):
            if use not in analysis.decisions.in_place:
                total = total.plus(own[use.operand])
    later = list(find_later_copies(analysis))
    for copy in later:
        total = total.plus(cost_of(copy, costs))
    return total, later


def count_bytes_copied(analysis: RootAnalysis) -> int:
    """The bytes that the decisions copy over all iterations, by the estimate."""
    costs = CopyBytes(analysis.facts)
    total = sum(
        count * costs.of_copy(operand).copied
        for operand, count in note_copies(analysis.decisions).items()
    )
    for copy in find_later_copies(analysis):
        # What loops forward is among the operands that are copied.
        if copy.kind is not Later.YIELD:
            total += cost_of(copy, costs).copied
    return total
