"""Run cases of all targets side by side, keep what is new, and shrink what fails.

found = fuzz(targets, judge, Options(seed=7, seconds=600, folder=Path("build/fuzz")))

The folder gets `kept/`, texts that were answered as none before, and `found/`, a folder
for each kind of failure: the shrunk case, and in `original/` the one that was found.
"""

import hashlib
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Final

from fuzz.case import Case, Target
from fuzz.runner import SECONDS, Done, Job, Judge, Runner
from fuzz.shrink import shrink

_PROGRESS_SECONDS: Final = 30

_ORIGINAL: Final = "original"

_SUFFIX: Final = ".mlir"


@dataclass(frozen=True)
class Options:
    """How long, where and with which seed."""

    seed: int
    seconds: float
    folder: Path
    processes: int = 1
    most: Mapping[str, int] = field(default_factory=dict[str, int])
    """Targets that get no more than so many cases; all are done before the time is up
    if each target is here."""

    case_seconds: float = SECONDS
    """How long a case may take."""

    shrink_seconds: float = 20
    """How long a failure is shrunk."""


@dataclass
class Findings:
    """What came of a run so far."""

    cases: Counter[str] = field(default_factory=Counter[str])
    """How many cases each target had."""

    answers: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """What was answered to the cases of each target."""

    proofs: Counter[str] = field(default_factory=Counter[str])
    """How often the proofs said what."""

    failures: dict[str, Case] = field(default_factory=dict[str, Case])
    """For each kind of failure a case: the smallest one."""

    details: dict[str, str] = field(default_factory=dict[str, str])
    times: Counter[str] = field(default_factory=Counter[str])
    """How often each failure was seen."""

    def table(self) -> str:
        """Counts for each target, then each failure."""
        lines = [
            f"{target}: {count} cases, {len(self.answers.get(target, ()))} answers"
            for target, count in sorted(self.cases.items())
        ]
        lines += [f"{said}: {times} programs" for said, times in self.proofs.items()]
        lines += [
            f"FOUND {times} times: {failure}" for failure, times in self.times.items()
        ]
        return "\n".join(lines)


def fuzz(targets: Sequence[Target], judge: Judge, options: Options) -> Findings:
    """Run until the time is up; failures are shrunk afterwards."""
    by_name = {target.name: target for target in targets}
    findings = Findings()
    runners = [
        Runner(by_name, judge, options.case_seconds) for _ in range(options.processes)
    ]
    try:
        _run(runners, _Jobs(targets, options), findings, options)
        for failure, case in findings.failures.items():
            deadline = time.monotonic() + options.shrink_seconds
            small = shrink(case, _fails_alike(runners[0], failure, deadline))
            folder = _folder(options.folder, failure)
            small.save(folder, findings.details[failure])
            _say(f"{failure}\n    cd {folder} && {small.shell_line()}")
    finally:
        for runner in runners:
            runner.close()
    return findings


class _Jobs:
    """The next case: each target gets its share."""

    def __init__(self, targets: Sequence[Target], options: Options) -> None:
        self._targets = targets
        self._options = options
        self._begun: Counter[str] = Counter()

    def next(self) -> Job | None:
        """A case that was not run yet, or None if there were enough."""
        begun, most = self._begun, self._options.most
        wanted = [
            each
            for each in self._targets
            if each.name not in most or begun[each.name] < most[each.name]
        ]
        if not wanted:
            return None
        target = min(wanted, key=lambda each: begun[each.name] / each.weight)
        begun[target.name] += 1
        return Job(target.name, self._options.seed, begun[target.name] - 1)


def _run(
    runners: Sequence[Runner], jobs: _Jobs, findings: Findings, options: Options
) -> None:
    deadline = time.monotonic() + options.seconds
    said = time.monotonic()
    busy: list[Runner] = []
    idle = list(runners)
    while True:
        while idle and time.monotonic() < deadline and (job := jobs.next()) is not None:
            idle[-1].begin(job)
            busy.append(idle.pop())
        if not busy:
            return
        wait([runner.connection for runner in busy], 0.2)
        for runner in list(busy):
            if (done := runner.poll()) is not None:
                _note(done, findings, options.folder)
                busy.remove(runner)
                idle.append(runner)
        if time.monotonic() - said > _PROGRESS_SECONDS:
            said = time.monotonic()
            _say(findings.table())


def _note(done: Done, findings: Findings, folder: Path) -> None:
    """Count a case, and keep it if it is a failure or the first with its answer."""
    case, verdict = done.case, done.verdict
    findings.cases[case.target] += 1
    findings.proofs.update(verdict.proofs)
    if verdict.failure:
        findings.times[verdict.failure] += 1
        known = findings.failures.get(verdict.failure)
        if known is None or _size(case) < _size(known):
            findings.failures[verdict.failure] = case
            findings.details[verdict.failure] = verdict.detail
            # Now already, since somebody may end the run.
            case.save(_folder(folder, verdict.failure) / _ORIGINAL, verdict.detail)
        return
    answers = findings.answers.setdefault(case.target, set())
    if verdict.message in answers:
        return
    answers.add(verdict.message)
    if len(case.files) == 1 and case.tool == "xbuf":
        (data,) = case.files.values()
        kept = folder / "kept"
        kept.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(verdict.message.encode("utf-8", "replace")).hexdigest()
        (kept / f"{name[:16]}{_SUFFIX}").write_bytes(data)


def kept_texts(folder: Path) -> list[str]:
    """What earlier runs have kept."""
    files = sorted((folder / "kept").glob(f"*{_SUFFIX}"))
    return [file.read_bytes().decode("utf-8", "replace") for file in files]


def _fails_alike(
    runner: Runner, failure: str, deadline: float
) -> Callable[[Case], bool]:
    def fails(case: Case) -> bool:
        if time.monotonic() > deadline:
            return False
        return runner.run(case).failure == failure

    return fails


def _size(case: Case) -> int:
    return sum(map(len, case.files.values())) + sum(map(len, case.arguments))


def _folder(folder: Path, failure: str) -> Path:
    number = hashlib.sha256(failure.encode("utf-8", "replace")).hexdigest()[:6]
    words = re.sub(r"[^A-Za-z0-9]+", "-", failure).strip("-")
    return folder / "found" / f"{words[:60]}-{number}"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
