"""Random programs, deallocated and executed in large numbers.

    PYTHONPATH=tests/pytest python -m \
        harness.volume.deallocation_volume --programs 20000 --strategy clone

Each program is executed on a heap that counts and poisons. Three things are checked:

- what the program allocates is freed once,
- the results are buffers of their own,
- the results are those of the program that frees nothing.

Programs on memrefs are also run by `memory_machine`, which sees every access
to freed memory, even one that changes no result. Many programs make one module, which
is compiled once. Otherwise most of the time would go into compiling what all need.
"""

import argparse
import copy
import gc
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import numpy as np
from typing_extensions import override
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.transforms.canonicalize import CanonicalizePass

from harness.oracles.decisions import parse
from harness.programs.buffer_programs import ARGUMENTS, NATIVE_HEADER
from harness.programs.volume_programs import Call, Program, program
from harness.running.memory_machine import CompiledDecisions, run
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.deallocation.convert_bufferization_to_memref import (  # noqa: E501 (the file has the name of its pass)
    lower_clones,
)
from xdsl_bufferization.bufferization.deallocation.copy_removal import remove_copies
from xdsl_bufferization.bufferization.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)
from xdsl_bufferization.bufferization.deallocation.deallocation_with_copies import (
    deallocate_with_copies,
)
from xdsl_bufferization.bufferization.deallocation.expand_realloc import expand_reallocs
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import deallocate
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CompiledModule, CountingHeap
from xdsl_bufferization.support.errors import OperationError

BATCH = 50
VERIFIED = 3
"""Every which program is verified, which takes as long as its deallocation."""

PROVIDED = frozenset(("choose", "count", "observe", "make", "keep"))
"""The functions that programs on memrefs declare, and that a batch has once."""


def _early(module: ModuleOp) -> None:
    deallocate(module)
    optimize_all_liveness(module)


def _clone(module: ModuleOp) -> None:
    expand_reallocs(module, emit_deallocs=False)
    deallocate_with_clones(module)
    lower_clones(module)


def _canonical(module: ModuleOp) -> None:
    expand_reallocs(module, emit_deallocs=False)
    deallocate_with_clones(module)
    CanonicalizePass().apply(get_context(), module)
    lower_clones(module)


def _copy(module: ModuleOp) -> None:
    expand_reallocs(module, emit_deallocs=False)
    deallocate_with_copies(module)
    remove_copies(module)


STRATEGIES: dict[str, Callable[[ModuleOp], None]] = {
    "ownership": deallocate,
    "dynamic": partial(deallocate, private_function_dynamic_ownership=True),
    "early": _early,
    "clone": _clone,
    "canonical": _canonical,
    "copy": _copy,
}
"""`dynamic` is `private-function-dynamic-ownership`, `early` frees after the last use,
and `canonical` canonicalizes clones."""


@dataclass
class Tally:
    """What became of the programs of one strategy."""

    executed: int = 0
    refused: Counter[str] = field(default_factory=Counter[str])
    """Programs that the strategy refuses with an error at an op, by its message."""

    calls: int = 0
    allocs: int = 0
    failures: list[str] = field(default_factory=list[str])
    shown: int = 0

    def new_failures(self) -> list[str]:
        """Those that were not asked for before."""
        new = self.failures[self.shown :]
        self.shown = len(self.failures)
        return new

    @contextmanager
    def watch(self, number: int) -> Generator[None, None, None]:
        """Note it if the program of that number fails."""
        try:
            yield
        except Exception:  # Whatever it is: the other programs are run all the same.
            self.failures.append(f"program {number}: {traceback.format_exc()}")

    @override
    def __str__(self) -> str:
        return (
            f"{self.executed} programs executed, {self.calls} calls, {self.allocs} "
            f"allocations, {self.refused.total()} refused, {len(self.failures)} failed"
        )


# --- one module of many programs -----------------------------------------------------


def _merge(target: ModuleOp, source: ModuleOp, number: int) -> None:
    """Move what `source` defines to `target`, under names of its own."""
    ops = [op for op in source.ops if _name_of(op) not in PROVIDED]
    names = {name: f"p{number}_{name}" for op in ops if (name := _name_of(op))}
    for op in source.walk():
        for key, value in (*op.properties.items(), *op.attributes.items()):
            table = op.properties if key in op.properties else op.attributes
            if isinstance(value, SymbolRefAttr):
                called = value.root_reference.data
                table[key] = SymbolRefAttr(names.get(called, called))
            elif key == "sym_name" and isinstance(value, StringAttr):
                table[key] = StringAttr(names.get(value.data, value.data))
    for op in ops:
        if isinstance(op, func.FuncOp) and op.sym_name.data != names.get("main"):
            op.sym_visibility = StringAttr("private")
        op.detach()
        target.body.block.add_op(op)


