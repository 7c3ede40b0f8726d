"""What `xbuf` says of 46 mistakes: one line, the place in the program, and notes.

Each file of `tests/data/mistakes` has a command, what it says, and the program.
"""

import io
import sys
from pathlib import Path

import pytest
from harness.running.command_line import lines_of_failure

MISTAKES = sorted((Path(__file__).parents[2] / "data" / "mistakes").iterdir())


def test_there_are_mistakes_of_all_kinds():
    assert len(MISTAKES) == 47


@pytest.mark.parametrize("file", MISTAKES, ids=lambda file: file.stem)
def test_a_mistake_is_shown_where_it_is(
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    said, _, program = file.read_text().partition("\n\nbad.mlir:\n\n")
    command, *expected, code = said.split("\n")
    monkeypatch.chdir(tmp_path)
    Path("bad.mlir").write_text(program)
    monkeypatch.setattr(sys, "stdin", io.StringIO(program))
    arguments = command.split()[2:]
    exit_code = int(code.removeprefix("exit code "))
    assert lines_of_failure(capsys, arguments, exit_code) == expected


def test_a_file_that_a_location_names_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("secret").write_text("secret")
    Path("a.mlir").write_text(
        """func.func @f(%t: tensor<4xf32>) {
  "test.op"(%t) : (tensor<4xf32>) -> () loc("secret":1:1)
  return
}"""
    )
    (line,) = lines_of_failure(capsys, ["run", "a.mlir"])
    assert line.startswith("secret:1:1: error: ")


def test_the_text_is_the_one_that_was_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Not that of an earlier command of the same process."""
    monkeypatch.chdir(tmp_path)
    for text in "oops", "no\nlonger":
        Path("a.mlir").write_text(text)
        _, shown, _ = lines_of_failure(capsys, ["run", "a.mlir"])
        assert shown == text.partition("\n")[0]


@pytest.mark.parametrize("column", ["0", "1", "7", "4294967295"])
def test_a_column_that_the_line_does_not_have(
    column: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    text = f"""func.func @f(%t: tensor<4xf32>) {{
  "test.op"(%t) : (tensor<4xf32>) -> () loc("a.mlir":4:{column})
  return
}}"""
    Path("a.mlir").write_text(text)
    _, shown, caret = lines_of_failure(capsys, ["run", "a.mlir"])
    assert shown == "}"
    assert len(caret) <= 2
