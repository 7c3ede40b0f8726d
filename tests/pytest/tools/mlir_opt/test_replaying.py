"""`xbuf opt --replay`: what is written after the error, and how it ends."""

from pathlib import Path

import pytest

from xdsl_bufferization.tools.common.diagnostics import EXIT_FAILURE, EXIT_USAGE
from xdsl_bufferization.tools.xbuf import main

TWICE = """\
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
"""

REPLAYED = "twice.mlir:6:3: replayed: @f(%c = true): freed twice"

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("twice.mlir").write_text(TWICE)


@pytest.mark.parametrize(
    "passes",
    [
        ["-p", "verify-deallocation"],
        ["-p", "lower-deallocations", "--verify"],
        ["--pass-pipeline=builtin.module(func.func(verify-deallocation))"],
    ],
    ids=["asked for", "by --verify", "nested"],
)
def test_each_fault_is_replayed_after_the_error(
    passes: list[str], capsys: Captured
) -> None:
    assert main(["opt", "--replay", *passes, "twice.mlir"]) == EXIT_FAILURE
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[-1] == REPLAYED
    assert any("twice.mlir:6:3: error: " in line for line in lines)


def test_each_part_of_a_file_is_replayed_once(capsys: Captured) -> None:
    right = TWICE.replace("    memref.dealloc %a : memref<4xf32>\n", "")
    Path("twice.mlir").write_text(f"{TWICE}// -----\n{right}// -----\n{TWICE}")
    arguments = ["opt", "--replay", "--split-input-file", "-p", "verify-deallocation"]
    assert main([*arguments, "twice.mlir"]) == EXIT_FAILURE
    err = capsys.readouterr().err
    replayed = [line for line in err.splitlines() if "replayed" in line]
    assert replayed == [REPLAYED, REPLAYED.replace(":6:", ":23:")]


def test_nothing_is_written_about_a_right_program(capsys: Captured) -> None:
    right = TWICE.replace("    memref.dealloc %a : memref<4xf32>\n", "")
    Path("right.mlir").write_text(right)
    assert main(["opt", "--replay", "-p", "verify-deallocation", "right.mlir"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "cse"], "--replay needs a pass that checks deallocations"),
        (
            ["-p", "verify-deallocation", "--print-between-passes"],
            "--replay needs passes to run without",
        ),
    ],
)
def test_it_needs_a_pass_that_finds_faults(
    arguments: list[str], message: str, capsys: Captured
) -> None:
    assert main(["opt", "--replay", *arguments, "twice.mlir"]) == EXIT_USAGE
    assert message in capsys.readouterr().err


def test_faults_that_comments_expect_are_replayed_too(capsys: Captured) -> None:
    expected = TWICE.replace(
        "  memref.dealloc %a : memref<4xf32>\n  return",
        "  // expected-error@+1 {{is freed twice}}\n"
        "  memref.dealloc %a : memref<4xf32>\n  return",
    )
    Path("twice.mlir").write_text(expected)
    arguments = ["opt", "--replay", "--verify-diagnostics", "-p", "verify-deallocation"]
    assert main([*arguments, "twice.mlir"]) == 0
    assert capsys.readouterr().err == REPLAYED.replace(":6:", ":7:") + "\n"
