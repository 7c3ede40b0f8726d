"""Try a release out: from a clean clone to the README in an empty environment.

    python scripts/release.py                       with every Python that is here
    python scripts/release.py --python python3.12   with this one

What must hold before a version is published, one line each when it does:

1. Nothing in the checkout is uncommitted.
2. The version of `pyproject.toml` has a heading in the changelog.
3. A clean clone builds a wheel and a source archive; `twine` accepts both.
4. The wheel alone installs into an empty environment, for each Python and each xDSL
   that it is for. There, the README runs from top to bottom, and prints what it says.
5. The documents are built, in a folder of their version.

The archives and the documents are left in `build/release`. Nothing is uploaded.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
RELEASE = ROOT / "build" / "release"
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")

README = """\
import sys
from pathlib import Path
import xdsl_bufferization
assert "site-packages" in xdsl_bufferization.__file__, xdsl_bufferization.__file__
from harness.pages.documents import run_document
print(run_document(Path(sys.argv[1])))
"""

INDEX = """\
<!doctype html>
<title>xdsl-bufferization</title>
<meta http-equiv="refresh" content="0; url={version}/index.html">
<a href="{version}/index.html">xdsl-bufferization {version}</a>
"""


class ReleaseError(Exception):
    """Something that has to hold does not."""


def run(
    *command: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """What a command prints. Raises `ReleaseError` with its last lines if it fails."""
    words = [str(each) for each in command]
    done = subprocess.run(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=cwd,
        env=env,
    )
    if done.returncode:
        end = "\n".join(done.stdout.splitlines()[-20:])
        raise ReleaseError(f"{' '.join(words)}:\n{end}")
    return done.stdout


def say(line: str) -> None:
    """Tick a line off."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def check_sources() -> str:
    """The version; nothing is uncommitted, and the changelog knows it."""
    if changed := run("git", "status", "--porcelain", cwd=ROOT):
        raise ReleaseError(f"commit first:\n{changed}")
    say("nothing is uncommitted")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = project["version"]
    heading = re.compile(rf"^## \[{re.escape(version)}\]", re.MULTILINE)
    if not heading.search((ROOT / "CHANGELOG.md").read_text()):
        raise ReleaseError(f"CHANGELOG.md has no heading for {version}")
    say(f"the changelog has {version}")
    return version


def xdsls() -> list[str]:
    """The oldest and the newest xDSL that the package is for, as pip takes them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (wanted,) = (each for each in project["dependencies"] if each.startswith("xdsl"))
    oldest = re.search(r">=([\d.]+)", wanted)
    if oldest is None:
        raise ReleaseError(f"pyproject.toml names no oldest xDSL: {wanted}")
    return [f"xdsl=={oldest[1]}.*", "xdsl"]


def environment(folder: Path, python: str, *packages: str | Path) -> Path:
    """The Python of a new environment with some packages."""
    run(python, "-m", "venv", folder)
    inside = folder / "bin" / "python"
    run(inside, "-m", "pip", "install", "--quiet", *packages)
    return inside


def build(clone: Path, work: Path) -> Path:
    """The wheel of a clean clone, which is left in `build/release`."""
    run("git", "clone", "--quiet", "--no-hardlinks", ROOT, clone)
    tools = environment(work / "tools", sys.executable, "build", "twine")
    archives = RELEASE / "archives"
    run(tools, "-m", "build", "--outdir", archives, clone)
    run(tools, "-m", "twine", "check", "--strict", *archives.iterdir())
    (wheel,) = archives.glob("*.whl")
    for each in sorted(archives.iterdir()):
        say(f"built {each.name}, {each.stat().st_size:,} bytes")
    return wheel


def try_out(wheel: Path, clone: Path, work: Path, python: str, xdsl: str) -> None:
    """Install a wheel into an empty environment, and follow the README there."""
    inside = environment(work / "environment", python, wheel, xdsl)
    # The reader of documents needs these; the package does not.
    run(inside, "-m", "pip", "install", "--quiet", "pytest")
    found = run(inside, "-m", "pip", "list", "--format=freeze")
    (version,) = re.findall(r"^xdsl==(.+)$", found, re.MULTILINE)
    paths = [str(inside.parent), os.environ["PATH"]]
    around = {**os.environ, "PYTHONPATH": str(clone / "tests" / "pytest")}
    around["PATH"] = os.pathsep.join(paths)
    run(inside, "-c", README, clone / "README.md", cwd=work, env=around)
    say(f"{python}, xDSL {version}: installed, and the README runs")
    shutil.rmtree(work / "environment")


def write_documents(clone: Path, work: Path, version: str) -> None:
    """The site, in a folder of its version; the first page leads to this version."""
    tools = environment(work / "writer", sys.executable, f"{clone}[docs]")
    site = RELEASE / "site"
    command = [tools, "-m", "mkdocs", "build", "--quiet", "--site-dir", site / version]
    run(*command, cwd=clone)
    (site / "index.html").write_text(INDEX.format(version=version))
    say(f"the documents are in {(site / version).relative_to(ROOT)}")


def can_run(python: str) -> bool:
    """Whether a Python is here; a stand-in of a tool such as pyenv may find none."""
    try:
        tried = subprocess.run([python, "--version"], capture_output=True, check=False)
    except OSError:
        return False
    return tried.returncode == 0


def pythons(given: Sequence[str]) -> Iterator[str]:
    """Those that are here; of the others, it is said that they are not."""
    for each in given or PYTHONS:
        if not can_run(each):
            say(f"{each}: not here, and not tried")
        else:
            yield each


def main() -> int:
    """Run the checklist."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--python", action="append", default=[], metavar="NAME", help="default: all"
    )
    options = parser.parse_args()
    shutil.rmtree(RELEASE, ignore_errors=True)
    try:
        version = check_sources()
        with TemporaryDirectory() as folder:
            work = Path(folder)
            clone = work / "clone"
            wheel = build(clone, work)
            for python in pythons(options.python):
                for xdsl in xdsls():
                    try_out(wheel, clone, work, python, xdsl)
            write_documents(clone, work, version)
    except ReleaseError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    say(f"version {version} can be published: {RELEASE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
