"""Programs of others that Ctrl-C ends together with us.

    done = run_to_end(["qemu-riscv64", "program"])      as subprocess.run(...)
    helper = Helper(["python", "lower.py"])             answers requests until it ends
    answer = helper.ask(b"a request", b"its second part")

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

_LENGTH_BYTES: Final = 8
"""Of the length before each part of a message to a helper, or from it."""

_running: Final[list["subprocess.Popen[str] | subprocess.Popen[bytes]"]] = []


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


class HelperEndedError(Exception):
    """A helper has ended before its answer; `status` is that of `Popen.returncode`."""

    def __init__(self, status: int):
        super().__init__(f"a helper has ended with status {status}")
        self.status = status


class Helper:
    """A program that answers requests from its standard input, one after the other.

    A message is a sequence of parts. Before each stands its length, in 8 bytes.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        environment: Mapping[str, str] | None = None,
    ):
        import subprocess

        self._process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        _running.append(self._process)

    def ask(self, *parts: bytes) -> bytes:
        """The answer to a request, which has one part.

        Raises `HelperEndedError`. An error that arrives here ends the helper.
        """
        assert self._process.stdin is not None
        try:
            for part in parts:
                message = len(part).to_bytes(_LENGTH_BYTES) + part
                while message:
                    message = message[self._process.stdin.write(message) :]
            return self._read(int.from_bytes(self._read(_LENGTH_BYTES)))
        except (BrokenPipeError, EOFError):
            raise HelperEndedError(self._process.wait()) from None
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End the program, and wait until it has ended."""
        self.leave()
        self._process.kill()
        self._process.wait()

    def leave(self) -> None:
        """Close the pipes, as after a fork: the program is that of another process."""
        if self._process in _running:
            _running.remove(self._process)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _read(self, count: int) -> bytes:
        """Bytes of an answer; raises `EOFError` at the end."""
        import os
        from selectors import EVENT_READ, DefaultSelector

        assert self._process.stdout is not None
        data = bytearray()
        with DefaultSelector() as selector:
            selector.register(self._process.stdout, EVENT_READ)
            while len(data) < count:
                if not selector.select(_SECONDS):
                    continue
                part = os.read(self._process.stdout.fileno(), count - len(data))
                if not part:
                    raise EOFError
                data += part
        return bytes(data)
