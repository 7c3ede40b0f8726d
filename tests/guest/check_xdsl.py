"""Run this project's tests with another version of xDSL, and say what breaks.

    python tests/guest/check_xdsl.py 0.73.0
    python tests/guest/check_xdsl.py newest      # what the registry has
    make check-xdsl XDSL=newest

The version is installed in an environment of its own, in `build/xdsl-VERSION`, whatever
`pyproject.toml` asks for. Tests that compare with mlir-opt run where it is installed.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NEWEST = "newest"
FAILED = re.compile(
    r"^(?:FAILED|ERROR) (\S+)|^  (xdsl-bufferization :: \S+)", re.MULTILINE
)


def main() -> int:
    """Run the tests; return 1 if something breaks."""
    parser = argparse.ArgumentParser(description="Test with another version of xDSL.")
    parser.add_argument("version", help=f"a version of xDSL, or '{NEWEST}'")
    version: str = parser.parse_args().version
    environment = ROOT / "build" / f"xdsl-{version}"
    python = environment / "bin" / "python"
    if not python.exists():
        _run(sys.executable, "-m", "venv", str(environment))
    _install(python, "-e", ".[test]")
    wanted = "xdsl[llvm]" if version == NEWEST else f"xdsl[llvm]=={version}"
    _install(python, "--upgrade", wanted)
    found = _run(
        str(python), "-c", "import importlib.metadata as m; print(m.version('xdsl'))"
    ).strip()
    sys.stdout.write(f"xDSL {found}\n")
    tests = environment / "bin"
    output = _run(
        str(tests / "lit"), "--succinct", "--no-progress-bar", "tests/filecheck"
    )
    flags = os.environ.get("PYTEST_FLAGS", "--numprocesses=auto --maxprocesses=4")
    output += _run(str(tests / "pytest"), "--quiet", "--tb=no", *flags.split())
    broken = sorted({first or second for first, second in FAILED.findall(output)})
    for line in output.splitlines():
        if re.search(r"^  (Passed|Failed) *:|\d+ (passed|failed)", line):
            sys.stdout.write(f"{line}\n")
    for name in broken:
        sys.stdout.write(f"broken: {name}\n")
    sys.stdout.write(f"{len(broken)} tests break with xDSL {found}\n")
    return 1 if broken else 0


def _install(python: Path, *wanted: str) -> None:
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    output = _run(str(python), *pip, *wanted)
    sys.stdout.write("".join(f"{line}\n" for line in output.splitlines()[-3:]))


def _run(*command: str) -> str:
    result = subprocess.run(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return result.stdout


if __name__ == "__main__":
    sys.exit(main())
