"""Whether output has colours: `--color`, `NO_COLOR`, and who looks at it."""

import io
import sys
from pathlib import Path

import pytest
from harness.running.command_line import PROGRAM
from typing_extensions import override

from xdsl_bufferization.tools.xbuf import main

BAD = PROGRAM.replace("into %t", "into %u")
COMMANDS = ["explain ok.mlir", "stages ok.mlir", "run bad.mlir", "opt bad.mlir"]


class Terminal(io.StringIO):
    @override
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    Path("ok.mlir").write_text(PROGRAM)
    Path("bad.mlir").write_text(BAD)


def has_colours(
    command: str, *, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Whether something that a command writes has colours."""
    streams = [Terminal() if terminal else io.StringIO() for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    main(command.split())
    return "\033[" in streams[0].getvalue() + streams[1].getvalue()


@pytest.mark.parametrize("command", COMMANDS)
def test_output_has_colours_where_somebody_looks(
    command: str, monkeypatch: pytest.MonkeyPatch
):
    assert has_colours(command, terminal=True, monkeypatch=monkeypatch)
    assert not has_colours(command, terminal=False, monkeypatch=monkeypatch)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_user_may_want_no_colours(command: str, monkeypatch: pytest.MonkeyPatch):
    never = f"{command} --color=never"
    assert not has_colours(never, terminal=True, monkeypatch=monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colours(command, terminal=True, monkeypatch=monkeypatch)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_user_may_want_colours(command: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    always = f"{command} --color=always"
    assert has_colours(always, terminal=False, monkeypatch=monkeypatch)
    # The next command of the process decides anew.
    assert not has_colours(command, terminal=False, monkeypatch=monkeypatch)


def test_no_colour_that_is_empty_is_not_set(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "")
    assert has_colours("run bad.mlir", terminal=True, monkeypatch=monkeypatch)


def test_a_terminal_without_colours_gets_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colours("run bad.mlir", terminal=True, monkeypatch=monkeypatch)
