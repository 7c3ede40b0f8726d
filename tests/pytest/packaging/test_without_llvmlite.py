"""Bufferization, deallocation and `explain` need xDSL, and nothing that runs programs.

The modules that other parts need are hidden: an import of one raises `ImportError`.
"""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from harness.guest.environments import ROOT

import xdsl_bufferization
from xdsl_bufferization.pipelines.universe import XDSL_BUFFERIZATION_UNIVERSE

HIDDEN = ("numpy", "llvmlite", "rich", "highspy", "ml_dtypes")
ROOM = Path(xdsl_bufferization.__file__).parent / "bufferization"
SHARDS = 8
FILE_CHECKS = ROOT / "tests" / "filecheck"

PROGRAM = """
import xdsl_bufferization as xbuf
module = xbuf.parse('''
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %y = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}''')
explanation = xbuf.explain(module)
print(explanation, explanation.page())
print(xbuf.deallocate(xbuf.bufferize(module)))
"""
HIDE = f"import sys; sys.modules |= dict.fromkeys({HIDDEN})"
COMPILE = "xbuf.compile(module)"


def test_functions() -> None:
    """They return the same texts with and without the other modules."""
    done = run(HIDE, PROGRAM)
    assert done.stderr == ""
    assert "memref.copy" in done.stdout
    assert done.stdout == run(PROGRAM).stdout


def test_what_needs_llvmlite_says_so() -> None:
    assert run(PROGRAM, COMPILE).stderr == ""
    error = run(HIDE, PROGRAM, COMPILE).stderr
    assert error.splitlines()[-1].startswith("ModuleNotFoundError: No module named")


def run(*code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", "\n".join(code)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("shard", range(1, SHARDS + 1))
def test_passes_print_the_same_text(shard: int) -> None:
    folders = [FILE_CHECKS / "analyses", FILE_CHECKS / "dialects"]
    for name, load in XDSL_BUFFERIZATION_UNIVERSE.all_passes.items():
        folder = FILE_CHECKS / "transforms" / name
        if ROOM in Path(inspect.getfile(load())).parents and folder.exists():
            folders.append(folder)
    assert len(folders) > 30
    done = _file_checks(f"--num-shards={SHARDS}", f"--run-shard={shard}", *folders)
    assert done.returncode == 0, done.stdout


def test_modules_are_hidden() -> None:
    """A pass that computes with NumPy fails, so the test above can fail."""
    done = _file_checks(FILE_CHECKS / "transforms" / "constant-fold-pack")
    assert done.returncode == 1
    assert "numpy" in done.stdout


def _file_checks(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    without = f"without={','.join(HIDDEN)}"
    command = [
        "lit",
        "--workers=1",
        "--verbose",
        "--no-progress-bar",
        "--param",
        without,
    ]
    command[0] = str(Path(sys.executable).with_name("lit"))
    return subprocess.run(
        [*command, *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=False
    )
