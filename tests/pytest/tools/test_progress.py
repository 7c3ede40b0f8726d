import io
import sys
import time

import pytest
from typing_extensions import override

from xdsl_bufferization.tools import progress


class Terminal(io.StringIO):
    @override
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("seconds", "shown"), [(0.0, True), (60.0, False)])
def test_only_what_takes_long_is_shown(
    monkeypatch: pytest.MonkeyPatch, seconds: float, shown: bool
):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "SECONDS_UNTIL_SHOWN", seconds)
    with progress.stage("compiling"):
        time.sleep(0.3)
    assert ("compiling ..." in terminal.getvalue()) == shown


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch):
    output = io.StringIO()
    monkeypatch.setattr(sys, "stderr", output)
    monkeypatch.setattr(progress, "SECONDS_UNTIL_SHOWN", 0.0)
    with progress.stage("compiling"):
        time.sleep(0.1)
    assert output.getvalue() == ""
