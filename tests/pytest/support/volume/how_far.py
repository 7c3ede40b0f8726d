"""How far decisions are from the best: bytes copied and peak, measured and bounded.

    export PYTHONPATH=tests/pytest
    python -m support.volume.how_far --count 2000
    python -m support.volume.how_far --count 50 --kinds hard --json hard.json

Each random program is bufferized by `mlir-opt` 22, bottom-up, by `auto` and optimally.
Each variant is executed on a heap that counts and poisons, and its results are compared
with those of NumPy. A variant that is refused, or that is wrong, is counted and named.
Programs that `mlir-opt` refuses or bufferizes wrongly are left out of sums of bytes.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from support.oracles.decisions import ask_surely, parse
from support.programs.random_cfgs import CfgShape, random_cfg
from support.programs.random_parallel import ParallelShape, random_parallel_program
from support.programs.random_programs import Shape, random_program
from support.programs.random_rich_programs import RichShape, random_rich_program
from support.volume.how_far_results import Measured, Proof, Result
from support.volume.how_far_tables import summarize
from xdsl_bufferization.analyses.one_shot.one_shot import Heuristics
from xdsl_bufferization.analyses.one_shot.optimum import Optimum
from xdsl_bufferization.api import deallocate
from xdsl_bufferization.errors import OperationError
from xdsl_bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.models import attach_all
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap
from xdsl_bufferization.transforms.bufferize.choose_heuristics import (
    choose_heuristics,
)
from xdsl_bufferization.transforms.bufferize.choose_optimum import (
    choose_optimum,
    find_optima,
)
from xdsl_bufferization.transforms.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)

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
    text = KINDS[kind](seed)
    module = parse(text)
    result = Result(kind, seed)
    expected = [evaluate(parse(text), "main", list(a)) for a in _arguments(result)]
    found = _search(module, result)
    optimal = _with(AnalysisHeuristic.OPTIMAL)
    auto = choose_heuristics(module, _with(AnalysisHeuristic.AUTO), one_shot_bufferize)
    chosen = choose_optimum(module, optimal, one_shot_bufferize, found, auto)
    result.as_auto = sum(not isinstance(each, Optimum) for each in chosen.values())
    for name, make in _list_variants(module, auto, chosen, by_mlir):
        try:
            told = _in_child(lambda make=make: _execute(make(), result, expected))
        except (OperationError, VerifyException) as error:
            told = str(error).split("\n")[0][:200]
        if isinstance(told, str):
            result.faults[name] = told
        else:
            result.measured[name] = told
    return result


def _search(module: ModuleOp, result: Result) -> Mapping[str, Optimum]:
    """Search each function, with times and estimates."""
    attach_all()
    options = _with(AnalysisHeuristic.OPTIMAL)
    start = time.process_time()
    found = find_optima(module, options)
    seconds = time.process_time() - start
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
                dict(optimum.orders)
                | {"optimal": optimum.bytes_copied, "bound": optimum.at_least},
                optimum.is_proven,
            )
        )
    return found


def _has_tensors(op: Operation) -> bool:
    return any(map(is_tensor, (*op.operands, *op.results)))


def _list_variants(
    module: ModuleOp, auto: Heuristics, chosen: Heuristics, by_mlir: str | None
) -> Iterator[tuple[str, Callable[[], ModuleOp]]]:
    if by_mlir is not None:
        yield "mlir-opt", partial(parse, by_mlir)
    yield "bottom-up", partial(_bufferize, module, OPTIONS)
    yield "auto", partial(_bufferize, module, OPTIONS, auto)
    yield "optimal", partial(_bufferize, module, OPTIONS, chosen)


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


def _arguments(program: Result) -> Iterator[list[Any]]:
    trips = FEW_TRIPS if program.kind == "parallel" else TRIPS
    for condition in (True, False):
        rng = np.random.default_rng(program.seed)
        tensors = [rng.integers(-8, 8, size).astype(np.float32) for size in (8, 8, 4)]
        yield [*tensors, np.float32(3), trips, int(condition)]


def _in_child(work: Callable[[], Measured]) -> Measured | str:
    """What comes of it in another process, as wrong code may crash; or why not."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        told: list[int] | str = "crashed"
        try:
            measured = work()
            told = [measured.copied, measured.peak]
        except Exception as error:
            told = str(error).split("\n")[0][:200] or type(error).__name__
        os.write(write, json.dumps(told).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    os.waitpid(child, 0)
    answer = json.loads(text) if text else "crashed"
    return answer if isinstance(answer, str) else Measured(*answer)


def _execute(
    module: ModuleOp, program: Result, expected: Sequence[Sequence[Any]]
) -> Measured:
    compiled = compile_module(
        deallocate(module), poison=True, count_copies=True, opt_level=0
    )
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    copied = peak = 0
    for arguments, wanted in zip(_arguments(program), expected, strict=True):
        heap.reset()
        results = compiled["main"](*arguments)
        report = heap.report()
        copied += report.copied_bytes
        peak = max(peak, report.peak_bytes)
        several = isinstance(results, tuple)
        got = cast(tuple[Any, ...], results) if several else (results,)
        for mine, theirs in zip(got, wanted, strict=True):
            assert np.array_equal(mine, theirs, equal_nan=True), "numbers differ"
        del results, got
    return Measured(copied, peak)


def run(
    count: int, kinds: Sequence[str], first: int = 0, *, search_only: bool = False
) -> Iterator[Result]:
    """The results of programs of each kind in turn, twenty at a time."""
    programs = [(kinds[n % len(kinds)], n) for n in range(first, first + count)]
    if search_only:
        for kind, seed in programs:
            result = Result(kind, seed)
            _search(parse(KINDS[kind](seed)), result)
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


def main() -> None:
    """Run, write a summary, and keep what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--search-only", action="store_true", help="execute nothing")
    parser.add_argument("--json", type=Path, help="keep all results in this file")
    given = parser.parse_args()
    results: list[Result] = []
    kinds = given.kinds.split(",")
    for result in run(given.count, kinds, given.first, search_only=given.search_only):
        results.append(result)
        if len(results) % 20 == 0:
            sys.stderr.write(f"{len(results)} of {given.count}\n")
            if given.json is not None:
                given.json.write_text(json.dumps([asdict(r) for r in results]))
    sys.stdout.writelines(f"{line}\n" for line in summarize(results))


if __name__ == "__main__":
    main()
