"""What fails in xDSL is said in one line; what fails in this package is a defect."""

from pathlib import Path

import pytest
from harness.running.command_line import PROGRAM, line_of_failure
from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)
from xdsl.printer import Printer
from xdsl.transforms.lower_affine import LowerAffinePass

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.support.errors import OperationError, fail_at
from xdsl_bufferization.tools.common.diagnostics import EXIT_DEFECT
from xdsl_bufferization.tools.xbuf import main

ODD_ORDER = """
func.func @f(%p: !llvm.ptr) {
  %0 = "llvm.load"(%p) <{ordering = 44}> : (!llvm.ptr) -> f32
  return
}
"""

QUAD = """
func.func @f(%x: tensor<4xf32>) -> f128 {
  %0 = arith.constant 1.0 : f128
  return %0 : f128
}
"""


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ok.mlir").write_text(PROGRAM)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-t", "riscv-asm"], "ok.mlir:1:1: error: target 'riscv-asm' fails here: "),
        (["-t", "llvm"], "ok.mlir:1:1: error: target 'llvm' fails here: NotImpl"),
        (["-t", "mlir-22{a=1}"], "error: target 'mlir-22{a=1}' fails here: Value"),
        (["-t", " "], "--target:1:1: error: Expected pass name here"),
        (["-t", "mlir{"], "--target:1:6: error: Expected argument name here"),
        (["-t", "x"], "xbuf opt: error: argument -t/--target: invalid choice: 'x'"),
        (["more"], "xbuf opt: error: unrecognized arguments: more"),
        (["-p"], "xbuf opt: error: argument -p/--passes: expected one argument"),
    ],
)
def test_xbuf_opt_answers_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert message in line_of_failure(capsys, ["opt", "ok.mlir", *arguments])


def test_a_pass_of_xdsls_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def apply(self: LowerAffinePass, ctx: Context, op: ModuleOp) -> None:
        return Printer.print_attribute(None, None)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(LowerAffinePass, "apply", apply)
    for command in (["opt", "-p"], ["run", "--pipeline"]):
        line = line_of_failure(capsys, [*command, "lower-affine", "ok.mlir"])
        assert "error: pass 'lower-affine' of xDSL's fails here: " in line


def test_a_pass_of_ours_has_a_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Also if it fails in xDSL, which the pass has called."""

    def apply(self: OneShotBufferizePass, ctx: Context, op: ModuleOp) -> None:
        Printer.print_attribute(None, None)  # pyright: ignore[reportArgumentType]

    ours = str(Path(xbuf.__file__).with_name("x.py"))
    apply.__code__ = apply.__code__.replace(co_filename=ours)
    monkeypatch.setattr(OneShotBufferizePass, "apply", apply)
    assert main(["opt", "-p", "one-shot-bufferize", "ok.mlir"]) == EXIT_DEFECT
    assert "internal error, please report it: AttributeError" in capsys.readouterr().err


class _BrokenPattern(RewritePattern):
    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        raise KeyError("planted")


def test_a_pattern_of_ours_has_a_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Although xDSL makes a diagnostic of what is raised in patterns."""
    ours = str(Path(xbuf.__file__).with_name("x.py"))

    def apply(self: OneShotBufferizePass, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(_BrokenPattern()).rewrite_module(op)

    for each in (apply, _BrokenPattern.match_and_rewrite):
        each.__code__ = each.__code__.replace(co_filename=ours)
    monkeypatch.setattr(OneShotBufferizePass, "apply", apply)
    assert main(["opt", "-p", "one-shot-bufferize", "ok.mlir"]) == EXIT_DEFECT
    assert "internal error, please report it: KeyError" in capsys.readouterr().err


def test_what_cannot_be_printed_is_refused_where_it_stands(
    capsys: pytest.CaptureFixture[str],
):
    """xDSL prints the program around an error, and has no digits for this type."""
    Path("quad.mlir").write_text(QUAD)
    for command in (["build", "-o", "out.o"], ["run"]):
        line = line_of_failure(capsys, [*command, "quad.mlir"])
        assert line.startswith("quad.mlir:")
        assert "internal error" not in line


def test_what_xdsl_does_not_print_is_named(capsys: pytest.CaptureFixture[str]):
    """xDSL verifies the op, and has no word for that order."""
    Path("order.mlir").write_text(ODD_ORDER)
    line = line_of_failure(capsys, ["opt", "order.mlir"])
    assert line == "order.mlir:3:8: error: 'llvm.load' is not printed: KeyError: 44"


def test_so_it_is_in_python():
    module = xbuf.parse(QUAD)
    with pytest.raises(OperationError, match="what is wrong"):
        fail_at(module, "what is wrong")
