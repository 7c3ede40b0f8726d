"""A program prints, and nobody takes what it prints: one warning, and the results."""

import io
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typing_extensions import override

import xdsl_bufferization as xbuf
from xdsl_bufferization.runtime import LostOutputWarning

PRINTS = """
func.func @show(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 900 : index
  scf.for %i = %c0 to %c9 step %c1 {
    vector.print %i : index
  }
  vector.print str "the end"
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
PRINTS_A_BUFFER = """
func.func private @printMemrefF32(memref<*xf32>)
func.func @show(%x: memref<4xf32>) {
  %u = memref.cast %x : memref<4xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
"""
ONES = np.ones(4, np.float32)


class Raising(io.StringIO):
    """A stream that takes nothing."""

    def __init__(self, error: BaseException):
        super().__init__()
        self.error = error

    @override
    def write(self, text: str) -> int:
        raise self.error


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


BROKEN = {
    "I/O operation on closed file": closed(),
    r"there is no sys\.stdout": None,
    "nobody wants it": Raising(ValueError("nobody wants it")),
    "No space left on device": Raising(OSError(28, "No space left on device")),
    "RuntimeError": Raising(RuntimeError()),
}


@pytest.fixture(scope="module")
def show() -> Any:
    return xbuf.jit(PRINTS)


@pytest.fixture(scope="module")
def show_buffer() -> Any:
    return xbuf.jit(PRINTS_A_BUFFER)


@pytest.mark.parametrize("reason", BROKEN)
def test_a_call_gives_one_warning_and_its_results(
    show: Any, show_buffer: Any, monkeypatch: pytest.MonkeyPatch, reason: str
):
    for function in (show, show.prepare(), show_buffer):
        with (
            monkeypatch.context() as context,
            pytest.warns(LostOutputWarning, match=f"is lost.*: {reason}$") as told,
        ):
            context.setattr(sys, "stdout", BROKEN[reason])
            result = function(ONES)
        assert len(told) == 1
        assert told[0].filename == __file__
        assert result is None or result.tolist() == [2] * 4


def test_a_stream_that_was_deleted(show: Any, monkeypatch: pytest.MonkeyPatch):
    with (
        monkeypatch.context() as context,
        pytest.warns(LostOutputWarning, match=r"there is no sys\.stdout"),
    ):
        context.delattr(sys, "stdout")
        show(ONES)


def test_the_next_call_prints(
    show: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with monkeypatch.context() as context, pytest.warns(LostOutputWarning):
        context.setattr(sys, "stdout", None)
        show(ONES)
    with warnings.catch_warnings(action="error"):
        show(ONES)
    assert capsys.readouterr().out.endswith("898\n899\nthe end")


def test_a_warning_may_be_an_error(show: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdout", closed())
    with (
        warnings.catch_warnings(action="error"),
        pytest.raises(LostOutputWarning, match="closed file"),
    ):
        show(ONES)


def test_what_ends_the_process_is_raised_after_the_call(
    show: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "stdout", Raising(SystemExit(3)))
    with pytest.raises(SystemExit):
        show(ONES)


def test_nobody_is_told_of_a_pipe_that_nobody_reads(
    show: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "stdout", Raising(BrokenPipeError()))
    with warnings.catch_warnings(action="error"):
        assert show(ONES).tolist() == [2] * 4


def test_the_command_says_one_line(tmp_path: Path):
    program = tmp_path / "program.mlir"
    program.write_text(PRINTS.replace("900", "9000"))
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "xdsl_bufferization.tools.xbuf", "run", program],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.stderr == "xbuf: error: No space left on device\n"
    assert done.returncode == 1
