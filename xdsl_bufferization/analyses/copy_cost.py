"""How many allocations and copies decisions will cost: an estimate to compare two by.

It counts operands out of place, slices that have to be put into their place, and loops
that yield another buffer than they got. Nothing is executed or rewritten.
"""

from dataclasses import replace
from typing import NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.analyses.root_analysis import RootAnalysis
from xdsl_bufferization.analyses.tensor_facts import TensorFacts
from xdsl_bufferization.errors import OperationError
from xdsl_bufferization.interfaces.operands import OpOperand, is_tensor
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.interfaces.value_reads import are_contents_unused


class Cost(NamedTuple):
    """Numbers of ops in the program, however often they run."""

    allocs: int
    copies: int


def estimate_cost(analysis: RootAnalysis) -> Cost:
    """The cost of the decisions of an analysis."""
    facts = analysis.facts
    operands = [use.operand for op in facts.ops for use in facts.get_uses(op)]
    out_of_place = [operand for operand in operands if not facts.is_in_place(operand)]
    copies = sum(not can_omit_tensor_copy(operand, facts) for operand in out_of_place)
    moved = sum(_is_moved(op, analysis) for op in facts.ops)
    loops = _count_moving_loops(facts)
    return Cost(len(out_of_place) + loops, copies + moved + loops)


def _is_moved(op: Operation, analysis: RootAnalysis) -> bool:
    """Whether `op` puts a tensor into another that does not lie there already."""
    model = op.get_trait(SubsetInsertionOpInterface)
    return (
        model is not None
        and is_tensor(model.get_source(op).value)
        and not analysis.insertions.is_written_in_place(op)
    )


def _count_moving_loops(facts: TensorFacts) -> int:
    """The ops that would refuse the decisions if loops had to keep their buffers."""
    options = facts.options
    facts.options = replace(options, allow_return_allocs_from_loops=False)
    count = 0
    for op in facts.ops:
        model = facts.get_model(op)
        try:
            if model is not None:
                model.verify_analysis(op, facts)
        except OperationError:
            count += 1
    facts.options = options
    return count


def can_omit_tensor_copy(operand: OpOperand, facts: TensorFacts) -> bool:
    """Whether a new buffer for `operand` may start with any contents."""
    # The value that was analysed: the operand may carry a copy of it by now.
    if facts.get_definitions(facts.get_use(operand).value) is None:
        return True
    return are_contents_unused(operand, facts)
