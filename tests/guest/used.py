"""Part "used": xDSL's file checks while this package's support of MLIR is active.

    python tests/guest/compare_suites.py --part used

A program `xdsl-opt` that stands first on the path runs each call of the file checks
twice, see `stand_in.py`. Every call that succeeds plainly has to succeed and to make
the same program when the pass `allow-mlir-22` is put in front of its passes. A file
check with a call that does not is named in `exceptions.toml`, with the reason.
"""

import json
import shlex
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from environments import Guest, variables
from installed import PATIENCE, run_lit

ACTIVE = "allow-mlir-22"
"""The pass that activates this package's support of MLIR."""

HERE = Path(__file__).parent
EXCEPTIONS = HERE / "exceptions.toml"

NAME_THE_TEST = """
config.test_format = lit.formats.ShTest(preamble_commands=["export GUEST_TEST=%s"])
"""
"""For lit: tell the stand-in which file is being checked."""

SHOWN = 14
"""How many lines of a difference are printed."""

Report = Mapping[str, Any]
"""What the stand-in wrote about one call."""


def used(
    guest: Guest, jobs: int, write: Callable[[str], object], active: str = ACTIVE
) -> bool:
    """Run the file checks, `write` what was found, say whether all is as expected."""
    if not _knows(guest, active):
        write(f"used: this package has no pass '{active}' that runs")
        return False
    reports = _reports(guest, jobs, active)
    kinds = Counter(report["kind"] for report in reports)
    differing = [report for report in reports if report.get("difference")]
    write(f"used: {kinds['compared']} successful calls, {len(differing)} differ")
    write(
        f"  not compared: {kinds['refused']} that fail, {kinds['diagnostics']} that "
        f"print diagnostics, {kinds['other']} that make no program"
    )
    exceptions = tomllib.loads(EXCEPTIONS.read_text())
    for report in differing:
        _write_difference(report, exceptions, write)
    found = {report["test"] for report in differing}
    unexpected = found - exceptions.keys()
    if unexpected:
        write(f"  {len(unexpected)} file checks are not in '{EXCEPTIONS.name}'")
    past = sorted(exceptions.keys() - found)
    for test in past:
        write(f"  {test} does not differ: remove it from '{EXCEPTIONS.name}'")
    return kinds["compared"] > 0 and not unexpected and not past


def _knows(guest: Guest, active: str) -> bool:
    command = (guest.with_package / "bin" / "xdsl-opt", "-p", active)
    return not subprocess.run(
        command,
        input=b"builtin.module {}",
        capture_output=True,
        env=variables(),
        check=False,
    ).returncode


def _reports(guest: Guest, jobs: int, active: str) -> Sequence[Report]:
    """Return what is reported of each call, in the order of the tests."""
    tree = guest.copy_of_source("used", PATIENCE + NAME_THE_TEST)
    log = guest.folder / "used.jsonl"
    log.write_text("")
    bin_folder = guest.with_package / "bin"
    stand_ins = tree / "stand-ins"
    stand_ins.mkdir()
    command = (bin_folder / "python", "-P", HERE / "stand_in.py", log, active)
    _script(stand_ins / "xdsl-opt", f'exec {shlex.join(map(str, command))} "$@"')
    # Nothing ends a file check before its last call; this part compares by itself.
    _script(stand_ins / "filecheck", "cat > /dev/null")
    run_lit(tree, (stand_ins, bin_folder), jobs)

    suite = tree / "tests" / "filecheck"
    reports = [json.loads(line) for line in log.read_text().splitlines()]
    for report in reports:
        report["test"] = str(Path(report["test"]).relative_to(suite))
    return sorted(reports, key=lambda report: (report["test"], report["arguments"]))


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def _write_difference(
    report: Report, exceptions: Mapping[str, str], write: Callable[[str], object]
) -> None:
    reason = exceptions.get(report["test"])
    write(f"  {report['test']}: {reason or 'differs'}")
    if reason is None:
        write(f"    xdsl-opt {shlex.join(report['arguments'])}")
        for line in report["difference"].splitlines()[:SHOWN]:
            write(f"    {line}")
