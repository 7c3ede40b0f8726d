"""Run this project's tests with another version of xDSL, and say what breaks.

    python tests/guest/check_xdsl.py 0.76.0
    python tests/guest/check_xdsl.py newest --one-in 4     # a quarter of the tests
    python tests/guest/check_xdsl.py main                  # what its developers have
    make check-xdsl XDSL=newest

`newest` is what the registry has, `oldest` the first version that `pyproject.toml` asks
for, `main` the main branch of xDSL's repository. Each is installed in an environment of
its own, in `build/check-xdsl`. What is printed:

- which public names of xDSL have changed since the version that is installed here, and
  which of our files use these names,
- which changes of ours in xDSL's methods stand aside,
- which tests break: by our file, by xDSL's function, by the error.

Tests that compare with mlir-opt run where it is installed. They are ended after
`--minutes`; what had broken until then is printed.
"""

import argparse
import importlib.metadata
import json
import os
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environments import PIP, ROOT, output, source_of
from failing_tests import FILE, ONE_IN, OURS, places_in
from names_used import Concern, names_used
from public_names import Change, changes, public_names

NEWEST, OLDEST, MAIN = "newest", "oldest", "main"
REPOSITORY = "https://github.com/xdslproject/xdsl"
FOLDER = ROOT / "build" / "check-xdsl"

SHOWN = 5
"""How many files or tests are listed of many."""

Failure = Mapping[str, str]


@dataclass(frozen=True)
class Release:
    """A version of xDSL: its name, its source text, and what pip installs."""

    version: str
    source: Path
    requirement: str


def main() -> int:
    """Compare, run the tests; return 1 if something breaks, 2 without that xDSL."""
    options = _options()
    here = importlib.metadata.version("xdsl")
    release = _release(options.version)
    if options.unless_installed and release.version == here:
        _write(f"xDSL {here} is installed here: `make test` runs with it")
        return 0
    _write(f"xDSL {release.version}, compared with {here}")
    _write_changes(source_of(here, _folder(here)), release.source)
    python = _environment(release)
    aside = output(python, "-m", f"{OURS}.tools.xbuf", "--version").splitlines()[1:]
    _write("\nChanges of ours that stand aside:", *(aside or ["none"]))
    failures, is_whole = _failures(python, options)
    return report(failures, release.version, is_whole=is_whole)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Test with another version of xDSL.", allow_abbrev=False
    )
    parser.add_argument(
        "version", help=f"a version of xDSL, '{NEWEST}', '{OLDEST}' or '{MAIN}'"
    )
    parser.add_argument(
        "--one-in",
        metavar="N",
        type=int,
        default=1,
        help="run one in N tests, always the same, instead of all",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=17,
        help="how long tests may run (default: %(default)s)",
    )
    parser.add_argument(
        "--unless-installed",
        action="store_true",
        help="do nothing if this is the version that `make test` runs with",
    )
    return parser.parse_args()


