"""Runs recorded calls of `xdsl-opt` again, with a pass in front of their passes.

    python tests/guest/replay.py RECORDS PASS JOBS

`RECORDS` is a folder that `stand_in.py` wrote. `PASS` activates this package's support
of MLIR; each call that made a program has to succeed with it, and to make the same
program. Prints a line of JSON for each call: its arguments, its file check, its kind
and, if it made a program, the difference, which should be empty.

Each call runs in a child of this process, which has imported, but not activated, what
the pass needs.
"""

import difflib
import gc
import importlib
import itertools
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from stand_in import read_from, run_xdsl_opt

TEST = "GUEST_TEST"
"""The environment variable that says which file was being checked."""

SECONDS = 600
"""Ends a call that hangs."""

SHOWN = 12
"""How many lines of a difference are reported."""

Call = Mapping[str, Any]
"""What `stand_in.py` writes about a call."""


def run_again(record: Path, call: Call, active: str) -> None:
    """Run a call in this process, with the pass `active` in front of its passes."""
    signal.alarm(SECONDS)
    _print_into(record.with_suffix(".messages"))
    os.chdir(call["folder"])
    os.environ.clear()
    os.environ.update(call["variables"])
    read_from(record.with_suffix(".given"))
    # The last of several options counts.
    more = ("-p", _passes(call, active), "-o", os.devnull)
    run_xdsl_opt([*call["arguments"], *more], record.with_suffix(".active"))


def difference(record: Path, call: Call, active: str, code: int) -> str:
    """Say how the second run, which ended with `code`, differs from the first."""
    if code != 0:
        messages = _lines(record.with_suffix(".messages"))[-SHOWN:]
        passes = _passes(call, active)
        return "\n".join((f"exit code {code} with '-p {passes}':", *messages))
    plain = _lines(record.with_suffix(".plain"))
    again = _lines(record.with_suffix(".active"))
    diff = difflib.unified_diff(plain, again, "plain", active, n=0, lineterm="")
    return "\n".join(itertools.islice(diff, SHOWN))


def import_for(active: str, record: Path) -> None:
    """Import what a run with the pass `active` imports, without running it."""
    program = record.with_suffix(".mlir")
    program.write_text("builtin.module {}")
    imported = record.with_suffix(".modules")

    def run() -> None:
        _print_into(record.with_suffix(".messages"))
        run_xdsl_opt([str(program), "-p", active], record.with_suffix(".active"))
        imported.write_text(json.dumps(list(sys.modules)))

    _, status = os.waitpid(_child(run), 0)
    if status:
        raise SystemExit(record.with_suffix(".messages").read_text())
    for name in json.loads(imported.read_text()):
        if name.startswith("xdsl"):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()


def replay(calls: Mapping[Path, Call], active: str, jobs: int) -> Iterable[Call]:
    """Run all calls that made a program again, and report each call."""
    running: dict[int, Path] = {}

    def ended() -> Call:
        child, status = os.wait()
        record = running.pop(child)
        call = calls[record]
        code = os.waitstatus_to_exitcode(status)
        return _report(call, difference(record, call, active, code))

    for record, call in calls.items():
        if call["kind"] != "makes a program":
            yield _report(call, "")
            continue
        if len(running) == jobs:
            yield ended()
        running[_child(partial(run_again, record, call, active))] = record
    while running:
        yield ended()


def main() -> None:
    """Replay what the command line names, and print the reports."""
    records, active, jobs = sys.argv[1:]
    calls = {
        path: json.loads(path.read_text())
        for path in sorted(Path(records).glob("*.json"))
    }
    import_for(active, Path(records) / "imports")
    for report in replay(calls, active, int(jobs)):
        sys.stdout.write(f"{json.dumps(report)}\n")


def _child(run: Callable[[], None]) -> int:
    """Return the number of a new process that runs, and then ends as Python does."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        run()
        sys.exit()
    return child


def _print_into(path: Path) -> None:
    with path.open("w") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())


def _passes(call: Call, active: str) -> str:
    return f"{active},{call['passes']}" if call["passes"] else active


def _report(call: Call, differs: str) -> Call:
    return {
        "arguments": call["arguments"],
        "difference": differs,
        "kind": call["kind"],
        "test": call["variables"].get(TEST),
    }


def _lines(path: Path) -> Sequence[str]:
    return path.read_text().splitlines()


if __name__ == "__main__":
    main()
