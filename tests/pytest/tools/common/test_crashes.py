"""Programs that write where they may not: told beside the program, and told at once."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from harness.running.command_line import line_of_failure

PROGRAM = """\
func.func @f(%a: tensor<4xf32>, %x: f32) -> tensor<4xf32> {{
  %i = arith.constant {index} : index
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  return %b : tensor<4xf32>
}}
"""


@pytest.mark.parametrize("command", ["run", "profile"])
@pytest.mark.parametrize("index", [4, 7, -1, 60])
def test_a_write_beside_an_argument_is_found(
    command: str, index: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "oob.mlir"
    file.write_text(PROGRAM.format(index=index))
    line = line_of_failure(capsys, [command, str(file)])
    assert "the program wrote beyond an array that it was given" in line


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("command", ["run", "profile"])
def test_the_end_of_the_process_is_explained(command: str, tmp_path: Path) -> None:
    file = tmp_path / "far.mlir"
    file.write_text(PROGRAM.format(index=1 << 45))
    tool = [sys.executable, "-m", "xdsl_bufferization.tools.xbuf", command, file]
    done = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGSEGV
    assert done.stderr.startswith(f"{file}: error: the program was ended by SIGSEGV")
    assert "xbuf run --checked says what" in done.stderr


def test_a_name_that_is_near_the_name_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "first.mlir").write_text("")
    for given in ("first", "First.mlir", "frist.mlir"):
        line = line_of_failure(capsys, ["explain", str(tmp_path / given)])
        assert line.endswith("No such file or directory; do you mean 'first.mlir'?")
    line = line_of_failure(capsys, ["explain", str(tmp_path / "zzz")])
    assert line.endswith("No such file or directory")
