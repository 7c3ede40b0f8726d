"""Edits, and documents that are closed, leave nothing in memory."""

import gc
import weakref

import pytest
from harness.editing.explaining import explain
from xdsl.ir import Attribute

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.editing import document as documents
from xdsl_bufferization.editing import reading
from xdsl_bufferization.editing.decisions import Decisions
from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.hints import list_hints
from xdsl_bufferization.editing.reading import Piece

PROGRAM = """\
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %c = arith.constant 1.0 : f32
  %0 = tensor.insert %c into %a[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_edits_leave_nothing_behind() -> None:
    document, decisions = Document(PROGRAM), Decisions()
    at = PROGRAM.index("1.0")

    def attributes_after(edits: int) -> int:
        for number in range(edits):
            document.change(at, at + 1, str(number % 9 + 1))
            document.faults()
            list(decisions.questions(document))
        gc.collect()
        return sum(isinstance(each, Attribute) for each in gc.get_objects())

    after_some = attributes_after(30)
    assert attributes_after(100) <= after_some + 10


def test_hints_of_texts_before_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "SPLICED_FROM", 0)
    document, decisions = Document(PROGRAM), Decisions()
    at = PROGRAM.index("1.0")
    for number in range(20):
        document.change(at, at + 1, str(number % 9 + 1))
        explain(document, decisions)
        assert list_hints(document, decisions)
    gc.collect()
    pieces = [each for each in gc.get_objects() if isinstance(each, Piece)]
    assert sum(each.file.startswith("piece") for each in pieces) <= 3


def test_numbers_that_were_tried_out_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "MOST_REMEMBERED", 20)
    reader = reading.Reader(get_context())
    for number in range(100):
        piece = reader.read(PROGRAM.replace("1.0", f"{number}.5"), "file")
        assert piece.error is None
    assert len(reader.parser("", "file", 0).attributes_read) <= 30


def test_a_document_that_is_closed_is_forgotten() -> None:
    document = Document(PROGRAM)
    explain(document)
    program = weakref.ref(document.programs[0])
    del document
    gc.collect()
    assert program() is None
