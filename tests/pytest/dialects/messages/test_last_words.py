"""An error in xdsl-opt ends with message and op, however long the program is."""

from pathlib import Path

import pytest
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization.dialects.messages.last_words import add_last_words
from xdsl_bufferization.support.errors import OperationError

BEFORE = "  %c{0} = arith.constant {0} : index\n"
PROGRAM = """\
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {{
{before}  %x = "test.unknown"(%a) : (tensor<4xf32>) -> tensor<4xf32>
{before}  return %x : tensor<4xf32>
}}
"""
MESSAGE = (
    "op was not bufferized: no model says how to bufferize 'test.unknown'; attach one, "
    "or set allow-unknown-ops to leave it on tensors"
)


def error_of(tmp_path: Path, ops: int) -> OperationError:
    file = tmp_path / "p.mlir"
    before = "".join(map(BEFORE.format, range(ops)))
    text = PROGRAM.format(before=before)
    file.write_text(text.replace("%c", "%d", ops))
    given = [str(file), "--allow-unregistered-dialect", "-p", "one-shot-bufferize"]
    with pytest.raises(OperationError) as found:
        xDSLOptMain(args=given).run()
    return found.value


@pytest.mark.parametrize("ops", [0, 1000])
def test_the_message_is_first_and_last(tmp_path: Path, ops: int) -> None:
    error = error_of(tmp_path, ops)
    assert str(error) == MESSAGE
    assert "\n".join(error.__notes__).splitlines()[-4:] == [
        f"error: in @f: {MESSAGE}",
        '  %x = "test.unknown"(%a) : (tensor<4xf32>) -> tensor<4xf32>',
        "  ^",
        "`xbuf opt` shows errors with file and line, and without the program",
    ]


def test_they_are_said_once(tmp_path: Path) -> None:
    error = error_of(tmp_path, 0)
    count = len(error.__notes__)
    add_last_words(error)
    assert len(error.__notes__) == count
