"""How many allocations and copies decisions will cost: an estimate to compare two by.

    %1 = tensor.insert %f into %0[%i]    // out of place: 1 allocation, 1 copy

Three kinds of copies are counted, each once for its op, and nothing is rewritten:

- copies of operands that are out of place, and those that loops need,
- copies of buffers with gaps, for ops that want none,
- slices that have to be put into their place.

Cost: linear in the number of ops.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ...interfaces.noted_copies import NotedCopies
from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.value_reads import are_contents_unused
from ..tensor_facts.tensor_facts import TensorFacts
from .decisions import Decisions
from .dense_buffers import count_copies_of_gaps
from .root_analysis import RootAnalysis


class Cost(NamedTuple):
    """Numbers of ops in the program, however often they run."""

    allocs: int
    copies: int

    def is_at_most(self, other: Cost) -> bool:
        """Whether neither number is larger than that of `other`."""
        return self.allocs <= other.allocs and self.copies <= other.copies


def estimate_cost(analysis: RootAnalysis) -> Cost:
    """The cost of the decisions of an analysis."""
    facts, decisions = analysis.facts, analysis.decisions
    copied = note_copies(decisions)
    copies = sum(
        not can_omit_tensor_copy(operand, facts) for operand in copied.elements()
    )
    moved = sum(
        is_tensor(model.get_source(op).value)
        and not analysis.insertions.is_written_in_place(op)
        for op, model in facts.models.insertions.of(facts.ops)
    )
    with_gaps = count_copies_of_gaps(decisions)
    return Cost(copied.total() + with_gaps, copies + moved + with_gaps)


def copies_in_place(analysis: RootAnalysis) -> bool:
    """Whether ops copy more than what is out of place, as loops do.

    Models that leave copies to the default copy nothing else.
    """
    facts, decisions = analysis.facts, analysis.decisions
    return bool(facts.models.resolving.of(facts.ops)) and any(
        count > 1 or decisions.is_in_place(operand)
        for operand, count in note_copies(decisions).items()
    )


def note_copies(decisions: Decisions) -> Counter[OpOperand]:
    """How often each operand is copied before the ops are bufferized."""
    noted, facts = NotedCopies(decisions), decisions.facts
    counts, models = noted.operands, facts.models
    for op in facts.ops:
        op_type = type(op)
        own = models.resolving[op_type]
        if own is not None:
            own.resolve_conflicts(op, noted)
        elif models.bufferizable[op_type] is not None:
            # As the default: asked of every op there is.
            for use in facts.get_uses(op):
                if use not in decisions.in_place:
                    counts[use.operand] += 1
    return counts


def can_omit_tensor_copy(operand: OpOperand, facts: TensorFacts) -> bool:
    """Whether a new buffer for `operand` may start with any contents."""
    # The value that was analysed: the operand may carry a copy of it by now.
    if facts.get_definitions(facts.get_use(operand).value) is None:
        return True
    return are_contents_unused(operand, facts)
