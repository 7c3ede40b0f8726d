"""`xbuf profile`: what it prints, as text, as JSON and as a page, and how it fails."""

import json
from pathlib import Path

import pytest
from harness.running.command_line import line_of_failure

from xdsl_bufferization.tools.xbuf import main

PROGRAM = """\
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "in.mlir", "--calls", "3", "--threads", "1"]) == 0
    first, _, header, *rows = capsys.readouterr().out.splitlines()
    assert first.startswith("3 calls, ")
    assert header.split() == ["share", "%", "ms", "runs", "kind", "lines", "what"]
    assert any(row.split()[4] == "2" for row in rows)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "in.mlir", "--calls", "3", "--json"]) == 0
    profile = json.loads(capsys.readouterr().out)
    assert profile["calls"] == 3
    assert profile["seconds"] >= sum(nest["seconds"] for nest in profile["nests"])
    assert {nest["runs"] for nest in profile["nests"]} == {3}


def test_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "in.mlir", "--calls", "2", "--html", "out.html"]) == 0
    assert capsys.readouterr().out == ""
    page = Path("out.html").read_text()
    assert "linalg.exp ins(%a" in page
    assert '<a href="#l2">2</a>' in page


def test_a_page_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["profile", "in.mlir", "--html", "missing/out.html"]
    assert "missing/out.html" in line_of_failure(capsys, arguments)


def test_a_missing_function(capsys: pytest.CaptureFixture[str]) -> None:
    line = line_of_failure(capsys, ["profile", "in.mlir", "--entry", "g"])
    assert "no public function @g" in line
