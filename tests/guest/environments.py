"""What xDSL's suites run in: their text, and one environment with this package.

    build/guest/xdsl-0.74.0/source     the unpacked source distribution
    build/guest/xdsl-0.74.0/without    xDSL, and what its suites need
    build/guest/xdsl-0.74.0/with       the same versions, and this package

`prepare("0.74.0")` makes the three with pip. What is there from an earlier call is
used again, unless what it was made from has changed.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

NOT_FOR_TESTS = frozenset(
    (
        "basedpyright",
        "coverage",
        "marimo",
        "prek",
        "pytest-cov",
        "textual-dev",
        "toml",
    )
)
"""Which of xDSL's development requirements neither `lit` nor `pytest tests` needs."""

FOR_LIT = "psutil"
"""What lit needs to end a test that takes too long."""

MLIR_TOOLS = {
    "XDSL_MLIR_OPT": "mlir-opt-22",
    "XDSL_MLIR_TRANSLATE": "mlir-translate-22",
    "XDSL_LLVM_DIFF": "llvm-diff-22",
    "XDSL_LLI": "lli-22",
}
"""How xDSL's file checks are told where tools of MLIR are: those that they expect."""


@dataclass(frozen=True)
class Guest:
    """The suites of one version of xDSL, and where they can run."""

    folder: Path
    source: Path
    without: Path
    """The environment that has xDSL only."""
    with_package: Path
    """The environment that has this package as well."""
    made_from: str
    """What a run without this package depends on: versions of packages, and tools."""

    def tree(self, name: str) -> Path:
        """Return where a copy of the source is."""
        return self.folder / "trees" / name

    def copy_of_source(self, name: str, settings: str = "") -> Path:
        """Copy the source to write into, with more `settings` at the end of lit's."""
        copy = self.tree(name)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.source, copy)
        with (copy / "tests" / "filecheck" / "lit.cfg").open("a") as file:
            file.write(f"\n{settings}")
        return copy


def prepare(version: str) -> Guest:
    """Fetch `version` of xDSL and install both environments, where they are not yet."""
    folder = ROOT / "build" / "guest" / f"xdsl-{version}"
    folder.mkdir(parents=True, exist_ok=True)
    source = source_of(version, folder)
    without = folder / "without"
    wanted = requirements(version, source)
    install(without, "\n".join(wanted), [wanted])

    frozen = output(without / "bin" / "python", "-m", "pip", "freeze")
    versions = folder / "requirements.txt"
    versions.write_text(frozen)
    with_package = folder / "with"
    project = (ROOT / "pyproject.toml").read_text()
    install(
        with_package,
        "\n".join((frozen, str(ROOT), project)),
        [["-r", str(versions)], ["--no-deps", "--editable", str(ROOT)]],
    )
    tools = {name: variables().get(name) for name in MLIR_TOOLS}
    made_from = json.dumps([frozen, tools])
    return Guest(folder, source, without, with_package, made_from)


def variables(*folders: Path) -> dict[str, str]:
    """Return what processes of the suites see: `folders` are first on their path."""
    seen = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYTEST", "LIT_", "VIRTUAL_ENV"))
    }
    path = [str(folder) for folder in folders]
    seen["PATH"] = os.pathsep.join((*path, os.environ["PATH"]))
    for name, tool in MLIR_TOOLS.items():
        if name not in seen and (found := shutil.which(tool)) is not None:
            seen[name] = found
    return seen


def source_of(version: str, folder: Path) -> Path:
    """Return the source distribution of xDSL, unpacked in a folder."""
    return unpacked("xdsl", version, folder)


def unpacked(package: str, version: str, folder: Path) -> Path:
    """Return the source distribution of a package, unpacked in a folder."""
    source = folder / "source"
    if source.exists():
        return source
    options = ("--no-deps", "--no-binary", package, "--dest", folder)
    output(sys.executable, *PIP, "download", *options, f"{package}=={version}")
    [archive] = folder.glob("*.tar.gz")
    parts = folder / "unpacked"
    shutil.rmtree(parts, ignore_errors=True)
    with tarfile.open(archive) as file:
        file.extractall(parts, filter="data")
    [top] = parts.iterdir()
    top.rename(source)
    parts.rmdir()
    return source


def requirements(version: str, source: Path) -> list[str]:
    """List what the environment without this package has: all but this package."""
    extras = project_of(source)["optional-dependencies"]
    development = [
        requirement
        for requirement in extras.pop("dev")
        if _name(requirement) not in NOT_FOR_TESTS
    ]
    ours = [
        requirement
        for requirement in project_of(ROOT)["dependencies"]
        if _name(requirement) != "xdsl"
    ]
    xdsl = f"xdsl[{','.join(extras)}]=={version}"
    plugin = str(source / "tests" / "my_plugin")
    return [xdsl, *development, FOR_LIT, *ours, plugin]


def project_of(folder: Path) -> dict[str, Any]:
    """Return the table `project` of a folder's `pyproject.toml`."""
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


PIP = ("-m", "pip", "--quiet", "--quiet", "--disable-pip-version-check")


def install(venv: Path, made_from: str, steps: Iterable[list[str]]) -> None:
    """Make `venv` by these installations, unless it was `made_from` the same."""
    made_from = f"{platform.python_version()}\n{made_from}"
    stamp = venv / "made-from.txt"
    if stamp.exists() and stamp.read_text() == made_from:
        return
    shutil.rmtree(venv, ignore_errors=True)
    output(sys.executable, "-m", "venv", venv)
    for step in steps:
        output(venv / "bin" / "python", *PIP, "install", *step)
    stamp.write_text(made_from)


def output(*command: str | Path) -> str:
    """Return what a command prints; end this script if the command fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        text = " ".join(map(str, command))
        raise SystemExit(f"'{text}' failed:\n{done.stdout}{done.stderr}")
    return done.stdout
