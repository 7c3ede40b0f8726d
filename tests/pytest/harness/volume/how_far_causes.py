"""Why programs copy more than with mlir-opt 22: what becomes of its decisions here.

    PYTHONPATH=tests/pytest python -m harness.volume.how_far_causes far.json

`far.json` is what `how_far` measured. The decisions of mlir-opt are tried by our rules,
for each program whose optimal variant copied more bytes. A line names the program and
the first cause that applies:

- *shared*: our rules refuse one, as iterations of a parallel loop would share a write.
- *later block*: our rules refuse one, as a read would see a write in a later block than
  that of the block argument which it spoils.
- *read-only*: our rules refuse one, as a constant would be written.
- *conflict*: our rules refuse one, as a read would see another later write.
- *while*: the second region of an `scf.while` yields what is not its argument.
- *yield*: a loop yields what mlir-opt passes on without a copy, and our rules do not.
- *dearer*: our decisions cost more by the estimate.
- *estimate*: nothing of that, and our decisions cost no more by the estimate.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.dialects.scf import WhileOp
from xdsl.ir import BlockArgument

from harness.oracles.decisions import mlir_decisions, parse, post_order
from harness.volume.how_far import KINDS, MLIR, OPTIONS
from xdsl_bufferization.bufferization.analyses.one_shot.alias_sets import AliasSets
from xdsl_bufferization.bufferization.analyses.one_shot.all_reasons import Reason
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import (
    ConflictRules,
    NotWritable,
)
from xdsl_bufferization.bufferization.analyses.one_shot.deciding import find_reasons
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import (
    OneShotAnalysis,
    analyze,
)
from xdsl_bufferization.bufferization.analyses.one_shot.optimal.later_copies import (
    Later,
)
from xdsl_bufferization.bufferization.analyses.one_shot.optimal.trial import Trials
from xdsl_bufferization.bufferization.analyses.one_shot.parallel_regions import (
    SharedWrite,
)
from xdsl_bufferization.bufferization.analyses.tensor_facts.subsets import Subsets
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_facts import (
    TensorFacts,
)
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    tensor_operands,
)
from xdsl_bufferization.bufferization.interfaces.options import AnalysisHeuristic

CAUSES = (
    "shared",
    "later block",
    "read-only",
    "conflict",
    "while",
    "yield",
    "dearer",
    "estimate",
)
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
    yield from map(_word_for, find_reasons(refused, facts, sets).values())
    for copy in trial.later:
        if copy.kind is Later.YIELD:
            if isinstance(copy.operand.owner.parent_op(), WhileOp):
                yield "while"
            elif _stays_inside(copy.operand, facts, sets):
                yield "yield"
    root = searched.get_root_analysis(function)
    optimum = None if root is None else root.optimum
    if optimum is not None and optimum.bytes_copied > trial.bytes.copied:
        yield "dearer"


def _word_for(reason: Reason) -> str:
    if isinstance(reason, SharedWrite):
        return "shared"
    if isinstance(reason, NotWritable):
        return "read-only"
    definition, write = reason.definition, reason.write.owner
    if not isinstance(definition, BlockArgument):
        return "conflict"
    is_in_same_block = definition.block.find_ancestor_op_in_block(write) is not None
    return "conflict" if is_in_same_block else "later block"


def _stays_inside(operand: OpOperand, facts: TensorFacts, sets: AliasSets) -> bool:
    """Whether mlir-opt passes on what a loop yields: nothing in its set is older.

    The argument that gets the buffer may be in the set.
    """
    block, loop = operand.owner.parent, operand.owner.parent_op()
    assert block is not None
    assert loop is not None
    argument = block.args[len(block.args) - len(loop.results) + operand.number]
    return all(
        value is argument
        or (
            loop.is_ancestor(value.owner)
            and value.owner is not loop
            and value.owner is not block
        )
        for value in sets.find(facts.get_use(operand).value).values
    )


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
