"""Programs followed through their passes: in the terminal, in files and on a page."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typing_extensions import override

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.tools.common.program import parse_passes
from xdsl_bufferization.tools.stages.stages import Stage, follow
from xdsl_bufferization.tools.xbuf import main

PROGRAM = """\
func.func @entry(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = tensor.empty() : tensor<4xf32>
  %0 = tensor.insert %x into %t[%c0] : tensor<4xf32>
  %1 = tensor.extract %0[%c0] : tensor<4xf32>
  return %1 : f32
}
"""
PRODUCT = """\
func.func @entry(%a: tensor<197x100xf32>, %w: tensor<100x1000xf32> {xbuf.weight})
    -> tensor<197x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<197x1000xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<197x1000xf32>)
    -> tensor<197x1000xf32>
  %d = linalg.matmul ins(%a, %w : tensor<197x100xf32>, tensor<100x1000xf32>)
    outs(%c : tensor<197x1000xf32>) -> tensor<197x1000xf32>
  return %d : tensor<197x1000xf32>
}
"""
PIPELINE = "cse,one-shot-bufferize,buffer-deallocation-pipeline"


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)


def stages_of(pipeline: str) -> list[Stage]:
    module = parse_module(PROGRAM, "in.mlir", get_context())
    return list(follow(module, parse_passes(pipeline)))


def test_passes_without_effect_have_no_stage():
    stages = stages_of("canonicalize," + PIPELINE)
    assert [stage.number for stage in stages] == [0, 3, 4]
    assert stages[0].name == "input"
    assert stages[1].name == "one-shot-bufferize"
    assert stages[1].ops["memref.alloc"] == stages[1].allocations == 1
    assert stages[1].allocated_bytes == 16


def test_names_of_stages_are_passes_as_xdsl_opt_takes_them():
    name = "one-shot-bufferize{bufferize-function-boundaries=true}"
    (_, stage) = stages_of("one-shot-bufferize{bufferize-function-boundaries}")
    assert stage.name == name
    assert stages_of(stage.name)[1].text == stage.text
    assert stage.file_name == "01-one-shot-bufferize.mlir"


def test_the_terminal_shows_changes_side_by_side(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["stages", "in.mlir"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"%0 = tensor.insert .* \| +memref.store %x, ", out)
    assert "\033" not in out
    assert all(len(line) <= 120 for line in out.splitlines() if line[:1] == " ")


def test_the_terminal_says_that_passes_are_left_out(capsys: pytest.CaptureFixture[str]):
    assert main(["stages", "in.mlir", "--pipeline", f"canonicalize,{PIPELINE}"]) == 0
    said = "2 of 4 passes changed nothing, and are left out"
    assert said in capsys.readouterr().out.splitlines()
    assert main(["stages", "in.mlir", "--pipeline", "one-shot-bufferize"]) == 0
    assert "left out" not in capsys.readouterr().out


def test_files_are_numbered_and_have_diffs():
    assert main(["stages", "in.mlir", "--pipeline", PIPELINE, "--out", "d/e"]) == 0
    names = sorted(path.name for path in Path("d/e").glob("[!.]*"))
    assert names == [
        "00-input.mlir",
        "02-one-shot-bufferize.diff",
        "02-one-shot-bufferize.mlir",
        "03-buffer-deallocation-pipeline.diff",
        "03-buffer-deallocation-pipeline.mlir",
    ]
    listed = Path("d/e/.xbuf-stages").read_text().splitlines()
    assert sorted(listed) == names
    assert "\n+    memref.dealloc" in Path("d/e", names[3]).read_text()
    last = Path("d/e", names[-1])
    parse_module(last.read_text(), last.name, get_context()).verify()


class _Outline(HTMLParser):
    """Checks that tags match, and collects the targets of links and references."""

    def __init__(self):
        super().__init__()
        self.open: list[str] = []
        self.targets: list[str] = []
        self.sections: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]):
        if tag not in ("meta", "col"):
            self.open.append(tag)
        values = dict(attrs)
        self.targets += [v for k in ("href", "src") if (v := values.get(k))]
        if tag == "section":
            self.sections.append(values["id"] or "")

    @override
    def handle_endtag(self, tag: str):
        assert self.open.pop() == tag


def test_the_page_is_one_file_with_a_section_for_each_link():
    assert main(["stages", "in.mlir", "--pipeline", PIPELINE, "--html"]) == 0
    outline = _Outline()
    outline.feed(Path("stages/index.html").read_text())
    assert outline.open == []
    assert outline.sections == ["s0", "s2", "s3"]
    assert outline.targets == ["#s0", "#s2", "#s3"]


def test_one_copy_is_not_called_copies():
    assert main(["stages", "in.mlir", "--pipeline", PIPELINE, "--html"]) == 0
    figures = re.findall("<small>(.*?)</small>", Path("stages/index.html").read_text())
    numbers = re.findall(r"(\d+) (op|alloc|cop)(s|ies|y|)\b", " ".join(figures))
    assert "1" in {number for number, _, _ in numbers}
    assert all((number == "1") == (end in ("", "y")) for number, _, end in numbers)


def test_stages_before_an_error_are_there(capsys: pytest.CaptureFixture[str]):
    pipeline = "one-shot-bufferize,one-shot-bufferize{analysis-heuristic=none}"
    arguments = ["stages", "in.mlir", "--pipeline", pipeline, "--out", "d", "--html"]
    assert main(arguments) == 1
    capsys.readouterr()
    assert Path("d/01-one-shot-bufferize.mlir").exists()
    assert 'id="s1"' in Path("d/index.html").read_text()


def test_a_directory_that_cannot_be_is_an_error(capsys: pytest.CaptureFixture[str]):
    assert main(["stages", "in.mlir", "--out", "in.mlir"]) == 1
    assert capsys.readouterr().err.startswith("in.mlir")
    assert Path("in.mlir").read_text() == PROGRAM


def test_files_of_an_earlier_run_are_not_mixed_in():
    run = ["stages", "in.mlir", "--out", "d", "--pipeline"]
    assert main([*run, PIPELINE]) == 0
    Path("d/mine.mlir").write_text("by hand")
    Path("d/07-mine.mlir").write_text("by hand")
    assert main([*run, "one-shot-bufferize"]) == 0
    assert sorted(path.name for path in Path("d").iterdir()) == [
        ".xbuf-stages",
        "00-input.mlir",
        "01-one-shot-bufferize.diff",
        "01-one-shot-bufferize.mlir",
        "07-mine.mlir",
        "mine.mlir",
    ]
    assert Path("d/mine.mlir").read_text() == "by hand"


def test_a_file_of_somebody_else_is_not_replaced(capsys: pytest.CaptureFixture[str]):
    Path("d").mkdir()
    Path("d/index.html").write_text("by hand")
    assert main(["stages", "in.mlir", "--out", "d", "--html"]) == 1
    assert capsys.readouterr().err == (
        "d/index.html: error: this file was not written by xbuf stages; choose another "
        "folder\n"
    )
    assert Path("d/index.html").read_text() == "by hand"


def test_a_list_of_files_names_no_other_files():
    Path("d").mkdir()
    Path("precious.mlir").write_text("by hand")
    Path("d/notes.txt").write_text("by hand")
    names = ["../precious.mlir", "notes.txt", "/etc/hostname", "..", "00-../../x.mlir"]
    Path("d/.xbuf-stages").write_text("\n".join(names))
    assert main(["stages", "in.mlir", "--out", "d"]) == 0
    assert Path("precious.mlir").exists()
    assert Path("d/notes.txt").exists()


def test_weights_are_arguments_like_others_as_for_jit(
    capsys: pytest.CaptureFixture[str],
):
    """`xbuf run` passes what the program says, so its stages prepare nothing ahead."""
    Path("in.mlir").write_text(PRODUCT)
    assert main(["stages", "in.mlir"]) == 0
    assert "prepare-weights" not in capsys.readouterr().out
    assert main(["explain", "--pipeline", "default-tpp-passes", "in.mlir"]) == 0
    assert "entry_weights" not in capsys.readouterr().out
