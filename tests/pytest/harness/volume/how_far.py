"""How far decisions are from the best: bytes copied and peak, measured and bounded.

    export PYTHONPATH=tests/pytest
    python -m harness.volume.how_far --count 2000
    python -m harness.volume.how_far --count 50 --kinds hard --json hard.json

Each random program is bufferized by `mlir-opt` 22, bottom-up, by `auto`, and optimally.
After the two passes that save copies, it is bufferized bottom-up ("passes") and
optimally ("both"). Each variant is executed on a heap that counts and poisons, and its
results are compared with those of NumPy. Variants that are the same program on buffers
are executed once. A variant that is refused, or that is wrong, is counted and named.
Programs that `mlir-opt` refuses or bufferizes wrongly are left out of sums of bytes.
"""

import argparse
import gc
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from harness.oracles.decisions import parse
from harness.oracles.mlir_text import ask_surely
from harness.programs.random_cfgs import CfgShape, random_cfg
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from harness.volume.how_far_results import Measured, Proof, Result
from harness.volume.how_far_tables import summarize
from xdsl_bufferization import deallocate
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import Heuristics
from xdsl_bufferization.bufferization.analyses.one_shot.optimum import Optimum
from xdsl_bufferization.bufferization.bufferize.choose_heuristics import (
    choose_heuristics,
)
from xdsl_bufferization.bufferization.bufferize.choose_optimum import (
    choose_optimum,
    find_optima,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.bufferize.trials import Trials
from xdsl_bufferization.bufferization.fewer_copies.move_reads_before_writes import (
    move_reads_before_writes,
)
from xdsl_bufferization.bufferization.fewer_copies.rematerialize_cheap_tensors import (
    rematerialize_cheap_tensors,
)
from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap
from xdsl_bufferization.support.equivalence import are_same_programs

KINDS: dict[str, Callable[[int], str]] = {
    "calls": partial(random_program, shape=Shape(calls=True)),
    "deep": partial(random_program, shape=Shape(ops=12, depth=3, calls=True)),
    "hard": partial(random_program, shape=Shape(ops=20, depth=3, calls=True)),
    "rich": partial(random_rich_program, shape=RichShape(ops=8, depth=2)),
    "branches": partial(random_cfg, shape=CfgShape(calls=True, ops=3, blocks=4)),
    "parallel": partial(random_parallel_program, shape=ParallelShape(parallel=True)),
}
"""Programs of each kind come in turn."""

TRIPS = 10
"""What loops of unknown length run, and count as."""

FEW_TRIPS = 3
"""The same where iterations index tensors, which have 8 elements."""

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True,
    allow_return_allocs_from_loops=True,
    function_boundary_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
    optimal_limit=20,
)

MLIR = (
    "--one-shot-bufferize=bufferize-function-boundaries "
    "allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map"
)


def measure(kind: str, seed: int, by_mlir: str | None) -> Result:
    """Bufferize and execute all variants; `by_mlir` is what mlir-opt printed."""
    module = parse(KINDS[kind](seed))
    result = Result(kind, seed)
    expected = [evaluate(module, "main", list(a)) for a in _arguments(result)]
    variants: dict[str, ModuleOp] = {}
    for name, make in _list_variants(module, by_mlir, result):
        try:
            variants[name] = make()
        except Exception as error:  # A fault is counted; others are measured.
            result.faults[name] = _word(error)
    # What mlir-opt printed may crash, and is executed apart.
    for names in (["mlir-opt"], [name for name in variants if name != "mlir-opt"]):
        modules = [variants[name] for name in names if name in variants]
        told = _execute_in_child(modules, result, expected)
        for name, each in zip(names, told, strict=False):
            if isinstance(each, str):
                result.faults[name] = each
            else:
                result.measured[name] = each
    return result


def _word(error: Exception) -> str:
    return str(error).split("\n")[0][:200] or type(error).__name__


def _search(
    module: ModuleOp, passed: ModuleOp, result: Result
) -> tuple[Mapping[str, Optimum], Mapping[str, Optimum]]:
    """Search each function with times and estimates, then as the passes left it."""
    attach_all()
    options = _with(AnalysisHeuristic.OPTIMAL)
    start = time.process_time()
    found = find_optima(module, options)
    seconds = time.process_time() - start
    after_passes = find_optima(passed, options)
    sizes = {
        op.sym_name.data: sum(map(_has_tensors, op.walk()))
        for op in module.ops
        if isinstance(op, FuncOp)
    }
    total = sum(sizes.values()) or 1
    for name, optimum in found.items():
        result.proofs.append(
            Proof(
                sizes[name],
                seconds * sizes[name] / total,
                _estimates(optimum),
                optimum.is_proven,
                _estimates(after_passes[name]),
            )
        )
    return found, after_passes


def _estimates(optimum: Optimum) -> dict[str, int]:
    found = {"optimal": optimum.bytes_copied, "bound": optimum.at_least}
    return dict(optimum.orders) | found


def _has_tensors(op: Operation) -> bool:
    return any(map(is_tensor, (*op.operands, *op.results)))


