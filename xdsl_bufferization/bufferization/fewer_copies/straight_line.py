"""Where a tensor that is filled again certainly saves its copy, and changes no other.

    %1 = linalg.matmul ... outs(%z)       %4 = linalg.fill outs(tensor.empty)
    %2 = tensor.extract %1[%i, %i]        %1 = linalg.matmul ... outs(%4)
    %3 = linalg.matmul ... outs(%z)

To analyse a function once more takes as long as all else. In straight-line code, where
nothing but the filled tensors was copied, the outcome is known:

- What is made from %1 has no buffer that was there before %1. So no read of that buffer
  comes before the product, and none expects older data. All of these reads come after
  the product and what overwrites %4, so that they see what they did.
- The new tensor has one use. Nobody writes to it between the fill and that use.
- All other operands stay in place: there are the same pairs of reads and writes, and
  those of the new tensor, which do not conflict.

Cost: linear in the ops with tensors.
"""

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.linalg.ops import FillOp
from xdsl.dialects.tensor import EmptyOp
from xdsl.ir import Operation, OpResult, SSAValue

from ..analyses.one_shot.alias_sets import AliasSet
from ..analyses.tensor_facts.tensor_facts import TensorFacts
from ..interfaces.operands import OpOperand
from .decided import Decided


def is_certainly_better(
    filled: Mapping[OpOperand, Sequence[Operation]], before: Decided
) -> bool:
    """Whether operands that got new tensors are in place, and all else is as before.

    `filled` has the new ops of each operand. False when unsure: then the function is to
    be analysed.
    """
    analysis = before.analysis
    facts, sets = analysis.facts, analysis.alias_sets
    return (
        before.promise is None
        and before.buffers.keys() == analysis.reasons.keys() == filled.keys()
        and not sets.has_excused
        and all(map(_are_of_a_fill, filled.values()))
        and is_straight_line(before)
        and all(_makes_a_new_buffer(operand, facts, sets.find) for operand in filled)
    )


def _are_of_a_fill(ops: Sequence[Operation]) -> bool:
    """Whether ops fill a new tensor whose sizes are known, and do nothing else."""
    return all(
        type(op) is FillOp
        or type(op) is ConstantOp
        or (type(op) is EmptyOp and not op.operands)
        for op in ops
    )


def is_straight_line(decided: Decided) -> bool:
    """Whether ops with tensors are in one block, and ask for no copies of their own."""
    facts, blocks = decided.analysis.facts, decided.function.body.blocks
    return (
        len(blocks) == 1
        and all(op.parent is blocks[0] for op in facts.ops)
        and not facts.models.resolving.of(facts.ops)
    )


def _makes_a_new_buffer(
    operand: OpOperand, facts: TensorFacts, find_set: Callable[[SSAValue], AliasSet]
) -> bool:
    """Whether an operand is written, and all values in the buffer come from that."""
    use = facts.get_use(operand)
    results = operand.owner.results
    if not use.writes or len(use.aliases) != 1 or len(results) != 1:
        return False
    if use.aliases[0].value is not results[0]:
        return False
    found, start = find_set(results[0]), use.point.start
    return found.not_writable is None and all(
        type(value) is OpResult and facts.points.of_op(value.op).start >= start
        for value in found.values
    )
