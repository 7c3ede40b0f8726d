"""After an edit, what is known of functions is what anybody finds who starts anew."""

import random

import pytest
from harness.editing.edits import random_edit
from harness.editing.explaining import explain
from harness.editing.texts import apply
from harness.programs.random_programs import Shape, random_program

from xdsl_bufferization.editing import answering
from xdsl_bufferization.editing import document as documents
from xdsl_bufferization.editing.answering import Answering
from xdsl_bufferization.editing.decisions import Answer, Decisions, Explained
from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.hints import list_hints, list_lenses

SHAPE = Shape(ops=10, calls=True)
SIMPLE = "one-shot-bufferize{bufferize-function-boundaries}"
TEXT = """\
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %c = arith.constant 1.0 : f32
  %z = arith.addf %x, %c : f32
  %b = tensor.insert %z into %a[%i] : tensor<4xf32>
  %y = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}
"""


@pytest.fixture(autouse=True)
def splice_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read short functions in part as well."""
    monkeypatch.setattr(documents, "SPLICED_FROM", 0)
    monkeypatch.setattr(answering, "SPLICED_FROM", 0)


def what_is_known(document: Document, decisions: Decisions) -> list[object]:
    def of(each: Explained) -> object:
        return each.name, each.report, each.passes_before, each.problem

    return [*map(of, decisions.explained(document))]


def check(document: Document, decisions: Decisions) -> None:
    """Compare with a document that was never edited."""
    anew = Document(document.text)
    expected = what_is_known(anew, explain(anew, Decisions(decisions.chosen)))
    assert what_is_known(document, decisions) == expected, document.text


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.volume(sample=2)
def test_what_is_known_after_random_edits_is_as_if_all_was_asked(seed: int) -> None:
    choose = random.Random(seed)
    text = random_program(seed, SHAPE)
    if seed % 5 == 0:
        text = text.replace("\n", "\r\n")
    document = Document(text)
    decisions = Decisions(SIMPLE) if seed % 2 else Decisions()
    answering = Answering()
    explain(document, decisions, answering)
    for _ in range(30):
        before = document.text
        document.set_text(apply(before, [random_edit(choose, before)]))
        list_hints(document, decisions)
        explain(document, decisions, answering)
        check(document, decisions)
        if document.faults() and choose.random() < 0.8:
            document.set_text(before)
            explain(document, decisions, answering)
            check(document, decisions)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1.0", "2.0"),
        ("  %z", "\n  // A comment.\n\n  %z"),
        ("%c : f32", "%c : f32 // A comment."),
        ("%b = tensor.insert %z", "%b   =  tensor.insert\n    %z"),
    ],
)
def test_an_edit_that_changes_no_decision_asks_nothing(old: str, new: str) -> None:
    document = Document(TEXT)
    decisions = explain(document)
    document.set_text(TEXT.replace(old, new))
    document.faults()
    assert list(decisions.questions(document)) == []
    check(document, decisions)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[%i] : tensor<4xf32>\n  %y", "[%j] : tensor<4xf32>\n  %y"),
        ("arith.constant 1.0 : f32", "arith.negf %x : f32"),
        ("extract %a", "extract %b"),
        ("  %y", "  %w = tensor.empty() : tensor<4xf32>\n  %y"),
    ],
)
def test_an_edit_that_may_change_decisions_asks(old: str, new: str) -> None:
    text = TEXT.replace("%i: index", "%i: index, %j: index")
    document = Document(text)
    decisions = explain(document)
    document.set_text(text.replace(old, new))
    document.faults()
    assert len(list(decisions.questions(document))) == 1


LOOP = """\
func.func @f(%a: tensor<4xf32>, %n: index) -> (tensor<4xf32>, index) {
  %r, %s = scf.for %i = %n to %n step %n iter_args(%t = %a, %j = %n)
      -> (tensor<4xf32>, index) {
    scf.yield %t, %j : tensor<4xf32>, index
  }
  return %r, %s : tensor<4xf32>, index
}
"""


def test_a_line_that_becomes_two_is_asked_about() -> None:
    """The loop stays in line 2, and its arguments do not."""
    document, decisions = Document(LOOP), Decisions()
    explain(document, decisions)
    document.set_text(LOOP.replace("(%t", "(\n%t"))
    document.faults()
    assert len(list(decisions.questions(document))) == 1


def test_until_there_is_an_answer_ops_keep_their_hints() -> None:
    document = Document(TEXT)
    decisions = explain(document)
    before = {hint.label for hint in list_hints(document, decisions)}
    document.set_text(TEXT.replace("  %y", "  %w = arith.negf %x : f32\n  %y"))
    document.faults()
    (question,) = decisions.questions(document)
    assert {hint.label for hint in list_hints(document, decisions)} == before
    assert list_lenses(document, decisions)
    at = document.lines.start_of(6)
    assert not decisions.are_known(document, at, at + 1)
    assert not list(decisions.explained(document))
    decisions.take(question, answering.answer(question))
    check(document, decisions)


NEW = (
    "  %w = tensor.insert %x into %b[%i] : tensor<4xf32>\n  %u = tensor.extract %b[%i]"
)
"""A write to %b, which is read afterwards."""


def labels(document: Document, decisions: Decisions, line: int) -> list[str]:
    """The hints in a line, from 0."""
    return [
        hint.label
        for hint in list_hints(document, decisions)
        if document.lines.line_of(hint.position) == line
    ]


def test_decisions_are_shown_before_their_figures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answering, "LONG", 0)
    document = Document(TEXT)
    decisions = explain(document)
    (lens,) = list_lenses(document, decisions)
    document.set_text(TEXT.replace("  %y", f"{NEW} : tensor<4xf32>\n  %y"))
    document.faults()
    (question,) = decisions.questions(document)
    assert labels(document, decisions, 4) == []

    def hear(found: Answer) -> None:
        assert decisions.take_early(question, found)
        assert labels(document, decisions, 4) == ["copied, 16 bytes"]
        # What is known of other lines stays.
        assert labels(document, decisions, 3) == [
            "copied, 16 bytes, the caller frees it"
        ]
        assert [each.title for each in list_lenses(document, decisions)] == [lens.title]
        heard.append(found)

    heard: list[Answer] = []
    found = Answering().answer(question, hear)
    decisions.take(question, found)
    assert len(heard) == 1
    assert not decisions.take_early(question, heard[0])
    assert labels(document, decisions, 4)[0].startswith("copied, 16 bytes, ")
    check(document, decisions)


def test_without_figures_there_is_no_lens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "LONG", 0)
    document, decisions = Document(TEXT), Decisions()
    document.faults()
    (question,) = decisions.questions(document)
    Answering().answer(question, lambda found: decisions.take_early(question, found))  # pyright: ignore[reportArgumentType]
    assert labels(document, decisions, 3) == ["copied, 16 bytes"]
    assert list_lenses(document, decisions) == []
    assert not list(decisions.explained(document))


def test_a_number_may_be_wrong_for_a_moment() -> None:
    document = Document(TEXT)
    decisions = explain(document)
    for text in (TEXT.replace("1.0", "1.0.0"), TEXT.replace("1.0", "3.0")):
        document.set_text(text)
        document.faults()
        assert list(decisions.questions(document)) == []
    check(document, decisions)


def test_a_condition_that_depends_on_a_number_is_asked_about() -> None:
    text = TEXT.replace(
        "  %y", '  %t = arith.cmpf oeq, %z, %x : f32\n  cf.assert %t, "no"\n  %y'
    )
    document = Document(text)
    decisions = explain(document)
    document.set_text(text.replace("1.0", "2.0"))
    document.faults()
    assert len(list(decisions.questions(document))) == 1


CALLERS = """func.func private @called(%x: f32) -> f32 {
  return %x : f32
}
func.func private @read(%x: f32) -> f32 {
  return %x : f32
}
func.func @main(%t: tensor<4xf32>, %n: index, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %y = func.call @called(%x) : (f32) -> f32
  %r = scf.for %i = %c0 to %n step %n iter_args(%a = %t) -> tensor<4xf32> {
    %new = tensor.splat %y : tensor<4xf32>
    scf.yield %new : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""
"""Neither `@called` nor `@main` can be explained with SIMPLE, for one reason."""


def test_a_problem_of_a_caller_moves_with_the_caller() -> None:
    document, decisions = Document(CALLERS), Decisions(SIMPLE)
    explain(document, decisions)
    problems = [each.problem for each in decisions.explained(document)]
    assert any(problems)
    read = "func.func private @read"
    document.set_text(CALLERS.replace(read, f"// Reads.\n{read}"))
    explain(document, decisions)
    check(document, decisions)


def test_a_function_that_is_defined_twice_is_not_asked_about() -> None:
    called = CALLERS.partition("func.func private @read")[0]
    document, decisions = Document(called + CALLERS), Decisions()
    explain(document, decisions)
    assert [each.name for each in decisions.explained(document)] == ["read"]


def test_a_broken_alias_keeps_nothing_else_from_being_explained() -> None:
    text = "#map = affine_map<(d0 -> (d0)>\n" + TEXT
    document = Document(text)
    (function,) = explain(document).explained(document)
    assert function.report
