"""Decide as the search says, and keep the reasons and the bound.

analyze(module, options).get_root_analysis(function).optimum.at_least    // 64

The search proposes, and the rules of the analysis decide once more: an operand is in
place only if nothing conflicts with that.
"""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from xdsl.ir import Operation

from ....interfaces.operands import OpOperand
from ...tensor_facts.subsets import Subsets
from ...tensor_facts.tensor_facts import TensorFacts
from ..alias_sets import AliasSets
from ..all_reasons import AllReasons
from ..deciding import begin, conclude, decide_in_order, find_reasons
from ..optimum import Optimum
from ..root_analysis import RootAnalysis
from .search import Search


def decide_optimally(
    root: Operation,
    facts: TensorFacts,
    subsets: Subsets,
    sets: AliasSets,
    wants_all_reasons: bool,
) -> RootAnalysis:
    """The cheapest decisions that are found in the time that the options give."""
    search = Search(root, facts, subsets, sets)
    best = search.run(perf_counter() + facts.options.optimal_limit)
    optimum = None if best is None else search.summarize(best)
    return decide_as_found(root, facts, subsets, sets, optimum, wants_all_reasons)


def decide_as_found(
    root: Operation,
    facts: TensorFacts,
    subsets: Subsets,
    sets: AliasSets,
    optimum: Optimum | None,
    wants_all_reasons: bool,
) -> RootAnalysis:
    """The decisions that a search has found; bottom-up, if it has found none."""
    all_reasons: dict[OpOperand, AllReasons] | None = {} if wants_all_reasons else None
    sets.start_anew()
    begin(facts, sets)
    uses = [use for op in facts.ops for use in facts.get_uses(op)]
    if optimum is None:
        reasons = decide_in_order(reversed(uses), facts, sets, all_reasons)
        return conclude(root, facts, subsets, sets, reasons, all_reasons)
    chosen = [use for use, is_in in zip(uses, optimum.plan, strict=True) if is_in]
    decide_in_order(chosen, facts, sets)
    others = [use for use in uses if use not in sets.in_place]
    reasons = find_reasons(others, facts, sets, all_reasons)
    analysis = conclude(root, facts, subsets, sets, reasons, all_reasons)
    return replace(analysis, optimum=optimum)


def choose_with_permutations(
    analysis: RootAnalysis, decide_plainly: Callable[[], RootAnalysis]
) -> RootAnalysis:
    """The decisions with loops that permute buffers, or those without if cheaper.

    The bound is one for both: the lower of the two.
    """
    mine, is_unproven = analysis.optimum, analysis.permuted.unproven
    if mine is None or (not is_unproven and not mine.bytes_copied):
        return decide_plainly() if is_unproven else analysis
    other = decide_plainly()
    theirs = other.optimum
    if theirs is None:
        return other if is_unproven else analysis
    at_least = min(mine.at_least, theirs.at_least)
    is_cheaper = _cost(mine) <= _cost(theirs)
    if is_cheaper and not is_unproven:
        return replace(analysis, optimum=replace(mine, at_least=at_least))
    return replace(other, optimum=replace(theirs, at_least=at_least))


def _cost(optimum: Optimum) -> tuple[int, int]:
    return optimum.bytes_copied, optimum.bytes_allocated
