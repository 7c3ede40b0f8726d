"""Whether the rules of a search for the best decisions hold for other decisions.

A rule says of some operands and later copies that so many are out of place, or made.
A bound rests on the rules. So each must hold whatever is decided.
"""

import random
from collections.abc import Iterator
from time import perf_counter

from xdsl.dialects.func import FuncOp

from harness.oracles.exhaustive import prepare
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.bufferization.analyses.one_shot.optimal.search import Search
from xdsl_bufferization.bufferization.analyses.one_shot.optimal.trial import Trial
from xdsl_bufferization.support.algorithms.covering import Rule

# The rules are nobody's business but the search's, and the test's.
# pyright: reportPrivateUsage=false


def find_broken_rules(
    function: FuncOp, analysis: OneShotAnalysis, tries: int
) -> Iterator[Rule]:
    """Search a function, and try random decisions; the rules that do not hold."""
    search = Search(function, *prepare(function, analysis))
    best = search.run(perf_counter() + analysis.options.optimal_limit)
    if best is None:
        return
    rng = random.Random(0)
    numbers = list(range(len(best.plan)))
    kept = [number for number in numbers if best.plan[number]]
    for count in range(tries):
        if count % 2:
            # All that can be in place, in any order.
            order = rng.sample(numbers, len(numbers))
        else:
            # Nearly the best decisions.
            out = set(rng.sample(kept, min(len(kept), rng.randint(1, 4))))
            order = [number for number in kept if number not in out]
        yield from _broken_by(search._trials.run(order), search)


def _broken_by(trial: Trial, search: Search) -> Iterator[Rule]:
    later = set(trial.later)
    copies = {item: copy for copy, item in search._later.items()}
    for rule in search._covering._rules:
        chosen = sum(
            factor
            for item, factor in rule.terms
            if (copies[item] in later if item in copies else not trial.plan[item])
        )
        if chosen < rule.least:
            yield rule
