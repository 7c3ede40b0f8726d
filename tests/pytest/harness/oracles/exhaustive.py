"""The cheapest decisions of a function, by trying all of them.

Only operands are tried that can be in place and need not be. Decisions are left out
whose copies alone cost as much as the best that is known, since later copies cost more.
"""

from dataclasses import dataclass
from time import perf_counter

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.analyses.one_shot.alias_sets import AliasSets
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import ConflictRules
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.bufferization.analyses.one_shot.optimal.copy_bytes import (
    NOTHING,
    Bytes,
)
from xdsl_bufferization.bufferization.analyses.one_shot.optimal.search import Search
from xdsl_bufferization.bufferization.analyses.one_shot.optimal.trial import Trials
from xdsl_bufferization.bufferization.analyses.one_shot.optimum import Optimum
from xdsl_bufferization.bufferization.analyses.tensor_facts.subsets import Subsets
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_facts import (
    TensorFacts,
)


@dataclass(frozen=True)
class Compared:
    """What a search found, and what there is."""

    optimum: Optimum
    found: Bytes
    cheapest: Bytes
    free: int
    """The operands that were tried."""


def prepare(
    function: FuncOp, analysis: OneShotAnalysis
) -> tuple[TensorFacts, Subsets, AliasSets]:
    """What a search in a function starts from."""
    options = analysis.options
    facts = TensorFacts(function, options, analysis.get_function_summary)
    subsets = Subsets(facts, as_searched=not options.disjoint_subsets)
    rules = ConflictRules(facts, subsets)
    sets = AliasSets(facts, rules, tells_parts_apart=options.disjoint_subsets)
    return facts, subsets, sets


def compare(
    function: FuncOp, analysis: OneShotAnalysis, most_free: int
) -> Compared | None:
    """The search against all decisions; None if too many operands are free.

    The `analysis` of the module has what functions promise to their callers.
    """
    facts, subsets, sets = prepare(function, analysis)
    search = Search(function, facts, subsets, sets)
    best = search.run(perf_counter() + analysis.options.optimal_limit)
    if best is None:
        return None
    trying = _Exhaustive(function, facts, subsets, sets, best.bytes)
    if len(trying.free) > most_free:
        return None
    trying.run()
    optimum = search.summarize(best)
    return Compared(optimum, best.bytes, trying.cheapest, len(trying.free))


class _Exhaustive:
    def __init__(
        self,
        root: Operation,
        facts: TensorFacts,
        subsets: Subsets,
        sets: AliasSets,
        known: Bytes,
    ):
        self._trials = Trials(root, facts, subsets, sets)
        numbers = range(len(self._trials.paths.uses))
        alone = [
            number
            for number in numbers
            if number not in self._trials.forced
            and not self._trials.run([number]).plan[number]
        ]
        self._own = [self._trials.own[use.operand] for use in self._trials.paths.uses]
        self.free = [
            number
            for number in numbers
            if number not in alone and number not in self._trials.forced
        ]
        self.cheapest = known
        self._spent = NOTHING
        for number in alone:
            self._spent = self._spent.plus(self._own[number])

    def run(self) -> None:
        self._extend(0, frozenset(), self._spent)

    def _extend(self, at: int, out: frozenset[int], spent: Bytes) -> None:
        if spent >= self.cheapest:
            return
        if at < len(self.free):
            number = self.free[at]
            self._extend(at + 1, out, spent)
            self._extend(at + 1, out | {number}, spent.plus(self._own[number]))
            return
        trial = self._trials.run([n for n in self.free if n not in out])
        if not trial.cuts and trial.is_accepted:
            self.cheapest = min(self.cheapest, trial.bytes)
