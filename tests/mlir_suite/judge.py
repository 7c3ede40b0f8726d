"""Whether this package does with a part of a test what MLIR does.

A part passes in one of five ways (`Verdict`), and otherwise fails with a problem.
"""

import contextlib
import io
import re
import signal
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from enum import Enum

from file_check import problem_of
from harness.dialects.mlir_test_dialect import TEST
from lacking import lacking_name
from mlir_opt import memory_in, ops_in, output_of
from run_lines import Run
from typing_extensions import override
from xdsl.ir import Dialect

from xdsl_bufferization.tools.common.diagnostics import Diagnostic
from xdsl_bufferization.tools.mlir_opt.expectations import (
    Expected,
    compare,
    expectations,
)
from xdsl_bufferization.tools.opt import Chunk, MLIROptMain

_TEST = re.compile(r"\btest\.")

SECONDS = 60
"""How long a part may take; none takes more than a few."""


class Verdict(Enum):
    """How a part of a test passes."""

    TEXT = "as MLIR's comments say"
    OPS = "the same ops, other names or order"
    MEMORY = "the same allocations, copies and deallocations"
    WORDS = "refused in the same line, in other words"
    PLACE = "refused as well, at another op of the part"


@dataclass(frozen=True)
class Judgement:
    """What came of a part of a test."""

    verdict: Verdict | None
    problem: str = ""
    """Why it fails; one line."""
    output: str = ""
    """What was printed."""
    lacks: str | None = None
    """The op, type or attribute of MLIR that the part needs and that we lack."""

    @property
    def passes(self) -> bool:
        """Whether it passes in one of the ways."""
        return self.verdict is not None


class _TooLongError(Exception):
    """The time is up."""


class _Main(MLIROptMain):
    """The driver, with a stand-in for MLIR's test dialect."""

    @override
    def dialects(self) -> dict[str, Callable[[], Dialect]]:
        return super().dialects() | {TEST.name: lambda: TEST}


@dataclass(frozen=True)
class Tool:
    """One `mlir-opt` of a RUN line."""

    main: MLIROptMain
    verifies: bool
    """Whether comments say which errors are right."""
    allows_unknown_ops: bool

    def run(self, chunk: Chunk) -> tuple[str, list[Diagnostic]]:
        """What is printed, and what is said."""
        main = self.main
        # MLIR's test dialect accepts any op of its name.
        main.ctx.allow_unregistered = self.allows_unknown_ops or bool(
            _TEST.search(chunk.text)
        )
        main.begin(chunk.text)
        main.exit_code = 0
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            text, found = main.diagnose(chunk)
        if main.exit_code:
            found.append(Diagnostic("defect", 0, said.getvalue().strip()))
        return text, found


def tools_of(run: Run) -> list[Tool]:
    """Make the tools of a RUN line; raises a `UsageError` if one cannot be made."""
    tools: list[Tool] = []
    for each in run.tools:
        main = _Main([*each, "t.mlir"])
        given = main.args
        tools.append(
            Tool(main, given.verify_diagnostics, given.allow_unregistered_dialect)
        )
    return tools


def judge(run: Run, tools: list[Tool], chunk: Chunk, of_memory: bool) -> Judgement:
    """Run the tools on a part of a test, and compare.

    `of_memory` says whether the test is about allocations, copies and deallocations.
    """
    try:
        with _at_most(SECONDS):
            judgement = _judge(run, tools, chunk, of_memory)
    except _TooLongError:
        return Judgement(None, f"takes more than {SECONDS} s")
    if judgement.verdict is None:
        return replace(judgement, lacks=lacking_name(chunk.text))
    return judgement


def _judge(run: Run, tools: list[Tool], chunk: Chunk, of_memory: bool) -> Judgement:
    given = chunk
    text = ""
    found: list[Diagnostic] = []
    for number, tool in enumerate(tools):
        text, found = tool.run(given)
        expected = _expected(tool, chunk) if number == 0 else []
        if found or expected:
            return _judge_diagnostics(run, chunk, text, found, expected)
        given = Chunk(text)
    problem = _checked(run, text, chunk)
    if not problem:
        return Judgement(Verdict.TEXT, output=text)
    return _judge_output(run, text, chunk, of_memory, problem)


def _expected(tool: Tool, chunk: Chunk) -> list[Expected]:
    return expectations(chunk.text, chunk.lines_before) if tool.verifies else []


def _checked(run: Run, text: str, chunk: Chunk) -> str:
    return "" if run.checks is None else problem_of(text, chunk.text, run.checks)


_UNKNOWN = re.compile("is not registered|does not have a custom format")
"""What is said of an op that we do not know: that is not what MLIR refuses."""


def _judge_diagnostics(
    run: Run,
    chunk: Chunk,
    text: str,
    found: list[Diagnostic],
    expected: list[Expected],
) -> Judgement:
    defects = [each.text for each in found if each.kind == "defect"]
    if defects:
        return Judgement(None, f"defect: {defects[0]}", text)
    if run.fails:
        lines = "\n".join(f"t.mlir:1:1: {each.kind}: {each.text}" for each in found)
        problem = _checked(run, lines, chunk)
        return Judgement(Verdict.WORDS if problem else Verdict.TEXT, output=lines)
    wrong = list(compare(expected, found))
    if not wrong:
        problem = _checked(run, text, chunk) if text else ""
        return Judgement(None if problem else Verdict.TEXT, problem, text)
    errors = [each for each in expected if each.kind == "error"]
    places = {each.line for each in errors}
    said = [each for each in found if each.kind == "error"]
    if errors and said and not any(_UNKNOWN.search(each.text) for each in said):
        same = all(each.line in places for each in said)
        return Judgement(Verdict.WORDS if same else Verdict.PLACE, _line(wrong), text)
    return Judgement(None, _line(wrong), text)


def _line(wrong: list[Diagnostic]) -> str:
    return " | ".join(f"line {each.line}: {each.text}" for each in wrong)


def _judge_output(
    run: Run, text: str, chunk: Chunk, of_memory: bool, problem: str
) -> Judgement:
    theirs = output_of(run, chunk.text)
    if theirs is None:
        return Judgement(None, f"mlir-opt refuses it; {problem}", text)
    if ops_in(text) == ops_in(theirs):
        return Judgement(Verdict.OPS, output=text)
    ours_memory, their_memory = memory_in(text), memory_in(theirs)
    if of_memory and ours_memory == their_memory:
        return Judgement(Verdict.MEMORY, output=text)
    if of_memory:
        problem = f"memory: {_counts(ours_memory)}; mlir-opt: {_counts(their_memory)}"
    else:
        ours, other = ops_in(text), ops_in(theirs)
        problem = f"ops: {_counts(ours - other)}; mlir-opt: {_counts(other - ours)}"
    return Judgement(None, problem, text)


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {name}" for name, n in sorted(counts.items())) or "none"


@contextlib.contextmanager
def _at_most(seconds: int) -> Generator[None]:
    def stop(_signal: int, _frame: object) -> None:
        raise _TooLongError

    old = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