def _name_of(op: Operation) -> str | None:
    name = op.properties.get("sym_name", op.attributes.get("sym_name"))
    return name.data if isinstance(name, StringAttr) else None


# --- execution -----------------------------------------------------------------------


def _check_compiled(compiled: CompiledModule, number: int, call: Call) -> int:
    """One call: what it computes, and that it keeps nothing but its results.

    Returns the number of allocations.
    """
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    heap.reset()
    if call.seed is not None:
        compiled["start"](call.seed)
    # The program may write to them.
    arguments = copy.deepcopy(call.arguments)
    results = _as_list(compiled[f"p{number}_main"](*arguments))
    buffers = sum(isinstance(value, np.ndarray) for value in results)
    report = heap.report()
    assert report.allocs - report.frees == buffers, "leaks, or returns no new buffers"
    if call.seed is None:
        _compare(results, call.expected)
    else:
        _compare_observed(compiled["checksum"](), results, call.expected)
    results.clear()
    report = heap.report()
    assert report.live_bytes == 0, "returns one buffer twice"
    assert report.double_frees == report.foreign_frees == 0
    return report.allocs


def _as_list(returned: Any) -> list[Any]:
    if returned is None:
        return []
    if isinstance(returned, tuple):
        return list(cast("tuple[Any, ...]", returned))
    return [returned]


def _compare(results: Sequence[Any], expected: Sequence[Any]) -> None:
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_allclose(np.asarray(result), value, rtol=1e-5)


def _compare_observed(
    checksum: Any, results: Sequence[Any], expected: Sequence[Any]
) -> None:
    """A checksum as `NATIVE_HEADER` computes it, and the first elements of results."""
    split = len(expected) - len(results)
    wanted = np.float32(0)
    for value in expected[:split]:
        wanted = wanted * np.float32(0.75) + np.float32(value)
    assert np.float32(checksum) == wanted
    assert [result[0] for result in results] == list(expected[split:])


def _check_accesses(module: ModuleOp, call: Call) -> None:
    """One run by the machine that sees all accesses."""
    if call.seed is not None:
        outcome = run(module, "main", call.seed, ARGUMENTS, CompiledDecisions)
        assert tuple(outcome.observed) == call.expected
        assert not outcome.leaked, outcome.leaked


def run_batch(numbers: Iterable[int], tallies: Mapping[str, Tally]) -> None:
    """Deallocate programs by each of the strategies, and execute them."""
    programs = [program(number) for number in numbers]
    for strategy, tally in tallies.items():
        _run_strategy(programs, strategy, tally)


def _run_strategy(programs: Sequence[Program], strategy: str, tally: Tally) -> None:
    merged = parse(NATIVE_HEADER)
    accepted: list[Program] = []
    for each in programs:
        module = each.module.clone()
        with tally.watch(each.number):
            try:
                STRATEGIES[strategy](module)
            except OperationError as error:
                tally.refused[error.message.partition(";")[2]] += 1
                continue
            if each.number % VERIFIED == 0:
                module.verify()
            for call in each.calls[:2]:
                _check_accesses(module, call)
            _merge(merged, module, each.number)
            accepted.append(each)
    with tally.watch(programs[0].number):
        compiled = compile_module(merged, poison=True, opt_level=0)
        for each in accepted:
            with tally.watch(each.number):
                for call in each.calls:
                    tally.allocs += _check_compiled(compiled, each.number, call)
                tally.calls += len(each.calls)
                tally.executed += bool(each.calls)


# --- the command ---------------------------------------------------------------------


def main(arguments: Sequence[str]) -> int:
    """Run until each strategy has executed as many programs as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="number of a program")
    parser.add_argument(
        "--strategy", action="append", choices=STRATEGIES, help="all by default"
    )
    options = parser.parse_args(arguments)
    tallies = {name: Tally() for name in options.strategy or STRATEGIES}
    started = time.process_time()
    number = options.first
    # Programs make many objects, most of which live as long as their batch.
    gc.disable()
    while left := {n: t for n, t in tallies.items() if t.executed < options.programs}:
        numbers = range(number, number + BATCH)
        number += BATCH
        run_batch(numbers, left)
        gc.collect()
        sys.stdout.write(_progress(number, time.process_time() - started, left))
        sys.stdout.flush()
    return int(any(tally.failures for tally in tallies.values()))


def _progress(number: int, seconds: float, tallies: Mapping[str, Tally]) -> str:
    lines = [f"up to program {number}, {seconds:.0f} s"]
    for name, tally in tallies.items():
        lines.append(f"  {name}: {tally}")
        lines += tally.new_failures()
        lines += [f"    {n} refused:{why}" for why, n in tally.refused.most_common()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
