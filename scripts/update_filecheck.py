"""Rewrite what file checks expect from what their commands print now.

    make update-filecheck                      all files of tests/filecheck
    make update-filecheck FILES=...            these files, or those of these folders

The differences are shown. A part of a file stays as it is if its expectations hold. A
part that cannot be rewritten is left as it is and named: one with patterns that no
longer hold, or with `CHECK-DAG` or `CHECK-SAME`. A file without expectations gets all
that its commands print.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from expectations import Rewritten, accepts, rewrite

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "filecheck"
HELPERS = ROOT / "tests" / "pytest"
SECONDS = 600


@dataclass(frozen=True)
class Run:
    """A line `RUN` of a file."""

    command: str
    prefixes: tuple[str, ...]
    """Of what is expected of its output; none if nobody looks at the output."""


class CannotRunError(Exception):
    """A command does not do what a file expects of it at all."""


def main(arguments: Sequence[str]) -> int:
    """Rewrite files; the exit code is 1 if one of them is left as it is."""
    given = [Path(each) for each in arguments] or [TESTS]
    files = [file for each in given for file in _files(each)]
    is_right = True
    environment = _environment(many=len(files) > 1)
    for file in files:
        for problem in update(file, environment):
            is_right = False
            sys.stderr.write(f"{_name(file)}: left as it is: {problem}\n")
    return 0 if is_right else 1


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.mlir")) if path.is_dir() else [path]


def _name(file: Path) -> str:
    file = file.resolve()
    return str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


def _environment(*, many: bool) -> dict[str, str]:
    """That of lit; many commands run in forks of one process, as there."""
    path = [str(Path(sys.executable).parent), os.environ["PATH"]]
    if many:
        sys.path.append(str(TESTS))
        from command_server import start

        path.insert(0, str(start(("filecheck", "xbuf", "xdsl-opt"))))
    return {
        **os.environ,
        "PATH": os.pathsep.join(path),
        "PYTHONWARNINGS": "error",
        "XBUF_CACHE": "off",
    }


def update(file: Path, environment: dict[str, str]) -> Iterator[str]:
    """Rewrite a file and show what has changed; yields what is left as it was."""
    before = file.read_text()
    lines = tuple(before.splitlines())
    with TemporaryDirectory() as folder:
        for run in runs_in(before):
            try:
                output = execute(run.command, file, Path(folder), environment)
                result = _rewrite(lines, run, output)
            except CannotRunError as error:
                yield str(error)
                continue
            lines = result.lines
            yield from result.left
    after = "".join(f"{line}\n" for line in lines)
    if lines != tuple(before.splitlines()):
        file.write_text(after)
        _show(file, before, after)


def _rewrite(lines: tuple[str, ...], run: Run, output: str) -> Rewritten:
    match run.prefixes:
        case ():
            return Rewritten(lines)
        case (prefix,):
            return rewrite(lines, prefix, output)
        case several:
            if not accepts(lines, several, output):
                raise CannotRunError(f"{' and '.join(several)} are for one output")
            return Rewritten(lines)


def _show(file: Path, before: str, after: str) -> None:
    name = _name(file)
    old, new = before.splitlines(), after.splitlines()
    difference = unified_diff(old, new, f"a/{name}", f"b/{name}", lineterm="")
    sys.stdout.writelines(f"{line}\n" for line in difference)


def runs_in(text: str) -> Iterator[Run]:
    """The lines `RUN` of a file, each with what looks at its output."""
    joined = re.sub(r"\\\n\s*//\s*RUN:", " ", text)
    for command in re.findall(r"^\s*//\s*RUN:(.*)$", joined, re.MULTILINE):
        checked = re.fullmatch(r"(.*)\|\s*filecheck %s(.*)", command)
        if checked is None:
            given = re.fullmatch(r"\s*filecheck %s(.*?)<(.*)", command)
            checked = given and re.fullmatch(
                r"(.*)\0(.*)", f"cat {given[2]}\0{given[1]}"
            )
        if checked is None:
            yield Run(command.strip(), ())
        else:
            yield Run(checked[1].strip(), _prefixes(checked[2]))


def _prefixes(options: str) -> tuple[str, ...]:
    words = shlex.split(options.replace("=", " "))
    names = [
        name
        for option, value in pairwise(words)
        if option in ("--check-prefix", "--check-prefixes")
        for name in value.split(",")
    ]
    return tuple(names) or ("CHECK",)


def execute(command: str, file: Path, folder: Path, environment: dict[str, str]) -> str:
    """What a command of a file prints."""
    helpers = shlex.quote(f"PYTHONPATH={HELPERS}")
    custom = f"env {helpers} {sys.executable} -m harness.dialects.custom_dialect"
    command = command.replace("%custom-opt", custom)
    command = command.replace("%s", shlex.quote(str(file.resolve())))
    command = command.replace("%t", str(folder / file.stem))
    # As in lit's shell, braces are no list.
    script = f'set -o pipefail +B\nnot() {{ ! "$@"; }}\n{command}\n'
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["it says nothing"]
        raise CannotRunError(f"its command fails: {said[0]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
