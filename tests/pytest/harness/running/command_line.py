"""What tests of `xbuf` share: a small program, and how a failure has to look."""

import re
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
    capsys: pytest.CaptureFixture[str],
    arguments: Sequence[str],
    code: int | None = None,
) -> str:
    """The first line that `xbuf` writes for an error.

    The exit code is `code`, else 2 for a wrong command line and 1 for anything else.
    """
    first, *_ = lines_of_failure(capsys, arguments, code)
    return first


def lines_of_failure(
    capsys: pytest.CaptureFixture[str],
    arguments: Sequence[str],
    code: int | None = None,
) -> list[str]:
    """All lines that `xbuf` writes for an error: a line, an excerpt, and notes."""
    try:
        actual = main(arguments)
    except SystemExit as error:
        actual = error.code
    captured = capsys.readouterr()
    lines = captured.err.removesuffix("\n").split("\n")
    if code is None:
        code = 2 if lines[0].startswith(("--", "xbuf ", "xbuf:")) else 1
    assert (actual, captured.out) == (code, ""), captured.err
    assert all(line.isprintable() for line in lines)
    _check_excerpts(lines)
    return lines


def _check_excerpts(lines: list[str]) -> None:
    """Below the first line and below each note there is nothing, or a line and `^`."""
    rest = lines[1:]
    while rest:
        if ": note: " in rest[0]:
            rest = rest[1:]
            continue
        assert re.fullmatch(r" *\^~*", rest[1]), rest
        rest = rest[2:]
