"""Random programs with and without checks: the same bits, and no false alarm.

As a script, many programs at once, with counts of what was run:

    PYTHONPATH=tests/pytest python -m harness.volume.checked_programs --count 5000
"""

import argparse
import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.utils.hints import isa

from harness.programs.random_cfgs import CfgShape, random_cfg
from harness.programs.random_kernels import random_chain, random_ops
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from harness.programs.random_slices import SHAPE, random_slices
from harness.programs.random_whole_outputs import random_whole_output
from harness.programs.tpp_programs import random_model
from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.runtime_verification.generate_runtime_verification import (  # noqa: E501 (the file has the name of its pass)
    check_as_written,
)
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.heap import CountingHeap
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

Arguments = list[Any]


@dataclass(frozen=True)
class Program:
    """A program on buffers, and what it is called with."""

    kind: str
    module: ModuleOp
    checked: ModuleOp
    """The same, checked as it was written, where it was written on tensors."""

    calls: list[Arguments]
    is_donated: bool = False
    """Whether it is on memrefs, which are its results."""

    threads: int = 1


def tensors(seed: int, *shapes: tuple[int, ...]) -> Arguments:
    """Small whole numbers, so that sums are exact."""
    rng = np.random.default_rng(seed)
    return [rng.integers(-8, 8, shape).astype(np.float32) for shape in shapes]


@cache
def _context() -> Context:
    return get_context()


def parse(text: str) -> ModuleOp:
    return parse_module(text, "program.mlir", _context())


def _on_buffers(text: str, *, checked: bool = False) -> ModuleOp:
    module = parse(text)
    if checked:
        check_as_written(module)
    bufferize(
        module,
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
    )
    return deallocate(module)


def _of_tensors(kind: str, seed: int) -> Program:
    texts: dict[str, Callable[[], str]] = {
        "calls": lambda: random_program(seed, Shape(ops=6, calls=True)),
        "rich": lambda: random_rich_program(seed, RichShape(ops=6)),
        "cfg": lambda: random_cfg(seed, CfgShape(switches=True, many_yields=True)),
        "parallel": lambda: random_parallel_program(seed, ParallelShape()),
    }
    scalars = [[np.float32(3), 3, flag] for flag in (True, False)]
    calls = [[*tensors(seed, (8,), (8,), (4,)), *each] for each in scalars]
    threads = 2 if kind == "parallel" else 1
    return _both(kind, texts[kind](), calls, threads=threads)


def _both(kind: str, text: str, calls: list[Arguments], threads: int = 1) -> Program:
    plain, checked = (_on_buffers(text, checked=each) for each in (False, True))
    return Program(kind, plain, checked, calls, threads=threads)


def _of_slices(seed: int) -> Program:
    scalars = [[np.float32(3), seed % 2, flag] for flag in (True, False)]
    calls = [[*tensors(seed, SHAPE, SHAPE), *each] for each in scalars]
    return _both("slices", random_slices(seed), calls)


def _of_whole_outputs(seed: int) -> Program:
    calls = [[*tensors(seed, (4,), (4,)), np.float32(3), 0, True]]
    return _both("whole outputs", random_whole_output(seed), calls)


def _of_models(seed: int) -> Program:
    """Kernels, by the passes for them."""
    module = parse(random_model(seed))
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    types = function.function_type.inputs.data
    shapes = [type_.get_shape() for type_ in types if isa(type_, TensorType)]
    checked = module.clone()
    check_as_written(checked)
    for each in (module, checked):
        DefaultTppPassesPass(explain=False).apply(get_context(), each)
    return Program("models", module, checked, [tensors(seed, *shapes)])


_TO_KERNELS = (
    "linalg-generalize-named-ops,convert-linalg-to-xsmm,convert-memref-to-xsmm,"
    "combine-xsmm-op-optimization,fold-xsmm-flags"
)


def _of_kernels(seed: int) -> Program:
    program = random_chain(seed, 12) if seed % 2 else random_ops(seed, 8)
    module = parse(program.text())
    run_passes(module, parse_passes(_TO_KERNELS))
    deallocate(module)
    return Program("kernels", module, module, [program.values(seed)], is_donated=True)


def program(seed: int) -> Program:
    """The program of a number; eight kinds take turns."""
    number, kind = divmod(seed, 8)
    match kind:
        case 0:
            return _of_tensors("calls", number)
        case 1:
            return _of_tensors("rich", number)
        case 2:
            return _of_tensors("cfg", number)
        case 3:
            return _of_tensors("parallel", number)
        case 4:
            return _of_slices(number)
        case 5:
            return _of_whole_outputs(number)
        case 6:
            return _of_models(number)
        case _:
            return _of_kernels(number)


def results_of(
    compiled: CompiledModule, arguments: Arguments, *, is_donated: bool
) -> list[bytes]:
    """The bits that a call gives."""
    copies = {id(each): _copy(each) for each in arguments}
    given = [copies[id(each)] for each in arguments]
    (name,) = compiled
    donated = range(len(given)) if is_donated else ()
    results = compiled[name](*given, donate=donated)
    if is_donated:
        return [np.asarray(each).tobytes() for each in given]
    several = cast("tuple[Any, ...]", results)
    if not isinstance(results, tuple):
        several = (results,)
    return [np.asarray(each).tobytes() for each in several if each is not None]


def _copy(value: Any) -> Any:
    return value.copy() if hasattr(value, "copy") else value


def check(chosen: Program) -> int:
    """Compare a program with and without checks; returns how many more ways to fail.

    Raises an `AssertionError` if bits differ or memory is not freed.
    """
    plain = compile_module(chosen.module, opt_level=0)
    checked = compile_module(
        chosen.checked,
        opt_level=0,
        checked=True,
        counting_heap=True,
        threads=chosen.threads,
    )
    for arguments in chosen.calls:
        expected = results_of(plain, arguments, is_donated=chosen.is_donated)
        found = results_of(checked, arguments, is_donated=chosen.is_donated)
        assert found == expected, chosen.kind
    gc.collect()
    assert isinstance(checked.heap, CountingHeap)
    report = checked.heap.report()
    assert report.live_bytes == report.double_frees == report.foreign_frees == 0
    return len(checked.code.failures) - len(plain.code.failures)


def main() -> int:
    """Check many programs, and print how many there were."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    seeds = range(options.start, options.start + options.count)
    kinds: Counter[str] = Counter()
    checks: Counter[str] = Counter()
    failed = 0
    end = time.monotonic() + options.seconds
    for seed, outcome in _outcomes(seeds):
        if time.monotonic() > end:
            break
        if isinstance(outcome, Exception):
            failed += 1
            sys.stdout.write(f"{seed}: {type(outcome).__name__}: {outcome}\n")
            continue
        kind, number = outcome
        kinds[kind] += 1
        checks[kind] += number
        if (seed + 1) % 500 == 0:
            sys.stdout.write(f"{seed + 1 - seeds.start} programs\n")
            sys.stdout.flush()
    for kind in sorted(kinds):
        sys.stdout.write(f"{kind:14} {kinds[kind]:5} programs, {checks[kind]} checks\n")
    total = f"{kinds.total()} programs, {checks.total()} checks, {failed} failed"
    sys.stdout.write(total + "\n")
    return failed > 0


def _outcomes(seeds: range) -> Iterator[tuple[int, Exception | tuple[str, int]]]:
    for seed in seeds:
        try:
            chosen = program(seed)
            yield seed, (chosen.kind, check(chosen))
        except Exception as error:
            # Whatever it is, it is reported with its seed, and the others go on.
            yield seed, error


if __name__ == "__main__":
    sys.exit(main())
