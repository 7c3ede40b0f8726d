import io
import sys
import threading
from collections.abc import Callable

import pytest
from typing_extensions import override

from xdsl_bufferization.tools import progress


class Terminal(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.has_text = threading.Event()

    @override
    def isatty(self) -> bool:
        return True

    @override
    def write(self, s: str) -> int:
        written = super().write(s)
        if "compiling ..." in self.getvalue():
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
