"""tpp-mlir's executable tests and benchmarks through xbuf, and the score.

    python tests/tpp_suite/run_suite.py TPP_MLIR [--filter REGEX] [--markdown FILE]
    python tests/tpp_suite/run_suite.py TPP_MLIR --benchmarks [--markdown FILE]

TPP_MLIR is a checkout of tpp-mlir. Nothing is fetched. Every RUN line with `tpp-run` of
the tests that need no GPU is run with the commands of xbuf in place of tpp-mlir's. What
FileCheck would find in tpp-run's numbers, it has to find in ours. All runs in this
process.

A test passes in one of three ways:

- numbers: the numbers that tpp-mlir expects came out
- runs: the test expects no numbers, or compares two runs, and all ran
- fails: the test expects an error, and there was one

`EXCEPTIONS` has the tests that do not pass, each with the reason. `MENDED` has what is
wrong in a test, and what is run in its place.

The text of programs between passes is tpp-mlir's own, and is not compared.
"""

# The score is printed. What FileCheck finds is asked as for MLIR's own tests.
# pyright: basic, reportMissingImports=false
# ruff: noqa: T201

import argparse
import io
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from run_lines import Pipeline, pipelines
from translate import UnsupportedError, in_todays_mlir, shows_ir, translated

from xdsl_bufferization.tools.xbuf import main as xbuf

sys.path.append(str(Path(__file__).parents[1] / "mlir_suite"))
from file_check import problem_of

EXCEPTIONS: Final = {
    "Integration/hoist-vector-transfer-brgemm": "passes that make vectors are lacking",
    "Integration/vector-contract-to-fma": "passes that make vectors are lacking",
    "Integration/vector-contract-to-outerproduct": (
        "passes that make vectors are lacking"
    ),
    "Integration/onednn/one-dnnl-matmul_64x64x64": "needs oneDNN",
}

MENDED: Final = {
    # The matrices are 16 elements apart, and not 8. All are ones, so that nobody sees.
    "BF16/Integration/xsmm-ternary-bf16": (("4, 8, 8] flags", "4, 16, 16] flags"),),
    "BF16/Integration/xsmm-quarternary-bf16": (("4, 8, 8][add", "4, 16, 16][add"),),
    "Integration/xsmm-quarternary": (("4, 8, 8][add", "4, 16, 16][add"),),
    # The kernel writes 32 rows of 64 numbers, and not 64 rows of 32.
    "Integration/xsmm-brgemm": (
        ("memref<64x32xf32>", "memref<32x64xf32>"),
        ("CHECK-COUNT-64: ( ", "CHECK-COUNT-32: ( " + "33, " * 32),
    ),
    # MLIR takes parentheses for brackets, and does not notice that one pair lacks.
    "Integration/tpp-pack-unpack": (
        ("dense < ( ( ( ( 0.0", "dense < ( ( ( ( ( 0.0"),
        (") ) ) ) >:tensor<1x2x2x2x2xf32>", ") ) ) ) ) >:tensor<1x2x2x2x2xf32>"),
    ),
}

_ROW = re.compile(r"\(\s*[-\d.einfa+]+(?:,\s*[-\d.einfa+]+)*\s*\)")
_CHECK = re.compile(r"//\s*([A-Z][\w-]*?)(?:-(?:NEXT|SAME|COUNT-\d+))?:(.*)")


@dataclass
class Outcome:
    """What became of a test."""

    name: str
    rows: int = 0
    """The rows of numbers that tpp-mlir expects, in all commands."""
    first: str = ""
    """The first of them."""
    ours: str = ""
    """Our first row."""
    runs: int = 0
    """The commands with tpp-run."""
    problems: list[str] = field(default_factory=list[str])
    expects_failure: bool = False

    @property
    def verdict(self) -> str:
        """How the test passes, or that it does not."""
        if self.problems:
            return "exception" if self.name in EXCEPTIONS else "PROBLEM"
        if self.expects_failure:
            return "fails"
        return "numbers" if self.rows else "runs"


class CommandError(Exception):
    """A command ended with an error."""


