"""What is said about a word: types with bytes, ops with syntax, first lines."""

import pytest
from harness.editing.texts import marked

from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.highlight import Colour, highlight
from xdsl_bufferization.editing.hover import hover
from xdsl_bufferization.editing.outline import Fold, list_folds, list_symbols

PROGRAM = """\
#map = affine_map<(d0) -> (d0)>
module {
  memref.global "private" constant @weights : memref<8xf32>
  // One comment,
  // and another.
  func.func @f(%a: tensor<4xf32>, %d: tensor<?xf32>, %i: index) -> f32 {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    cf.br ^end(%x : f32)
  ^end(%y: f32):
    %z = "test.op"() {map = #map} : () -> f32
    return %y : f32
  }
}
"""


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("func.func @f(", "`%a`: `tensor<4xf32>`, 16 bytes, argument 0 of `func.func`"),
        ("<4xf32>, ", "`tensor<?xf32>`, size known when it runs"),
        ("tensor.extract ", "`%a`: `tensor<4xf32>`, 16 bytes"),
        ("%x = ", "tensor.extract $tensor"),
        ("%x = ", "- Results: `result`"),
        ("^end(", "%x = tensor.extract %a[%i] : tensor<4xf32>"),
        ("cf.br ", "- `%y`: `f32`, argument 0 of `func.func`"),
        ("{map = ", "affine_map<(d0) -> (d0)>"),
        ("func.func ", "func.func @f(%a: tensor<4xf32>, %d: tensor<?xf32>, %i: index)"),
        ("constant ", 'memref.global "private" constant @weights : memref<8xf32>'),
    ],
)
def test_hover_says(before: str, said: str) -> None:
    document = Document(PROGRAM)
    found = hover(document, PROGRAM.index(before) + len(before) + 1)
    assert found is not None
    assert said in found.text


def test_the_program_is_right() -> None:
    assert Document(PROGRAM).faults() == []


def test_nothing_is_said_about_blanks_and_comments() -> None:
    document = Document(PROGRAM)
    assert hover(document, PROGRAM.index("One comment")) is None
    assert hover(document, len(PROGRAM)) is None


def test_ops_are_known_where_the_program_is_broken() -> None:
    document, (place,) = marked("func.func @f() {\n  %0 = tensor¦.empty() : \n}\n")
    found = hover(document, place)
    assert found is not None
    assert "tensor.empty" in found.text


def test_symbols_are_listed_with_what_is_inside_also_of_broken_functions() -> None:
    document = Document(PROGRAM.replace("tensor.extract", "tensor.extrct"))
    (module,) = list_symbols(document)
    assert module.name == "module"
    assert [(each.name, each.detail) for each in module.children] == [
        ("weights", "memref.global"),
        ("f", "has an error"),
    ]


def test_bodies_and_comments_fold() -> None:
    folds = list_folds(Document(PROGRAM))
    assert Fold(1, 11) in folds
    assert Fold(5, 10) in folds
    assert Fold(3, 4, is_comment=True) in folds


def test_words_have_colours() -> None:
    document = Document(PROGRAM)
    colours = {
        PROGRAM[each.range.start : each.range.end]: each.colour
        for each in highlight(document)
    }
    assert colours["%a"] is Colour.PARAMETER
    assert colours["%x"] is Colour.VARIABLE
    assert colours["tensor.extract"] is Colour.KEYWORD
    assert colours["@weights"] is Colour.FUNCTION
    assert colours["^end"] is Colour.LABEL
    assert colours["#map"] is Colour.MACRO
    assert colours["f32"] is Colour.TYPE
    assert colours["map"] is Colour.PROPERTY
    assert colours["// and another."] is Colour.COMMENT
