"""In which order the analysis decides about ops.

    %1 = tensor.insert %f into %0[%i]    // top-down: this op is in place,
    %2 = tensor.insert %g into %0[%j]    // bottom-up: this one

One-Shot Analysis is greedy: if two operands cannot both be in place, the one that it
looks at first is in place, and the other one is copied. An order is a list of all ops
with tensors. Cost: linear in the ops. Source: MLIR's One-Shot Analysis has these
orders, save `_insert_slices_first`.
"""

from collections.abc import Callable, Iterator

from xdsl.ir import Operation, OpResult, Region
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.algorithms.mersenne_twister import MersenneTwister
from xdsl_bufferization.support.algorithms.program_points import ProgramPoint

from ...interfaces.operands import is_tensor
from ...interfaces.options import AnalysisHeuristic
from ...interfaces.subset import SubsetInsertionOpInterface
from ..tensor_facts.tensor_facts import TensorFacts


def order_ops(
    facts: TensorFacts, heuristic: AnalysisHeuristic | None = None
) -> list[Operation]:
    """The ops with tensors, in the order of a heuristic, or else of the options'."""
    return _ORDERS[heuristic or facts.options.analysis_heuristic](facts)


def _bottom_up(facts: TensorFacts) -> list[Operation]:
    """From the last to the first, an op before its body."""
    return facts.ops[::-1]


def _top_down(facts: TensorFacts) -> list[Operation]:
    return list(facts.ops)


def _bottom_up_from_terminators(facts: TensorFacts) -> list[Operation]:
    """First what leads to the end of a region, from there backwards; then the rest.

    So what is yielded or returned is likely to be computed in place.
    """
    ordered: dict[Operation, None] = {}
    for op in facts.ops:
        is_end = (
            op.has_trait(IsTerminator, value_if_unregistered=False)
            and not op.successors
        )
        if is_end and op not in ordered:
            ordered[op] = None
            for leading in _trace(op, facts, ordered):
                ordered[leading] = None
    ordered.update(dict.fromkeys(_bodies_before_their_op(facts)))
    return list(ordered)


def _bodies_before_their_op(facts: TensorFacts) -> Iterator[Operation]:
    """From the last to the first, but an op after its body."""
    waiting: list[ProgramPoint] = []
    for op in _bottom_up(facts):
        point = facts.points.of_op(op)
        while waiting and not waiting[-1].is_proper_ancestor_of(point):
            yield waiting.pop().op
        waiting.append(point)
    yield from (point.op for point in reversed(waiting))


def _trace(
    terminator: Operation, facts: TensorFacts, seen: dict[Operation, None]
) -> Iterator[Operation]:
    """The ops on the use-def chains that end at `terminator`, within its region."""
    region = terminator.parent_region()
    todo = [value for value in terminator.operands if is_tensor(value)]
    while todo:
        value = todo.pop()
        if not isinstance(value, OpResult) or value.op in seen:
            continue
        yield value.op
        if _is_within(value.op, region):
            todo += [
                alias.operand.value for alias in facts.get_aliasing_op_operands(value)
            ]


def _is_within(op: Operation, region: Region | None) -> bool:
    while (parent := op.parent_region()) is not region:
        outer = None if parent is None else parent.parent_op()
        if outer is None:
            return False
        op = outer
    return True


def _insert_slices_first(facts: TensorFacts) -> list[Operation]:
    """Insertions of subsets, then the rest, each from the first to the last.

    So an insertion is likely to be in place, whatever else has to be copied for it.
    """
    insertions = [op for op in facts.ops if op.has_trait(SubsetInsertionOpInterface)]
    return list(dict.fromkeys((*insertions, *facts.ops)))


def _shuffled(facts: TensorFacts) -> list[Operation]:
    """Any order, the same for the same seed: for tests.

    MLIR shuffles the function along with its ops, if there are tensors in its type.
    """
    root = facts.points.root.op
    model = facts.get_model(root)
    is_with_tensors = model is not None and model.has_tensor_semantics(root)
    ops = [*facts.ops, root] if is_with_tensors else list(facts.ops)
    generator = MersenneTwister(facts.options.analysis_fuzzer_seed)
    for first in range(len(ops) - 1):
        other = first + generator.next() % (len(ops) - first)
        ops[first], ops[other] = ops[other], ops[first]
    return ops


_ORDERS: dict[AnalysisHeuristic, Callable[[TensorFacts], list[Operation]]] = {
    AnalysisHeuristic.BOTTOM_UP: _bottom_up,
    AnalysisHeuristic.TOP_DOWN: _top_down,
    AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS: _bottom_up_from_terminators,
    AnalysisHeuristic.FUZZER: _shuffled,
    AnalysisHeuristic.INSERT_SLICES_FIRST: _insert_slices_first,
    # Where nobody chose.
    AnalysisHeuristic.AUTO: _bottom_up,
    # Where loops refuse all that a search has tried.
    AnalysisHeuristic.OPTIMAL: _bottom_up,
}
