"""How the cost of one-shot-bufferize grows, beside mlir-opt on the same programs.

    python benchmarks/one_shot.py [--only TEXT] [--sizes 256,1024]
        [--peer mlir-opt-22] [--peer-limit SECONDS]

Prints a row per program and size: the seconds of the analysis alone and how many
microseconds that is for each op with tensors, the seconds of the whole pass, the
exponents of growth of both since the size before, the peak memory of the process, and
the seconds of mlir-opt's pass. Rows that start with "eliminate" are about the pass
eliminate-empty-tensors instead.

Each measurement is made in a process of its own, with Python's garbage collector as it
is by default. All are seconds of processor time: of ours the faster of two runs, or of
one that takes long; of mlir-opt's run the share that `-mlir-timing` says its pass has,
so that parsing counts for neither. The limit is on the whole of mlir-opt's run.
"""

import argparse
import io
import math
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from one_shot_programs import ROWS, Row
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from xdsl_bufferization.analyses.one_shot import analyze
from xdsl_bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.models import attach_all
from xdsl_bufferization.transforms.bufferize.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)
from xdsl_bufferization.transforms.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)

_LONG_ENOUGH = 2.0
"""Seconds after which a run need not be repeated."""


@dataclass(frozen=True)
class Measurement:
    """What one program of one size costs us."""

    ops: int
    """Ops with tensor operands or results."""

    analysis: float
    """Seconds."""

    whole_pass: float
    """Seconds, with the analysis."""

    peak_memory: int
    """MiB of the process, with the interpreter and the program."""


def measure(number: int, size: int) -> Measurement:
    """Measure a row, given by its number, at one size."""
    attach_all()
    first = _measure_once(ROWS[number], size)
    if first.whole_pass > _LONG_ENOUGH:
        return first
    second = _measure_once(ROWS[number], size)
    return Measurement(
        first.ops,
        min(first.analysis, second.analysis),
        min(first.whole_pass, second.whole_pass),
        first.peak_memory,
    )


def _measure_once(row: Row, size: int) -> Measurement:
    module = row.build(size)
    options = BufferizationOptions(bufferize_function_boundaries=True)
    ops = _count_ops(module)
    start = time.process_time()
    analyze(module, options)
    analysed = time.process_time()
    if row.eliminates_empty_tensors:
        eliminate_empty_tensors(module)
    else:
        one_shot_bufferize(module, options)
    end = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Measurement(ops, analysed - start, end - analysed, memory)


def _count_ops(module: ModuleOp) -> int:
    return sum(
        any(map(is_tensor, op.operands)) or any(map(is_tensor, op.results))
        for op in module.walk()
    )


def print_text(number: int, size: int) -> str:
    """The text of a program, for mlir-opt."""
    stream = io.StringIO()
    Printer(stream, print_generic_format=True).print_op(ROWS[number].build(size))
    return stream.getvalue()


def time_peer(peer: str, row: Row, text: str, limit: int) -> float | None:
    """Seconds of mlir-opt's pass, or None if mlir-opt runs for longer than the limit.

    `-mlir-timing` knows the share of the pass in the whole run, but only in seconds of
    the clock, which mean little on a machine that does other work as well.
    """
    option, name = "--one-shot-bufferize=bufferize-function-boundaries", "OneShot"
    if row.eliminates_empty_tensors:
        option, name = "--eliminate-empty-tensors", "EmptyTensorElimination"
    flags = ["--mlir-disable-threading", "-mlir-timing", "-o", "/dev/null"]
    before = _seconds_of_children()
    result = subprocess.run(
        [peer, option, *flags],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    seconds = _seconds_of_children() - before
    if result.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None
    pass_, total = (
        re.search(rf"([\d.]+) \(.*\)  {timed}", result.stderr)
        for timed in (name, "Total")
    )
    if result.returncode or not pass_ or not total:
        raise RuntimeError(f"{peer} {option} failed:\n{result.stderr[:500]}")
    return seconds * float(pass_.group(1)) / float(total.group(1))


def _seconds_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Table:
    """Prints a line for each measurement, with the growth since the line before."""

    _HEADER = (
        f"{'program':25}{'N':>7}{'ops':>8}{'analysis s':>11}{'us/op':>7}{'exp.':>6}"
        f"{'pass s':>9}{'exp.':>6}{'MiB':>6}{'mlir-opt s':>11}{'times':>8}"
    )

    def __init__(self, peer: str | None, limit: int):
        self._peer = peer
        self._limit = limit

    def print(self, rows: list[int], sizes: tuple[int, ...]) -> None:
        """Measure and print rows at the given sizes, or at their own."""
        print(self._HEADER)
        for number in rows:
            for line in self._measure_row(number, sizes or ROWS[number].sizes):
                print(line, flush=True)

    def _measure_row(self, number: int, sizes: tuple[int, ...]) -> Iterator[str]:
        before: tuple[int, Measurement] | None = None
        is_beyond = False
        for size in sizes:
            now = _in_new_process(number, size)
            exponents = ("", "") if before is None else _exponents(before, (size, now))
            peer, ratio = "", ""
            if self._peer and not is_beyond:
                text = print_text(number, size)
                seconds = time_peer(self._peer, ROWS[number], text, self._limit)
                is_beyond = seconds is None
                peer = f">{self._limit}" if seconds is None else f"{seconds:.3f}"
                ratio = f"{(seconds or self._limit) / now.whole_pass:.1f}"
            yield (
                f"{ROWS[number].name:25}{size:7}{now.ops:8}{now.analysis:11.3f}"
                f"{now.analysis / now.ops * 1e6:7.1f}{exponents[0]:>6}"
                f"{now.whole_pass:9.3f}{exponents[1]:>6}{now.peak_memory:6}"
                f"{peer:>11}{ratio:>8}"
            )
            before = size, now


def _in_new_process(number: int, size: int) -> Measurement:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, number, size).result()


def _exponents(
    before: tuple[int, Measurement], now: tuple[int, Measurement]
) -> tuple[str, str]:
    size = math.log(now[0] / before[0])
    analysis = now[1].analysis / before[1].analysis
    whole_pass = now[1].whole_pass / before[1].whole_pass
    return f"{math.log(analysis) / size:.2f}", f"{math.log(whole_pass) / size:.2f}"


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--only", default="", help="rows whose name has this text")
    parser.add_argument("--sizes", default="", help="instead of the rows' own")
    parser.add_argument("--peer", help="the mlir-opt to compare with")
    parser.add_argument("--peer-limit", type=int, default=60, help="seconds")
    args = parser.parse_args()
    rows = [n for n, row in enumerate(ROWS) if args.only in row.name]
    sizes = tuple(int(size) for size in args.sizes.split(",") if size)
    Table(args.peer, args.peer_limit).print(rows, sizes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
