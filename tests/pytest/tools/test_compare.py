"""`xbuf compare`: a table for each function, JSON, and errors."""

import json
from pathlib import Path

import pytest
from harness.running.command_line import line_of_failure

from xdsl_bufferization.tools.xbuf import main

PROGRAM = """\
func.func @f(%a: tensor<8xf32>, %f: f32, %i: index) -> (f32, f32) {
  %0 = tensor.insert %f into %a[%i] : tensor<8xf32>
  %1 = tensor.extract %a[%i] : tensor<8xf32>
  %2 = tensor.extract %0[%i] : tensor<8xf32>
  return %1, %2 : f32, f32
}
func.func @g(%a: tensor<?xf32>, %f: f32, %i: index) -> (f32, f32) {
  %0 = tensor.insert %f into %a[%i] : tensor<?xf32>
  %1 = tensor.extract %a[%i] : tensor<?xf32>
  %2 = tensor.extract %0[%i] : tensor<?xf32>
  return %1, %2 : f32, f32
}
"""

VARIANTS = [
    "bottom-up",
    "top-down",
    "bottom-up-from-terminators",
    "insert-slices-first",
    "auto",
    "optimal",
    "disjoint-subsets=false",
    "copy-before-write",
    "eliminate-empty-tensors",
    "rematerialize-cheap-tensors",
    "move-reads-before-writes",
    "both, then optimal",
]


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)


def test_there_is_a_table_for_each_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "in.mlir"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    first, second = (part.splitlines() for part in captured.out.split("\n\n"))
    assert (first[0], second[0]) == ("@f", "@g")
    assert first[1].split("  ")[1] == "variant"
    rows = first[2 : 2 + len(VARIANTS)]
    assert [line[2:].split("  ")[0] for line in rows] == VARIANTS
    assert rows[0].split() == ["bottom-up", "1", "32", "0", "32", "32", "1"]
    moved = rows[VARIANTS.index("move-reads-before-writes")]
    assert moved[2:].split()[1:] == ["0", "0", "1", "32", "0", "0"]
    assert not any(line.startswith("*") for line in rows)
    assert first[2 + len(VARIANTS)] == (
        "  nothing is cheaper than bottom-up, the default"
    )
    assert first[3 + len(VARIANTS) :] == [
        "  optimal: decided with 1 copy of 32 bytes; no decisions copy fewer bytes",
        "  both, then optimal: decided without a copy",
    ]
    # Sizes that only the running program knows are counted.
    assert second[2].count("0 + 1?") == 2


def test_what_callers_give_away_is_not_copied_for_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", "in.mlir", "--donate", "a"]) == 0
    first, _ = (part.splitlines() for part in capsys.readouterr().out.split("\n\n"))
    rows = first[2 : 2 + len(VARIANTS)]
    starred = [line[2:].split("  ")[0] for line in rows if line.startswith("*")]
    assert starred == ["move-reads-before-writes", "both, then optimal"]
    assert first[2 + len(VARIANTS) :] == [
        "  optimal: decided with 1 copy of 32 bytes; no decisions copy fewer bytes",
        "  both, then optimal: decided without a copy",
    ]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "in.mlir", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["file"] == "in.mlir"
    assert [variant["name"] for variant in found["variants"]] == VARIANTS
    variant = found["variants"][0]
    assert variant["error"] is None
    assert variant["pipeline"].startswith("one-shot-bufferize{")
    assert variant["functions"][0] == {
        "name": "f",
        "copies": 1,
        "dynamic_copies": 0,
        "bytes_copied": 32,
        "caller_copies": 0,
        "estimated_bytes_copied": 32,
        "peak": 32,
        "allocations": 1,
        "dynamic_allocations": 0,
        "lower_bound": 32,
        "is_cheapest": True,  # As cheap as what a call copies otherwise.
        "bound": None,
    }


def test_a_program_that_cannot_be_compiled_at_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("in.mlir").write_text("""\
func.func @f() {
  %0 = memref.alloc() : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return
}
""")
    line = line_of_failure(capsys, ["compare", "in.mlir"])
    assert line.startswith("in.mlir:3:3: error: ")


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "no.mlir"]) == 1
    assert capsys.readouterr().err == "no.mlir: error: No such file or directory\n"
