"""Environments of Python with some projects installed, made in milliseconds.

    with_ours = make_environment(tmp_path, [OURS, SENSORS])
    with_ours.bin / "xdsl-opt"    # a console script, as pip would make it

An environment is one of `venv`, without pip. Its `site-packages` has links to what is
installed where the tests run, without our own package, and to the sources of the
projects that are asked for. What pip would write about a project is made from its
`pyproject.toml`: name, version, entry points. So `importlib.metadata` finds what it
finds in any other environment, and nothing needs a network or a build.
"""

import shlex
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[4]
THIRD_PARTY = ROOT / "tests" / "guest" / "third_party"

_SITE_PACKAGES = ("site-packages", "dist-packages")
"""The names of folders with what is installed; Debian has one of its own."""

_LEFT_OUT = ("xdsl_bufferization", "__editable__", "__pycache__")
"""How the names of files begin that are not linked: our package, however installed."""


@dataclass(frozen=True)
class Project:
    """A project that can be installed: its folder, and the package in it."""

    folder: Path
    package: str

    @property
    def metadata(self) -> dict[str, Any]:
        """The table `project` of its `pyproject.toml`."""
        text = (self.folder / "pyproject.toml").read_text()
        return tomllib.loads(text)["project"]

    @property
    def file_checks(self) -> Path:
        """The folder of its file checks, if it is one of the third-party projects."""
        return self.folder / "filecheck"


def read_project(folder: Path) -> Project:
    """Return the project of a folder, which has one package."""
    settings = tomllib.loads((folder / "pyproject.toml").read_text())
    (package,) = settings["tool"]["setuptools"]["packages"]
    return Project(folder, package)


OURS = Project(ROOT, "xdsl_bufferization")
SENSORS = Project(THIRD_PARTY / "sensors", "sensors")
SHAPES = Project(THIRD_PARTY / "shapes", "shapes")


@dataclass(frozen=True)
class Environment:
    """An environment."""

    folder: Path

    @property
    def bin(self) -> Path:
        """The folder of the console scripts."""
        return self.folder / "bin"

    def python(self, code: str) -> str:
        """What a new process prints that runs `code`."""
        done = subprocess.run(
            [self.bin / "python", "-I", "-c", code], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def make_environment(folder: Path, projects: Iterable[Project]) -> Environment:
    """Make an environment with xDSL and `projects`."""
    venv.EnvBuilder(symlinks=True).create(folder)
    scripts = {
        point.name: point.value
        for point in distribution("xdsl").entry_points.select(group="console_scripts")
    }
    site_packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    for path in map(Path, sys.path):
        if path.name in _SITE_PACKAGES:
            _link_all(path, site_packages)
    for project in projects:
        install(project, site_packages)
        scripts |= project.metadata.get("scripts", {})
    environment = Environment(folder)
    for name, function in scripts.items():
        _write_script(environment, name, function)
    return environment


def _link_all(source: Path, target: Path) -> None:
    for each in source.iterdir():
        # A `.pth` file would add folders, and with them what is not asked for.
        left_out = each.name.startswith(_LEFT_OUT) or each.suffix == ".pth"
        link = target / each.name
        if not left_out and not link.is_symlink():
            link.symlink_to(each)


def install(project: Project, site_packages: Path) -> None:
    """Link the package, and write what `importlib.metadata` asks for."""
    metadata = project.metadata
    name, version = metadata["name"], metadata["version"]
    package = project.folder / project.package
    (site_packages / project.package).symlink_to(package)
    information = site_packages / f"{name.replace('-', '_')}-{version}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    )
    lines: list[str] = []
    for group, points in metadata.get("entry-points", {}).items():
        lines.append(f"[{group}]")
        lines.extend(f"{point} = {value}" for point, value in points.items())
    (information / "entry_points.txt").write_text("\n".join(lines) + "\n")


def _write_script(environment: Environment, name: str, function: str) -> None:
    module, _, attribute = function.partition(":")
    code = f"import sys; from {module} import {attribute}; sys.exit({attribute}())"
    # With -I, nothing is imported from the folder or the PYTHONPATH of the caller.
    command = shlex.join([str(environment.bin / "python"), "-I", "-c", code])
    script = environment.bin / name
    script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    script.chmod(0o755)
