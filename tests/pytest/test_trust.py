"""What may come from somebody else, and what may not: `docs/security.md`."""

from pathlib import Path

import numpy as np
import pytest

import xdsl_bufferization as xbuf
from xdsl_bufferization.tools.xbuf import main

PRINTS = """\
func.func @entry(%x: f32) {
  vector.print str "I was run"
  return
}
"""


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize(
    "command",
    ["explain", "explain --json", "stages", "compare", "build -o a.o", "opt -p cse"],
)
def test_only_run_runs_the_program(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(PRINTS)
    first, *others = command.split()
    assert main([first, "a.mlir", *others]) == 0
    printed = capfd.readouterr()
    lines = (printed.out + printed.err).splitlines()
    assert "I was run" not in [line.strip() for line in lines]
    assert main(["run", "a.mlir", "--repeat", "1"]) == 0
    assert capfd.readouterr().out.startswith("I was run")


@pytest.mark.unguarded(reason="this code leaves its buffer")
def test_compiled_code_reads_where_it_is_told_to():
    module = xbuf.parse("""
      func.func @f(%m: memref<1xf32>, %i: index) -> f32 {
        %x = memref.load %m[%i] : memref<1xf32>
        return %x : f32
      }""")
    both = np.array([1, 2], np.float32)
    assert xbuf.compile(module)["f"](both[:1], 1) == 2


def test_a_pipeline_writes_the_files_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(PRINTS)
    pipeline = 'memory-stats{file="figures"}'
    assert main(["stages", "a.mlir", "--pipeline", pipeline]) == 0
    assert Path("figures").read_text().startswith("@entry: ")
