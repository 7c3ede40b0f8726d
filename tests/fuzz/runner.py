"""A process that runs one case after another, and is ended by a case that hangs.

A case is made where it runs, since that takes time too. Before it runs, the process
sends it, so that it is known whatever happens then.
"""

import os
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Final, cast

import psutil

from fuzz import sandbox
from fuzz.case import Case, Target, Verdict

SECONDS: Final = 5.0
"""How long a case may take: time of the processor, since machines are busy."""

_WALL_SECONDS: Final = 60.0
"""How long a case may wait for something that does not come."""

_CASES_PER_PROCESS: Final = 1000

_MOST_BYTES: Final = 6 << 30

_FORK: Final = get_context("fork")

Judge = Callable[[Case, Path], Verdict]


@dataclass(frozen=True)
class Job:
    """A case that is to be made: number `index` of a target in the run of a seed."""

    target: str
    seed: int
    index: int

    def make(self, targets: Mapping[str, Target]) -> Case:
        """The same case each time."""
        return targets[self.target].make(
            Random(f"{self.seed} {self.target} {self.index}")
        )


@dataclass(frozen=True)
class Done:
    """A case that has run."""

    case: Case
    verdict: Verdict


class Runner:
    """One process, which is started anew after each crash."""

    def __init__(
        self, targets: Mapping[str, Target], judge: Judge, seconds: float = SECONDS
    ) -> None:
        self._targets = targets
        self._judge = judge
        self._seconds = seconds
        self._ran = 0
        self._case: Case | None = None
        self._start()

    def begin(self, work: Case | Job) -> None:
        """Let the process work; `poll` says when it is done."""
        if self._ran == _CASES_PER_PROCESS or not self._process.is_alive():
            self.close()
            self._start()
        self._ran += 1
        self._case = work if isinstance(work, Case) else None
        self._note_time()
        self.connection.send(work)

    def poll(self) -> Done | None:
        """What has come of the work, if it is done."""
        try:
            while self.connection.poll():
                found: Case | Done = self.connection.recv()
                if isinstance(found, Done):
                    return found
                self._case = found
                self._note_time()
        except (EOFError, OSError):
            return self._crashed()
        return self._hanging()

    def run(self, case: Case) -> Verdict:
        """Wait for one case."""
        self.begin(case)
        while (done := self.poll()) is None:
            self.connection.poll(0.05)
        return done.verdict

    def close(self) -> None:
        """End the process, and remove its folder."""
        self._process.kill()
        self._process.join()
        self.connection.close()
        rmtree(self._folder, ignore_errors=True)

    def _start(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
        self.connection, theirs = _FORK.Pipe()
        self._process = _FORK.Process(
            target=_work, args=(theirs, self._folder, self._targets, self._judge)
        )
        self._process.start()
        theirs.close()
        self._ran = 0

    def _note_time(self) -> None:
        self._begun = time.monotonic()
        self._cpu_begun = self._cpu_seconds()

    def _cpu_seconds(self) -> float:
        try:
            times = psutil.Process(self._process.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return times.user + times.system

    def _crashed(self) -> Done:
        self._process.join()
        code = self._process.exitcode or 0
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return self._ended(f"crash: {name}")

    def _hanging(self) -> Done | None:
        waited = time.monotonic() - self._begun
        if waited < self._seconds:
            return None
        used = self._cpu_seconds() - self._cpu_begun
        if waited < _WALL_SECONDS and used < self._seconds:
            return None
        self._process.kill()
        self._process.join()
        return self._ended("hang")

    def _ended(self, failure: str) -> Done:
        assert self._case is not None, "a target did not make a case"
        arguments = [each for each in self._case.arguments if each.isalpha()][:1]
        return Done(self._case, Verdict(" ".join([failure, *arguments])))


def _work(
    connection: Connection, folder: Path, targets: Mapping[str, Target], judge: Judge
) -> None:
    """The life of the process."""
    inside = folder / "cwd"
    inside.mkdir()
    os.environ["HOME"] = os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    complaints = os.fdopen(os.dup(2), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    _limit_memory()
    sandbox.enter(folder)
    while True:
        try:
            work = cast("Case | Job", connection.recv())
        except (EOFError, KeyboardInterrupt):
            return
        try:
            case = work if isinstance(work, Case) else work.make(targets)
            connection.send(case)
            connection.send(Done(case, judge(case, inside)))
        except BaseException:  # A mistake of the fuzzer's.
            traceback.print_exc(file=complaints)
            complaints.flush()
            raise


def _limit_memory() -> None:
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, hard))
