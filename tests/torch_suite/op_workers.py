"""Samples in forked processes, which may crash or never end.

    for record in run_all(groups, options): ...

Each task, a few groups, runs in a fork of this process, so that PyTorch is imported
once. A fork announces each sample before the sample runs. A sample that ends the fork
has crashed, one that takes too long is late, and another fork goes on behind the
sample. Several samples may run at once. If they end the fork, each of them runs alone.
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Task = Sequence[Any]
"""What one fork works on, group by group."""

Step = tuple[Sequence[int], Callable[[], Sequence[Record]]]
"""The numbers of samples, and what runs these at once: a record for each."""

Work = Callable[[Any, int, int], Iterator[Step]]
"""From a group and a position to what runs the samples from there on.

So many samples as the last argument says run alone.
"""


@dataclass
class _Fork:
    """A process that works on a task, and the sample that it is at."""

    task: Task
    group: int = 0
    position: int = 0
    samples: Sequence[int] = ()
    """Those that run; none between two of them."""

    alone: int = 0
    """So many samples are to run alone, as they ended a fork together."""

    since: float = field(default_factory=time.monotonic)
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
            self.since, self.used = time.monotonic(), _processor_seconds(self.pid)
            self.samples = ()
            os.close(writer)
            return
        with contextlib.suppress(BaseException):
            gc.freeze()  # Else each collection looks at all of PyTorch.
            os.setsid()
            os.close(reader)
            _work(self, work, writer)
        os._exit(0)

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

    position, alone = fork.position, fork.alone
    for number in range(fork.group, len(fork.task)):
        say(kind="group", group=number, position=position)
        try:
            for samples, run in work(fork.task[number], position, alone):
                say(kind="start", samples=samples)
                say(kind="result", records=_timed(run, len(samples)))
        except Exception as error:
            record = {"verdict": "refused", "reason": f"no samples: {_text(error)}"}
            say(kind="result", records=[record])
        say(kind="end", group=number)
        position, alone = 0, 0
    say(kind="done")


def _timed(run: Callable[[], Sequence[Record]], count: int) -> list[Record]:
    start = time.perf_counter()
    try:
        records = run()
    except Exception as error:
        record = {"verdict": "crashed", "reason": f"the comparison: {_text(error)}"}
        records = [record] * count
    seconds = round((time.perf_counter() - start) / count, 3)
    return [{"seconds": seconds, **record} for record in records]


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:300]}"


def _processor_seconds(pid: int) -> float:
    """What a process has used; where the system does not say, the time of day."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return time.monotonic()
    user, system = map(int, fields[11:13])
    return (user + system) / os.sysconf("SC_CLK_TCK")


def run_all(
    tasks: Sequence[Task], work: Work, *, jobs: int = 1, seconds: float = 60
) -> Iterator[tuple[Any, Record]]:
    """The records of all tasks, with their groups, as they come."""
    waiting = [_Fork(task) for task in reversed(tasks)]
    running: dict[int, _Fork] = {}
    selector = selectors.DefaultSelector()
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
                if not fork.done:
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
    *lines, fork.unread = (fork.unread + data).split(b"\n")
    for line in lines:
        message = json.loads(line)
        fork.since, fork.used = time.monotonic(), _processor_seconds(fork.pid)
        match message["kind"]:
            case "group":
                fork.group, fork.position = message["group"], message["position"]
            case "start":
                fork.samples = message["samples"]
            case "result":
                yield from _records(fork, message["records"])
            case "end":
                yield fork.task[fork.group], {"verdict": "end"}
                fork.group, fork.position = message["group"] + 1, 0
            case "done":
                fork.done = True


def _records(fork: _Fork, records: Sequence[Record]) -> Iterator[tuple[Any, Record]]:
    """The records of samples that have run, with their numbers."""
    group = fork.task[fork.group]
    for sample, record in zip(fork.samples or (-1,), records, strict=True):
        yield group, {"sample": sample, **record}
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
        yield from _records(fork, [record])
    else:  # The samples could not even be made: leave the group.
        yield fork.task[fork.group], {**record, "sample": -1}
        yield fork.task[fork.group], {"verdict": "end"}
        fork.group, fork.position = fork.group + 1, 0
        fork.done = fork.group == len(fork.task)
