"""A tool that crashes on a text, or never ends, is at fault: within seconds, both ways.

A script stands in for mlir-opt. It prints what it reads, but for some programs.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from harness.oracles import tool_runs
from harness.oracles.decisions import mlir_decisions
from harness.oracles.mlir_buffers import bufferized_by_mlir_opt
from harness.oracles.mlir_runner import output_of_main
from harness.oracles.mlir_text import (
    CRASHED,
    BothReaders,
    Reply,
    ask_mlir,
    ask_surely,
)
from harness.oracles.tool_runs import ToolFaultError, run_tool

SCRIPT = """\
#!/bin/sh
[ "$1" = --version ] && exit 0
echo called >> "$0.calls"
for last; do :; done
[ -f "$last" ] && exec < "$last"
text=$(cat)
case "$text" in
  *@crash*) kill -SEGV $$ ;;
  *@forever*) sleep 600 & echo $! > "$0.child"; wait ;;
  *@silent*) exit 1 ;;
esac
printf '%s\\n' "$text"
"""

LIMIT = 1.0
PATIENCE = 8.0
"""Seconds that a test may take in which nothing ends, on a machine with much to do."""

GOOD = "module {\n}\n"
BAD = {
    "ends at once": "func.func private @crash()\n",
    "never ends": "func.func private @forever()\n",
}

bad = pytest.mark.parametrize("program", BAD.values(), ids=BAD)


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The stand-in, found before all other tools of its name."""
    for name in ("mlir-opt-22", "mlir-runner-22"):
        (tmp_path / name).write_text(SCRIPT)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(tool_runs, "LIMIT_SECONDS", LIMIT)
    return tmp_path / "mlir-opt-22"


def calls_of(tool: Path) -> int:
    return Path(f"{tool}.calls").read_text().count("called")


def is_alive(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


@bad
def test_it_is_its_fault_and_is_tried_once(tool: Path, program: str) -> None:
    before = time.monotonic()
    for _ in range(3):
        with pytest.raises(ToolFaultError, match=r"a crash|no end"):
            run_tool([tool, "-"], program)
    assert time.monotonic() - before < PATIENCE
    assert calls_of(tool) == 1


def test_what_it_has_started_ends_too(tool: Path) -> None:
    with pytest.raises(ToolFaultError, match="no end"):
        run_tool([tool, "-"], BAD["never ends"])
    child = int(Path(f"{tool}.child").read_text())
    deadline = time.monotonic() + PATIENCE
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(child)


def test_a_tool_that_does_not_even_start_fails_tests(tool: Path) -> None:
    tool.write_text("#!/bin/sh\nkill -SEGV $$\n")
    with pytest.raises(OSError, match="of no use"):
        run_tool([tool, "-"], GOOD)


def test_an_error_is_no_fault(tool: Path) -> None:
    tool.write_text(f"{SCRIPT}\nexit 1\n")
    assert run_tool([tool, "-"], GOOD).returncode == 1


@bad
def test_other_programs_get_their_answers(tool: Path, program: str) -> None:
    before = time.monotonic()
    replies = ask_surely([GOOD, program, GOOD, program], "--cse")
    assert [reply.errors for reply in replies] == ["", CRASHED, "", CRASHED]
    assert isinstance(replies[0], Reply) and replies[0].printed == GOOD
    with pytest.raises(ToolFaultError):
        ask_mlir([GOOD, program], "--cse")
    assert time.monotonic() - before < 2 * PATIENCE


def test_a_program_of_which_nothing_is_said(tool: Path) -> None:
    silent = "func.func private @silent()\n"
    assert ask_surely([silent, GOOD]) == [Reply("", CRASHED), Reply(GOOD, "")]


@bad
def test_no_decisions(tool: Path, program: str) -> None:
    assert mlir_decisions([program, GOOD], "") == [None, []]


@bad
def test_a_corpus_with_such_a_program(tool: Path, program: str) -> None:
    readers = BothReaders({"good": GOOD, "bad": program})
    readers.check_we_read_mlirs("good")
    with pytest.raises(ToolFaultError):
        readers.check_we_read_mlirs("bad")


@bad
def test_other_ways_to_ask(tool: Path, program: str, tmp_path: Path) -> None:
    with pytest.raises(ToolFaultError):
        output_of_main(program, ["--canonicalize"])
    file = tmp_path / "program.mlir"
    file.write_text(program)
    with pytest.raises(ToolFaultError):
        bufferized_by_mlir_opt([], file)


TEST = """
import pytest

@pytest.mark.oracle
@pytest.mark.parametrize("program", {programs})
def test_with_mlir_opt(mlir_opt, program):
    assert mlir_opt(program) == "something else"
"""


def test_the_verdict_of_a_test(tool: Path, tmp_path: Path) -> None:
    """Such a test neither passes nor fails, with `CI` as well; a difference fails."""
    file = tmp_path / "test_faults.py"
    file.write_text(TEST.format(programs=[*BAD.values(), GOOD]))
    code = (
        "import pytest; from harness.oracles import tool_runs; "
        f"tool_runs.LIMIT_SECONDS = {LIMIT}; "
        f"pytest.main(['-p', 'conftest', '-q', '-rx', '--noconftest', "
        f"'--rootdir={tmp_path}', '-p', 'no:cacheprovider', '{file}'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "CI": "1", "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
    )
    assert "1 failed, 2 xfailed" in done.stdout, done.stdout + done.stderr
    assert done.stdout.count("its fault:") == 2
