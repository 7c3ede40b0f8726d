"""Texts of one program beside each other."""

from xdsl_bufferization.explanation.program_text import shorten
from xdsl_bufferization.tools.common.side_by_side import Kind, Row, compare, fold

SAME, RENAMED, CHANGED = Kind.SAME, Kind.RENAMED, Kind.CHANGED


def test_other_names_of_values_are_no_change():
    rows = compare('%0 = "a"()\n"b"(%0)', '%x = "new"()\n%0 = "a"()\n"b"(%0#1, ^bb2)')
    assert rows == [
        Row(None, '%x = "new"()', CHANGED),
        Row('%0 = "a"()', '%0 = "a"()', SAME),
        Row('"b"(%0)', '"b"(%0#1, ^bb2)', CHANGED),
    ]


def test_a_line_with_other_names_alone_is_renamed():
    assert compare('"a"(%0)', '"a"(%1)') == [Row('"a"(%0)', '"a"(%1)', RENAMED)]


def test_changed_lines_of_one_op_are_beside_each_other():
    rows = compare("%0 = a.b 1\nreturn %0", "c.d\nc.e\n%0 = a.b 2\nreturn")
    assert rows == [
        Row(None, "c.d", CHANGED),
        Row(None, "c.e", CHANGED),
        Row("%0 = a.b 1", "%0 = a.b 2", CHANGED),
        Row("return %0", "return", CHANGED),
    ]


def test_large_constants_are_shortened():
    text = f'dense<"0x{"3F" * 100}">'
    assert shorten(text) == 'dense<"0x3F3F3F3F3F3F3F3F... 100 bytes">'
    assert shorten('dense<"0x3F3F">') == 'dense<"0x3F3F">'


def test_rows_far_from_changes_are_folded():
    before = "\n".join(f"op{number}" for number in range(9))
    rows = compare(before, before.replace("op4", "other"))
    lengths = [(is_far, len(run)) for is_far, run in fold(rows, 2)]
    # What was there is an op of another name: it is gone, and a line is new.
    assert lengths == [(True, 2), (False, 5), (True, 2)]