def _list_variants(
    module: ModuleOp, by_mlir: str | None, result: Result
) -> Iterator[tuple[str, Callable[[], ModuleOp]]]:
    if by_mlir is not None:
        yield "mlir-opt", partial(parse, by_mlir)
    yield "bottom-up", partial(_bufferize, module, OPTIONS)
    passed = _run_passes(module)
    found, found_after_passes = _search(module, passed, result)
    auto, chosen = _choose(module, found)
    result.as_auto = sum(not isinstance(each, Optimum) for each in chosen.values())
    yield "auto", partial(_bufferize, module, OPTIONS, auto)
    yield "optimal", partial(_bufferize, module, OPTIONS, chosen)
    yield "passes", partial(_bufferize, passed, OPTIONS)
    _, both = _choose(passed, found_after_passes)
    yield "both", partial(_bufferize, passed, OPTIONS, both)


def _choose(
    module: ModuleOp, found: Mapping[str, Optimum]
) -> tuple[Heuristics, Heuristics]:
    """What `auto` chooses, and what the search ends with."""
    trials = Trials(module, one_shot_bufferize)
    auto = choose_heuristics(trials, _with(AnalysisHeuristic.AUTO))
    return auto, choose_optimum(trials, _with(AnalysisHeuristic.OPTIMAL), found, auto)


def _with(heuristic: AnalysisHeuristic) -> BufferizationOptions:
    return replace(OPTIONS, analysis_heuristic=heuristic)


def _bufferize(
    module: ModuleOp,
    options: BufferizationOptions,
    heuristics: Heuristics | None = None,
) -> ModuleOp:
    clone = module.clone()
    one_shot_bufferize(clone, options, heuristics=heuristics)
    return clone


def _run_passes(module: ModuleOp) -> ModuleOp:
    passed = module.clone()
    move_reads_before_writes(passed)
    rematerialize_cheap_tensors(passed)
    return passed


def _arguments(program: Result) -> Iterator[list[Any]]:
    trips = FEW_TRIPS if program.kind == "parallel" else TRIPS
    for condition in (True, False):
        rng = np.random.default_rng(program.seed)
        tensors = [rng.integers(-8, 8, size).astype(np.float32) for size in (8, 8, 4)]
        yield [*tensors, np.float32(3), trips, int(condition)]


def _execute_in_child(
    modules: Sequence[ModuleOp], program: Result, expected: Sequence[Sequence[Any]]
) -> list[Measured | str]:
    """As `_execute_all`, in another process, as wrong code may crash."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        told = _execute_all(modules, program, expected)
        plain = [astuple(m) if isinstance(m, Measured) else m for m in told]
        os.write(write, json.dumps(plain).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    os.waitpid(child, 0)
    if not text:
        return ["crashed"] * len(modules)
    return [m if isinstance(m, str) else Measured(*m) for m in json.loads(text)]


def _execute_all(
    modules: Sequence[ModuleOp], program: Result, expected: Sequence[Sequence[Any]]
) -> list[Measured | str]:
    """What came of each module, or what went wrong; of equal ones, one is executed."""
    told: list[Measured | str] = []
    for number, module in enumerate(modules):
        same = (n for n in range(number) if are_same_programs(modules[n], module, {}))
        first = next(same, None)
        if first is not None:
            told.append(told[first])
            continue
        try:
            told.append(_execute(module, program, expected))
        except Exception as error:  # A fault is counted; others are measured.
            told.append(_word(error))
    return told


def _execute(
    module: ModuleOp, program: Result, expected: Sequence[Sequence[Any]]
) -> Measured:
    compiled = compile_module(
        deallocate(module), poison=True, count_copies=True, opt_level=0
    )
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    copies = copied = peak = 0
    for arguments, wanted in zip(_arguments(program), expected, strict=True):
        heap.reset()
        results = compiled["main"](*arguments)
        report = heap.report()
        copies += report.copies
        copied += report.copied_bytes
        peak = max(peak, report.peak_bytes)
        several = isinstance(results, tuple)
        got = cast(tuple[Any, ...], results) if several else (results,)
        for mine, theirs in zip(got, wanted, strict=True):
            assert np.array_equal(mine, theirs, equal_nan=True), "numbers differ"
        del results, got
    return Measured(copies, copied, peak)


def run(
    count: int, kinds: Sequence[str], first: int = 0, *, search_only: bool = False
) -> Iterator[Result]:
    """The results of programs of each kind in turn, twenty at a time."""
    programs = [(kinds[n % len(kinds)], n) for n in range(first, first + count)]
    if search_only:
        for kind, seed in programs:
            result = Result(kind, seed)
            module = parse(KINDS[kind](seed))
            _search(module, _run_passes(module), result)
            yield result
        return
    for start in range(0, count, 20):
        batch = programs[start : start + 20]
        texts = [KINDS[kind](seed) for kind, seed in batch]
        for (kind, seed), reply in zip(batch, ask_surely(texts, MLIR), strict=True):
            printed = reply.printed or None
            result = measure(kind, seed, printed)
            if printed is None:
                result.faults["mlir-opt"] = "refused"
            yield result
        gc.collect()


def main() -> None:
    """Run, write a summary, and keep what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--search-only", action="store_true", help="execute nothing")
    parser.add_argument("--json", type=Path, help="keep all results in this file")
    given = parser.parse_args()
    gc.disable()  # It would look at all programs of a batch again and again.
    results: list[Result] = []
    kinds = given.kinds.split(",")
    for result in run(given.count, kinds, given.first, search_only=given.search_only):
        results.append(result)
        if len(results) % 20 == 0 or len(results) == given.count:
            sys.stderr.write(f"{len(results)} of {given.count}\n")
            if given.json is not None:
                given.json.write_text(json.dumps([asdict(r) for r in results]))
    sys.stdout.writelines(f"{line}\n" for line in summarize(results))


if __name__ == "__main__":
    main()
