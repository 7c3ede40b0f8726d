"""`xbuf opt --verify` and `xbuf run --verified`: what they write, and how they end."""

from pathlib import Path

import pytest

from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.tools.common.diagnostics import EXIT_FAILURE, EXIT_USAGE
from xdsl_bufferization.tools.xbuf import main

TENSORS = """\
func.func @f(%t: tensor<4xf32>, %x: f32) -> (f32, tensor<4xf32>) {
  %i = arith.constant 2 : index
  %new = tensor.insert %x into %t[%i] : tensor<4xf32>
  %y = tensor.extract %t[%i] : tensor<4xf32>
  return %y, %new : f32, tensor<4xf32>
}
"""

FREED_TWICE = """\
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
"""

PIPELINE = (
    "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline"
)

Captured = pytest.CaptureFixture[str]


def always(*_: object) -> bool:
    return True


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(TENSORS)
    Path("twice.mlir").write_text(FREED_TWICE)


def test_opt_says_what_is_proven_and_what_it_costs(capsys: Captured) -> None:
    assert main(["opt", "--verify", "-p", PIPELINE, "a.mlir"]) == 0
    out, err = capsys.readouterr()
    first, second = err.splitlines()
    assert first.startswith("one-shot-bufferize{verify}: proven in ")
    assert second.startswith("verify-deallocation: proven in ")
    assert first.endswith(" ops")
    assert "func.func @f(%t: memref<4xf32" in out


def test_passes_that_are_given_as_to_mlir_opt_are_proven(capsys: Captured) -> None:
    nested = "builtin.module(test-tensor-copy-insertion,func.func(cse))"
    arguments = ["opt", "--verify", f"--pass-pipeline={nested}", "a.mlir"]
    assert main(arguments) == 0
    assert "verify-bufferization: proven in " in capsys.readouterr().err


def test_a_fault_of_a_deallocation_ends_opt(capsys: Captured) -> None:
    assert main(["opt", "--verify", "-p", "lower-deallocations", "twice.mlir"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "twice.mlir:4:3: error: " in err
    assert "is freed twice" in err


def test_reports_of_xdsl_leave_no_room_for_proofs(capsys: Captured) -> None:
    arguments = ["opt", "--verify", "--print-between-passes", "-p", "cse", "a.mlir"]
    assert main(arguments) == EXIT_USAGE
    assert "--verify needs passes to run without" in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--no-optimize"]])
def test_run_proves_before_it_runs(more: list[str], capsys: Captured) -> None:
    assert main(["run", "a.mlir", "--verified", "--check", *more]) == 0
    out, err = capsys.readouterr()
    assert "one-shot-bufferize{verify}: proven" in err
    assert "verify-deallocation: proven" in err
    assert "max_rel_error" in out


def test_run_stops_at_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(OneShotAnalysis, "is_in_place", always)
    assert main(["run", "a.mlir", "--verified", "--no-optimize"]) == EXIT_FAILURE
    out, err = capsys.readouterr()
    assert out == ""
    assert "a.mlir:4:8: error: internal fault of one-shot-bufferize" in err
    assert "the write is here" in err
