"""Samples in forked processes, which may crash or never end.

    for task, record in run_all(tasks, work): ...

Each task runs in a fork of this process, so that PyTorch is imported once. A fork
announces each sample before the sample runs. A sample that ends the fork has crashed,
one that takes too long is late, and another fork goes on behind the sample. Several
samples may run at once. If they end the fork, each of them runs alone.
"""

# pyright: basic, reportMissingImports=false

import contextlib
import faulthandler
import gc
import json
import os
import selectors
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Step = tuple[Sequence[Record], Callable[[], Sequence[Record]]]
"""What is known of samples before they run at once, and what runs them."""

Work = Callable[[Any, int, int], Iterator[Step]]
"""From a task and a position to what runs the samples of the task from there on.

So many samples as the last argument says run alone.
"""


@dataclass
class _Fork:
    """A process that works on a task, and the samples that it is at."""

    task: Any
    position: int = 0
    samples: Sequence[Record] = ()
    """Those that run; none between two of them."""

    alone: int = 0
    """So many samples are to run alone, as they ended a fork together."""

    since: float = 0
    used: float = 0
    """Seconds of processor time before the samples that run."""

    done: bool = False
    pid: int = 0
    pipe: int = -1
    unread: bytes = b""
    status: int = 0

    def start(self, work: Work) -> None:
        reader, writer = os.pipe()
        self.pid, self.pipe, self.unread = os.fork(), reader, b""
        if self.pid:
            self.notice()
            self.samples = ()
            os.close(writer)
            return
        with contextlib.suppress(BaseException):
            gc.freeze()  # Else each collection looks at all of PyTorch.
            os.setsid()
            os.close(reader)
            _work(self, work, writer)
        os._exit(0)

    def notice(self) -> None:
        """Count the time of the samples from now on."""
        self.since, self.used = time.monotonic(), _processor_seconds(self.pid)

    def is_late(self, seconds: float) -> bool:
        """Whether the samples that run have had so much processor time each.

        A process that waits for others has ten times as long.
        """
        passed = time.monotonic() - self.since
        most = seconds * max(len(self.samples), 1)
        if passed <= most:
            return False
        return passed > 10 * most or _processor_seconds(self.pid) - self.used > most

    def stop(self) -> int:
        """End the process and all that it started; its status."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        os.close(self.pipe)
        return os.waitpid(self.pid, 0)[1]


def _work(fork: _Fork, work: Work, writer: int) -> None:
    faulthandler.disable()  # Else each signal would print a page.
    # What torch-mlir prints is no result.
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)

    def say(**record: Any) -> None:
        os.write(writer, (json.dumps(record) + "\n").encode())

    for samples, run in work(fork.task, fork.position, fork.alone):
        say(kind="start", samples=samples)
        say(kind="result", samples=_timed(run, samples))
    say(kind="done")


def _timed(
    run: Callable[[], Sequence[Record]], samples: Sequence[Record]
) -> list[Record]:
    start = time.perf_counter()
    try:
        records = run()
    except Exception as error:
        text = f"the comparison: {type(error).__name__}: {str(error)[:300]}"
        failed = {"verdict": "crashed", "reason": text}
        records = [{**sample, **failed} for sample in samples]
    seconds = round((time.perf_counter() - start) / len(records), 3)
    return [{**record, "seconds": seconds} for record in records]


def _processor_seconds(pid: int) -> float:
    """What a process has used; where the system does not say, the time of day."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return time.monotonic()
    user, system = map(int, fields[11:13])
    return (user + system) / os.sysconf("SC_CLK_TCK")


def run_all(
    tasks: Sequence[Any], work: Work, *, jobs: int = 1, seconds: float = 60
) -> Iterator[tuple[Any, Record | None]]:
    """The records of all tasks as they come, and None where a task ends."""
    waiting = [_Fork(task) for task in reversed(tasks)]
    running: dict[int, _Fork] = {}
    # Not epoll: forks inherit pipes of others, which it reports even after they are
    # closed here, under the number of a pipe that is new.
    selector = selectors.PollSelector()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                fork = waiting.pop()
                sys.stdout.flush()
                fork.start(work)
                running[fork.pipe] = fork
                selector.register(fork.pipe, selectors.EVENT_READ)
            ready = {key.fd for key, _ in selector.select(timeout=1)}
            for pipe, fork in list(running.items()):
                yield from _heard(fork, pipe in ready)
                late = bool(fork.pid) and fork.is_late(seconds)
                if fork.pid and not late:
                    continue
                selector.unregister(pipe)
                del running[pipe]
                yield from _ended(fork, late)
                if fork.done:
                    yield fork.task, None
                else:
                    waiting.append(fork)
    finally:
        for fork in running.values():
            fork.stop()


def _heard(fork: _Fork, is_ready: bool) -> Iterator[tuple[Any, Record]]:
    if not is_ready:
        return
    data = os.read(fork.pipe, 1 << 16)
    if not data:
        fork.status = fork.stop()
        fork.pid = 0
        return
    *lines, fork.unread = (fork.unread + data).split(b"\n")
    for line in lines:
        message = json.loads(line)
        fork.notice()
        match message["kind"]:
            case "start":
                fork.samples = message["samples"]
            case "result":
                yield from _ran(fork, message["samples"])
            case "done":
                fork.done = True


def _ran(fork: _Fork, records: Sequence[Record]) -> Iterator[tuple[Any, Record]]:
    """The records of samples that have run; the fork is at the next ones."""
    for record in records:
        yield fork.task, record
    fork.position += len(records)
    fork.alone = max(fork.alone - len(records), 0)
    fork.samples = ()


def _ended(fork: _Fork, late: bool) -> Iterator[tuple[Any, Record]]:
    """What the end of a process says of its sample."""
    if fork.pid:
        fork.stop()
    status = fork.status
    if fork.done:
        return
    if late:
        record = {"verdict": "late", "reason": "killed"}
    elif os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        record = {"verdict": "crashed", "reason": f"signal {name}"}
    else:
        record = {"verdict": "crashed", "reason": f"exit status {status >> 8}"}
    if len(fork.samples) > 1:
        fork.alone = len(fork.samples)
    elif fork.samples:
        yield from _ran(fork, [{**fork.samples[0], **record}])
    else:  # The samples could not even be made: leave the task.
        yield fork.task, record
        fork.done = True
