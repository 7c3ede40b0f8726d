"""Copies are counted alike by all who count them, and it is said whose they are."""

from pathlib import Path

import numpy as np
import pytest
from harness.programs.random_programs import Shape, random_program
from harness.running.command_line import line_of_failure
from harness.volume.bufferization_mutants import arguments

from xdsl_bufferization import jit
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.explanation.comparison import compare_options
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.report import CallerCopy
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.support import abi
from xdsl_bufferization.tools.run.run import RunOptions, run
from xdsl_bufferization.tools.xbuf import main

READ_FIRST = """\
func.func @first(%a: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32) {
  %i = arith.constant 2 : index
  %y = tensor.extract %a[%i] : tensor<4xf32>
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}
"""


@pytest.mark.volume(sample=10)
@pytest.mark.parametrize("seed", range(200))
@pytest.mark.parametrize("optimize", [False, True])
def test_explain_run_and_jit_count_the_same_copies(
    tmp_path: Path, seed: int, optimize: bool
) -> None:
    """In programs without loops, in which an op runs as often as it is counted."""
    text = random_program(seed, Shape(ops=8, depth=0))
    program, inputs = tmp_path / "p.mlir", tmp_path / "in.npz"
    program.write_text(text)
    given = list(map(np.asarray, arguments(seed)[0]))
    given[-1] = given[-1].astype(np.bool_)
    names = [f"arg{number}" for number in range(len(given))]
    np.savez(inputs, allow_pickle=False, **dict(zip(names, given, strict=True)))

    passes = default_passes(optimize=optimize)
    explained = explain_source(read_source(text, "p.mlir"), passes, donated=())
    (function,) = explained.functions
    options = RunOptions(
        str(program), optimize=optimize, repeat=1, inputs=str(inputs), pipeline=None
    )
    report = run(options).report
    compiled = jit(text, optimize=optimize)
    (of_jit,) = compiled.explain().functions
    copied = [
        each
        for each in compiled.prepare().signature.arguments
        if isinstance(each, abi.MemRefSignature) and each.is_copied
    ]

    found = function.copies, len(function.caller_copies)
    assert (report.copies, report.caller_copies) == found
    assert (of_jit.copies, len(copied)) == found
    assert of_jit.caller_copies == function.caller_copies


def test_a_call_copies_what_the_function_overwrites() -> None:
    (function,) = jit(READ_FIRST).explain().functions
    assert function.copies == 0
    assert function.caller_copies == (CallerCopy("%a", 16, 16),)


@pytest.mark.parametrize("given", ["a", 0])
def test_what_is_given_away_is_not_copied(given: str | int) -> None:
    compiled = jit(READ_FIRST, donate=given)
    (function,) = compiled.explain().functions
    assert (function.copies, function.caller_copies) == (0, ())
    a = np.array([1, 2, 3, 4], np.float32)
    b, y = compiled(a, np.float32(9))
    assert np.shares_memory(a, b)
    assert (b.tolist(), y) == ([1, 2, 9, 4], 3)


def test_what_is_only_read_is_not_copied() -> None:
    text = """\
func.func @f(%a: tensor<4xf32>) -> f32 {
  %i = arith.constant 2 : index
  %y = tensor.extract %a[%i] : tensor<4xf32>
  return %y : f32
}
"""
    (function,) = jit(text).explain().functions
    assert function.caller_copies == ()


def test_a_size_that_only_the_running_program_knows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.mlir").write_text("""\
func.func @f(%a: tensor<?xf32>, %b: tensor<4xf32>, %x: f32) -> (tensor<?xf32>, f32) {
  %i = arith.constant 0 : index
  %0 = tensor.insert %x into %a[%i] : tensor<?xf32>
  %1 = tensor.insert %x into %b[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  return %0, %2 : tensor<?xf32>, f32
}
""")
    assert main(["explain", "p.mlir"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "  2 copies for the caller, 16 bytes and 1 of unknown size: %a and %b, which "
        "the function overwrites; a caller that gives them away (donate) saves them"
    )
    assert main(["explain", "p.mlir", "--donate", "a", "--donate", "%b"]) == 0
    assert "for the caller" not in capsys.readouterr().out
    line = line_of_failure(capsys, ["explain", "p.mlir", "--donate", "x"])
    assert line == "p.mlir: error: there is no tensor %x to donate; there is %a, %b"


def test_stages_name_the_copies_for_the_caller(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.mlir").write_text(READ_FIRST)
    assert main(["stages", "p.mlir", "--out", "d"]) == 0
    *_, stage, left_out, last = capsys.readouterr().out.splitlines()
    assert "changed nothing" in left_out
    assert stage.endswith(" 0 copies")
    assert last.startswith("@first: 1 copy for the caller, 16 bytes: %a, ")
    # With passes of one's own, each stage is what these make of the program.
    pipeline = "one-shot-bufferize{bufferize-function-boundaries}"
    assert main(["stages", "p.mlir", "--pipeline", pipeline, "--out", "d"]) == 0
    assert "for the caller" not in capsys.readouterr().out


def test_comparisons_count_copies_for_the_caller() -> None:
    module = parse_module(READ_FIRST, "p.mlir", get_context())
    first = compare_options(module, None).variants[0].functions[0]
    assert (first.copies, first.caller_copies) == (0, 1)
    assert first.estimated_bytes_copied == 16
    given = compare_options(module, None, ["a"]).variants[0].functions[0]
    assert (given.caller_copies, given.estimated_bytes_copied) == (0, 0)
