"""What tests of `xbuf` share: a small program, and how a failure has to look."""

from collections.abc import Callable, Sequence

import pytest

from xdsl_bufferization.tools.xbuf import main

PROGRAM = """\
func.func @entry(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

Fails = Callable[..., str]


def line_of_failure(
    capsys: pytest.CaptureFixture[str], arguments: Sequence[str]
) -> str:
    """The one line that `xbuf` writes, with exit code 1."""
    try:
        code = main(arguments)
    except SystemExit as error:
        code = error.code
    captured = capsys.readouterr()
    assert (code, captured.out) == (1, "")
    assert captured.err.count("\n") == 1
    return captured.err.rstrip("\n")
