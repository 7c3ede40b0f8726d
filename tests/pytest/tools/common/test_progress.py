import io
import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.running.command_line import PROGRAM
from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.simplification.common_subexpressions import (
    CommonSubexpressionElimination,
)
from xdsl_bufferization.tools.common import progress
from xdsl_bufferization.tools.xbuf import main, make_parser


class Terminal(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.expected = "compiling ..."
        self.has_text = threading.Event()

    @override
    def isatty(self) -> bool:
        return True

    @override
    def write(self, s: str) -> int:
        written = super().write(s)
        if self.expected in self.getvalue():
            self.has_text.set()
        return written


def use_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Not a fixture: pytest sets `stderr` anew when a test is called."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    return terminal


def test_what_takes_long_is_shown(monkeypatch: pytest.MonkeyPatch):
    terminal = use_terminal(monkeypatch)
    monkeypatch.setattr(progress, "SECONDS_UNTIL_SHOWN", 0.0)
    with progress.stage("compiling"):
        assert terminal.has_text.wait(timeout=60)


def test_what_is_done_soon_is_not_shown(monkeypatch: pytest.MonkeyPatch):
    terminal = use_terminal(monkeypatch)
    monkeypatch.setattr(progress, "SECONDS_UNTIL_SHOWN", 3600.0)
    with progress.stage("compiling"):
        pass
    assert "compiling ..." not in terminal.getvalue()


class TimerThatIsUp(threading.Timer):
    """A timer that does not wait."""

    def __init__(self, interval: float, function: Callable[[], object]):
        super().__init__(0.0, function)

    @override
    def start(self) -> None:
        super().start()
        self.join()


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch):
    output = io.StringIO()
    monkeypatch.setattr(sys, "stderr", output)
    monkeypatch.setattr(threading, "Timer", TimerThatIsUp)
    with progress.stage("compiling"):
        pass
    assert output.getvalue() == ""


def test_a_pass_that_takes_long_is_shown_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The pass waits until somebody could read the line, as a slow one would."""
    file = tmp_path / "a.mlir"
    file.write_text(PROGRAM)
    terminal = use_terminal(monkeypatch)
    waited: list[float] = []

    def apply(self: ModulePass, ctx: Context, op: ModuleOp) -> None:
        assert terminal.has_text.wait(timeout=60)
        waited.append(time.monotonic() - began)

    monkeypatch.setattr(CommonSubexpressionElimination, "apply", apply)
    terminal.expected = "running passes ..."
    began = time.monotonic()
    assert main(["opt", str(file), "-p", "cse"]) == 0
    (seconds,) = waited
    assert seconds >= progress.SECONDS_UNTIL_SHOWN


def test_every_command_is_tested():
    listed = re.findall(r"^    ([a-z]+) ", make_parser().format_help(), re.MULTILINE)
    tested = {command.partition(" ")[0] for command, _ in STAGES}
    # `xbuf lsp` runs until its client ends it, and writes to nobody else.
    assert tested == set(listed) - {"lsp"}


STAGES = [
    ("run a.mlir", "parsing, bufferizing, compiling, running"),
    ("build a.mlir -o a.o", "parsing, bufferizing, compiling"),
    ("profile a.mlir", "parsing, bufferizing, compiling, running"),
    ("stages a.mlir", "parsing, one-shot-bufferize, canonicalize"),
    ("explain a.mlir --html a.html", "parsing, explaining, writing the page"),
    ("compare a.mlir", "parsing, comparing"),
    ("opt a.mlir -p cse", "parsing, running passes"),
    ("passes", "loading the passes"),
    ("gen --layers 4,4", "generating"),
    ("cache", "reading the cache"),
]


@pytest.mark.parametrize(("command", "stages"), STAGES)
def test_every_command_says_what_it_does(
    command: str, stages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(PROGRAM)
    terminal = use_terminal(monkeypatch)
    monkeypatch.setattr(threading, "Timer", TimerThatIsUp)
    assert main(command.split()) == 0
    shown = terminal.getvalue()
    assert [each for each in stages.split(", ") if f"{each} ..." not in shown] == []


def test_the_time_counts_from_the_start_of_the_command(
    monkeypatch: pytest.MonkeyPatch,
):
    use_terminal(monkeypatch)
    delays: list[float] = []

    class Timer(threading.Timer):
        def __init__(self, interval: float, function: Callable[[], object]):
            delays.append(interval)
            super().__init__(interval, function)

    monkeypatch.setattr(threading, "Timer", Timer)
    now = iter([100.0, 100.5, 101.25, 103.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    progress.begin()
    for _ in range(3):
        with progress.stage("compiling"):
            pass
    assert delays == [1.5, 0.75, 0.2]


def test_what_is_going_on_may_have_any_name(monkeypatch: pytest.MonkeyPatch):
    terminal = use_terminal(monkeypatch)
    monkeypatch.setattr(threading, "Timer", TimerThatIsUp)
    with progress.stage("[bold]a[/] \x1b[2J"):
        pass
    assert r"[bold]a[/] \x1b[2J ..." in terminal.getvalue()
