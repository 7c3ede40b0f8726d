"""Part "installed": xDSL's own suites, with this package and without it.

    python tests/guest/compare_suites.py --part installed

Both `lit tests/filecheck` and `pytest tests` run in both environments. Each test has
to have the same verdict in both: a package that is installed and not used changes
nothing. The verdicts without this package are kept, as they do not depend on it.
"""

import json
import subprocess
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from environments import Guest, variables

Verdicts = Mapping[str, str]
"""From the name of each test to what was found, such as `PASS`."""

PATIENCE = "config.maxIndividualTestTime = 600\n"
"""For lit: xDSL's 20 seconds are little where the machine stalls."""

ABSENT = "ABSENT"


def installed(
    guest: Guest, jobs: int, write: Callable[[str], object], one_in: int = 1
) -> bool:
    """Compare both suites, `write` what was found, say whether all is the same.

    `one_in` says how many file checks one is run of, always the same.
    """
    same = True
    # Lit keeps all cores busy by itself, pytest one.
    for name, run, at_once in (
        ("file checks", partial(_file_checks, one_in=one_in), 1),
        ("pytest", _pytest, 2),
    ):
        kept = guest.folder / f"without-{name.replace(' ', '-')}.json"
        run_without = partial(run, guest, guest.without, jobs)
        with ThreadPoolExecutor(min(at_once, jobs)) as pool:
            made_from = f"{guest.made_from}, one in {one_in}"
            without = pool.submit(kept_verdicts, kept, made_from, run_without)
            found = pool.submit(run, guest, guest.with_package, jobs)
        same &= same_verdicts(name, found.result(), without.result(), write)
    return same


def same_verdicts(
    name: str,
    with_package: Verdicts,
    without: Verdicts,
    write: Callable[[str], object],
) -> bool:
    """Compare the verdicts of one suite, `write` where they differ."""
    differing = _differing(with_package, without)
    write(
        f"{name}: {len(with_package)} with, {len(without)} without, "
        f"{len(differing)} verdicts differ"
    )
    write(f"  with: {_counts(with_package)}; without: {_counts(without)}")
    for test in differing:
        verdicts = (without.get(test, ABSENT), with_package.get(test, ABSENT))
        write("  {}: {} without, {} with".format(test, *verdicts))
    return bool(with_package) and not differing


def run_lit(
    tree: Path,
    folders: tuple[Path, ...],
    jobs: int,
    checks: str = "tests/filecheck",
    one_in: int = 1,
) -> Verdicts:
    """Run file checks of `tree` with the lit of the last of `folders`."""
    found = tree / "lit.json"
    lit = folders[-1] / "lit"
    options = ("--quiet", "--no-progress-bar", f"-j{jobs}", "--output", found)
    options += (f"--num-shards={one_in}", "--run-shard=1")
    command = (lit, *options, checks)
    _run(command, tree, found, variables(*folders))
    tests: list[dict[str, Any]] = json.loads(found.read_text())["tests"]
    return {test["name"].removeprefix("xDSL :: "): test["code"] for test in tests}


def kept_verdicts(path: Path, made_from: str, run: Callable[[], Verdicts]) -> Verdicts:
    """Return the verdicts of an earlier call `made_from` the same, or `run`."""
    if path.exists():
        kept = json.loads(path.read_text())
        if kept["made from"] == made_from:
            return kept["verdicts"]
    verdicts = run()
    path.write_text(json.dumps({"made from": made_from, "verdicts": verdicts}))
    return verdicts


def _file_checks(guest: Guest, venv: Path, jobs: int, one_in: int) -> Verdicts:
    tree = guest.copy_of_source(f"{venv.name}-filecheck", PATIENCE)
    return run_lit(tree, (venv / "bin",), jobs, one_in=one_in)


def _pytest(guest: Guest, venv: Path, jobs: int) -> Verdicts:
    del jobs
    tree = guest.copy_of_source(f"{venv.name}-pytest")
    # As xDSL's Makefile, but all tests run although some fail.
    return run_pytest(tree, venv / "bin", "-W", "error", "--maxfail=1000000", "tests")


def run_pytest(tree: Path, folder: Path, *arguments: str) -> Verdicts:
    """Run the tests of `tree` with the pytest of `folder`.

    One process runs all: what a test changes for the whole process is seen by the tests
    after it.
    """
    found = tree / "pytest.xml"
    command = (folder / "pytest", f"--junitxml={found}", "--quiet", *arguments)
    _run(command, tree, found, variables(folder))
    return {
        f"{case.get('classname')}::{case.get('name')}": _verdict(case)
        for case in ET.parse(found).iter("testcase")
    }


def _verdict(case: ET.Element) -> str:
    found = {part.tag for part in case} & {"error", "failure", "skipped"}
    return ", ".join(sorted(found)).upper() or "PASS"


def _run(
    command: tuple[str | Path, ...], tree: Path, found: Path, seen: dict[str, str]
) -> None:
    """Run a suite, whose exit code only says whether tests fail."""
    log = found.with_suffix(".log")
    with log.open("w") as file:
        subprocess.run(
            command,
            cwd=tree,
            env=seen,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if not found.exists():
        raise SystemExit(f"'{command[0]}' found no verdicts, see '{log}'")


def _differing(some: Verdicts, others: Verdicts) -> list[str]:
    tests = sorted(some.keys() | others.keys())
    return [test for test in tests if some.get(test) != others.get(test)]


def _counts(verdicts: Verdicts) -> str:
    counts = Counter(verdicts.values()).most_common()
    return ", ".join(f"{count} {verdict}" for verdict, count in counts)
