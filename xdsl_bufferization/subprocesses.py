"""Programs of others that Ctrl-C ends together with us.

    done = run_to_end(["qemu-riscv64", "program"])      as subprocess.run(...)

`subprocess.run` waits in the system, where an error that another thread raises in this
one does not arrive. This waits for a short time, again and again.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    # Most commands run nothing, and `xbuf --help` is quick.
    import subprocess

_SECONDS: Final = 0.1
"""So long an error may take to arrive."""

_running: Final[list["subprocess.Popen[str]"]] = []


def end_all() -> None:
    """End all programs that run, where this process is about to end without more."""
    for process in tuple(_running):
        with suppress(OSError):
            process.kill()


def run_to_end(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a program, and collect what it writes; an error here ends it."""
    import subprocess

    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=environment,
    ) as process:
        _running.append(process)
        try:
            output, errors = _communicate(process)
        except BaseException:
            process.kill()
            raise
        finally:
            _running.remove(process)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _communicate(process: "subprocess.Popen[str]") -> tuple[str, str]:
    from subprocess import TimeoutExpired

    while True:
        try:
            return process.communicate(timeout=_SECONDS)
        except TimeoutExpired:
            continue
