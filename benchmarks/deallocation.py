"""How the cost of deallocation, placement and reuse grows, pass by pass.

    python benchmarks/deallocation.py [--only TEXT] [--passes TEXT]
        [--sizes 4096,16384,65536] [--calls] [--peer mlir-opt-22] [--peer-limit SECONDS]

Prints a row for each program and pass:

- the seconds for each size;
- the exponent of growth between the two largest sizes;
- the peak memory of the process at the largest size;
- with a peer, in rows of buffer-deallocation-simplification: the seconds of mlir-opt's,
  after its own ownership pass, and how many times ours that is.

`--only` and `--passes` choose rows by a part of their names. With `--calls`, calls of
functions are counted instead of seconds, in thousands. They are the same on every
machine, however busy.

Each pipeline of passes runs on each program in a process of its own, with Python's
garbage collector as it is by default. All are seconds of processor time. Ours are the
fastest of three runs; of fewer if they take long, of more if they are short. Those of
mlir-opt are what `-mlir-timing` says of the pass. The limit is on its whole run.
"""

import argparse
import cProfile
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from deallocation_programs import PROGRAMS, Program
from measuring import (
    Cost,
    PeerError,
    describe_machine,
    exponent,
    generic_text,
    in_new_process,
    peak_memory,
    time_peer,
)
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation.buffer_deallocation_simplification import (  # noqa: E501 (the file has the name of its pass)
    simplify_all_deallocations,
)
from xdsl_bufferization.bufferization.deallocation.copy_removal import remove_copies
from xdsl_bufferization.bufferization.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)
from xdsl_bufferization.bufferization.deallocation.deallocation_with_copies import (
    deallocate_with_copies,
)
from xdsl_bufferization.bufferization.deallocation.expand_realloc import expand_reallocs
from xdsl_bufferization.bufferization.deallocation.lower_deallocations import (
    lower_deallocations,
)
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.bufferization.deallocation.ownership_based_buffer_deallocation import (  # noqa: E501 (the file has the name of its pass)
    deallocate_by_ownership,
)
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.bufferization.placement.buffer_hoisting import hoist_buffers
from xdsl_bufferization.bufferization.placement.buffer_loop_hoisting import (
    hoist_buffers_out_of_loops,
)
from xdsl_bufferization.bufferization.placement.buffer_reuse import reuse_all_buffers
from xdsl_bufferization.bufferization.placement.promote_buffers_to_stack import (
    promote_buffers,
)
from xdsl_bufferization.bufferization.placement.static_memory_planner import plan_memory
from xdsl_bufferization.codegen.memory_stats import measure_memory

Transform = Callable[[ModuleOp], Any]

SIMPLIFICATION = "buffer-deallocation-simplification"

_LONG_ENOUGH = 4.0
"""Seconds of all runs after which there is no third one."""

_TOO_SHORT = 1.0
"""Seconds of all runs before which there is another one, however many there were."""

_DECIDING: dict[str, Transform] = {
    "expand-realloc": partial(expand_reallocs, emit_deallocs=False),
    "ownership-based-buffer-deallocation": deallocate_by_ownership,
}
_FREEING: dict[str, Transform] = {
    SIMPLIFICATION: simplify_all_deallocations,
    "lower-deallocations": lower_deallocations,
}
_EARLY: dict[str, Transform] = {"optimize-allocation-liveness": optimize_all_liveness}


@dataclass(frozen=True)
class Pipeline:
    """Passes that are measured one after the other on the same program."""

    passes: Mapping[str, Transform]
    before: Mapping[str, Transform]
    """What runs before them and is not measured."""


def pipelines_for(program: Program) -> list[Pipeline]:
    """What is measured of a program: where it frees buffers itself, not all."""
    deciding = {} if program.has_deallocs else _DECIDING
    freeing = {} if program.is_freed else _FREEING
    whole = {**deciding, **freeing, **_EARLY}
    whole["memory-stats"] = measure_memory
    whole["buffer-reuse"] = reuse_all_buffers
    planning = {"static-memory-planner": plan_memory}
    found = [
        Pipeline(whole, {}),
        Pipeline(planning, {**deciding, **freeing, **_EARLY}),
    ]
    if program.has_deallocs:
        return found
    expanding = {"expand-realloc": _DECIDING["expand-realloc"]}
    copying = {
        "buffer-deallocation{copy}": deallocate_with_copies,
        "copy-removal": remove_copies,
    }
    alone: tuple[dict[str, Transform], ...] = (
        {"buffer-hoisting": hoist_buffers},
        {"buffer-loop-hoisting": hoist_buffers_out_of_loops},
        {"promote-buffers-to-stack": promote_buffers},
        {"buffer-deallocation{clone}": deallocate_with_clones},
        copying,
    )
    return found + [Pipeline(passes, expanding) for passes in alone]


@dataclass(frozen=True)
class Measurement:
    """What the passes of a pipeline cost at one size."""

    work: dict[str, float]
    """Of each pass: seconds, or thousands of calls."""

    peak_memory: int
    """MiB of the process, with the interpreter and the program."""


