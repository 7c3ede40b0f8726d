"""`xbuf opt` takes mlir-opt's command line."""

import io
import sys
from pathlib import Path

import pytest
from xdsl.utils.exceptions import ShrinkException

from xdsl_bufferization.bufferization.simplification.common_subexpressions import (
    CommonSubexpressionElimination,
)
from xdsl_bufferization.tools.common.diagnostics import EXIT_FAILURE, EXIT_USAGE
from xdsl_bufferization.tools.xbuf import main

PROGRAM = """\
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %c = arith.constant 1 : index
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
"""

WRONG = """\
func.func @f(%x: f32) -> i32 {
  return %x : f32
}
"""

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(PROGRAM)


def opt(*arguments: str) -> int:
    return main(["opt", *arguments])


BOUNDARIES = "bufferize-function-boundaries"


@pytest.mark.parametrize(
    "arguments",
    [
        [f"-one-shot-bufferize={BOUNDARIES}", "--canonicalize"],
        [f"--one-shot-bufferize={BOUNDARIES}=1", "-canonicalize", "-verify-each=0"],
        [
            "--pass-pipeline=builtin.module("
            f"one-shot-bufferize{{{BOUNDARIES}}},func.func(canonicalize))"
        ],
        ["-p", f"one-shot-bufferize{{{BOUNDARIES}=true}},canonicalize"],
        ["-p", f"builtin.module(one-shot-bufferize{{{BOUNDARIES}}},any(canonicalize))"],
    ],
)
def test_spellings_of_passes(arguments: list[str], capsys: Captured) -> None:
    assert opt(*arguments, "a.mlir") == 0
    out = capsys.readouterr().out
    assert "memref.store %x" in out
    assert "arith.constant" not in out


def test_nested_passes_run_on_their_op_alone(capsys: Captured) -> None:
    text = f"{PROGRAM}\nmodule {{\n{PROGRAM}}}\n"
    Path("b.mlir").write_text(text)
    pipeline = "builtin.module(builtin.module(func.func(canonicalize)))"
    assert opt(f"--pass-pipeline={pipeline}", "b.mlir") == 0
    outer, _, inner = capsys.readouterr().out.partition("builtin.module {\n    ")
    assert "arith.constant" in outer
    assert "func.func @f" in inner
    assert "arith.constant" not in inner


def test_nested_passes_know_the_symbols_around(capsys: Captured) -> None:
    Path("b.mlir").write_text(
        """\
memref.global "private" constant @g : memref<4xf32> = dense<1.0>
func.func private @callee(memref<4xf32>) -> f32
func.func @caller() -> f32 {
  %m = memref.get_global @g : memref<4xf32>
  %x = call @callee(%m) : (memref<4xf32>) -> f32
  %dead = arith.constant 1 : index
  return %x : f32
}
func.func @last() { return }
"""
    )
    assert opt("--pass-pipeline=builtin.module(func.func(canonicalize))", "b.mlir") == 0
    names = [line.split()[0:2] for line in capsys.readouterr().out.splitlines()[1:4]]
    assert names == [
        ["memref.global", '"private"'],
        ["func.func", "private"],
        ["func.func", "@caller()"],
    ]


def test_nested_passes_need_isolation(capsys: Captured) -> None:
    pipeline = "builtin.module(func.func(tensor.insert(cse)))"
    assert opt(f"--pass-pipeline={pipeline}", "a.mlir") == EXIT_FAILURE
    assert capsys.readouterr().err.startswith(
        "a.mlir:3:8: error: passes run on ops that are isolated from above only\n"
    )


def test_each_part_is_run(capsys: Captured) -> None:
    Path("b.mlir").write_text(f"{WRONG}// -----\n{PROGRAM}// -----\n{WRONG}")
    assert opt("-split-input-file", "b.mlir") == EXIT_FAILURE
    out, err = capsys.readouterr()
    assert "tensor.insert" in out
    # Lines are those of the file, and the source is shown.
    lines = err.splitlines()
    errors = [number for number, line in enumerate(lines) if ": error: " in line]
    assert [lines[number].split()[0] for number in errors] == [
        "b.mlir:2:3:",
        "b.mlir:12:3:",
    ]
    assert all(lines[number + 1] == "  return %x : f32" for number in errors)


DEEP = (
    "func.func @deep() {\n"
    + "scf.execute_region {\n" * 150
    + "scf.yield\n}\n" * 150
    + "return\n}\n"
)
"""More levels than are read outside of a thread with room."""


def test_a_deep_part_is_run_again_alone(capsys: Captured) -> None:
    Path("b.mlir").write_text(f"{WRONG}// -----\n{PROGRAM}// -----\n{DEEP}")
    assert opt("-split-input-file", "b.mlir") == EXIT_FAILURE
    out, err = capsys.readouterr()
    assert err.count(": error: ") == 1
    assert out.count("func.func") == 2


