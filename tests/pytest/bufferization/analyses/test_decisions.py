"""Facts stay as they were made, and decisions do not change each other."""

from collections.abc import Callable

import pytest
from harness.oracles.decisions import parse
from harness.programs.random_exchanges import random_exchanges
from harness.programs.random_programs import random_program
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.analyses.one_shot.alias_sets import AliasSets
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import ConflictRules
from xdsl_bufferization.bufferization.analyses.one_shot.deciding import (
    begin,
    conclude,
    decide_in_order,
)
from xdsl_bufferization.bufferization.analyses.one_shot.decisions import Decisions
from xdsl_bufferization.bufferization.analyses.tensor_facts.subsets import Subsets
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_facts import (
    TensorFacts,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.interfaces.state import AnalysisState

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)


def answers(state: AnalysisState, facts: TensorFacts) -> list[object]:
    """What a state says of each operand and of each tensor."""
    uses = [use.operand for op in facts.ops for use in facts.get_uses(op)]
    return [
        [(state.is_in_place(use), state.is_permuted(use)) for use in uses],
        [list(state.get_aliasing_values(use)) for use in uses],
        [list(state.get_aliasing_op_operands(value)) for value in facts.values],
        [
            state.are_equivalent_buffers(value, facts.values[0])
            for value in facts.values
        ],
    ]


def decide(root: Operation, facts: TensorFacts, *, backwards: bool) -> Decisions:
    subsets = Subsets(facts)
    sets = AliasSets(facts, ConflictRules(facts, subsets), tells_parts_apart=True)
    begin(facts, sets)
    uses = [use for op in facts.ops for use in facts.get_uses(op)]
    order = reversed(uses) if backwards else uses
    reasons = decide_in_order(order, facts, sets)
    return conclude(root, facts, subsets, sets, reasons).decisions


@pytest.mark.parametrize("write", [random_program, random_exchanges])
@pytest.mark.parametrize("seed", range(4))
def test_deciding_changes_neither_facts_nor_other_decisions(
    seed: int, write: Callable[[int], str]
) -> None:
    function = next(iter(parse(write(seed)).ops))
    facts = TensorFacts(function, OPTIONS, lambda _: None)
    before = answers(facts, facts)
    first = decide(function, facts, backwards=True)
    decided = answers(first, facts)
    second = decide(function, facts, backwards=False)
    assert answers(facts, facts) == before
    assert answers(first, facts) == decided
    assert answers(second, facts) != before
