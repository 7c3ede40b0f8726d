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
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xdsl.ir import Operation, OpResult, SSAValue

from ...interfaces.noted_copies import NotedCopies
from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.options import LayoutMapOption
from ...interfaces.value_reads import are_contents_unused
from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import TensorUse, is_equivalent
from .decisions import Decisions
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


# --- buffers with gaps --------------------------------------------------------------


def count_copies_of_gaps(decisions: Decisions) -> int:
    """How many operands in place will be copied because their buffers have gaps."""
    return len(find_copies_of_gaps(decisions))


def find_copies_of_gaps(decisions: Decisions) -> list[TensorUse]:
    """The operands in place that will be copied because their buffers have gaps.

        %1 = tensor.collapse_shape %0 [[0, 1]] : ...    // copies %0 if that has gaps

    A value in place may end up in a buffer with gaps, such as that of an argument. A
    new buffer has none. An op that wants no gaps then copies the buffer, even if its
    operand is in place. Values are visited in program order, so that a value comes
    after those that it is made of. Cost: linear in the values.
    """
    facts = decisions.facts
    copying = [op for op in facts.ops if _may_copy(op, decisions)]
    if not copying:
        return []
    dense = find_dense(decisions)
    return [
        use
        for op in copying
        for use in facts.get_uses(op)
        if use in decisions.in_place and not dense[use.value]
    ]


def _may_copy(op: Operation, decisions: Decisions) -> bool:
    model = decisions.facts.get_model(op)
    return model is not None and model.may_copy_in_place(op, decisions)


def find_inits(facts: TensorFacts) -> dict[SSAValue, OpOperand]:
    """What the arguments in regions start with."""
    return dict(init for op in facts.ops for init in _inits_of(op, facts))


def find_dense(decisions: Decisions) -> Mapping[SSAValue, bool]:
    """For each tensor whether its buffer has no gaps; those before it are known."""
    facts = decisions.facts
    inits = find_inits(facts)
    boundary = facts.options.function_boundary_type_conversion
    dense: dict[SSAValue, bool] = {}
    for value in facts.values:
        if isinstance(value, OpResult):
            dense[value] = _is_dense(value, decisions, dense)
        elif value in inits:
            dense[value] = _starts_dense(inits[value], decisions, dense)
        else:
            dense[value] = boundary is LayoutMapOption.IDENTITY_LAYOUT_MAP
    return dense


def _inits_of(
    op: Operation, facts: TensorFacts
) -> Iterator[tuple[SSAValue, OpOperand]]:
    """What the arguments in the regions of `op` start with."""
    region_branch = facts.get_region_branch(op) if op.regions else None
    if region_branch is None:
        return
    for successor in region_branch.get_successor_regions(op, None):
        if successor.region is not None:
            operands = region_branch.get_entry_successor_operands(op, successor)
            yield from zip(successor.inputs, operands, strict=True)


def _starts_dense(
    operand: OpOperand, decisions: Decisions, dense: Mapping[SSAValue, bool]
) -> bool:
    return not decisions.is_in_place(operand) or dense[operand.value]


def _is_dense(
    result: OpResult, decisions: Decisions, dense: Mapping[SSAValue, bool]
) -> bool:
    if _may_copy(result.op, decisions):
        return True
    aliases = decisions.get_aliasing_op_operands(result)
    if not aliases:
        model = decisions.facts.get_model(result.op)
        return model is not None and model.bufferizes_to_allocation(result)
    return all(
        is_equivalent(alias) and _starts_dense(alias.operand, decisions, dense)
        for alias in aliases
    )
