"""`xbuf explain`: what it prints, as text and as JSON, and how it fails."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from harness.running.command_line import line_of_failure
from typing_extensions import override

from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.explanation import memory, report
from xdsl_bufferization.tools.xbuf import main

SCHEMA = json.loads(Path(report.__file__).with_name("schema.json").read_text())

PROGRAM = """\
func.func @first(%a: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %0 = tensor.insert %f into %a[%i] : tensor<8xf32>
  %7 = tensor.extract %a[%i] : tensor<8xf32>
  return %0, %7 : tensor<8xf32>, f32
}
func.func @second(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
"""

Explain = Callable[..., str]


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)


@pytest.fixture
def explain(capsys: pytest.CaptureFixture[str]) -> Explain:
    """What `xbuf explain` prints about `in.mlir`, without an error."""

    def run(*arguments: str) -> str:
        assert main(["explain", "in.mlir", *arguments]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out

    return run


def as_json(explain: Explain, *arguments: str) -> Any:
    found = json.loads(explain("--json", *arguments))
    jsonschema.validate(found, SCHEMA)
    return found


def test_the_program_is_shown_as_written_with_marks(explain: Explain) -> None:
    lines = explain().splitlines()
    shown = [line.partition("| ")[2] for line in lines if line[:1].isdigit()]
    assert shown == PROGRAM.splitlines()
    marks = [line.partition("|")[0].split()[1:] for line in lines if line[:1].isdigit()]
    assert marks == [[], ["C"], ["="], ["="], [], [], ["="], []]
    assert "\033" not in "".join(lines)


def test_marks_are_coloured_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal(io.StringIO):
        @override
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main(["explain", "in.mlir"]) == 0
    assert "\033[1;31m2 C |\033[0m   %0 = tensor.insert" in terminal.getvalue()
    assert capsys.readouterr().err == ""


def test_one_function(explain: Explain) -> None:
    text = explain("--function", "second")
    assert "@second: 1 tensor operand: 1 in place" in text
    assert "@first" not in text
    (function,) = as_json(explain, "--function", "second")["functions"]
    assert function["name"] == "second"


def test_json_has_positions_and_bytes(explain: Explain) -> None:
    found = as_json(explain)
    first = found["functions"][0]
    decision = first["decisions"][0]
    assert (decision["verdict"], decision["bytes"]) == ("copied", 32)
    (reason,) = decision["reasons"]
    assert reason["kind"] == "read after write"
    assert [reason[name]["line"] for name in ("definition", "write", "read")] == [
        1,
        2,
        3,
    ]
    assert (first["copies"], first["bytes_copied"], first["peak"]) == (1, 32, 32)
    assert found["text"] == PROGRAM


def test_the_schema_describes_every_field() -> None:
    for name, kind in (
        ("function", report.FunctionReport),
        ("value", report.Value),
        ("decision", report.Decision),
        ("reason", report.Reason),
        ("position", report.Position),
        ("stage", memory.MemoryStage),
        ("timeline", memory.MemoryTimeline),
        ("step", memory.MemoryStep),
        ("lane", memory.Lane),
    ):
        fields = list(kind.__dataclass_fields__)
        assert list(SCHEMA["$defs"][name]["properties"]) == fields
        assert SCHEMA["$defs"][name]["required"] == fields
    assert list(SCHEMA["properties"]) == list(report.Explanation.__dataclass_fields__)
    kinds = SCHEMA["$defs"]["reason"]["properties"]["kind"]["enum"]
    assert kinds == list(report.ReasonKind)
    verdicts = SCHEMA["$defs"]["decision"]["properties"]["verdict"]["enum"]
    assert verdicts == list(report.Verdict)
    lanes = SCHEMA["$defs"]["lane"]["properties"]["kind"]["enum"]
    assert lanes == list(memory.LaneKind)


def test_what_passes_before_leave_is_explained(explain: Explain) -> None:
    Path("in.mlir").write_text(
        PROGRAM.replace("  return %a", "  %c = arith.constant 1 : index\n  return %a")
    )
    pipeline = "canonicalize,one-shot-bufferize{bufferize-function-boundaries}"
    found = as_json(explain, "--pipeline", pipeline)
    assert found["passes_before"] == "canonicalize"
    assert "arith.constant" not in found["text"]
    decision = found["functions"][0]["decisions"][0]
    line = found["text"].splitlines()[decision["position"]["line"] - 1]
    assert line[decision["position"]["column"] - 1 :].startswith("tensor.insert")
    assert "After canonicalize:" in explain("--pipeline", pipeline)


def test_passes_that_change_nothing_leave_the_lines(explain: Explain) -> None:
    pipeline = "cse,one-shot-bufferize{bufferize-function-boundaries}"
    found = as_json(explain, "--pipeline", pipeline)
    assert (found["passes_before"], found["text"]) == ("", PROGRAM)


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(PROGRAM))
    assert main(["explain", "-"]) == 0
    assert "copy of %a, 32 bytes" in capsys.readouterr().out


# Bad input, one line each.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.mlir"], "no.mlir: error: No such file or directory"),
        (
            ["in.mlir", "--function", "third"],
            "in.mlir: error: there is no function @third; there is @first, @second",
        ),
        (
            ["in.mlir", "--pipeline", "cse"],
            "in.mlir: error: the pipeline has no one-shot-bufferize to explain; add it",
        ),
        (
            ["in.mlir", "--pipeline", "one-shot-bufferize{copy-before-write}"],
            "in.mlir: error: with copy-before-write nothing is decided that could be "
            "explained; leave it out",
        ),
        (
            ["in.mlir", "--pipeline", "one-shot-bufferise"],
            "--pipeline:1:1: error: there is no pass 'one-shot-bufferise'; do you mean "
            "'one-shot-bufferize'?",
        ),
    ],
)
def test_errors(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert line_of_failure(capsys, ["explain", *arguments]) == message


def test_a_program_that_cannot_be_bufferized(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("in.mlir").write_text("""\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %n iter_args(%x = %a) -> tensor<4xf32> {
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
""")
    pipeline = "one-shot-bufferize{bufferize-function-boundaries}"
    line = line_of_failure(capsys, ["explain", "in.mlir", "--pipeline", pipeline])
    assert line.startswith("in.mlir:4:5: error: Yield operand #0 is not equivalent")


def test_what_is_put_into_a_buffer_is_moved(explain: Explain) -> None:
    Path("in.mlir").write_text("""
        func.func @f(%t: tensor<8xf32>, %m: memref<8xf32>) {
          bufferization.materialize_in_destination %t in restrict writable %m
            : (tensor<8xf32>, memref<8xf32>) -> ()
          return
        }
    """)
    (decision,) = as_json(explain)["functions"][0]["decisions"]
    assert (decision["verdict"], decision["bytes"]) == ("moved", 32)


UNDECIDED = """\
func.func @third(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  %y = tensor.extract %t[%i] : tensor<4xf32>
  %sum = arith.addf %x, %y : f32
  return %sum : f32
}
"""


def test_what_is_proven_stands_below_each_function(explain: Explain) -> None:
    Path("in.mlir").write_text(PROGRAM + UNDECIDED)
    lines = explain("--verify").splitlines()
    assert lines.count("  decisions proven") == 2
    assert lines.count("  deallocations proven") == 3
    (doubt,) = [line for line in lines if "not fully proven" in line]
    assert doubt.startswith("  decisions not fully proven: 'tensor.extract' is not")
    assert lines[-2].startswith("verify-bufferization: proven in ")
    assert lines[-2].endswith(", 1 not decided")
    assert lines[-1].startswith("verify-deallocation: proven in ")


def test_proofs_are_data_and_only_if_asked_for(explain: Explain) -> None:
    found = as_json(explain, "--verify")
    assert [each["proofs"] for each in found["functions"]] == [
        ["decisions proven", "deallocations proven"]
    ] * 2
    assert len(found["proof_costs"]) == 2
    found = as_json(explain)
    assert [each["proofs"] for each in found["functions"]] == [None, None]
    assert found["proof_costs"] == []


def test_buffers_that_nobody_frees_are_not_looked_at(explain: Explain) -> None:
    passes = "one-shot-bufferize{bufferize-function-boundaries}"
    found = as_json(explain, "--verify", "--pipeline", passes)
    assert found["functions"][0]["proofs"] == ["decisions proven"]


def test_a_wrong_decision_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def always(*_: object) -> bool:
        return True

    monkeypatch.setattr(OneShotAnalysis, "is_in_place", always)
    assert main(["explain", "in.mlir", "--verify"]) == 1
    assert "in.mlir:3:8: error: 'tensor.extract' reads operand 0" in (
        capsys.readouterr().err
    )


def test_the_page_has_what_is_proven(explain: Explain) -> None:
    explain("--verify", "--html", "out.html")
    page = Path("out.html").read_text()
    assert '"proofs":["decisions proven","deallocations proven"]' in page
    assert '"proofCosts":["verify-bufferization: proven in' in page


def test_a_result_that_nobody_uses_is_named(explain: Explain) -> None:
    """As where somebody takes the op for one that changes its operand."""
    program = PROGRAM.replace("  %0 = tensor.insert", "  tensor.insert")
    Path("in.mlir").write_text(program.replace("return %0", "return %a"))
    assert "to avoid it: remove line 2, as nobody uses its result" in explain()


def test_a_program_without_a_function(explain: Explain) -> None:
    Path("in.mlir").write_text("%i = arith.constant 2 : index\n")
    assert "There is no function to explain." in explain().splitlines()
