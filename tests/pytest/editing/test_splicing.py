"""A piece that is read in part after an edit is as one that is read from the start."""

import random
from collections.abc import Sequence

import pytest
from harness.editing.edits import random_edit
from harness.editing.texts import apply
from harness.pages.documents import ROOT
from harness.programs.random_programs import Shape, random_program
from xdsl.dialects.builtin import FileLineColLoc

from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.editing import document as documents
from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.reading import Piece

SHAPE = Shape(ops=10, calls=True)
PROGRAMS = sorted((ROOT / "tests/data/programs").glob("*.mlir"))


@pytest.fixture(autouse=True)
def splice_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read short pieces in part as well."""
    monkeypatch.setattr(documents, "SPLICED_FROM", 0)


def what_is_known(document: Document) -> Sequence[object]:
    """All that is known of a text; pieces have the names of files that differ."""
    faults = document.faults()
    known: list[object] = [(each.range, each.text, each.notes) for each in faults]
    for _, placed in document.pieces():
        known.append((placed.start, what_is_read(placed.piece)))
    return known


def what_is_read(piece: Piece) -> Sequence[object]:
    op_places = piece.op_places.items()
    places = _places_of_values(piece)
    return (
        str(piece.error).replace(piece.file, "piece"),
        # What is not right may have no text.
        [] if piece.check_errors else [mlir_text(op) for op in piece.ops],
        [(op.name, place, _location(piece, op.location)) for op, place in op_places],
        [
            (*name[:2], name.is_definition, *map(places.get, name.values))
            for name in piece.names
            if not piece.error
        ],
        [(each.start, each.end, each.is_definition) for each in piece.labels],
    )


def _places_of_values(piece: Piece) -> dict[object, object]:
    return {
        value: (name.start, number)
        for name in piece.names
        if name.is_definition
        for number, value in enumerate(name.values)
    }


def _location(piece: Piece, location: object) -> object:
    if isinstance(location, FileLineColLoc) and location.filename.data == piece.file:
        return location.line.data - piece.lines_before, location.column.data
    return str(location)


def check(document: Document) -> None:
    """Compare with a document that was never edited."""
    anew = Document(document.text)
    assert what_is_known(document) == what_is_known(anew), document.text


@pytest.mark.parametrize("seed", range(200))
@pytest.mark.volume(sample=3)
def test_what_is_read_in_part_is_as_if_all_was_read(seed: int) -> None:
    """Of 40 random edits, each second one is undone."""
    choose = random.Random(seed)
    text = random_program(seed, SHAPE)
    if seed % 3 == 0:
        text = choose.choice(PROGRAMS).read_text()
    if seed % 5 == 0:
        text = text.replace("\n", "\r\n")
    document = Document(text)
    check(document)
    for number in range(40):
        before = document.text
        edit = random_edit(choose, before)
        document.set_text(apply(before, [edit]))
        check(document)
        if number % 2 or document.faults():
            document.set_text(before)
            check(document)


LONG = """\
func.func @f(%x: f32, %i: index, %n: index) -> f32 {
  %0 = arith.addf %x, %x : f32
  %1 = scf.for %j = %i to %n step %i iter_args(%k = %0) -> (f32) {
    %2 = arith.mulf %k, %x : f32 // A comment.
    %3 = arith.addf %2, %0 : f32
    scf.yield %3 : f32
  }
  return %1 : f32
}
"""


def first_piece(document: Document) -> Piece:
    document.faults()
    return next(iter(document.pieces()))[1].piece


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%2 = arith.mulf %k, %x", "%2 = arith.mulf %k, %0"),
        ("%2 = arith.mulf", "%y = arith.addf %x, %x : f32\n    %2 = arith.mulf"),
        ("    %3 =", "\n\n    // Another one.\n    %3 ="),
        ("  %0 = arith.addf %x, %x", "  %0 = arith.mulf %x, %x"),
        ("scf.yield %3", "scf.yield %2"),
        ("// A comment.", "// A commen"),
        ("  return", "  %4 = arith.addf %1, %1 : f32\n  return"),
    ],
)
def test_an_edit_costs_the_parsing_of_a_few_ops(old: str, new: str) -> None:
    document = Document(LONG)
    (function,) = first_piece(document).ops
    document.set_text(LONG.replace(old, new))
    assert first_piece(document).ops == [function]
    check(document)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%2 = arith.mulf", "%4 = arith.mulf"),
        ("%0 = arith.addf %x, %x : f32", "%0 = arith.addi %n, %n : index"),
        ("%1 = scf", "%3 = arith.addf %x, %x : f32\n  %1 = scf"),
        ("%x: f32, %i", "%y: f32, %i"),
        ("    scf.yield %3 : f32\n", ""),
        ("arith.addf %2", "arith.addf %unknown"),
    ],
)
def test_an_edit_whose_effect_is_not_clear_has_all_read_again(
    old: str, new: str
) -> None:
    document = Document(LONG)
    before = first_piece(document).ops
    document.set_text(LONG.replace(old, new))
    assert first_piece(document).ops != before
    check(document)


def test_after_an_error_what_was_right_is_still_known() -> None:
    document = Document(LONG)
    (function,) = first_piece(document).ops
    document.set_text(LONG.replace("arith.mulf", "arith.mul"))
    assert document.faults()
    check(document)
    document.set_text(LONG.replace("arith.mulf", "arith.subf"))
    assert first_piece(document).ops == [function]
    check(document)


BLOCKS = """\
func.func @f(%x: f32, %t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
  } outs(%t : tensor<4xf32>) {
    %1 = arith.negf %x : f32
    ^bb0(%o: f32):
    linalg.yield %o : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_a_block_without_a_label_is_gone_with_its_last_op() -> None:
    document = Document(BLOCKS)
    assert document.faults()
    document.set_text(BLOCKS.replace("    %1 = arith.negf %x : f32\n", ""))
    check(document)
    assert document.faults() == []


def test_blocks_behind_a_brace_that_is_never_closed_are_known() -> None:
    text = BLOCKS.replace("    %1 = arith.negf %x : f32\n", "")
    text = text.replace("  %0 =", "  %2 = arith.negf %x : f32\n  %0 =")
    document = Document(text)
    assert document.faults() == []
    document.set_text(text.replace("  %2 =", "  scf.execute_region {\n" * 2 + "  %2 ="))
    check(document)


def test_an_alias_is_known_as_it_is_now() -> None:
    text = "!a = f32\n!b = i32\nfunc.func @f(%x: !a) -> f32 {\n  return %x : f32\n}\n"
    document = Document(text)
    assert document.faults() == []
    document.change(5, 8, "i64")
    check(document)
    assert document.faults()
