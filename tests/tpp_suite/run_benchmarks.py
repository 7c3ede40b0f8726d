"""tpp-mlir's benchmark programs through xbuf: which run, how fast, and the operations.

    python tests/tpp_suite/run_benchmarks.py TPP_MLIR [--filter REGEX] [--markdown FILE]

TPP_MLIR is a checkout of tpp-mlir. The programs are the files in `benchmarks/mlir` that
need no GPU, and what the command lines of mlir-gen in `benchmarks/config` print. A
program has tpp-run's inputs, which are ones, and its results are compared with NumPy's.
Where a file states its number of floating-point operations, ours is shown beside it.
"""

# The score is printed.
# ruff: noqa: T201

import argparse
import json
import re
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from translate import in_todays_mlir, translated

from xdsl_bufferization.tools.common.diagnostics import describe
from xdsl_bufferization.tools.run.run import RunOptions, run
from xdsl_bufferization.tools.xbuf import main as xbuf

CALLS = 10


@dataclass(frozen=True)
class Program:
    """A benchmark: its name, its text, and what it states of itself."""

    name: str
    text: str
    entry: str
    operations: int | None


@dataclass(frozen=True)
class Result:
    """What a run gave."""

    program: Program
    milliseconds: float = 0.0
    deviation: float = 0.0
    gflops: float | None = None
    operations: float | None = None
    problem: str = ""


def programs(checkout: Path, pattern: str) -> Iterator[Program]:
    """All benchmarks whose name matches."""
    root = checkout / "benchmarks"
    for path in sorted((root / "mlir").rglob("*.mlir")):
        name = str(path.relative_to(root / "mlir").with_suffix(""))
        if "GPU" not in path.parts and re.search(pattern, name):
            text = path.read_text()
            stated = re.search(r"BENCH_TOTAL_FLOPS: (\d+)", text)
            entry = re.search(r"-e (\w+)", text)
            yield Program(
                name,
                in_todays_mlir(text),
                entry[1] if entry else "entry",
                int(stated[1]) if stated else None,
            )
    for command in _command_lines(root / "config"):
        if re.search(pattern, f"mlir-gen {command}"):
            text = _generated(translated(["mlir-gen", *shlex.split(command)], ""))
            yield Program(f"mlir-gen {command}", text, "entry", None)


def _command_lines(folder: Path) -> list[str]:
    """The different options of mlir-gen in the configurations for processors."""
    found: dict[str, None] = {}
    for path in sorted(folder.rglob("*.json")):
        if "GPU" in path.parts:
            continue
        for group in json.loads(path.read_text()):
            for runs in group.values():
                for run_ in runs.values():
                    if run_["type"] == "IR-GEN":
                        found[run_["benchmark"][1]] = None
    return list(found)


def _generated(arguments: Sequence[str]) -> str:
    output = StringIO()
    with redirect_stdout(output):
        xbuf(arguments)
    return output.getvalue()


def run_program(program: Program, folder: Path) -> Result:
    """Time a program, after its results were compared with NumPy's."""
    file = folder / "program.mlir"
    file.write_text(program.text)
    options = RunOptions(
        str(file),
        entry=program.entry,
        benchmark=CALLS,
        init_type="const",
        check=True,
        threads=1,
    )
    try:
        done = run(options)
    except Exception as error:
        return Result(program, problem=str(describe(error, str(file))).splitlines()[0])
    report = done.report
    assert report.mean_seconds is not None and report.deviation_seconds is not None
    seconds = statistics.median(report.seconds)
    return Result(
        program,
        report.mean_seconds * 1e3,
        report.deviation_seconds * 1e3,
        report.gflops,
        None if report.gflops is None else report.gflops * 1e9 * seconds,
        "" if done.problem is None else str(done.problem),
    )


def markdown(results: Sequence[Result]) -> str:
    """The table of the documents."""
    lines = [
        "| program | its operations | ours | mean, ms | deviation, ms | GFLOP/s |",
        "|---|---|---|---|---|---|",
    ]
    for each in results:
        if each.problem:
            lines.append(f"| `{each.program.name}` | {each.problem} | | | | |")
            continue
        cells = [
            f"`{each.program.name}`",
            _grouped(each.program.operations),
            _grouped(each.operations),
            f"{each.milliseconds:.3g}",
            f"{each.deviation:.2g}",
            "" if each.gflops is None else f"{each.gflops:.3g}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _grouped(number: float | None) -> str:
    return "" if number is None else f"{round(number):,}"


def main() -> int:
    """Run the benchmarks; returns 1 if one has a problem."""
    parser = argparse.ArgumentParser(description="tpp-mlir's benchmarks through xbuf")
    parser.add_argument("checkout", type=Path, metavar="TPP_MLIR")
    parser.add_argument("--filter", default="", metavar="REGEX")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    given = parser.parse_args()
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        for program in programs(given.checkout, given.filter):
            started = time.perf_counter()
            result = run_program(program, Path(folder))
            results.append(result)
            seconds = time.perf_counter() - started
            verdict = result.problem or f"{result.milliseconds:.3g} ms"
            print(f"{seconds:6.1f} s  {program.name}: {verdict}", flush=True)
    problems = sum(bool(each.problem) for each in results)
    print(f"{len(results) - problems} of {len(results)} run, and are right")
    if given.markdown is not None:
        given.markdown.write_text(markdown(results))
    return int(problems > 0)


if __name__ == "__main__":
    sys.exit(main())
