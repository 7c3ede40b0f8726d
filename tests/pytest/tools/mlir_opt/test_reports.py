"""What `xbuf opt` tells beside the program: lists, pipelines, times, reproducers."""

import re
from pathlib import Path

import pytest
from harness.oracles.mlir_text import ask_mlir

from xdsl_bufferization.tools.xbuf import main

PROGRAM = """\
// A comment that stays.
func.func @f() -> (tensor<4xf32>, tensor<9xf32>, tensor<2xi8>) {
  %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = arith.constant dense<1.0> : tensor<9xf32>
  %2 = arith.constant dense<[1, 2]> : tensor<2xi8>
  return %0, %1, %2 : tensor<4xf32>, tensor<9xf32>, tensor<2xi8>
}
"""

FAILS = """\
// A comment that stays.
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %1 = "test.unknown"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)
    Path("fails.mlir").write_text(FAILS)


def test_dialects_and_passes_are_listed_without_any_input(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["opt", "--show-dialects"]) == 0
    title, names = capsys.readouterr().out.split(": ")
    assert title == "Available Dialects"
    assert {"bufferization", "builtin", "xsmm"} <= set(names.strip().split(","))
    assert main(["opt", "--list-passes"]) == 0
    assert "\n  one-shot-bufferize " in capsys.readouterr().out


@pytest.mark.parametrize(
    "passes",
    [
        ["--pass-pipeline=builtin.module(func.func(cse),canonicalize)"],
        ["-p", "cse,canonicalize"],
        ["--cse", "--canonicalize"],
    ],
)
def test_the_pipeline_is_dumped_as_mlir_opt_does(
    capsys: pytest.CaptureFixture[str], passes: list[str]
) -> None:
    assert main(["opt", "in.mlir", "--dump-pass-pipeline", *passes]) == 0
    lines = capsys.readouterr().err.splitlines()
    first = ["  func.func(", "    cse", "  ),"] if len(passes) == 1 else ["  cse,"]
    assert lines == [
        "Pass Manager with 2 passes:",
        "builtin.module(",
        *first,
        "  canonicalize",
        ")",
        "",
    ]


@pytest.mark.parametrize("display", ["tree", "list"])
def test_times_of_all_steps_add_up(
    capsys: pytest.CaptureFixture[str], display: str
) -> None:
    given = ["--mlir-timing", f"--mlir-timing-display={display}"]
    assert main(["opt", "in.mlir", "--cse", "--canonicalize", *given]) == 0
    report = capsys.readouterr().err
    rows = re.findall(r"^ +([\d.]+) \( *([\d.]+)%\)  (.+)$", report, re.MULTILINE)
    names = [name for _, _, name in rows]
    assert set(names) == {"Parser", "cse", "canonicalize", "Output", "Rest", "Total"}
    assert names[-2:] == ["Rest", "Total"]
    seconds = [float(each) for each, _, _ in rows]
    assert sum(seconds[:-1]) == pytest.approx(seconds[-1], abs=0.0005)
    if display == "list":
        assert seconds[:-2] == sorted(seconds[:-2], reverse=True)
    else:
        assert names[:3] == ["Parser", "cse", "canonicalize"]


@pytest.mark.parametrize("most", [0, 2, 4])
def test_large_constants_are_elided_where_mlir_opt_does(
    capsys: pytest.CaptureFixture[str], most: int
) -> None:
    option = f"--mlir-elide-elementsattrs-if-larger={most}"
    assert main(["opt", "in.mlir", option]) == 0
    constant = re.compile(r"arith.constant (dense\w*)")
    ours = constant.findall(capsys.readouterr().out)
    (reply,) = ask_mlir([PROGRAM], option)
    theirs = constant.findall(reply.printed)
    assert ours == theirs


def test_a_failure_can_be_run_again(capsys: pytest.CaptureFixture[str]) -> None:
    common = ["opt", "--allow-unregistered-dialect"]
    passes = "cse,one-shot-bufferize{bufferize-function-boundaries}"
    keep = "--mlir-pass-pipeline-crash-reproducer=kept.mlir"
    assert main([*common, "in.mlir", "-p", passes, keep]) == 0
    assert not Path("kept.mlir").exists()
    capsys.readouterr()

    assert main([*common, "fails.mlir", "-p", passes, keep]) == 1
    first, second, *_ = capsys.readouterr().err.splitlines()
    assert first == "kept.mlir: note: xbuf opt --run-reproducer runs it again"
    kept = Path("kept.mlir").read_text()
    assert kept.startswith(FAILS)
    assert '"builtin.module(cse,one-shot-bufferize{bufferize-' in kept

    assert main([*common, "--run-reproducer", "kept.mlir"]) == 1
    again = capsys.readouterr().err.splitlines()[0]
    assert again == second.replace("fails.mlir", "kept.mlir")


def test_the_error_is_told_where_no_reproducer_can_be_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    keep = "--mlir-pass-pipeline-crash-reproducer=no/such/folder/kept.mlir"
    given = ["fails.mlir", "--allow-unregistered-dialect", "-p", "one-shot-bufferize"]
    assert main(["opt", *given, keep]) == 1
    first, second, *_ = capsys.readouterr().err.splitlines()
    assert first == (
        "no/such/folder/kept.mlir: note: not written: No such file or directory"
    )
    assert second.startswith("fails.mlir:3:8: error: op was not bufferized: ")


def test_a_file_that_is_no_reproducer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "--run-reproducer", "in.mlir"]) == 1
    assert capsys.readouterr().err == (
        "in.mlir: error: there is no pipeline in this file; write it by "
        "--mlir-pass-pipeline-crash-reproducer\n"
    )
