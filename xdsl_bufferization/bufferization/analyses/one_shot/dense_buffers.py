"""Which buffers lie in memory without gaps: an estimate, before there are any memrefs.

    %1 = tensor.collapse_shape %0 [[0, 1]] : ...   // copies %0 first if that has gaps

A value in place may end up in a buffer with gaps, such as that of an argument. A new
buffer has none. An op that wants no gaps then copies the buffer, even if its operand is
in place. Values are visited in program order, so that a value comes after those that it
is made of. Cost: linear in the values.
"""

from collections.abc import Iterator, Mapping

from xdsl.ir import Operation, OpResult, SSAValue

from ...interfaces.operands import OpOperand
from ...interfaces.options import LayoutMapOption
from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import TensorUse, is_equivalent
from .decisions import Decisions


def count_copies_of_gaps(decisions: Decisions) -> int:
    """How many operands in place will be copied because their buffers have gaps."""
    return len(find_copies_of_gaps(decisions))


def find_copies_of_gaps(decisions: Decisions) -> list[TensorUse]:
    """The operands in place that will be copied because their buffers have gaps."""
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
