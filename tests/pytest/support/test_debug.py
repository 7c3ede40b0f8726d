"""`XBUF_DEBUG` says what each stage did, and nothing where nobody asked."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    TensorCopyInsertionPass,
)
from xdsl_bufferization.frontends.jit import jit
from xdsl_bufferization.pipelines.bufferize import BufferizePass
from xdsl_bufferization.runtime.xsmm import KernelsAhead
from xdsl_bufferization.support import abi, debug
from xdsl_bufferization.tools.xbuf import main

PROGRAM = """\
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
"""

Parse = Callable[[str], ModuleOp]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "f.mlir"
    path.write_text(PROGRAM)
    return str(path)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda words: monkeypatch.setenv(debug.VARIABLE, words)


Ask = Callable[[str], None]
Capture = pytest.CaptureFixture[str]


def test_a_pass_is_said_with_its_time_and_its_ops(
    ask: Ask, parse: Parse, ctx: Context, capsys: Capture
):
    ask("passes")
    module = parse(PROGRAM)
    OneShotBufferizePass(bufferize_function_boundaries=True).apply(ctx, module)
    before, after = 5, len(list(module.walk()))
    (line,) = capsys.readouterr().err.splitlines()
    assert re.fullmatch(
        rf"debug: pass one-shot-bufferize: \d+\.\d ms, {before} ops -> {after} ops",
        line,
    )


def test_passes_of_a_bundle_are_indented_and_said_once(
    ask: Ask, parse: Parse, ctx: Context, capsys: Capture
):
    ask("passes")
    bundle = BufferizePass()
    bundle.apply(ctx, parse(PROGRAM))
    said = capsys.readouterr().err
    names = [each.name for each in bundle.passes()]
    assert re.findall(r"^debug:   pass ([\w-]+):", said, re.MULTILINE) == names
    assert "canonicalize" in names  # One of xDSL.
    assert re.findall(r"^debug: pass ([\w-]+):", said, re.MULTILINE) == ["bufferize"]


def test_a_pass_that_fails_is_said(
    ask: Ask, parse: Parse, ctx: Context, capsys: Capture
):
    ask("passes")
    with pytest.raises(PassFailedException):
        OneShotBufferizePass(analysis_heuristic="none").apply(ctx, parse(PROGRAM))
    assert "pass one-shot-bufferize: " in capsys.readouterr().err


@pytest.mark.parametrize("only_decides", [False, True])
def test_decisions_are_said_with_the_reasons_of_copies(
    ask: Ask, parse: Parse, ctx: Context, capsys: Capture, only_decides: bool
):
    ask("decisions")
    OneShotBufferizePass(
        bufferize_function_boundaries=True, test_analysis_only=only_decides
    ).apply(ctx, parse(PROGRAM))
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition("'")[2].partition(":")[0] for line in lines] == [
        "tensor.insert' operand #1, %t",
        "tensor.extract' operand #0, %t",
        "func.return' operand #0, %0",
    ]
    assert ": copied: %t is read at " in lines[0]
    assert lines[1].endswith(": in place")


def test_decisions_of_the_second_step_alone_are_said(
    ask: Ask, parse: Parse, ctx: Context, capsys: Capture
):
    ask("decisions")
    TensorCopyInsertionPass(bufferize_function_boundaries=True).apply(
        ctx, parse(PROGRAM)
    )
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_decisions_on_trial_are_not_said(
    ask: Ask, parse: Parse, ctx: Context, capsys: Capture
):
    ask("decisions")
    OneShotBufferizePass(
        bufferize_function_boundaries=True, analysis_heuristic="auto"
    ).apply(ctx, parse(PROGRAM))
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_kernels_are_said_when_they_are_made_and_found(ask: Ask, capsys: Capture):
    ask("kernels")
    described = (1, 3, 5, 7, 7, 5, 5, 0)
    for _ in range(2):
        ahead = KernelsAhead("vectors")
        ahead.add(abi.XSMM_GEMM_INVOKE, described)
        ahead.making()()
    kernel = "debug: kernel xsmm_gemm_invoke(1, 3, 5, 7, 7, 5, 5, 0): "
    made, times, found = capsys.readouterr().err.splitlines()
    assert made == f"{kernel}generated"
    assert re.fullmatch(r"debug: 1 kernel made in \d+\.\d ms", times)
    assert found == f"{kernel}made before in this process"


def test_nothing_is_said_where_nobody_asked(
    monkeypatch: pytest.MonkeyPatch, file: str, capsys: Capture
):
    monkeypatch.delenv(debug.VARIABLE, raising=False)
    assert main(["opt", "-p", "bufferize", file]) == 0
    assert "debug:" not in capsys.readouterr().err


def test_commands_say_it(ask: Ask, file: str, capsys: Capture):
    ask("passes, decisions")
    assert main(["opt", "-p", "bufferize,canonicalize", file]) == 0
    said = capsys.readouterr().err
    assert "debug: pass bufferize: " in said
    assert "debug: pass canonicalize: " in said
    assert f"debug: {file}:2:8: 'tensor.insert' operand #1, %t: copied" in said


def test_functions_of_python_say_it(ask: Ask, capsys: Capture):
    ask("passes")
    results = jit(PROGRAM)(np.zeros(4, np.float32), np.float32(1), 2)
    assert results[1] == 0
    assert "debug: pass default-tpp-passes: " in capsys.readouterr().err


def test_xdsl_opt_says_it(file: str):
    xdsl_opt = str(Path(sys.executable).with_name("xdsl-opt"))
    done = subprocess.run(
        [xdsl_opt, "-t", "mlir-22", "-p", "buffer-reuse", file],
        env=os.environ | {debug.VARIABLE: "passes"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.fullmatch(r"debug: pass buffer-reuse: .* 5 ops -> 5 ops\n", done.stderr)


PROBLEM = "there is no 'kernel'; the words are passes, decisions, kernels"


def test_an_unknown_word_is_one_line(ask: Ask, file: str, capsys: Capture):
    ask("passes,kernel")
    assert main(["run", file]) == 2
    assert capsys.readouterr().err == f"XBUF_DEBUG: error: {PROBLEM}\n"


def test_an_unknown_word_is_an_error_in_python(ask: Ask, parse: Parse, ctx: Context):
    ask("kernel")
    with pytest.raises(PassFailedException, match=f"XBUF_DEBUG: {PROBLEM}"):
        BufferizePass().apply(ctx, parse(PROGRAM))


def test_what_a_program_calls_things_cannot_command_a_terminal(capsys: Capture):
    debug.say("\033[2J")
    assert "\033" not in capsys.readouterr().err