def measure(
    program_number: int, pipeline_number: int, size: int, is_counted: bool
) -> Measurement:
    """Measure a pipeline on a program, both given by their numbers, at one size."""
    attach_all()
    program = PROGRAMS[program_number]
    pipeline = pipelines_for(program)[pipeline_number]
    if is_counted:
        counts = _measure_once(program, pipeline, size, _thousand_calls)
        return Measurement(counts, peak_memory())
    runs: list[dict[str, float]] = []
    total = 0.0
    while total < _TOO_SHORT or (len(runs) < 3 and total < _LONG_ENOUGH):
        runs.append(_measure_once(program, pipeline, size, _seconds))
        total += sum(runs[-1].values())
    best = {name: min(run[name] for run in runs) for name in pipeline.passes}
    return Measurement(best, peak_memory())


def _measure_once(
    program: Program,
    pipeline: Pipeline,
    size: int,
    work_of: Callable[[Transform, ModuleOp], float],
) -> dict[str, float]:
    module = program.build(size)
    for transform in pipeline.before.values():
        transform(module)
    return {
        name: work_of(transform, module) for name, transform in pipeline.passes.items()
    }


def _seconds(transform: Transform, module: ModuleOp) -> float:
    start = time.process_time()
    transform(module)
    return time.process_time() - start


def _thousand_calls(transform: Transform, module: ModuleOp) -> float:
    profile = cProfile.Profile()
    profile.runcall(transform, module)
    return sum(entry.callcount for entry in profile.getstats()) / 1000


class Table:
    """Prints a line for each program and pass."""

    def __init__(
        self,
        sizes: tuple[int, ...],
        passes: str,
        *,
        is_counted: bool,
        peer: str,
        limit: int,
    ):
        self._sizes = sizes
        self._is_counted = is_counted
        self._passes = passes
        self._peer = peer
        self._limit = limit

    def print(self, number: int) -> None:
        """Measure and print the passes of one program."""
        program = PROGRAMS[number]
        sizes = program.depths or self._sizes
        print(
            f"\n{program.name:38}", *(f"N={size:<8}" for size in sizes), "  exp.   MiB"
        )
        for index, pipeline in enumerate(pipelines_for(program)):
            if not any(self._passes in name for name in pipeline.passes):
                continue
            found = [
                in_new_process(measure, number, index, size, self._is_counted)
                for size in sizes
            ]
            for name in pipeline.passes:
                if self._passes in name:
                    costs = [
                        Cost(size, each.work[name])
                        for size, each in zip(sizes, found, strict=True)
                    ]
                    print(_line(name, costs, found[-1].peak_memory), flush=True)
                    if name == SIMPLIFICATION and self._peer:
                        self._print_peer(program, costs)

    def _print_peer(self, program: Program, ours: list[Cost]) -> None:
        cells = list(self._time_peer(program, ours))
        print(f"  {'of ' + self._peer:36}", *cells, flush=True)

    def _time_peer(self, program: Program, ours: list[Cost]) -> Iterator[str]:
        options = [f"--{SIMPLIFICATION}"]
        if not program.has_deallocs:
            passes = ("--expand-realloc=emit-deallocs=false", *options)
            options = [passes[0], "--ownership-based-buffer-deallocation", passes[1]]
        for cost in ours:
            text = generic_text(program.build(cost.size))
            timed = "BufferDeallocationSimplification"
            try:
                seconds = time_peer(self._peer, options, timed, text, self._limit)
            except PeerError:
                yield "refuses"
                return
            if seconds is None:
                yield f">{self._limit} s"
                return
            yield f"{seconds:.3f} x{seconds / cost.work:<4.1f}"


def _line(name: str, costs: list[Cost], memory: int) -> str:
    cells = [f"{cost.work:<10.3f}" for cost in costs]
    growth = f"{exponent(*costs[-2:]):.2f}" if len(costs) > 1 else ""
    return " ".join([f"  {name:36}", *cells, f"{growth:>6}", f"{memory:5}"])


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--only", default="", help="programs whose name has this text")
    parser.add_argument("--passes", default="", help="passes whose name has this text")
    parser.add_argument("--sizes", default="4096,16384,65536")
    parser.add_argument("--calls", action="store_true", help="instead of seconds")
    parser.add_argument("--peer", default="", help="the mlir-opt to compare with")
    parser.add_argument("--peer-limit", type=int, default=60, help="seconds")
    args = parser.parse_args()
    if args.calls and args.peer:
        parser.error("calls of functions are counted here only: leave out --peer")
    sizes = tuple(int(size) for size in args.sizes.split(",") if size)
    table = Table(
        sizes,
        args.passes,
        is_counted=args.calls,
        peer=args.peer,
        limit=args.peer_limit,
    )
    print(describe_machine())
    for number, program in enumerate(PROGRAMS):
        if args.only in program.name:
            table.print(number)
    return 0


if __name__ == "__main__":
    sys.exit(main())
