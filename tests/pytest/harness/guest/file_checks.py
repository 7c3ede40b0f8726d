"""Runs file checks in an environment, and compares two such runs to the byte.

    // RUN: xdsl-opt -p canonicalize %s | filecheck %s --check-prefix FOLDED

The files are those of lit, which runs them, too. Here each tool is a process of its
own, but filecheck is not, and what the tools write is kept.
"""

import difflib
import io
import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import DumpInputKind, Options
from filecheck.parser import Parser, pattern_for_opts

from harness.guest.environments import Environment

RUN = "// RUN: "
"""How the lines begin that lit runs."""

_RUN_LINE = re.compile(
    rf"^{RUN}(?P<command>.* %s) \| filecheck %s(?: --check-prefix (?P<prefix>\w+))?$"
)

_SHOW_ERRORS = frozenset({"--parsing-diagnostics", "--verify-diagnostics"})
"""The options with which `xdsl-opt` prints errors and succeeds."""

_LINES_OF_DIFFERENCE = 8
"""How many lines of each difference are shown."""


class FileCheck(NamedTuple):
    """What a `RUN` line runs, and the prefix of what it expects."""

    path: Path
    tool: str
    arguments: tuple[str, ...]
    prefix: str

    @property
    def shows_errors(self) -> bool:
        """Whether errors are what is asked for."""
        return not _SHOW_ERRORS.isdisjoint(self.arguments)


class Outcome(NamedTuple):
    """What came of a file check."""

    passes: bool
    exit_code: int
    stdout: bytes
    stderr: bytes


Outcomes = dict[FileCheck, Outcome]


def find_file_checks(folder: Path) -> list[FileCheck]:
    """All `RUN` lines of all files in `folder`."""
    return [
        check
        for path in sorted(folder.rglob("*.mlir"))
        for check in read_file_checks(path)
    ]


def read_file_checks(path: Path) -> list[FileCheck]:
    """All `RUN` lines of a file."""
    checks: list[FileCheck] = []
    for line in path.read_text().splitlines():
        if not line.startswith(RUN):
            continue
        found = _RUN_LINE.match(line)
        assert found is not None, (
            f"{path}: lit may understand this, tests do not: {line}"
        )
        tool, *arguments = shlex.split(found["command"])
        checks.append(
            FileCheck(path, tool, tuple(arguments), found["prefix"] or "CHECK")
        )
    assert checks, f"{path} runs nothing"
    return checks


def run_file_checks(
    checks: Iterable[FileCheck], environment: Environment, first_pass: str = ""
) -> Outcomes:
    """Run file checks; with `first_pass`, that pass runs before all others."""
    run = partial(run_file_check, environment=environment, first_pass=first_pass)
    checks = list(checks)
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        return dict(zip(checks, executor.map(run, checks), strict=True))


def run_file_check(
    check: FileCheck, environment: Environment, first_pass: str = ""
) -> Outcome:
    """Run a tool, and see whether it prints what is expected."""
    arguments = (
        with_pass(first_pass, check.arguments) if first_pass else check.arguments
    )
    done = subprocess.run(
        [
            environment.bin / check.tool,
            *(argument.replace("%s", str(check.path)) for argument in arguments),
        ],
        capture_output=True,
        check=False,
    )
    passes = done.returncode == 0 and _is_expected(check, done.stdout.decode())
    return Outcome(passes, done.returncode, done.stdout, done.stderr)


def with_pass(first_pass: str, arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments of `xdsl-opt`, with one more pass at the front."""
    if "-p" not in arguments:
        return ("-p", first_pass, *arguments)
    at = arguments.index("-p") + 1
    return (*arguments[:at], f"{first_pass},{arguments[at]}", *arguments[at + 1 :])


def _is_expected(check: FileCheck, printed: str) -> bool:
    options = Options(
        str(check.path),
        check_prefixes=[check.prefix],
        dump_input=DumpInputKind.FAIL,
    )
    parser = Parser(
        options, io.StringIO(check.path.read_text()), *pattern_for_opts(options)
    )
    matcher = Matcher(options, FInput("stdout", printed), parser)
    # Why a check fails is seen in the difference of the outputs.
    matcher.stderr = io.StringIO()
    return matcher.run() == 0


def differences(before: Outcomes, after: Outcomes) -> Iterator[str]:
    """What is not the same in `after`: verdicts, exit codes and outputs."""
    for check, old in before.items():
        new = after[check]
        if old != new:
            verdict = "passes" if new.passes else "FAILS"
            command = " ".join((check.tool, *check.arguments))
            yield (
                f"{check.path.parent.name}/{check.path.name}: {verdict}: {command}\n"
                + (
                    _changed_exit(old, new)
                    if old.exit_code != new.exit_code
                    else _changed_lines(old, new)
                )
            )


def _changed_exit(old: Outcome, new: Outcome) -> str:
    message = new.stderr.decode().strip()[-400:]
    return f"exit code {old.exit_code}, then {new.exit_code}:\n{message}"


def _changed_lines(old: Outcome, new: Outcome) -> str:
    lines = difflib.unified_diff(
        (old.stdout + old.stderr).decode().splitlines(),
        (new.stdout + new.stderr).decode().splitlines(),
        lineterm="",
        n=0,
    )
    return "\n".join(list(lines)[2 : 2 + _LINES_OF_DIFFERENCE])
