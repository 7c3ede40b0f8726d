"""Run a command so that Ctrl-C ends it, wherever it is: in Python, LLVM or its program.

    run_interruptibly(work)      # a KeyboardInterrupt, or the end of the process

Python does nothing about Ctrl-C while machine code runs. So the command runs in a
thread, and this one waits. On Ctrl-C, the thread is told to stop. If it does not stop
soon, machine code has the thread: then files that are half written are removed, and the
process ends.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Final

from xdsl_bufferization.support.interrupts import raise_in
from xdsl_bufferization.support.subprocesses import end_all
from xdsl_bufferization.support.whole_files import remove_unfinished

EXIT_INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it."""

INTERRUPTED: Final = "xbuf: error: interrupted\n"

_GRACE_SECONDS: Final = 0.4
"""How long a command in Python has to clean up."""

_GRACE_POLLS: Final = 20
"""So often a thread is asked that is in compiled code, which calls Python."""

_POLL_SECONDS: Final = 0.1
"""How long Ctrl-C may take to arrive: another thread may get the signal."""

_FLUSH_SECONDS: Final = 0.2
"""How long whoever reads the output has to take the rest."""


class _Worker:
    """A thread in which one piece of work is done."""

    _code: int | None = None
    _error: BaseException | None = None

    def __init__(self, work: Callable[[], int]) -> None:
        self._work = work
        self.thread = threading.Thread(target=self._run, daemon=True)
        # In Python 3.11, a thread counts as over when Ctrl-C has ended a `join`.
        self.is_over = threading.Event()

    def _run(self) -> None:
        try:
            self._code = self._work()
        except BaseException as error:
            self._error = error
        finally:
            self.is_over.set()

    def stop(self) -> bool:
        """Tell the thread to stop; whether it did so soon."""
        is_told = False
        for _ in range(_GRACE_POLLS):
            is_told = is_told or raise_in(self.thread, KeyboardInterrupt)
            if self.is_over.wait(_GRACE_SECONDS / _GRACE_POLLS):
                return True
        return False

    def result(self) -> int:
        """What the work has returned, or its error."""
        error, self._error = self._error, None
        if error is not None:
            raise error
        assert self._code is not None
        return self._code


def run_interruptibly(work: Callable[[], int]) -> int:
    """What `work` returns; on Ctrl-C a `KeyboardInterrupt`, or the process ends."""
    worker = _Worker(work)
    try:
        worker.thread.start()
        while not worker.is_over.wait(_POLL_SECONDS):
            pass
    except KeyboardInterrupt:
        # Once is enough: the process ends within a second.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.unraisablehook = lambda _: None
        if worker.thread.ident is not None and not worker.stop():
            _end()
        raise
    return worker.result()


def _end() -> None:
    """End the process although a thread of it is at work."""
    remove_unfinished()
    end_all()
    flush = threading.Thread(target=sys.stdout.flush, daemon=True)
    flush.start()
    flush.join(_FLUSH_SECONDS)
    os.write(sys.stderr.fileno(), INTERRUPTED.encode())
    os._exit(EXIT_INTERRUPTED)
