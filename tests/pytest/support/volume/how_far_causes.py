"""Why programs copy more than with mlir-opt 22: what becomes of its decisions here.

    PYTHONPATH=tests/pytest python -m support.volume.how_far_causes far.json

`far.json` is what `how_far` measured. The decisions of mlir-opt are tried by our rules,
for each program whose optimal variant copied more bytes. A line names the program and
the first cause that applies:

- *shared*: our rules refuse one, as iterations of a parallel loop would share a write.
- *conflict*: our rules refuse one, as a read would see a later write.
- *yield*: a loop yields what is neither its argument nor certainly new. Our rules
  demand a copy, and mlir-opt may leave it out.
- *estimate*: nothing of that, and our decisions cost no more by the estimate.
- *dearer*: our decisions cost more by the estimate.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from xdsl.dialects.func import FuncOp

from support.oracles.decisions import mlir_decisions, parse, post_order
from support.volume.how_far import KINDS, MLIR, OPTIONS
from xdsl_bufferization.analyses.one_shot.alias_sets import AliasSets
from xdsl_bufferization.analyses.one_shot.conflicts import ConflictRules
from xdsl_bufferization.analyses.one_shot.deciding import find_reasons
from xdsl_bufferization.analyses.one_shot.one_shot import OneShotAnalysis, analyze
from xdsl_bufferization.analyses.one_shot.optimal.later_copies import Later
from xdsl_bufferization.analyses.one_shot.optimal.trial import Trials
from xdsl_bufferization.analyses.one_shot.parallel_regions import SharedWrite
from xdsl_bufferization.analyses.tensor_facts.subsets import Subsets
from xdsl_bufferization.analyses.tensor_facts.tensor_facts import TensorFacts
from xdsl_bufferization.interfaces.operands import OpOperand, tensor_operands
from xdsl_bufferization.interfaces.options import AnalysisHeuristic

CAUSES = "shared", "conflict", "yield", "dearer", "estimate"
"""The first that applies to any function of a program is named."""


def find_cause(kind: str, seed: int) -> str:
    """Why a program copies more bytes than with mlir-opt."""
    text = KINDS[kind](seed)
    module = parse(text)
    (theirs,) = mlir_decisions([text], MLIR.partition("=")[2])
    assert theirs is not None, "mlir-opt has bufferized the program"
    ops = [op for op in post_order(module) if tensor_operands(op)]
    in_place = {
        OpOperand(op, number)
        for op, words in zip(ops, theirs, strict=True)
        for number, word in enumerate(words)
        if word == "true"
    }
    plain = analyze(module, replace(OPTIONS, exchange_buffers=False))
    searched = analyze(
        module, replace(OPTIONS, analysis_heuristic=AnalysisHeuristic.OPTIMAL)
    )
    found = {
        cause
        for function in plain.functions
        if not function.is_declaration
        for cause in _find_causes(function, in_place, plain, searched)
    }
    return next(cause for cause in CAUSES if cause in found or cause == CAUSES[-1])


def _find_causes(
    function: FuncOp,
    in_place: set[OpOperand],
    plain: OneShotAnalysis,
    searched: OneShotAnalysis,
) -> Iterator[str]:
    facts = TensorFacts(function, plain.options, plain.get_function_summary)
    subsets = Subsets(facts)
    sets = AliasSets(facts, ConflictRules(facts, subsets), tells_parts_apart=True)
    trials = Trials(function, facts, subsets, sets)
    uses = trials.paths.uses
    wanted = [n for n, use in enumerate(uses) if use.operand in in_place]
    trial = trials.run(reversed(wanted))
    refused = [uses[n] for n in wanted if not trial.plan[n]]
    for reason in find_reasons(refused, facts, sets).values():
        yield "shared" if isinstance(reason, SharedWrite) else "conflict"
    if any(copy.kind is Later.YIELD for copy in trial.later):
        yield "yield"
    root = searched.get_root_analysis(function)
    optimum = None if root is None else root.optimum
    if optimum is not None and optimum.bytes_copied > trial.bytes.copied:
        yield "dearer"


def explain(results: list[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each program, and how many there are of each cause."""
    counts = Counter[str]()
    for result in results:
        measured = result["measured"]
        if not {"mlir-opt", "optimal"} <= set(measured):
            continue
        theirs, ours = (measured[n]["copied"] for n in ("mlir-opt", "optimal"))
        if ours > theirs:
            cause = find_cause(result["kind"], result["seed"])
            counts[cause] += 1
            yield f"{result['kind']} {result['seed']}: {theirs}, {ours}: {cause}"
    yield str(dict(counts))


if __name__ == "__main__":
    for line in explain(json.loads(Path(sys.argv[1]).read_text())):
        sys.stdout.write(f"{line}\n")
