"""Samples in forked processes, which may crash or never end.

    for record in run_all(groups, options): ...

Each task, the groups of one entry, runs in a fork of this process, so that PyTorch is
imported once. A fork announces each sample before the sample runs. A sample that ends
the fork has crashed, one that takes too long is late, and another fork goes on behind
the sample.
"""

# pyright: basic, reportMissingImports=false

import contextlib
import faulthandler
import json
import os
import selectors
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
Task = Sequence[Any]
"""What one fork works on, group by group."""

Work = Callable[[Any, int], Iterator[tuple[int, Callable[[], Record]]]]
"""From a group and a position to what runs the samples from there on."""


@dataclass
class _Fork:
    """A process that works on a task, and the sample that it is at."""

    task: Task
    group: int = 0
    position: int = 0
    sample: int = -1
    since: float = field(default_factory=time.monotonic)
    is_in_sample: bool = False
    done: bool = False
    pid: int = 0
    pipe: int = -1
    unread: bytes = b""
    status: int = 0

    def start(self, work: Work) -> None:
        reader, writer = os.pipe()
        self.pid, self.pipe, self.unread = os.fork(), reader, b""
        self.since, self.is_in_sample = time.monotonic(), False
        if self.pid:
            os.close(writer)
            return
        with contextlib.suppress(BaseException):
            os.setsid()
            os.close(reader)
            _work(self.task, self.group, self.position, work, writer)
        os._exit(0)

    def stop(self) -> int:
        """End the process and all that it started; its status."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        os.close(self.pipe)
        return os.waitpid(self.pid, 0)[1]


def _work(task: Task, group: int, position: int, work: Work, writer: int) -> None:
    faulthandler.disable()  # Else each signal would print a page.
    # What torch-mlir prints is no result.
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)

    def say(**record: Any) -> None:
        os.write(writer, (json.dumps(record) + "\n").encode())

    for number in range(group, len(task)):
        say(kind="group", group=number, position=position)
        try:
            for sample, run in work(task[number], position):
                say(kind="start", sample=sample)
                say(kind="result", record=_timed(run))
        except Exception as error:
            record = {"verdict": "refused", "reason": f"no samples: {_text(error)}"}
            say(kind="result", record=record)
        say(kind="end", group=number)
        position = 0
    say(kind="done")


def _timed(run: Callable[[], Record]) -> Record:
    start = time.perf_counter()
    try:
        record = run()
    except Exception as error:
        record = {"verdict": "crashed", "reason": f"the comparison: {_text(error)}"}
    return {**record, "seconds": round(time.perf_counter() - start, 3)}


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:300]}"


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
                late = time.monotonic() - fork.since > seconds
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
        fork.since = time.monotonic()
        match message["kind"]:
            case "group":
                fork.group, fork.position = message["group"], message["position"]
            case "start":
                fork.sample, fork.is_in_sample = message["sample"], True
            case "result":
                yield _record(fork, message["record"])
            case "end":
                yield fork.task[fork.group], {"verdict": "end"}
                fork.group, fork.position = message["group"] + 1, 0
            case "done":
                fork.done = True


def _record(fork: _Fork, record: Record) -> tuple[Any, Record]:
    group = fork.task[fork.group]
    sample = fork.sample if fork.is_in_sample else -1
    fork.is_in_sample = False
    fork.position += 1
    return group, {"sample": sample, **record}


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
    if fork.is_in_sample:
        yield _record(fork, record)
    else:  # The samples could not even be made: leave the group.
        yield fork.task[fork.group], {**record, "sample": -1}
        yield fork.task[fork.group], {"verdict": "end"}
        fork.group, fork.position = fork.group + 1, 0
        fork.done = fork.group == len(fork.task)
