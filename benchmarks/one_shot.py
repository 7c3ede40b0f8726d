"""How the cost of one-shot-bufferize grows, beside mlir-opt on the same programs.

    python benchmarks/one_shot.py [--only TEXT] [--sizes 256,1024]
        [--peer mlir-opt-22] [--peer-limit SECONDS]

Prints a row for each program and size:

- how many ops the program has, and how many of them with tensors;
- the seconds of the analysis alone, and the microseconds for each op and for each op
  with tensors;
- the seconds of the whole pass;
- the exponents of growth of both since the size before;
- the peak memory of the process;
- the seconds of the pass of mlir-opt.

Rows that start with "eliminate" are about the pass eliminate-empty-tensors instead.

Each measurement is made in a process of its own. Python's garbage collector does not
run during the analysis and the pass. What it does afterwards counts for the pass.

All are seconds of processor time. Ours are the fastest of the runs that fit into two
seconds, in three processes for each size. The sizes of a program take turns, so that a
processor that is slow for a minute does not look like growth. Of mlir-opt's run it is
the share that `-mlir-timing` says its pass has, so that parsing counts for neither. The
limit is on the whole run of mlir-opt.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from measuring import (
    Cost,
    describe_machine,
    exponent,
    generic_text,
    in_new_process,
    peak_memory,
    time_peer,
)
from one_shot_programs import ROWS, Row
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.bufferize.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.support.garbage import without_garbage_collection

_LONG_ENOUGH = 2.0
"""Seconds that are spent on runs of one program: others disturb short ones most."""

_TURNS = 3
"""So many processes measure each size."""


@dataclass(frozen=True)
class Measurement:
    """What one program of one size costs us."""

    ops: int
    """Ops inside the module."""

    tensor_ops: int
    """Those with tensor operands or results."""

    analysis: float
    """Seconds."""

    whole_pass: float
    """Seconds, with the analysis."""

    peak_memory: int
    """MiB of the process, with the interpreter and the program."""

    def fastest(self, other: "Measurement") -> "Measurement":
        """The less of the seconds of two measurements of one program."""
        return replace(
            self,
            analysis=min(self.analysis, other.analysis),
            whole_pass=min(self.whole_pass, other.whole_pass),
        )


def measure(number: int, size: int) -> Measurement:
    """Measure a row, given by its number, at one size."""
    attach_all()
    best = _measure_once(ROWS[number], size)
    spent = best.whole_pass
    while spent < _LONG_ENOUGH:
        again = _measure_once(ROWS[number], size)
        spent += again.whole_pass
        best = best.fastest(again)
    return best


def measure_in_turns(number: int, sizes: tuple[int, ...]) -> list[Measurement]:
    """Measure a row at each of some sizes, and again, each in a new process."""
    best = [in_new_process(measure, number, size) for size in sizes]
    for _ in range(_TURNS - 1):
        again = [in_new_process(measure, number, size) for size in sizes]
        best = [a.fastest(b) for a, b in zip(best, again, strict=True)]
    return best


def _measure_once(row: Row, size: int) -> Measurement:
    module = row.build(size)
    options = BufferizationOptions(bufferize_function_boundaries=True)
    has_tensors = [_has_tensors(op) for op in module.walk() if op is not module]
    with without_garbage_collection():
        start = time.process_time()
        analyze(module, options)
        analysis = time.process_time() - start
    start = time.process_time()
    if row.eliminates_empty_tensors:
        eliminate_empty_tensors(module)
    else:
        one_shot_bufferize(module, options)
    whole_pass = time.process_time() - start
    ops, tensor_ops = len(has_tensors), sum(has_tensors)
    return Measurement(ops, tensor_ops, analysis, whole_pass, peak_memory())


def _has_tensors(op: Operation) -> bool:
    return any(map(is_tensor, op.operands)) or any(map(is_tensor, op.results))


def time_row_of_peer(peer: str, row: Row, text: str, limit: int) -> float | None:
    """Seconds of the pass in mlir-opt, or None if that runs beyond the limit."""
    option, name = "--one-shot-bufferize=bufferize-function-boundaries", "OneShot"
    if row.eliminates_empty_tensors:
        option, name = "--eliminate-empty-tensors", "EmptyTensorElimination"
    return time_peer(peer, [option], name, text, limit)


class Table:
    """Prints a line for each measurement, with the growth since the line before."""

    _HEADER = (
        f"{'program':25}{'N':>7}{'ops':>8}{'tensors':>8}{'analysis s':>11}{'us/op':>7}"
        f"{'/tensor op':>11}{'exp.':>6}{'pass s':>9}{'exp.':>6}{'MiB':>6}"
        f"{'mlir-opt s':>11}{'times':>8}"
    )

    def __init__(self, peer: str | None, limit: int):
        self._peer = peer
        self._limit = limit

    def print(self, rows: list[int], sizes: tuple[int, ...]) -> None:
        """Measure and print rows at the given sizes, or at their own."""
        print(describe_machine())
        print(self._HEADER)
        for number in rows:
            try:
                for line in self._measure_row(number, sizes or ROWS[number].sizes):
                    print(line, flush=True)
            except RecursionError:
                print(f"{ROWS[number].name:25} is nested deeper than xDSL can walk")

    def _measure_row(self, number: int, sizes: tuple[int, ...]) -> Iterator[str]:
        before: tuple[int, Measurement] | None = None
        is_beyond = False
        for size, now in zip(sizes, measure_in_turns(number, sizes), strict=True):
            exponents = ("", "") if before is None else _exponents(before, (size, now))
            peer, ratio = "", ""
            if self._peer and not is_beyond:
                text = generic_text(ROWS[number].build(size))
                row = ROWS[number]
                seconds = time_row_of_peer(self._peer, row, text, self._limit)
                is_beyond = seconds is None
                peer = f">{self._limit}" if seconds is None else f"{seconds:.3f}"
                ratio = f"{(seconds or self._limit) / now.whole_pass:.1f}"
            yield (
                f"{ROWS[number].name:25}{size:7}{now.ops:8}{now.tensor_ops:8}"
                f"{now.analysis:11.3f}{now.analysis / now.ops * 1e6:7.1f}"
                f"{now.analysis / now.tensor_ops * 1e6:11.1f}{exponents[0]:>6}"
                f"{now.whole_pass:9.3f}{exponents[1]:>6}{now.peak_memory:6}"
                f"{peer:>11}{ratio:>8}"
            )
            before = size, now


def _exponents(
    before: tuple[int, Measurement], now: tuple[int, Measurement]
) -> tuple[str, str]:
    (size, old), (larger, new) = before, now
    analysis = exponent(Cost(size, old.analysis), Cost(larger, new.analysis))
    whole = exponent(Cost(size, old.whole_pass), Cost(larger, new.whole_pass))
    return f"{analysis:.2f}", f"{whole:.2f}"


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
