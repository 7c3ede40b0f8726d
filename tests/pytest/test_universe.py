"""The entry point of `xdsl-opt`: every pass loads, and is where its name says."""

import inspect
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from xdsl_bufferization.universe import XDSL_BUFFERIZATION_UNIVERSE

PASSES = sorted(XDSL_BUFFERIZATION_UNIVERSE.all_passes)

FILE_OF_OTHER_NAME = {
    # xDSL has another pass of the name without `-pass`
    "scf-parallel-loop-tiling-pass": "scf_parallel_loop_tiling",
    "bufferization-lower-deallocations": "lower_deallocations",  # one pass, two names
    "lower-to-llvm": "to_llvm",  # a pipeline, named after where it leads
    "lower-to-riscv": "to_riscv",  # another
}


@pytest.mark.parametrize("name", PASSES)
def test_pass_has_its_name(name: str) -> None:
    pass_type = XDSL_BUFFERIZATION_UNIVERSE.all_passes[name]()
    assert issubclass(pass_type, ModulePass)
    assert pass_type.name == name


@pytest.mark.parametrize("name", PASSES)
def test_pass_is_in_the_file_of_its_name(name: str) -> None:
    pass_type = XDSL_BUFFERIZATION_UNIVERSE.all_passes[name]()
    file = Path(inspect.getfile(pass_type)).stem
    assert file == FILE_OF_OTHER_NAME.get(name, name.replace("-", "_"))


@pytest.mark.parametrize("name", PASSES)
def test_pass_is_documented(name: str) -> None:
    assert XDSL_BUFFERIZATION_UNIVERSE.all_passes[name]().__doc__


def test_xdsl_finds_the_entry_point() -> None:
    (found,) = entry_points(group="xdsl.universe", name="xdsl-bufferization")
    assert found.load() is XDSL_BUFFERIZATION_UNIVERSE
    assert set(PASSES) <= set(Universe.get_multiverse().all_passes)


def test_xdsl_opt_knows_our_passes_and_ops() -> None:
    xdsl_opt = str(Path(sys.executable).with_name("xdsl-opt"))
    listed = subprocess.run([xdsl_opt, "--help"], capture_output=True, text=True)
    # The list of passes is broken into lines anywhere, also at a hyphen.
    assert "one-shot-bufferize" in "".join(listed.stdout.split())
    for arguments, known in ([], False), (["-p", "allow-mlir-22"], True):
        parsed = subprocess.run(
            [xdsl_opt, *arguments],
            input="bufferization.dealloc",
            capture_output=True,
            text=True,
        )
        assert ("bufferization.dealloc" in parsed.stdout) == known, parsed.stderr
