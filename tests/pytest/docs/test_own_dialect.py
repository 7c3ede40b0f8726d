"""The package in `docs/own_dialect.md`, installed as pip would install it.

`test_documents.py` runs the page in this process; here its commands are processes of an
environment that has the package, as a reader's shell starts them.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness.guest.environments import (
    OURS,
    Environment,
    make_environment,
    read_project,
)
from harness.pages.documents import DOCS, blocks

PROGRAM = "twice.mlir"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a reader has made, with the files of the page."""
    folder = tmp_path_factory.mktemp("project")
    for block in blocks(DOCS / "own_dialect.md"):
        if block.title is not None:
            file = folder / block.title
            file.parent.mkdir(exist_ok=True)
            file.write_text(block.text)
    return folder


@pytest.fixture(scope="module")
def environment(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with this project and the one of the page."""
    folder = tmp_path_factory.mktemp("environment")
    return make_environment(folder, [OURS, read_project(project)])


def run(environment: Environment, project: Path, command: Sequence[str]) -> str:
    """Run a command in the folder of the reader; return what is printed."""
    program, *arguments = command
    done = subprocess.run(
        [environment.bin / program, *arguments],
        cwd=project,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_xdsl_opt_reads_the_op_without_a_pass_of_ours(
    environment: Environment, project: Path
) -> None:
    printed = run(environment, project, ["xdsl-opt", PROGRAM])
    assert printed.count("rows.scale") == 2


@pytest.mark.parametrize(
    "command",
    [
        ["xdsl-opt", "-p", "one-shot-bufferize", PROGRAM],
        ["xbuf", "opt", "-p", "one-shot-bufferize", PROGRAM],
    ],
)
def test_the_op_is_bufferized(
    environment: Environment, project: Path, command: Sequence[str]
) -> None:
    printed = run(environment, project, command)
    assert "rows.scale" not in printed
    assert printed.count("linalg.generic") == 2


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("name", ["run", "explain", "compare", "stages"])
def test_xbuf_takes_the_program(
    environment: Environment, project: Path, name: str
) -> None:
    assert run(environment, project, ["xbuf", name, PROGRAM])


def test_xbuf_builds_an_object(environment: Environment, project: Path) -> None:
    run(environment, project, ["xbuf", "build", PROGRAM, "-o", "twice.o"])
    assert (project / "twice.h").exists()


def test_lit_runs_the_tests_of_the_page(
    environment: Environment, project: Path
) -> None:
    tools = environment.bin, Path(sys.executable).parent
    path = os.pathsep.join([*map(str, tools), os.environ["PATH"]])
    done = subprocess.run(
        [
            environment.bin / "python",
            "-c",
            "from lit.main import main; main()",
            "tests",
        ],
        cwd=project,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "Passed: 3 (100.00%)" in done.stdout


def test_the_model_alone_changes_nothing_in_xdsl(environment: Environment) -> None:
    program = """
from xdsl.printer import Printer
before = Printer.print_op
import rows.dialect
print(Printer.print_op is before)
"""
    assert environment.python(program) == "True\n"
