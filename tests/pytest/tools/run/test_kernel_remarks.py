"""`xbuf run` says in one line which op has no kernel, and why."""

import json
from pathlib import Path

import pytest

from xdsl_bufferization.tools.xbuf import main

SILENT = "default-tpp-passes{explain=false}"


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def product(size: int, element: str = "f32") -> str:
    """A function that multiplies two square matrices, in its second line."""
    matrix = f"tensor<{size}x{size}x{element}>"
    return f"""\
func.func @entry(%a: {matrix}, %b: {matrix}, %c: {matrix}) -> {matrix} {{
  %0 = linalg.matmul ins(%a, %b : {matrix}, {matrix}) outs(%c : {matrix}) -> {matrix}
  return %0 : {matrix}
}}
"""


def remarks(
    text: str, capsys: pytest.CaptureFixture[str], pipeline: str = SILENT
) -> list[str]:
    """What `xbuf run` writes beside its report."""
    Path("a.mlir").write_text(text)
    arguments = ["run", "a.mlir", "--pipeline", pipeline, "--json", "--repeat", "1"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    json.loads(printed.out)
    return printed.err.splitlines()


def test_an_element_type_without_kernels(capsys: pytest.CaptureFixture[str]):
    assert remarks(product(32, "i32"), capsys) == [
        "a.mlir:2:8: remark: 'linalg.matmul' has no kernel and becomes loops: kernels "
        "are for f32, f64 and bf16"
    ]


BLOCKS = "block-factors=32,32,32"


def test_a_size_that_no_block_divides(capsys: pytest.CaptureFixture[str]):
    blocks = SILENT.replace("explain=false", f"explain=false {BLOCKS}")
    assert remarks(product(49), capsys, blocks) == [
        "a.mlir:2:8: remark: 'linalg.matmul' is not packed: the number of rows, 49, is "
        "not a multiple of the block factor 32; set block-factors or allow-padding"
    ]


@pytest.mark.parametrize("size", [8, 49, 64])
def test_nothing_is_said_where_blocks_are_kernels(
    size: int, capsys: pytest.CaptureFixture[str]
):
    """A small matrix is one block."""
    assert remarks(product(size), capsys) == []


def test_the_first_op_is_named_and_the_others_are_counted(
    capsys: pytest.CaptureFixture[str],
):
    other = product(8, "i32").replace("@entry", "private @other")
    (line,) = remarks(other + product(8, "i64"), capsys)
    assert line.startswith("a.mlir:2:8: remark: 'linalg.matmul' has no kernel")
    assert line.endswith(" (and 1 more)")


def test_a_pass_that_explains_itself_says_all(capsys: pytest.CaptureFixture[str]):
    lines = remarks(product(49), capsys, f"default-tpp-passes{{{BLOCKS}}}")
    assert [line.split(": ")[1] for line in lines] == ["remark", "remark"]
    assert lines[1].endswith("is not tiled: no loop has more than one tile")


def test_a_pipeline_without_kernels_says_nothing(capsys: pytest.CaptureFixture[str]):
    plain = "one-shot-bufferize{bufferize-function-boundaries=true}"
    assert remarks(product(8), capsys, f"{plain},buffer-deallocation-pipeline") == []
