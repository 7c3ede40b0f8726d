"""Writes what the file checks of the third-party projects expect, from plain xDSL.

    PYTHONPATH=tests/pytest python -m harness.guest.write_expectations

Our package is not installed in the environment that says what is right. Each program of
a file is followed by what each `RUN` line prints for it: all of it, or the messages
alone where errors are asked for.
"""

import re
import tempfile
from pathlib import Path

from harness.guest.environments import SENSORS, SHAPES, Environment, make_environment
from harness.guest.file_checks import RUN, FileCheck, read_file_checks, run_file_check

_EXPECTATION = re.compile(r"// [A-Z]+(-NEXT)?: ")
_BETWEEN_PROGRAMS = "// -----\n"


def write_expectations(path: Path, environment: Environment) -> None:
    """Write the expectations of one file anew."""
    kept = [
        line
        for line in path.read_text().splitlines(keepends=True)
        if line.startswith(RUN) or not _EXPECTATION.match(line)
    ]
    parts = [[part.strip("\n")] for part in "".join(kept).split(_BETWEEN_PROGRAMS)]
    for check in read_file_checks(path):
        outcome = run_file_check(check, environment)
        if outcome.exit_code:
            raise SystemExit(f"{check}\n{outcome.stderr.decode()}")
        printed = outcome.stdout.decode().split(_BETWEEN_PROGRAMS)
        for part, output in zip(parts, printed, strict=True):
            part.append(_expectations(check, output.strip("\n").splitlines()))
    texts = ("\n\n".join(part) + "\n" for part in parts)
    path.write_text(f"\n{_BETWEEN_PROGRAMS}\n".join(texts))


def _expectations(check: FileCheck, lines: list[str]) -> str:
    if check.shows_errors:
        # Of a verifier, the lines with a bar; of a parser, the last one.
        messages = [line.strip() for line in lines if line.lstrip().startswith("| ")]
        expected = messages or [lines[-1].strip()]
        return "\n".join(f"// {check.prefix}: {_literal(line)}" for line in expected)
    written: list[str] = []
    for before, line in zip(["", *lines], lines, strict=False):
        # What follows an empty line is not right after what was expected before.
        suffix = ":     " if not before else "-NEXT:"
        if line:
            written.append(f"// {check.prefix}{suffix} {_literal(line)}")
    return "\n".join(written)


def _literal(line: str) -> str:
    """A line for filecheck, to which double brackets and braces mean something."""
    return re.sub(r"\[\[|\{\{", lambda found: f"{{{{{re.escape(found[0])}}}}}", line)


def main() -> None:
    """Write the expectations of all files anew."""
    with tempfile.TemporaryDirectory() as folder:
        for project in (SENSORS, SHAPES):
            environment = make_environment(Path(folder) / project.package, [project])
            for path in sorted(project.file_checks.rglob("*.mlir")):
                write_expectations(path, environment)


if __name__ == "__main__":
    main()
