"""The search for the decisions of least cost, and the proof that nothing is cheaper.

    bottom-up copies 96 bytes        the best order is where the search starts
    some decisions copy 64 bytes     found by the solver
    no decisions copy less than 64   the bound: proven

Which operands are out of place is a minimum multicut. Values are nodes, and operands
are edges. A write and a read that conflict must not be tied together: the write is out
of place, or one of the operands on each path is. Paths are too many to list. So a
solver chooses operands that cut all paths known so far, the rules of the analysis find
the paths that are left, and so on until none is left.

The cheapest choice for some of the paths is never dearer than one for all of them. So
each answer of the solver is a bound. Copies that decisions cause later are counted in
the same way: the rules for them are added when they are seen, see `later_causes.py`.

Fewer bytes copied come first, then fewer bytes allocated.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from math import ceil, gcd
from time import perf_counter

from xdsl.ir import Operation

from xdsl_bufferization.support.algorithms.covering import (
    Choice,
    Covering,
    Rule,
    has_solver,
)

from ....interfaces.options import AnalysisHeuristic
from ...tensor_facts.subsets import Subsets
from ...tensor_facts.tensor_facts import TensorFacts
from ..alias_sets import AliasSets
from ..heuristics import order_ops
from ..optimum import Optimum
from .alias_paths import Path
from .copy_bytes import Bytes
from .later_causes import Cause, LaterCauses
from .later_copies import Later, LaterCopy, cost_of
from .trial import Trial, Trials, is_hard_to_copy

STARTS = (
    AnalysisHeuristic.BOTTOM_UP,
    AnalysisHeuristic.TOP_DOWN,
    AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS,
    AnalysisHeuristic.INSERT_SLICES_FIRST,
)
"""The orders that are tried before the search."""

_MOST_TRIES = 200
"""How many decisions are tried that differ in one operand from the best."""

_MOST_FREE = 12
"""If more operands may be in place or not, not all decisions are tried."""

_SLACK = 0.01
"""What rounding may do to a bound, in units."""


class Search:
    """The search in one root op."""

    def __init__(
        self, root: Operation, facts: TensorFacts, subsets: Subsets, sets: AliasSets
    ):
        self._facts = facts
        self._trials = Trials(root, facts, subsets, sets)
        self._uses = self._trials.paths.uses
        self._own = [self._trials.own[use.operand] for use in self._uses]
        self._causes = LaterCauses(facts, subsets, self._trials.paths)
        self._fixed: set[int] = set()
        """Operands that must be out of place."""

        self._cuts: dict[Path, None] = {}
        """Operands of which one must be out of place."""

        self._unit, self._share = self._find_units()
        self._never = 1e3 * sum(map(self._weigh, self._own)) + 1e3
        """More than any decisions cost."""

        self._costs = [
            self._never if is_hard_to_copy(use.operand) else self._weigh(cost)
            for use, cost in zip(self._uses, self._own, strict=True)
        ]
        self._dearest_first = sorted(
            range(len(self._uses)), key=self._costs.__getitem__, reverse=True
        )
        self._later: dict[LaterCopy, int] = {}
        """The item of the covering that stands for each later copy."""

        self._covering = Covering(self._costs)
        self._best: Trial | None = None
        self._bound = 0.0
        self._orders: list[tuple[str, int]] = []

    def run(self, deadline: float) -> Trial | None:
        """The best decisions found until the `deadline`, by `perf_counter`.

        None if loops refuse all that was tried.
        """
        for name, order in self._list_starts():
            trial = self._trials.run(order)
            self._orders.append((name, trial.bytes.copied))
            self._learn(trial)
            if perf_counter() > deadline:
                break
        self._bound = self._covering.find_bound()
        if has_solver():
            self._solve(deadline)
        if not self._is_proven():
            self._improve(deadline)
            self._try_all(deadline)
        return self._best

    def summarize(self, best: Trial) -> Optimum:
        """What is known of the best decisions."""
        units = max(ceil(self._bound - 0.5 - _SLACK), 0)
        at_least = min(units * self._unit, best.bytes.copied)
        copied, allocated = best.bytes
        return Optimum(
            best.plan,
            copied,
            allocated,
            best.copies,
            at_least,
            tuple(self._orders),
            bool(self._facts.permutations),
            has_solver(),
        )

    def _find_units(self) -> tuple[int, float]:
        """What all copies are multiples of, and what an allocated byte costs.

        A byte costs so little that all allocations together cost half a unit.
        """
        sizes = [cost.copied for cost in self._own]
        sizes += (self._trials.costs.of_transfer(u.operand).copied for u in self._uses)
        allocated = sum(cost.allocated for cost in self._own)
        return gcd(*sizes) or 1, 0.5 / (2 * allocated + 1)

    def _weigh(self, cost: Bytes) -> float:
        return cost.copied / self._unit + cost.allocated * self._share

    def _list_starts(self) -> Iterable[tuple[str, Sequence[int]]]:
        facts, numbers = self._facts, self._trials.paths.numbers
        for heuristic in STARTS:
            uses = chain.from_iterable(map(facts.get_uses, order_ops(facts, heuristic)))
            yield heuristic.value, [numbers[use] for use in uses]
        yield "dearest-first", self._dearest_first

    def _solve(self, deadline: float) -> None:
        # Each rule holds of all decisions that the analysis accepts. So the cheapest
        # choice under the rules known so far costs no more than the best decisions: it
        # is a bound. A choice that the analysis does not accept, or that costs more
        # than was counted, breaks a rule that is added then, unless the copy has no
        # simple cause. While there are new rules, no choice comes twice; once there are
        # none, the solver has no more to say. Source: E. Moreno-Centeno and R. Karp,
        # "The implicit hitting set approach to solve combinatorial optimization
        # problems", Operations Research 61, 2013.
        wholly = False
        while True:
            choice = self._covering.choose(deadline, wholly=wholly)
            if choice is None:
                return
            self._bound = max(self._bound, choice.bound)
            is_new = self._try(choice)
            if self._is_proven() or perf_counter() > deadline:
                return
            if not is_new:
                if choice.is_whole:
                    return
                wholly = True

    def _improve(self, deadline: float) -> None:
        """Take single operands out of place, for later copies that have no rules."""
        tries = _MOST_TRIES
        before: Trial | None = None
        while self._best is not before:
            before = self._best
            for number in self._dearest_first[::-1]:
                best = self._best
                if best is None or not tries or perf_counter() > deadline:
                    return
                if best.plan[number] and number not in self._trials.forced:
                    tries -= 1
                    kept = [n for n in self._dearest_first if best.plan[n]]
                    self._consider(self._trials.run(n for n in kept if n != number))

    def _try_all(self, deadline: float) -> None:
        """Try all decisions, if there are few: later copies may have no rules.

        Left out are those whose copies, without later ones, cost as much as the best,
        and those that are known to be in conflict.
        """
        known = self._trials.forced | self._fixed
        free = [n for n in self._dearest_first if n not in known]
        best = self._best
        if len(free) > _MOST_FREE or best is None:
            return
        spent = sum(self._costs[number] for number in self._fixed)
        todo = [(0, frozenset[int](), spent)]
        while todo:
            at, out, spent = todo.pop()
            if spent >= self._weigh(best.bytes):
                continue
            if at < len(free):
                number = free[at]
                todo.append((at + 1, out | {number}, spent + self._costs[number]))
                todo.append((at + 1, out, spent))
            elif all(cut & (out | self._fixed) for cut in self._cuts):
                if perf_counter() > deadline:
                    return
                trial = self._trials.run(n for n in free if n not in out)
                self._learn(trial)
                best = self._best or best
        self._bound = max(self._bound, self._weigh(best.bytes))

    def _is_proven(self) -> bool:
        best = self._best
        return best is not None and self._weigh(best.bytes) <= self._bound + 1e-6

    def _try(self, choice: Choice) -> bool:
        """Try what was chosen, and whether that has led to new rules."""
        amounts = choice.amounts
        order = [n for n in self._dearest_first if amounts.get(n, 0.0) < 0.5]
        is_new = self._learn(self._trials.run(order))
        self._consider(self._trials.add(self._dearest_first))
        return is_new

    def _learn(self, trial: Trial) -> bool:
        """Keep what is best, and add rules; whether there are new ones."""
        self._consider(trial)
        is_new = False
        for cut in trial.cuts:
            if len(cut) == 1:
                self._fixed |= cut
            else:
                self._cuts[cut] = None
            rule = Rule(tuple((number, 1) for number in sorted(cut)), 1)
            is_new |= self._covering.add(rule)
        causes = self._causes.find_causes(trial.analysis, trial.later, trial.plan)
        for cause in causes:
            is_new |= self._covering.add(self._rule_of(cause))
        return is_new

    def _consider(self, trial: Trial) -> None:
        if trial.is_accepted and (self._best is None or trial.bytes < self._best.bytes):
            self._best = trial

    def _rule_of(self, cause: Cause) -> Rule:
        # With 1 for an operand out of place: copies + ties + (1 - breakers) >= 1. If
        # all breakers are out of place and all ties in place, a copy is left to be 1.
        breakers = cause.breakers - self._trials.forced
        ties = cause.ties - self._trials.forced - breakers
        terms = [(self._get_item(copy), 1) for copy in cause.copies]
        terms += ((number, -1) for number in sorted(breakers))
        terms += ((number, 1) for number in sorted(ties))
        return Rule(tuple(terms), 1 - len(breakers))

    def _get_item(self, copy: LaterCopy) -> int:
        item = self._later.get(copy)
        if item is None:
            item = self._later[copy] = len(self._costs)
            is_refused = (
                copy.kind is Later.YIELD
                and not self._facts.options.allow_return_allocs_from_loops
            )
            cost = self._weigh(cost_of(copy, self._trials.costs))
            self._costs.append(self._never if is_refused else cost)
        return item
