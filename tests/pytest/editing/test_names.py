"""Definitions, uses and other names of values, blocks, symbols and aliases."""

from pathlib import Path

import pytest
from harness.editing.texts import apply, marked
from harness.pages.documents import ROOT

from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.names import (
    RenameError,
    find_definitions,
    find_names,
    rename,
)
from xdsl_bufferization.editing.words import Kind

LOOP = """\
#map = affine_map<(d0) -> (d0)>
func.func private @callee(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %r:2 = scf.for %i = %c0 to %n step %n iter_args(%t = %a, %k = %n)
      -> (tensor<4xf32>, index) {
    // %t is in a comment.
    %0 = func.call @callee(%t) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0, %k : tensor<4xf32>, index
  }
  cf.br ^end(%r#0 : tensor<4xf32>)
^end(%x: tensor<4xf32>):
  return %x : tensor<4xf32>
}
"""


def place_of(text: str, word: str, number: int = 0) -> int:
    """A place in the n-th occurrence of a word."""
    start = -1
    for _ in range(number + 1):
        start = text.index(word, start + 1)
    return start + 1


def lines_of(document: Document, position: int) -> list[tuple[int, bool]]:
    return [
        (document.lines.line_of(name.range.start), name.is_definition)
        for name in find_names(document, position)
    ]


@pytest.mark.parametrize(
    ("word", "number", "found"),
    [
        ("%a", 0, [(2, True), (4, False)]),
        ("%t", 0, [(4, True), (7, False)]),
        ("%r", 0, [(4, True), (10, False)]),
        ("%r#0", 0, [(4, True), (10, False)]),
        ("%n", 2, [(2, True), (4, False), (4, False), (4, False)]),
        ("^end", 0, [(10, False), (11, True)]),
        ("^end", 1, [(10, False), (11, True)]),
        ("@callee", 0, [(1, True), (7, False)]),
        ("@callee", 1, [(1, True), (7, False)]),
        ("#map", 0, [(0, True)]),
        ("scf", 0, []),
    ],
)
def test_names_are_found(word: str, number: int, found: list[tuple[int, bool]]) -> None:
    document = Document(LOOP)
    assert lines_of(document, place_of(LOOP, word, number)) == found


def test_a_name_of_another_function_is_another_value() -> None:
    text = (
        "func.func @f(%a: i32) {\n  return\n}\nfunc.func @g(%a: i32) {\n  return\n}\n"
    )
    document = Document(text)
    assert lines_of(document, place_of(text, "%a", 1)) == [(3, True)]


def test_symbols_of_modules_inside_are_their_own() -> None:
    document, places = marked(
        "module @outer {\n"
        "  func.func private @¦f()\n"
        "  module @inner {\n"
        "    func.func private @¦f()\n"
        "    func.func @g() {\n      func.call @¦f() : () -> ()\n      return\n    }\n"
        "  }\n"
        "}\n"
    )
    assert [lines_of(document, place) for place in places] == [
        [(1, True)],
        [(3, True), (5, False)],
        [(3, True), (5, False)],
    ]


def test_a_symbol_in_generic_format_is_found() -> None:
    document, (use,) = marked(
        '"func.func"() <{sym_name = "f", function_type = () -> ()}> ({\n'
        "  func.call @¦f() : () -> ()\n  func.return\n}) : () -> ()\n"
    )
    assert document.faults() == []
    assert lines_of(document, use) == [(0, True), (1, False)]
    assert 'sym_name = "g"' in apply(document.text, rename(document, use, "g"))


def test_names_in_a_broken_function_are_found_by_their_spelling() -> None:
    document, (use,) = marked(
        "func.func @f(%a: i32) {\n  %0 = arith.\n  func.call @g(%¦a) : (i32) -> ()\n}\n"
    )
    assert document.faults()
    assert lines_of(document, use) == [(0, True), (2, False)]


@pytest.mark.parametrize(
    ("word", "number", "new_name"),
    [("%a", 0, "%input"), ("%r", 0, "pair"), ("^end", 0, "^exit"), ("@callee", 1, "h")],
)
def test_a_renamed_program_is_right(word: str, number: int, new_name: str) -> None:
    document = Document(LOOP)
    edits = rename(document, place_of(LOOP, word, number), new_name)
    text = apply(LOOP, edits)
    assert Document(text).faults() == []
    assert "// %t is in a comment." in text
    assert new_name.strip("%^@") in text


@pytest.mark.parametrize(
    ("word", "new_name", "message"),
    [
        ("%a", "%n", "is the name of something else"),
        ("%a", "two words", "is not a name"),
        ("%a", "", "is not a name"),
        ("@callee", "f", "is the name of something else"),
        ("arith", "x", "nothing that is defined"),
        ("#map", "#map2 = 0", "is not a name"),
    ],
)
def test_a_name_that_is_taken_or_none_is_refused(
    word: str, new_name: str, message: str
) -> None:
    with pytest.raises(RenameError, match=message):
        rename(Document(LOOP), place_of(LOOP, word), new_name)


CORPUS = sorted((ROOT / "tests" / "filecheck").rglob("*.mlir"))


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
@pytest.mark.volume(sample=40)
def test_each_name_of_the_corpus_is_known(file: Path) -> None:
    """Each value and block in a piece without errors has one definition."""
    document = Document(file.read_text())
    kinds = (Kind.VALUE, Kind.LABEL)
    for _, placed in document.pieces():
        for word in placed.piece.words:
            if placed.piece.error is None and word.kind in kinds:
                position = placed.place(word.start) + 1
                assert len(find_definitions(document, position)) == 1, word
