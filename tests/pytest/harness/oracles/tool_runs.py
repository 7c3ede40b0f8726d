"""How a tool of others is run on a text: it may crash there, or never come to an end.

    run_tool([path, "--canonicalize", "-"], text).stdout     // or a ToolFaultError

mlir-opt 22 has undefined behaviour on some programs. There one machine sees a crash,
another one a loop without an end, and a third one a result. So neither a crash nor a
time-out says anything about us. What a tool once did not survive is not tried again.
"""

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Sequence
from functools import cache

LIMIT_SECONDS = 10.0
"""How long a tool may take, on a machine on which it starts in `START_SECONDS`."""

START_SECONDS = 0.2
"""How long `mlir-opt-22 --version` takes at most on a machine with nothing to do."""

_MOST_SLOWER = 4.0
_MOST_BYTES = 8 << 30
"""How much memory a tool may take: a loop without an end may ask for all there is."""

_FIRST_SIGNAL_CODE = 128
"""Shells add the number of the signal that has ended a program to this."""

_faults: dict[tuple[tuple[str, ...], str], str] = {}


class ToolFaultError(Exception):
    """A tool has crashed on a text, or has not come to an end: its fault, not ours."""


def run_tool(
    command: Sequence[str | os.PathLike[str]], text: str = ""
) -> "subprocess.CompletedProcess[str]":
    """What a tool makes of `text`, which it reads from its standard input.

    Raises a `ToolFaultError` where the tool crashes, or takes longer than the limit.
    It is run once only for such a text, and killed with all that it has started.
    """
    words = tuple(os.fspath(each) for each in command)
    fault = _faults.get((words, text))
    if fault is None:
        done = _run(words, text, LIMIT_SECONDS * _slower(words[0]))
        if isinstance(done, subprocess.CompletedProcess):
            return done
        fault = _faults[words, text] = done
    raise ToolFaultError(f"{' '.join(words)}: {fault}")


def _run(
    words: Sequence[str], text: str, limit: float
) -> "subprocess.CompletedProcess[str] | str":
    """What a tool said, or in which way it came to no end of its own."""
    # Where LLVM crashes, nobody reads the names in its backtrace: that takes minutes.
    environment = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as process:
        _restrain(process.pid)
        try:
            out, err = process.communicate(text, timeout=limit)
        except subprocess.TimeoutExpired:
            _kill_group(process)
            return f"no end in {limit:.0f} s"
        except BaseException:
            _kill_group(process)
            raise
    code = process.returncode
    if code < 0 or code > _FIRST_SIGNAL_CODE:
        return f"a crash, with code {code}"
    return subprocess.CompletedProcess(words, code, out, err)


def _restrain(pid: int) -> None:
    """Let a process take no more memory than is good, and write no core files."""
    if hasattr(resource, "prlimit"):
        with contextlib.suppress(ProcessLookupError, PermissionError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def _kill_group(process: "subprocess.Popen[str]") -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@cache
def _slower(tool: str) -> float:
    """How many times slower than usual this machine starts a tool.

    Raises an `OSError` if the tool does not even say which version it is.
    """
    before = time.monotonic()
    done = _run((tool, "--version"), "", LIMIT_SECONDS * _MOST_SLOWER)
    if isinstance(done, str) or done.returncode:
        raise OSError(f"{tool} --version ends badly, so that {tool} is of no use")
    took = time.monotonic() - before
    return min(max(took / START_SECONDS, 1.0), _MOST_SLOWER)