def _write(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


# The version.


def _release(wanted: str) -> Release:
    if wanted == MAIN:
        return _main_branch()
    if wanted in (NEWEST, OLDEST):
        wanted = _version_of("xdsl" if wanted == NEWEST else f"xdsl=={_oldest()}.*")
    return Release(wanted, source_of(wanted, _folder(wanted)), f"xdsl[llvm]=={wanted}")


def _folder(version: str) -> Path:
    folder = FOLDER / f"xdsl-{version}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _version_of(requirement: str) -> str:
    options = ("--dry-run", "--ignore-installed", "--no-deps", "--report", "-")
    report = json.loads(output(sys.executable, *PIP, "install", *options, requirement))
    return report["install"][0]["metadata"]["version"]


def _oldest() -> str:
    found = re.search(r'"xdsl\[llvm\]>=([\d.]+)', (ROOT / "pyproject.toml").read_text())
    assert found is not None
    return found[1]


def _main_branch() -> Release:
    source = _folder(MAIN) / "source"
    if source.exists():
        output("git", "-C", source, "fetch", "--quiet", "--depth=1", "origin", MAIN)
        output("git", "-C", source, "reset", "--quiet", "--hard", "FETCH_HEAD")
    else:
        output("git", "clone", "--quiet", "--depth=1", REPOSITORY, source)
    commit = output("git", "-C", source, "rev-parse", "--short", "HEAD").strip()
    return Release(f"{MAIN} ({commit})", source, f"xdsl[llvm] @ {source.as_uri()}")


def _environment(release: Release) -> Path:
    """Install our package, then that xDSL whatever our package asks for."""
    folder = _folder(release.version.partition(" ")[0]) / "environment"
    python = folder / "bin" / "python"
    if not python.exists():
        output(sys.executable, "-m", "venv", folder)
    output(python, *PIP, "install", "-e", f"{ROOT}[docs,test]")
    output(python, *PIP, "install", "--upgrade", release.requirement)
    return python


# What has changed.


def _write_changes(before: Path, after: Path) -> None:
    known = public_names(before / "xdsl")
    found = changes(known, public_names(after / "xdsl"))
    used = names_used(ROOT / OURS, known)
    concern = Concern(known)
    _write("\nPublic names that have changed, and are used here:")
    count = 0
    for change in found:
        files = [file for file, uses in used.items() if concern(change, uses)]
        if files and change.kind != "new":
            count += 1
            _write_change(change, files)
    kinds = [change.kind for change in found]
    _write(
        f"{kinds.count('gone')} names are gone, {kinds.count('changed')} have changed, "
        f"{kinds.count('new')} are new; {count} of them are used here"
    )


def _write_change(change: Change, files: list[str]) -> None:
    _write(f"  {change.name} {'is gone' if change.after is None else 'has changed'}")
    _write(f"    from {change.before}")
    if change.after is not None:
        _write(f"    to   {change.after}")
    _write(f"    used by {_some(files)}")


def _some(names: Iterable[str]) -> str:
    names = list(names)
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


# What breaks.


def _failures(python: Path, options: argparse.Namespace) -> tuple[list[Failure], bool]:
    """Run the file checks and the tests, each for a part of the time.

    Returns what breaks, and whether all came to an end in time.
    """
    seconds = options.minutes * 60
    checks = FOLDER / "lit.json"
    shards = (f"--num-shards={options.one_in}", "--run-shard=1")
    lit = ("--quiet", "--no-progress-bar", "--output", checks, *shards)
    limit = f"--max-time={seconds / 3:.0f}"
    files = (python.parent / "lit", *lit, limit, "tests/filecheck")
    _, files_ended = _run(files, seconds / 2, {})
    found = _failing_checks(checks)
    log = FOLDER / "failures.jsonl"
    log.unlink(missing_ok=True)
    flags = os.environ.get("PYTEST_FLAGS", "--numprocesses=auto --maxprocesses=4")
    pytest = ("--quiet", "--tb=no", "--volume=sample", "-p", "failing_tests")
    variables = {
        "PYTHONPATH": str(Path(__file__).parent),
        FILE: str(log),
        ONE_IN: str(options.one_in),
    }
    command = (python.parent / "pytest", *pytest, *flags.split())
    text, tests_ended = _run(command, seconds * 2 / 3, variables)
    for line in text.splitlines():
        if re.search(r"\d+ (passed|failed|error)", line):
            _write(f"tests: {line}")
    lines = log.read_text().splitlines() if log.exists() else []
    return [*found, *map(json.loads, lines)], files_ended and tests_ended


def _run(
    command: tuple[str | Path, ...], seconds: float, variables: Mapping[str, str]
) -> tuple[str, bool]:
    """What a command prints, and whether it came to an end in time."""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            return process.communicate(timeout=seconds)[0], True
        except subprocess.TimeoutExpired:
            _write(
                f"'{Path(command[0]).name}' is ended after {seconds / 60:.0f} minutes"
            )
            process.send_signal(signal.SIGINT)
            return process.communicate()[0], False


def _failing_checks(found: Path) -> list[Failure]:
    if not found.exists():
        raise SystemExit("lit has found no verdicts")
    tests: list[dict[str, Any]] = json.loads(found.read_text())["tests"]
    passed = [test for test in tests if test["code"] == "PASS"]
    failed = [test for test in tests if test["code"] not in ("PASS", "SKIPPED")]
    _write(f"\nfile checks: {len(passed)} passed, {len(failed)} failed")
    return [_failing_check(test["name"], test.get("output", "")) for test in failed]


def _failing_check(name: str, text: str) -> Failure:
    errors = re.findall(r"(?mi)^.*\berror: .*$", text)
    return {
        "test": name.rpartition(":: ")[2],
        "error": errors[0] if errors else "",
        **places_in(text),
    }


def report(failures: Iterable[Failure], version: str, *, is_whole: bool) -> int:
    """Group what breaks by our file, then by xDSL's function and the error."""
    by_file: defaultdict[str, defaultdict[str, set[str]]]
    by_file = defaultdict(lambda: defaultdict(set))
    tests = {failure["test"] for failure in failures}
    for failure in failures:
        reached = failure["ours"].partition(":")[0] or "none of our files was reached"
        theirs = failure["theirs"] or "no function of xDSL"
        by_file[reached][f"{theirs}: {failure['error'][:200]}"].add(failure["test"])
    _write("\nTests that break:" if tests else "\nNo test that ran breaks")
    for file, causes in sorted(by_file.items()):
        _write(f"  {file}")
        for cause, broken in sorted(causes.items()):
            _write(f"    {cause}", f"      {len(broken)}: {_some(sorted(broken))}")
    _write(f"{len(tests)} tests break with xDSL {version}")
    if not is_whole:
        _write("Not all tests ran: give them more --minutes, or run --one-in more")
    return 1 if tests else 0


if __name__ == "__main__":
    sys.exit(main())
