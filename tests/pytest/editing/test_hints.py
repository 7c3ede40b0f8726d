"""Hints and lenses say what `xbuf explain` says, and move with their functions."""

from collections import Counter
from pathlib import Path

import pytest
from harness.editing.explaining import explain
from harness.pages.documents import ROOT

from xdsl_bufferization.editing.decisions import FILE, Decisions
from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.hints import (
    HintsShown,
    decided,
    describe_decisions_at,
    list_hints,
    list_lenses,
    list_problems,
)
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.report import Decision, FunctionReport
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.frontends.default_pipelines import default_passes

COPY = """\
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %y = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}
"""
CALL = """\
func.func private @callee(%a: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %b = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func @caller(%a: tensor<4xf32>, %x: f32, %i: index) -> f32 {
  %0 = func.call @callee(%a, %x) : (tensor<4xf32>, f32) -> tensor<4xf32>
  %y = tensor.extract %a[%i] : tensor<4xf32>
  return %y : f32
}
"""
UNKNOWN = """\
func.func @unknown(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def hints_of(document: Document, decisions: Decisions) -> list[tuple[str, str]]:
    """The words in front of hints, and the hints."""
    return [
        (document.text[: hint.position].rpartition("%")[2], hint.label)
        for hint in list_hints(document, decisions)
    ]


def test_each_operand_has_a_hint() -> None:
    document = Document(COPY)
    assert hints_of(document, explain(document)) == [
        ("a", "copied, 16 bytes, the caller frees it"),
        ("a", "in place"),
        ("b", "in place"),
    ]


def test_operands_in_each_case_have_hints() -> None:
    # The first region of the op is the default, which is written last.
    text = (
        "func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {\n"
        "  %0 = scf.index_switch %i -> tensor<4xf32>\n"
        "  case 0 {\n"
        "    %1 = tensor.insert %x into %a[%i] : tensor<4xf32>\n"
        "    scf.yield %1 : tensor<4xf32>\n"
        "  }\n"
        "  default {\n"
        "    scf.yield %a : tensor<4xf32>\n"
        "  }\n"
        "  return %0 : tensor<4xf32>\n}\n"
    )
    document = Document(text)
    hints = hints_of(document, explain(document))
    assert [name for name, _ in hints] == ["a", "1", "a", "0"]


def test_hints_of_copies_alone() -> None:
    document = Document(COPY)
    shown = HintsShown.COPIES
    labels = [
        hint.label for hint in list_hints(document, explain(document), shown=shown)
    ]
    assert labels == ["copied, 16 bytes, the caller frees it"]


def test_a_new_buffer_says_who_frees_it() -> None:
    document = Document(
        "func.func @f(%x: f32, %i: index) -> f32 {\n"
        "  %0 = tensor.empty() : tensor<8xf32>\n"
        "  %1 = tensor.insert %x into %0[%i] : tensor<8xf32>\n"
        "  %y = tensor.extract %1[%i] : tensor<8xf32>\n"
        "  return %y : f32\n}\n"
    )
    hints = hints_of(document, explain(document))
    assert ("0", "allocated, 32 bytes, freed at line 4") in hints


def test_a_lens_has_the_figures_of_its_function() -> None:
    document = Document(COPY)
    (lens,) = list_lenses(document, explain(document))
    assert lens.name == "f"
    assert lens.title == "1 copy · 16 bytes copied · 1 allocation · peak 16 bytes"


def test_the_reasons_are_told_at_the_operand_and_at_the_op() -> None:
    document = Document(COPY)
    decisions = explain(document)
    for word in ("%a[", "insert"):
        text = describe_decisions_at(document, decisions, COPY.index(word) + 1)
        assert text is not None
        assert "line 3 reads it after line 2 would have overwritten it" in text
        assert "move the read before the write: line 3 before line 2" in text


def test_a_function_that_moves_is_not_asked_about_again() -> None:
    document = Document(COPY)
    decisions = explain(document)
    document.change(0, 0, "// One.\n// Two.\n")
    document.faults()
    assert list(decisions.questions(document)) == []
    text = describe_decisions_at(document, decisions, document.text.index("%a[") + 1)
    assert text is not None
    assert "line 5 reads it after line 4" in text
    assert "line 5 before line 4" in text


def test_only_what_changes_is_asked_about() -> None:
    document = Document(COPY + COPY.replace("@f", "@g"))
    decisions = explain(document)
    at = document.text.rindex("  %y")
    document.change(at, at, "\n")
    document.faults()
    assert [question.names for question in decisions.questions(document)] == [("g",)]


def test_a_changed_callee_is_asked_about_with_its_callers() -> None:
    document = Document(CALL + COPY)
    decisions = explain(document)
    at = document.text.index("  return %b")
    document.change(at, at, "\n")
    document.faults()
    asked = [question.names for question in decisions.questions(document)]
    assert asked == [("callee",), ("caller",)]


def test_what_is_near_is_asked_about_first() -> None:
    document = Document("".join(COPY.replace("@f", f"@f{n}") for n in range(5)))
    document.faults()
    near = document.text.index("@f3")
    first, rest = Decisions().questions(document, near)
    assert first.names == ("f3",)
    assert set(rest.names) == {"f0", "f1", "f2", "f4"}


def test_what_cannot_be_bufferized_is_a_warning_there_and_the_rest_has_hints() -> None:
    document = Document(COPY + UNKNOWN)
    decisions = explain(document)
    (problem,) = list_problems(document, decisions)
    assert document.lines.line_of(problem.range.start) == 6
    assert len(list_hints(document, decisions)) == 3


def test_a_wrong_pipeline_is_said_at_each_function() -> None:
    document = Document(COPY)
    (problem,) = list_problems(document, explain(document, Decisions("one-shot")))
    assert "there is no pass 'one-shot'" in problem.text


def test_passes_that_change_a_function_leave_hints_where_it_is_written() -> None:
    text = (
        "// A comment.\n\n"
        "func.func @f(%a: tensor<4xf32>, %i: index, %x: f32) -> f32 {\n"
        "  %0 = arith.addf %a, %a : tensor<4xf32>\n"
        "  %1 = tensor.insert %x into %0[%i] : tensor<4xf32>\n"
        "  %2 = tensor.extract %1[%i] : tensor<4xf32>\n"
        "  return %2 : f32\n}\n"
    )
    document = Document(text)
    hints = hints_of(document, explain(document))
    assert ("0", "in place") in hints
    assert ("1", "in place") in hints


# The whole corpus.


def key_of(function: str, decision: Decision) -> tuple[object, ...]:
    position = decision.position
    place = position.written or (position.line, position.column)
    return function, place, decision.op, decision.operand_number, decision.verdict


def decisions_of(report: FunctionReport, is_printed: bool) -> Counter[object]:
    return Counter(
        key_of(report.name, each)
        for each in report.decisions
        if not is_printed or each.position.written is not None
    )


CORPUS = sorted(
    file
    for folder in ("tests/filecheck", "tests/data")
    for file in (ROOT / folder).rglob("*.mlir")
)


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
@pytest.mark.volume(sample=30)
def test_hints_are_what_explain_says(file: Path) -> None:
    """Asked function by function, the decisions are those of the whole program."""
    for text in file.read_text().split("// -----"):
        document = Document(text)
        if document.faults():
            continue
        decisions = explain(document)
        try:
            source = read_source(text, FILE)
            passes = default_passes(optimize=False)
            whole = explain_source(source, passes, donated=())
        except Exception:
            has_functions = any(decisions.explained(document))
            assert list_problems(document, decisions) or not has_functions
            continue
        expected, found = Counter[object](), Counter[object]()
        for report in whole.functions:
            expected += decisions_of(report, bool(whole.passes_before))
        figures: dict[str, object] = {}
        for explained in decisions.explained(document):
            assert explained.problem is None
            if (report := explained.report) is not None:
                found += decisions_of(report, bool(explained.passes_before))
                if not explained.passes_before:
                    shown = [each.decision for each in decided(document, explained)]
                    # The terminator of a `vector.mask` is not written.
                    written = [e for e in report.decisions if e.op != "vector.yield"]
                    assert shown == written
                figures[report.name] = (report.copies, report.peak, report.bytes_copied)
        assert found == expected
        # A function that a pass adds has no line over which figures could stand.
        (program,) = document.programs
        assert figures == {
            report.name: (report.copies, report.peak, report.bytes_copied)
            for report in whole.functions
            if report.name in program.symbols
        }
        list_hints(document, decisions)
