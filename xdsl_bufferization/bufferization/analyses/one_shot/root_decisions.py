"""Deciding about one root op, most often a function, in the best of several ways.

    %1 = tensor.insert_slice %a into %0[0] [4] [1]    // apart from the next part,
    %2 = tensor.extract_slice %0[4] [4] [1]           // so that both are in place

Parts of a buffer are told apart, and loops permute buffers, unless that costs more
copies than it saves. Cost: a few times that of deciding once, near-linear.
"""

from collections.abc import Callable, Set
from dataclasses import replace
from itertools import chain

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import OperationError

from ...interfaces.known_models import KnownModels
from ...interfaces.operands import OpOperand
from ...interfaces.options import AnalysisHeuristic, BufferizationOptions
from ...interfaces.state import FunctionSummary
from ..tensor_facts.subsets import Subsets
from ..tensor_facts.tensor_facts import GetSummary, TensorFacts
from ..tensor_facts.tensor_uses import TensorUse
from ..tensor_facts.yielded_permutations import NO_DOUBTS, Doubts
from .alias_sets import AliasSets
from .all_reasons import AllReasons, Reason
from .conflicts import ConflictRules, RaWConflict
from .copy_cost import copies_in_place, estimate_cost
from .deciding import begin, conclude, decide_in_order
from .function_summaries import summarize
from .heuristics import order_ops
from .optimal.decide import choose_with_permutations, decide_as_found, decide_optimally
from .optimal.later_copies import count_bytes_copied
from .optimum import Optimum
from .parallel_regions import SharedWrite
from .root_analysis import RootAnalysis


def analyze_root(
    root: Operation,
    options: BufferizationOptions,
    get_summary: GetSummary,
    *,
    models: KnownModels | None = None,
    wants_all_reasons: bool = False,
    is_called: bool = False,
    optimum: Optimum | None = None,
    apart: Set[Operation] = frozenset(),
) -> RootAnalysis:
    """Decide for every tensor operand inside `root` whether it is in place.

    What is inside the ops `apart` is left out.

    Disjoint parts of a buffer are told apart, so that more operands are in place than
    in MLIR. As decisions are greedy, such an operand may cost more copies elsewhere
    than it saves. Then MLIR's decisions are taken.

    MLIR's decisions are also taken if the others would promise something else to the
    callers of a function that `is_called`. One copy saved in the function may be one
    copy more in each caller.

    If a search has found an `optimum` before, that is what is decided.

    Loops may permute buffers where that costs no copy more than it saves.
    """
    plain = replace(options, exchange_buffers=False)

    def decide(
        options: BufferizationOptions, doubts: Doubts = NO_DOUBTS
    ) -> RootAnalysis:
        facts = TensorFacts(root, options, get_summary, models, doubts, apart)
        return _decide_by_parts(
            facts,
            wants_all_reasons=wants_all_reasons,
            is_called=is_called,
            optimum=optimum,
        )

    if optimum is not None and not optimum.permutes_buffers:
        return decide(plain)
    try:
        analysis = _settle_doubts(lambda doubts: decide(options, doubts))
    except OperationError:
        if not options.exchange_buffers:
            raise
        return decide(plain)
    if not analysis.facts.permutations:
        return analysis
    if options.analysis_heuristic is AnalysisHeuristic.OPTIMAL or optimum is not None:
        return choose_with_permutations(analysis, lambda: decide(plain))
    cost = estimate_cost(analysis)
    if analysis.permuted.unproven or cost.allocs or cost.copies:
        other = decide(plain)
        if (
            analysis.permuted.unproven
            or not cost.is_at_most(estimate_cost(other))
            or count_bytes_copied(analysis) > count_bytes_copied(other)
        ):
            return other
    return analysis


def _settle_doubts(decide: Callable[[Doubts], RootAnalysis]) -> RootAnalysis:
    """Decide again with the doubts that an attempt leaves."""
    analysis = decide(NO_DOUBTS)
    inits = analysis.permuted.unproven
    if inits:
        analysis = decide(Doubts(inits))
    loops = {init.owner for init in analysis.permuted.unproven}
    return decide(Doubts(inits, loops)) if loops else analysis


def _decide_by_parts(
    facts: TensorFacts,
    *,
    wants_all_reasons: bool,
    is_called: bool,
    optimum: Optimum | None,
) -> RootAnalysis:
    """Decide with parts told apart, or as MLIR does if that is better."""
    root, options = facts.root, facts.options
    subsets = Subsets(facts, as_searched=not options.disjoint_subsets)
    rules = ConflictRules(facts, subsets)
    sets = AliasSets(facts, rules, tells_parts_apart=options.disjoint_subsets)
    if optimum is not None:
        return decide_as_found(root, facts, subsets, sets, optimum, wants_all_reasons)
    if options.analysis_heuristic is AnalysisHeuristic.OPTIMAL:
        return decide_optimally(root, facts, subsets, sets, wants_all_reasons)
    analysis = _decide(root, facts, subsets, sets, wants_all_reasons)
    if not sets.has_excused or (not is_called and _has_own_reasons(analysis)):
        return analysis
    other_sets = AliasSets(facts, rules, sets.ranges, tells_parts_apart=False)
    plain = _decide(root, facts, subsets, other_sets, wants_all_reasons)
    is_no_worse = estimate_cost(analysis).is_at_most(estimate_cost(plain))
    is_same_promise = _promise(analysis, is_called) == _promise(plain, is_called)
    return analysis if is_no_worse and is_same_promise else plain


def _promise(analysis: RootAnalysis, is_called: bool) -> FunctionSummary | None:
    root = analysis.root
    return summarize(root, analysis) if is_called and isinstance(root, FuncOp) else None


def _decide(
    root: Operation,
    facts: TensorFacts,
    subsets: Subsets,
    sets: AliasSets,
    wants_all_reasons: bool,
) -> RootAnalysis:
    all_reasons: dict[OpOperand, AllReasons] | None = {} if wants_all_reasons else None
    begin(facts, sets)
    uses = chain.from_iterable(map(facts.get_uses, order_ops(facts)))
    reasons = decide_in_order(uses, facts, sets, all_reasons)
    return conclude(root, facts, subsets, sets, reasons, all_reasons)


def _has_own_reasons(analysis: RootAnalysis) -> bool:
    """Whether every operand out of place would be so whatever else is in place.

    Then no decisions are better. Fewer operands in place mean fewer equivalent buffers,
    and so more copies. There are two exceptions: buffers that may be moved, and buffers
    that loops have to copy because they are not new.
    """
    facts = analysis.facts
    return (
        not analysis.decisions.maybe_moved
        and all(
            _is_own(reason, facts.get_use(operand))
            for operand, reason in analysis.reasons.items()
        )
        and not copies_in_place(analysis)
    )


def _is_own(reason: Reason, use: TensorUse) -> bool:
    """Whether a reason is only about the buffers that `use` itself ties together."""
    if reason.write != use.operand or isinstance(reason, SharedWrite):
        return False
    value = reason.read.value if isinstance(reason, RaWConflict) else reason.value
    return value is use.value or any(value is alias.value for alias in use.aliases)
