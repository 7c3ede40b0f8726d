"""A process that runs cases by name, and is started anew after a crash.

    worker = Worker(serve, table, seconds=300)
    worker.run("sin")           ("bits", ""), or why there is no such outcome
    worker.stop()

`serve` is called in the process with one end of a pipe and `table`. It receives names,
and sends what each gives, until it receives None.
"""

# pyright: basic

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

Outcome = tuple[str, str]
"""The kind of what came of a case, and details."""


class Worker:
    """The process, and this end of the pipe."""

    def __init__(
        self, serve: Callable[[Connection, Any], None], table: Any, seconds: int
    ):
        self._serve = serve
        self._table = table
        self._seconds = seconds
        """What a case may take."""

        self._start()

    def _start(self) -> None:
        # JAX and compiled code have threads, so that a fork would not do.
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(
            target=self._serve, args=(other, self._table), daemon=True
        )
        self._process.start()
        other.close()

    def run(self, name: str) -> Outcome:
        """What a case gives."""
        try:
            self._connection.send(name)
            if self._connection.poll(self._seconds):
                return self._connection.recv()
            outcome = "slow", f"more than {self._seconds} s"
        except (EOFError, OSError):
            self._process.join()
            outcome = "crashed", f"exit status {self._process.exitcode}"
        self.stop()
        self._start()
        return outcome

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
