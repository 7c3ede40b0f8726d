"""The search for the best decisions against all decisions, on small functions.

    PYTHONPATH=tests/pytest python -m harness.volume.all_decisions 1000

A line tells of each function for which the search found something dearer, or a bound
that is too high. The last line has the numbers of functions.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from harness.oracles.decisions import parse
from harness.oracles.exhaustive import compare
from harness.programs.random_cfgs import CfgShape, random_cfg
from harness.programs.random_exchanges import random_exchanges
from harness.programs.random_insertions import random_insertions
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_renewals import random_renewals
from harness.programs.random_rich_programs import RichShape, random_rich_program
from harness.programs.random_slices import random_slices
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.bufferization.models import attach_all

MOST_FREE = 13
"""Functions with more operands that could be in place or not are left out."""

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True,
    allow_return_allocs_from_loops=True,
    analysis_heuristic=AnalysisHeuristic.OPTIMAL,
)

SMALL: dict[str, Callable[[int], str]] = {
    "calls": partial(random_program, shape=Shape(ops=5, depth=2, calls=True)),
    "rich": partial(random_rich_program, shape=RichShape(ops=3, depth=2, functions=1)),
    "slices": random_slices,
    "insertions": random_insertions,
    "parallel": partial(
        random_parallel_program, shape=ParallelShape(parallel=True, calls=True)
    ),
    "branches": partial(random_cfg, shape=CfgShape(blocks=3, ops=2)),
    "scratch": partial(random_program, shape=Shape(ops=5, depth=2, scratch=True)),
    "exchanges": random_exchanges,
    "undefined": partial(random_program, shape=Shape(ops=5, undefined=True)),
    "renewals": random_renewals,
}
"""Programs of which all decisions can be tried."""


def try_all(count: int, first: int) -> Iterator[str]:
    """Compare the search with all decisions, of functions with any to take."""
    attach_all()
    figures = Counter[str]()
    free = 0
    seed = first
    while figures["functions"] < count:
        kind = list(SMALL)[seed % len(SMALL)]
        module = parse(SMALL[kind](seed))
        analysis = analyze(module, OPTIONS)
        for function in analysis.functions:
            if function.is_declaration:
                continue
            compared = compare(function, analysis, MOST_FREE)
            if compared is None or not compared.free:
                figures["left out"] += 1
                continue
            figures["functions"] += 1
            free += compared.free
            if compared.found != compared.cheapest:
                figures["wrong"] += 1
                yield f"{kind} {seed}: {compared.cheapest} is cheaper"
            if compared.optimum.at_least > compared.cheapest.copied:
                figures["wrong bounds"] += 1
                yield f"{kind} {seed}: {compared.cheapest} is below the bound"
            figures["not proven"] += not compared.optimum.is_proven
        seed += 1
    yield f"{dict(figures)}, {free / figures['functions']:.1f} operands each"


if __name__ == "__main__":
    numbers = [*map(int, sys.argv[1:]), 0]
    for line in try_all(numbers[0], numbers[1]):
        sys.stdout.write(f"{line}\n")
