"""Deciding about operands one after the other: each is in place if it can be.

    %1 = tensor.insert %f into %0[%i]    // in place, if asked about first
    %2 = tensor.insert %g into %0[%j]    // then this one is not

`one_shot.py` chooses an order, and `optimal/` the operands that are asked about at all.
Nothing is put in place that would be in conflict, whoever asks.

Cost: near-linear in the number of operands.
"""

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import fail_at, op_name

from ...interfaces.operands import OpOperand
from ..tensor_facts.shared_results import results_of_one_buffer
from ..tensor_facts.subsets import Subsets
from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import TensorUse
from .alias_sets import AliasSet, AliasSets
from .all_reasons import AllReasons, Reason, find_all_reasons
from .conflicts import NotWritable
from .decisions import Decisions
from .new_buffers import NewBuffers
from .parallel_regions import SharedWrite
from .permuted_buffers import PermutedBuffers
from .root_analysis import RootAnalysis
from .written_in_place import InsertionsInPlace


def begin(facts: TensorFacts, sets: AliasSets) -> None:
    """What holds before anything is decided, and what can never be copied."""
    for values in results_of_one_buffer(facts):
        sets.unite_values(values)
    _force_in_place(facts, sets)
    _prefer_what_has_no_copy(facts, sets)


def decide_in_order(
    uses: Iterable[TensorUse],
    facts: TensorFacts,
    sets: AliasSets,
    all_reasons: dict[OpOperand, AllReasons] | None = None,
) -> dict[OpOperand, Reason]:
    """Put each of `uses` in place if it can be; why the others are not.

    `all_reasons` gets every reason, if there is such a dictionary.
    """
    reasons: dict[OpOperand, Reason] = {}
    for use in uses:
        if use in sets.in_place:
            continue
        reason = put_in_place(use, sets)
        if reason is None:
            continue
        reasons[use.operand] = reason
        if all_reasons is not None:
            # Now, as the sets grow with what is decided later.
            all_reasons[use.operand] = find_all_reasons(use, reason, facts, sets)
    return reasons


def conclude(
    root: Operation,
    facts: TensorFacts,
    subsets: Subsets,
    sets: AliasSets,
    reasons: dict[OpOperand, Reason],
    all_reasons: dict[OpOperand, AllReasons] | None = None,
) -> RootAnalysis:
    """What follows from the decisions, once all are made."""
    decisions = Decisions(facts, sets.in_place)
    permuted = PermutedBuffers(decisions, sets)
    decisions = decisions.with_loops(permuted.operands)
    new_buffers = NewBuffers(decisions, sets)
    decisions = decisions.with_loops(permuted.operands, new_buffers.among)
    return RootAnalysis(
        root,
        decisions,
        sets,
        InsertionsInPlace(decisions, subsets),
        new_buffers,
        permuted,
        reasons,
        all_reasons or {},
    )


def _force_in_place(facts: TensorFacts, sets: AliasSets) -> None:
    """Put in place what can never be copied, before anything is decided."""
    for op, model in facts.models.forcing.of(facts.ops):
        for use in facts.get_uses(op):
            if not model.must_bufferize_in_place(use.operand, facts):
                continue
            reason = put_in_place(use, sets)
            if reason is not None:
                _refuse(use, reason)


def _prefer_what_has_no_copy(facts: TensorFacts, sets: AliasSets) -> None:
    """Put tensors of any rank in place first: no buffer can be allocated for a copy.

    In MLIR they are in place even if that changes what the program computes.
    """
    if all(type(value.type) is not UnrankedTensorType for value in facts.values):
        return
    for op, _ in reversed(facts.models.bufferizable.of(facts.ops)):
        for use in facts.get_uses(op):
            if use not in sets.in_place and type(use.value.type) is UnrankedTensorType:
                put_in_place(use, sets)


def put_in_place(use: TensorUse, sets: AliasSets) -> Reason | None:
    """Put `use` in place, or say why that cannot be."""
    found = sets.sets_of(use)
    reason = _find_reason(use, sets, found)
    if reason is None:
        sets.unite(use, found)
    return reason


def find_reasons(
    uses: Iterable[TensorUse],
    facts: TensorFacts,
    sets: AliasSets,
    all_reasons: dict[OpOperand, AllReasons] | None = None,
) -> dict[OpOperand, Reason]:
    """Why each of `uses` cannot be in place as well; nothing is decided."""
    reasons: dict[OpOperand, Reason] = {}
    for use in uses:
        reason = _find_reason(use, sets, sets.sets_of(use))
        if reason is not None:
            reasons[use.operand] = reason
            if all_reasons is not None:
                all_reasons[use.operand] = find_all_reasons(use, reason, facts, sets)
    return reasons


def _find_reason(
    use: TensorUse, sets: AliasSets, found: Sequence[AliasSet]
) -> Reason | None:
    return (
        _find_write_to_read_only(use, found)
        or sets.find_shared_write(use, found)
        or sets.find_conflict(use, found)
    )


def _refuse(use: TensorUse, reason: Reason) -> None:
    if isinstance(reason, NotWritable):
        what = "would write to a read-only buffer"
    elif isinstance(reason, SharedWrite):
        what = "would write to a buffer that all iterations of a parallel loop share"
    else:
        what = "has a read-after-write conflict"
    op, number = use.operand
    fail_at(
        op,
        f"'{op_name(op)}' operand #{number} cannot be copied but {what}; "
        "copy the tensor with bufferization.alloc_tensor before",
    )


def _find_write_to_read_only(
    use: TensorUse, sets: Sequence[AliasSet]
) -> NotWritable | None:
    for alias_set in sets:
        value = alias_set.not_writable
        if value is not None:
            break
    else:
        return None
    if use.writes:
        return NotWritable(value, use.operand)
    write = next((write for s in sets for write in s.writes), None)
    return None if write is None else NotWritable(value, write.operand)