class Runner:
    """Runs the commands of one test, and keeps the files that it writes."""

    def __init__(self, path: Path, outcome: Outcome, folder: Path):
        self._text = path.read_text()
        for wrong, right in MENDED.get(outcome.name, ()):
            self._text = self._text.replace(wrong, right)
        self._program = folder / path.name
        self._program.write_text(in_todays_mlir(self._text))
        self._outcome = outcome
        self._files: dict[str, str] = {}

    def run(self, pipeline: Pipeline) -> None:
        """Run a pipeline; raises `CommandError` with what is wrong."""
        output = ""
        for command in pipeline.commands:
            output = self._run(command, output)
        if pipeline.target is not None:
            self._files[pipeline.target] = output

    def _run(self, command: Sequence[str], given: str) -> str:
        match command:
            case ("FileCheck", _, *options):
                self._check(given, options)
                return ""
            case ("fpcmp", "-r", limit, *names):
                self._compare(names, float(limit))
                return ""
            case ("diff", *_, first, second):
                self._compare([first, second], 1e-5)
                return ""
            case ("rm", *_):
                return ""
            case ("not", *_):
                return ""  # What mlir-gen refuses, `xbuf gen` need not.
            case _:
                self._outcome.runs += command[0] == "tpp-run"
                return self._output_of(command, given)

    def _output_of(self, command: Sequence[str], given: str) -> str:
        arguments = translated(command, str(self._program))
        output, errors = io.StringIO(), io.StringIO()
        typed, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given.encode()))
        try:
            with redirect_stdout(output), redirect_stderr(errors):
                code = xbuf(arguments)
        except SystemExit as error:
            code = error.code
        finally:
            sys.stdin = typed
        if code:
            raise CommandError(_first_error(errors.getvalue()))
        if command[0] == "tpp-run" and not self._outcome.ours:
            self._outcome.ours = next(iter(_ROW.findall(output.getvalue())), "")
        # The text of programs between passes is not there to be checked.
        return "" if shows_ir(command) else output.getvalue()

    def _check(self, output: str, options: Sequence[str]) -> None:
        prefixes = [each.split("=")[-1] for each in options if "prefix" in each]
        rows = expected_rows(self._text, prefixes or ["CHECK"])
        if not rows or not output:
            return
        self._outcome.rows += len(rows)
        self._outcome.first = self._outcome.first or rows[0]
        problem = problem_of(output, self._text, tuple(options))
        if problem:
            found = _ROW.findall(output)
            raise CommandError(f"expected {rows[:2]}, but got {found[:2]}")

    def _compare(self, names: Sequence[str], limit: float) -> None:
        first, second = (_numbers(self._files.get(name, "")) for name in names)
        if len(first) != len(second) or not first:
            raise CommandError(f"{len(first)} numbers, and {len(second)}")
        # Our random weights have both signs: sums may nearly cancel.
        largest = max(map(abs, first + second))
        for a, b in zip(first, second, strict=True):
            if abs(a - b) > limit * largest:
                raise CommandError(f"{a} and {b} differ")
        self._outcome.rows += 1
        self._outcome.first = self._outcome.first or "as the other command"


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if "error:" in line]
    return (lines or text.splitlines() or ["it ended with an error"])[0][:300]


def _numbers(output: str) -> list[float]:
    return [float(n) for row in _ROW.findall(output) for n in row[1:-1].split(",")]


def expected_rows(text: str, prefixes: Sequence[str]) -> list[str]:
    """The rows of numbers in the comments for FileCheck."""
    found: list[str] = []
    for line in text.splitlines():
        check = _CHECK.match(line.strip())
        if check is not None and check[1] in prefixes:
            found += _ROW.findall(check[2])
    return found


def run_test(path: Path, name: str) -> Outcome:
    """Run all pipelines of a test that call tpp-run, and what belongs to them."""
    text = path.read_text()
    outcome = Outcome(name, expects_failure="XFAIL" in text)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(path, outcome, Path(folder))
        for pipeline in pipelines(path):
            if not any(map(pipeline.calls, ("tpp-run", "fpcmp", "diff"))):
                continue
            try:
                runner.run(pipeline)
            except (CommandError, UnsupportedError) as error:
                failures += 1
                if not outcome.expects_failure:
                    outcome.problems.append(f"{type(error).__name__}: {error}")
    if outcome.expects_failure and failures < outcome.runs:
        outcome.problems.append(f"{outcome.runs - failures} commands did not fail")
    return outcome


def executable_tests(checkout: Path, pattern: str) -> list[Path]:
    """The tests with a command that runs a program, but those for GPUs."""
    root = checkout / "test"
    found: list[Path] = []
    for path in sorted(root.rglob("*.mlir")):
        is_wanted = re.search(pattern, str(path.relative_to(root)))
        runs = any(each.calls("tpp-run") for each in pipelines(path))
        if is_wanted and runs and "GPU" not in path.parts:
            found.append(path)
    return found


def markdown(outcomes: Sequence[Outcome]) -> str:
    """The table of the documents."""
    lines = [
        "| test | commands | rows expected | first row expected | our first row | |",
        "|---|---|---|---|---|---|",
    ]
    for each in outcomes:
        mended = ", mended" if each.name in MENDED else ""
        cells = [
            f"`{each.name}`",
            str(each.runs),
            str(each.rows or ""),
            _shortened(each.first),
            _shortened(each.ours),
            EXCEPTIONS.get(each.name, each.verdict) + mended,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _shortened(row: str) -> str:
    numbers = row.split(", ")
    return row if len(numbers) <= 4 else f"{', '.join(numbers[:3])}, ... )"


def main() -> int:
    """Run the suite; returns 1 if a test has a problem."""
    parser = argparse.ArgumentParser(description="tpp-mlir's tests through xbuf")
    parser.add_argument("checkout", type=Path, metavar="TPP_MLIR")
    parser.add_argument("--filter", default="", metavar="REGEX")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    given = parser.parse_args()
    outcomes: list[Outcome] = []
    for path in executable_tests(given.checkout, given.filter):
        started = time.perf_counter()
        name = str(path.relative_to(given.checkout / "test").with_suffix(""))
        outcome = run_test(path, name)
        outcomes.append(outcome)
        seconds = time.perf_counter() - started
        print(f"{outcome.verdict:8} {seconds:6.1f} s  {name}", flush=True)
        for problem in outcome.problems:
            print(f"         {problem}", flush=True)
    print(Counter(each.verdict for each in outcomes))
    if given.markdown is not None:
        given.markdown.write_text(markdown(outcomes))
    return int(any(each.verdict == "PROBLEM" for each in outcomes))


if __name__ == "__main__":
    sys.exit(main())
