"""Search for the best decisions of each function, and never end worse than `auto`.

one-shot-bufferize{analysis-heuristic=optimal optimal-limit=5}

The first step of one-shot-bufferize if it is asked for. The search works on an estimate
of what a rewritten program copies. So copies of the module are bufferized, once with
what was found and once as `auto` does. A function for which `auto` copies fewer bytes,
over all iterations, is decided about as by `auto`; or as many, with a lower peak. The
sum over all functions may not be larger than with `auto` either.
"""

from collections.abc import Mapping
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from ..analyses.one_shot.one_shot import Heuristics, analyze
from ..analyses.one_shot.optimum import Optimum
from ..interfaces.options import AnalysisHeuristic, BufferizationOptions
from .choose_heuristics import choose_heuristics
from .trials import Trials, sum_bytes


def choose_optimum(
    trials: Trials,
    options: BufferizationOptions,
    found: Mapping[str, Optimum] | None = None,
    auto: Heuristics | None = None,
) -> Heuristics:
    """What was found for each function, or the heuristic of `auto` if that is better.

    `found` is what `find_optima` returned, and `auto` what `choose_heuristics` did, if
    they were called before.
    """
    if found is None:
        found = find_optima(trials.module, options)
    as_auto = replace(options, analysis_heuristic=AnalysisHeuristic.AUTO)
    if auto is None:
        auto = choose_heuristics(trials, as_auto)
    if not found:
        return auto

    before, after = trials.measure(options, auto), trials.measure(options, found)
    if not after:
        return auto
    mixed = {
        name: optimum
        if name not in before or after[name] <= before[name]
        else auto[name]
        for name, optimum in found.items()
        if name in after
    }
    if any(mixed[name] is not found[name] for name in mixed):
        after = trials.measure(options, mixed)
    is_worse = bool(before) and (not after or sum_bytes(after) > sum_bytes(before))
    return auto if is_worse else mixed


def find_optima(
    module: ModuleOp, options: BufferizationOptions
) -> Mapping[str, Optimum]:
    """What a search finds for each function, by name."""
    analysis = analyze(module, options)
    found: dict[str, Optimum] = {}
    for function in analysis.functions:
        root = analysis.get_root_analysis(function)
        if root is not None and root.optimum is not None:
            found[function.sym_name.data] = root.optimum
    return found
