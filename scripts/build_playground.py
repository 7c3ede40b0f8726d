"""Build the playground into `build/playground`, of what pip and npm give.

    python scripts/build_playground.py

`npm ci` fetches what `playground/package-lock.json` pins. `playground/build.mjs`
bundles the JavaScript, and lets Pyodide compile the Python modules of this environment.
Nothing is done where nothing has changed since.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from fcntl import LOCK_EX, flock
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))

# The folder of the documents is on no path before.
from programs import Program, list_programs  # noqa: E402

SOURCES = ROOT / "playground"
TARGET = ROOT / "build" / "playground"
PACKAGES = (
    "immutabledict", "ordered_set", "typing_extensions", "xdsl", "xdsl_bufferization",
)  # fmt: skip
"""What runs in the browser: this package, xDSL, and what xDSL needs for it."""

DATA = ("*.html", "*.json")
OF_TESTS = ROOT / "tests" / "data" / "programs"
IN_SESSION = 4
"""So many programs of the menu are tried, to find out which modules are needed."""


def examples() -> list[Program]:
    """The programs of the menu."""
    found = dict.fromkeys(list_programs())
    for file in sorted(OF_TESTS.glob("*.mlir")):
        title = file.stem.replace("_", " ")
        found[Program("Whole programs", title, file.read_text())] = None
    return list(found)


def modules() -> dict[str, str]:
    """The sources of all packages, by where they are below a folder of packages."""
    found = {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for folder, files in map(_files, PACKAGES)
        for file in files
    }
    for package in PACKAGES:
        found |= _installed(package)
    return found


def _installed(package: str) -> dict[str, str]:
    """What Python knows of an installed package: its entry points have all passes."""
    known = distribution(package.replace("_", "-"))
    folder = f"{package}-{known.version}.dist-info"
    entries = known.read_text("entry_points.txt")
    description, _, _ = (known.read_text("METADATA") or "").partition("\n\n")
    found = {f"{folder}/METADATA": f"{description}\n"}
    if entries is not None:
        found[f"{folder}/entry_points.txt"] = entries
    return found


def _files(package: str) -> tuple[Path, Iterator[Path]]:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None, f"{package} is not installed"
    origin = Path(spec.origin)
    if origin.name != "__init__.py":
        return origin.parent, iter([origin])
    patterns = ("*.py", *DATA) if package == "xdsl_bufferization" else ("*.py",)
    files = (file for each in patterns for file in sorted(origin.parent.rglob(each)))
    return origin.parents[1], files


def build() -> None:
    """Build what is not there, or is older than what it is made of; one at a time."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with (TARGET / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        _build()


def _build() -> None:
    menu = examples()
    given = {
        "programs": [each.text for each in menu[:IN_SESSION]],
        "sources": modules(),
    }
    text = json.dumps([asdict(each) for each in menu])
    stamp = TARGET / "stamp.txt"
    key = _digest(json.dumps(given), text)
    if stamp.exists() and stamp.read_text() == key:
        return
    _install()
    stamp.unlink(missing_ok=True)
    (TARGET / "examples.json").write_text(text)
    subprocess.run(
        ["node", "build.mjs", str(TARGET)],
        cwd=SOURCES,
        input=json.dumps(given),
        text=True,
        check=True,
    )
    stamp.write_text(key)


def _digest(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
    for file in sorted(SOURCES.rglob("*")):
        if file.is_file() and "node_modules" not in file.parts:
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _install() -> None:
    """Have exactly what the lock file pins."""
    lock, installed = (
        SOURCES / name
        for name in ("package-lock.json", "node_modules/.package-lock.json")
    )
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(command, cwd=SOURCES, check=True)


if __name__ == "__main__":
    build()
