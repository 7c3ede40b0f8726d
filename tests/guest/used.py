"""Part "used": xDSL's file checks while this package's support of MLIR is active.

    python tests/guest/compare_suites.py --part used

A program `xdsl-opt` that stands first on the path records each call of the file checks
(`stand_in.py`), without this package. The records are kept for later calls. Then each
call that made a program runs again, with the pass `allow-mlir-22` put in front of its
passes (`replay.py`). The call has to succeed again, and to make the same program. A
file check with a call that does not is named in `exceptions.toml`, with the reason.
"""

import json
import shlex
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from environments import Guest, variables
from installed import PATIENCE, Verdicts, kept_verdicts, run_lit

ACTIVE = "allow-mlir-22"
"""The pass that activates this package's support of MLIR."""

HERE = Path(__file__).parent
EXCEPTIONS = HERE / "exceptions.toml"
REPLAY = HERE / "replay.py"
STAND_IN = HERE / "stand_in.py"

RECORDS = "records"
LOG = "replay.log"

SAME_ORDER = "PYTHONHASHSEED=0"
"""For Python: sets are in the same order in all processes. xDSL prints some."""

NAME_THE_TEST = """
config.test_format = lit.formats.ShTest(preamble_commands=["export GUEST_TEST=%s"])
"""
"""For lit: tell the stand-in which file is being checked."""

Report = Mapping[str, Any]
"""What `replay.py` prints about one call."""


def used(
    guest: Guest,
    jobs: int,
    write: Callable[[str], object],
    active: str = ACTIVE,
    one_in: int = 1,
) -> bool:
    """Run the file checks, `write` what was found, say whether all is as expected.

    `one_in` says how many file checks one is run of, always the same.
    """
    tree = guest.tree("used")
    recorded = kept_verdicts(
        tree / "recorded.json",
        f"{guest.made_from}{NAME_THE_TEST}{SAME_ORDER}{STAND_IN.read_text()}"
        f", one in {one_in}",
        lambda: _record(guest, jobs, one_in),
    )
    reports = _replay(guest, jobs, tree, active)
    if reports is None:
        write(f"used: the pass '{active}' does not run, see '{tree / LOG}'")
        return False
    differing = [report for report in reports if report["difference"]]
    kinds = Counter(report["kind"] for report in reports)
    compared = kinds.pop("makes a program", 0)
    others = [f"{kind} ({count})" for kind, count in sorted(kinds.items())]
    ended = {"PASS", "UNSUPPORTED"}
    stopped = [test for test, verdict in recorded.items() if verdict not in ended]
    write(f"used: {compared} successful calls, {len(differing)} differ")
    write(f"  calls that are not compared: {', '.join(others) or 'none'}")
    write(
        f"  file checks that end before their last call: {', '.join(stopped) or 'none'}"
    )
    return _as_expected(differing, recorded.keys(), write) and compared > 0


def _record(guest: Guest, jobs: int, one_in: int) -> Verdicts:
    """Run the file checks without this package, and record their calls."""
    tree = guest.copy_of_source("used", PATIENCE + NAME_THE_TEST)
    records = tree / RECORDS
    records.mkdir()
    bin_folder = guest.without / "bin"
    stand_ins = tree / "stand-ins"
    stand_ins.mkdir()
    command = (bin_folder / "python", "-P", STAND_IN, records)
    _script(
        stand_ins / "xdsl-opt",
        f'{SAME_ORDER} exec {shlex.join(map(str, command))} "$@"',
    )
    # No check ends a test before its last call: only what calls make is compared.
    _script(stand_ins / "filecheck", "cat > /dev/null")
    return run_lit(tree, (stand_ins, bin_folder), jobs, one_in=one_in)


def _replay(
    guest: Guest, jobs: int, tree: Path, active: str
) -> Sequence[Report] | None:
    """Return the reports of all calls, or None if no call can run with `active`."""
    python = guest.with_package / "bin" / "python"
    records = tree / RECORDS
    command = ("env", SAME_ORDER, python, REPLAY, records, active, str(jobs))
    with (tree / LOG).open("w") as file:
        done = subprocess.run(
            command,
            env=variables(),
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
            check=False,
        )
    if done.returncode != 0:
        return None
    suite = tree / "tests" / "filecheck"
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    for report in reports:
        report["test"] = str(Path(report["test"]).relative_to(suite))
    return sorted(reports, key=lambda report: (report["test"], report["arguments"]))


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def _as_expected(
    differing: Sequence[Report], ran: Set[str], write: Callable[[str], object]
) -> bool:
    """Compare with the exceptions: no file check is missing there, none is too many.

    Those of file checks that were not `ran` are left alone.
    """
    exceptions = tomllib.loads(EXCEPTIONS.read_text())
    for report in differing:
        _write_difference(report, exceptions, write)
    found = {report["test"] for report in differing}
    unexpected = found - exceptions.keys()
    if unexpected:
        write(f"  {len(unexpected)} file checks are not in '{EXCEPTIONS.name}'")
    past = sorted((exceptions.keys() & ran) - found)
    for test in past:
        write(f"  {test} does not differ: remove it from '{EXCEPTIONS.name}'")
    return not unexpected and not past


def _write_difference(
    report: Report, exceptions: Mapping[str, str], write: Callable[[str], object]
) -> None:
    reason = exceptions.get(report["test"])
    write(f"  {report['test']}: {reason or 'differs'}")
    if reason is None:
        write(f"    xdsl-opt {shlex.join(report['arguments'])}")
        for line in report["difference"].splitlines():
            write(f"    {line}")
