"""Find the heuristic that makes a function the cheapest, by trying each of them.

one-shot-bufferize{analysis-heuristic=auto}   // @f: bottom-up, @g: top-down

The first step of one-shot-bufferize if it is asked for. Decisions are greedy, so that
no order is the best for all programs. All are tried (`trials.py`): that takes as long
as deciding with each, and as bufferizing a few times where they decide differently.
"""

from dataclasses import replace

from xdsl.dialects.func import FuncOp

from ..analyses.one_shot.one_shot import Heuristics
from ..interfaces.options import AnalysisHeuristic, BufferizationOptions
from .trials import Measured, Trials, sum_bytes

CANDIDATES = (
    AnalysisHeuristic.BOTTOM_UP,
    AnalysisHeuristic.TOP_DOWN,
    AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS,
    AnalysisHeuristic.INSERT_SLICES_FIRST,
)
"""What is tried; of equals the first is taken."""


def choose_heuristics(trials: Trials, options: BufferizationOptions) -> Heuristics:
    """The cheapest heuristic for each function, if the options leave that open.

    Heuristics with which the program cannot be bufferized are left out; if all are,
    none is chosen. What a function does to its arguments may cost its callers more than
    it saves. Then all functions get the one heuristic that copies the fewest bytes.
    """
    if options.analysis_heuristic is not AnalysisHeuristic.AUTO:
        return {}
    best: dict[str, tuple[Measured, AnalysisHeuristic]] = {}
    sums: dict[AnalysisHeuristic, int] = {}
    for heuristic in CANDIDATES:
        trial = replace(options, analysis_heuristic=heuristic)
        found = trials.measure(trial)
        if found:
            sums[heuristic] = sum_bytes(found)
        for name, measured in found.items():
            if name not in best or measured < best[name][0]:
                best[name] = (measured, heuristic)
    functions = {op.sym_name.data for op in trials.module.ops if isinstance(op, FuncOp)}
    chosen = {
        name: heuristic for name, (_, heuristic) in best.items() if name in functions
    }
    if len(set(chosen.values())) < 2:
        return chosen
    found = trials.measure(options, chosen)
    first = min(sums, key=sums.__getitem__)
    is_worse = not found or sum_bytes(found) > sums[first]
    return dict.fromkeys(chosen, first) if is_worse else chosen
