"""The wheel and the source archive have every file, and work where they are installed.

Nothing is fetched: setuptools is asked to build as pip asks it, and what the package
needs is taken from the environment of the tests.
"""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from pathlib import Path
from shutil import copyfile, unpack_archive
from zipfile import ZipFile

import pytest
from harness.guest.environments import ROOT, Environment, make_environment

import xdsl_bufferization

PACKAGE = "xdsl_bufferization"
DESCRIPTION = ("pyproject.toml", "README.md", "LICENSE")

BUILD = "import sys; from setuptools import build_meta; build_meta.{}(sys.argv[1])"

PROGRAM = """\
func.func @entry(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


@dataclass(frozen=True)
class Archives:
    """What was built of the sources, and built again of the source archive."""

    wheel: Path
    source: Path
    wheel_of_source: Path


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    """The archives; the checkout stays as it is, as a copy of it is built."""
    folder = tmp_path_factory.mktemp("archives")
    copy = folder / "copy"
    for name in [*DESCRIPTION, *package_files()]:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        copyfile(ROOT / name, copy / name)
    wheel = build("build_wheel", copy, folder / "wheel")
    source = build("build_sdist", copy, folder / "source")
    unpack_archive(source, folder / "unpacked")
    (unpacked,) = (folder / "unpacked").iterdir()
    again = build("build_wheel", unpacked, folder / "again")
    return Archives(wheel, source, again)


def package_files() -> list[str]:
    """The files of the package, of which git ignores none."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", PACKAGE]
    listed = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    return [name for name in listed if (ROOT / name).exists()]


def build(hook: str, sources: Path, target: Path) -> Path:
    """Return the file that a hook of setuptools builds in the folder `target`."""
    target.mkdir()
    command = [sys.executable, "-I", "-c", BUILD.format(hook), str(target)]
    done = subprocess.run(command, cwd=sources, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = target.iterdir()
    return built


def contents(wheel: Path) -> Mapping[str, bytes]:
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def metadata(wheel: Path) -> Message:
    files = contents(wheel)
    (name,) = (name for name in files if name.endswith(".dist-info/METADATA"))
    return Parser().parsestr(files[name].decode())


def test_the_wheel_has_the_files_of_the_package_and_no_others(
    archives: Archives,
) -> None:
    names = contents(archives.wheel)
    inside = [name for name in names if ".dist-info/" not in name]
    assert sorted(inside) == sorted(package_files())


def test_the_source_archive_has_the_files_of_the_package(archives: Archives) -> None:
    with tarfile.open(archives.source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert not {*DESCRIPTION, *package_files()} - names


def test_the_source_archive_builds_the_same_wheel(archives: Archives) -> None:
    assert contents(archives.wheel_of_source) == contents(archives.wheel)


def test_the_wheel_says_what_it_is(archives: Archives) -> None:
    found = metadata(archives.wheel)
    assert found["Version"] == xdsl_bufferization.__version__
    assert found["Description-Content-Type"] == "text/markdown"
    urls = dict(url.split(", ") for url in found.get_all("Project-URL", []))
    assert sorted(urls) == [
        *("Changelog", "Documentation", "Homepage", "Issues", "Source"),
    ]
    ours = "https://github.com/xdsl-bufferization/xdsl-bufferization"
    assert all(url.startswith(ours) for url in urls.values())


def test_pythons_that_are_named_are_those_that_are_tested() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    named = [
        version[1]
        for classifier in settings["project"]["classifiers"]
        if (version := re.fullmatch(r".* :: Python :: (3\.\d+)", classifier))
    ]
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    tested = re.findall(r"^ +python: \[(.+)\]$", workflow, re.MULTILINE)
    assert [", ".join(f'"{version}"' for version in named)] == tested


# --- where the wheel is installed -----------------------------------------------------


@pytest.fixture(scope="module")
def clean(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel, and without the checkout."""
    environment = make_environment(tmp_path_factory.mktemp("clean") / "venv", [])
    # The environment has links to all packages around the tests, pip among them.
    pip = [str(environment.bin / "python"), "-I", "-m", "pip", "--quiet"]
    install = ["install", "--no-index", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([*pip, *install, str(archives.wheel)], check=True)
    return environment


def run(environment: Environment, folder: Path, command: str) -> str:
    """What `command` prints in `folder`, which has a program."""
    (folder / "entry.mlir").write_text(PROGRAM)
    name, *arguments = command.split()
    done = subprocess.run(
        [environment.bin / name, *arguments],
        cwd=folder,
        env={"PATH": str(environment.bin), "XBUF_CACHE": "off"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_installed_package_is_imported(clean: Environment) -> None:
    code = f"import {PACKAGE} as it; print(it.__version__); print(it.__file__)"
    version, file = clean.python(code).splitlines()
    assert version == xdsl_bufferization.__version__
    assert Path(file).is_relative_to(clean.folder)


def test_xbuf_prints_the_version(clean: Environment, tmp_path: Path) -> None:
    printed = run(clean, tmp_path, "xbuf --version")
    assert printed == f"xbuf {xdsl_bufferization.__version__}\n"


def test_xbuf_runs_a_program(clean: Environment, tmp_path: Path) -> None:
    figures = json.loads(run(clean, tmp_path, "xbuf run entry.mlir --check --json"))
    assert figures["max_rel_error"] == 0
    # The caller copies the argument that is written, and finds the result in it.
    assert figures["copies"] == 0


def test_xdsl_opt_has_the_passes(clean: Environment, tmp_path: Path) -> None:
    passes = "one-shot-bufferize{bufferize-function-boundaries}"
    printed = run(clean, tmp_path, f"xdsl-opt -p {passes} entry.mlir")
    assert "memref.store" in printed
    assert "tensor.insert" not in printed


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("explain entry.mlir --html entry.html", ["entry.html"]),
        ("stages entry.mlir --html --out stages", ["stages/index.html"]),
        ("build entry.mlir -o entry.o", ["entry.o", "entry.h"]),
    ],
)
def test_xbuf_has_its_templates(
    command: str, files: list[str], clean: Environment, tmp_path: Path
) -> None:
    run(clean, tmp_path, f"xbuf {command}")
    assert all((tmp_path / name).stat().st_size > 0 for name in files)