def test_the_name_of_the_standard_input(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{PROGRAM}// -----\n{DEEP}".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert opt("-split-input-file", "-") == 0
    assert capsys.readouterr().out.count("func.func") == 2


def test_expected_errors(capsys: Captured) -> None:
    expecting = WRONG.replace(
        "  return", "  // expected-error @below {{i32}}\n  return"
    )
    Path("b.mlir").write_text(f"{expecting}// -----\n{PROGRAM}")
    assert opt("-split-input-file", "-verify-diagnostics", "b.mlir") == 0
    assert "tensor.insert" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        (
            "// expected-error {{i32}}",
            'b.mlir:1:1: error: expected error "i32" was',
        ),
        ("// expected-note @+2 {{i32}}", "b.mlir:3:1: error: unexpected error: "),
    ],
)
def test_unexpected_errors(comment: str, message: str, capsys: Captured) -> None:
    Path("b.mlir").write_text(f"{comment}\n{WRONG}")
    assert opt("--verify-diagnostics", "b.mlir") == EXIT_FAILURE
    assert message in capsys.readouterr().err


def test_no_expected_error_as_in_xdsl(capsys: Captured) -> None:
    Path("b.mlir").write_text(WRONG)
    assert opt("--verify-diagnostics", "b.mlir") == 0
    assert "func.return" in capsys.readouterr().out
    assert opt("--verify-diagnostics", "-cse", "b.mlir") == EXIT_FAILURE


def test_programs_between_passes(capsys: Captured) -> None:
    passes = ["-canonicalize", "-cse"]
    assert opt(*passes, "-mlir-print-ir-after-all", "a.mlir") == 0
    err = capsys.readouterr().err
    assert err.count("// -----// IR Dump After ") == 2
    assert opt(*passes, "-mlir-print-ir-after-change", "a.mlir") == 0
    err = capsys.readouterr().err
    assert err.startswith("// -----// IR Dump After CanonicalizePass (canonicalize)")
    assert err.count("// -----// IR Dump") == 1
    assert opt(*passes, "-mlir-print-ir-before=cse", "a.mlir") == 0
    err = capsys.readouterr().err
    assert err.startswith("// -----// IR Dump Before ")
    assert err.count("(cse)") == 1


def test_generic_format_and_output(capsys: Captured) -> None:
    options = ["-mlir-print-op-generic", "-mlir-disable-threading", "-o"]
    assert opt(*options, "-", "a.mlir") == 0
    out = capsys.readouterr().out
    assert '"func.func"()' in out
    assert opt(*options, "b.mlir", "a.mlir") == 0
    assert capsys.readouterr().out == ""
    assert Path("b.mlir").read_text() == out


def test_failed_run_writes_no_file() -> None:
    Path("a.mlir").write_text(WRONG)
    assert opt("-o", "b.mlir", "a.mlir") == EXIT_FAILURE
    assert not Path("b.mlir").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-cse", "-p", "cse"], "xbuf opt: error: passes are given in two ways"),
        (["-cse", "--pass-pipeline=any(cse)"], "xbuf opt: error: passes are given in"),
        (["--pass-pipeline=cse"], "--pass-pipeline:1:1: error: expected the pipeline"),
        (["-cse=a=1"], "--cse: error: pass 'cse' has no option 'a'; it has none"),
        (["-zzz"], "xbuf opt: error: unrecognized arguments: --zzz\n"),
        (
            ["-one-shot-bufferise"],
            "xbuf opt: error: unrecognized arguments: --one-shot-bufferise; do you mean"
            " '--one-shot-bufferize'?",
        ),
    ],
)
def test_wrong_command_lines(
    arguments: list[str], message: str, capsys: Captured
) -> None:
    assert opt(*arguments, "a.mlir") == EXIT_USAGE
    assert capsys.readouterr().err.startswith(message)


def test_unknown_op_that_is_not_generic_is_named(capsys: Captured) -> None:
    Path("a.mlir").write_text("%0 = nobody.knows %x\n")
    assert opt("-allow-unregistered-dialect", "a.mlir") == EXIT_FAILURE
    assert "Operation nobody.knows is not registered" in capsys.readouterr().err


@pytest.mark.parametrize(("shrinks", "code"), [(True, 0), (False, EXIT_FAILURE)])
def test_shrinking(
    shrinks: bool, code: int, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def apply(*_: object) -> None:
        if shrinks:
            raise ShrinkException

    monkeypatch.setattr(CommonSubexpressionElimination, "apply", apply)
    assert opt("-cse", "--shrink", "a.mlir") == code
    said = "Success, can shrink" if shrinks else "Failure, can't shrink"
    assert capsys.readouterr().out == f"{said}\n"


def test_an_error_is_no_answer_about_shrinking(capsys: Captured) -> None:
    Path("b.mlir").write_text(WRONG)
    assert opt("-cse", "--shrink", "b.mlir") == EXIT_FAILURE
    out, err = capsys.readouterr()
    assert (out, err.count(": error: ")) == ("", 1)
