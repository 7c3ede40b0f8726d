"""With a release of xDSL in which methods have changed, programs run as before."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness.guest.next_release import CHANGES, VERSION, make_next_release

from xdsl_bufferization.dialects.xdsl_patches.changes import CHANGES as REPLACED
from xdsl_bufferization.support.xdsl_releases import private_names
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

XBUF = "xdsl_bufferization.tools.xbuf"
XDSL_OPT = "xdsl.tools.xdsl_opt"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the release."""
    return make_next_release(tmp_path_factory.mktemp("release"))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A perceptron."""
    options = MlpOptions(batch=256, layers=(128, 256, 512), bias=True, relu=True)
    path = tmp_path_factory.mktemp("programs") / "mlp.mlir"
    path.write_text(mlp(options))
    return path


def run(release: Path | None, module: str, *arguments: object) -> str:
    """What a tool prints with that release, or with the installed xDSL."""
    path = {} if release is None else {"PYTHONPATH": str(release)}
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | path,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_release_is_another_one(release: Path):
    assert run(release, XDSL_OPT, "--version").strip().endswith(VERSION)
    assert len(CHANGES) >= 10


def test_the_program_bufferizes_as_before(release: Path, program: Path):
    options = ("-p", "one-shot-bufferize,buffer-deallocation", program)
    expected = run(None, XDSL_OPT, *options)
    assert "memref.alloc" in expected
    assert run(release, XDSL_OPT, *options) == expected


def test_the_program_runs(release: Path, program: Path):
    assert "max_rel_error" in run(release, XBUF, "run", program, "--check")


def test_what_stands_aside_is_named(release: Path):
    _, line = run(release, XBUF, "--version").splitlines()
    assert VERSION in line
    used = {change.short_name for change in REPLACED}
    used |= {f"{each.owner}.{each.name}" for each in private_names()}
    touched = {change.short_name for change in CHANGES} & used
    assert len(touched) >= 4
    assert set(line.rpartition(": ")[2].split(", ")) == touched
