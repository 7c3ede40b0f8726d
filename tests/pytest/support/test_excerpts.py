"""The caret stands below its character, whatever is before it."""

import pytest
from rich.cells import cell_len

from xdsl_bufferization.support.excerpts import WIDTH, excerpt


@pytest.mark.parametrize(
    ("line", "column", "length", "shown", "caret"),
    [
        ("  %0 = foo.bar : i32", 8, 1, "  %0 = foo.bar : i32", "       ^"),
        ("  %0 = foo.bar : i32", 8, 7, "  %0 = foo.bar : i32", "       ^~~~~~~"),
        ("first", 1, 1, "first", "^"),
        ("end", 4, 1, "end", "   ^"),
        ("far behind the end", 99, 1, "far behind the end", " " * 18 + "^"),
        ("\t\tx y", 5, 1, " " * 16 + "x y", " " * 18 + "^"),
        ("ab\tx", 4, 1, "ab      x", "        ^"),
        ("行列 x", 4, 1, "行列 x", "     ^"),
        ("行列", 1, 2, "行列", "^~~~"),
        ("e\u0301 x", 4, 1, "e\u0301 x", "  ^"),
        ("\x1b[31m x", 7, 1, r"\x1b[31m x", " " * 9 + "^"),
        ("a\u202eb", 3, 1, r"a\u202eb", " " * 7 + "^"),
        ("x\r", 1, 1, "x", "^"),
    ],
)
def test_the_caret_is_below_its_character(
    line: str, column: int, length: int, shown: str, caret: str
):
    assert excerpt(line, column, length) == [shown, caret]


@pytest.mark.parametrize("line", ["", "   ", "\t", "\r\n"])
def test_an_empty_line_is_not_shown(line: str):
    assert excerpt(line, 1) == []


@pytest.mark.parametrize("filler", ["x", "\t", "行", "\x1b"])
@pytest.mark.parametrize("at", [0, 1, 48, 49, 50, 51, 98, 99, 100, 500, 998, 999])
def test_of_a_long_line_the_part_around_the_caret_is_shown(filler: str, at: int):
    line = filler * at + "!" + filler * (999 - at)
    shown, caret = excerpt(line, at + 1)
    assert cell_len(shown) <= WIDTH + 2 * len("...")
    before = shown[: shown.index("!")]
    assert cell_len(before) == len(caret) - 1


def test_a_megabyte_is_cut_first():
    shown, caret = excerpt("(" * 10**6 + "!" + ")" * 10**6, 10**6 + 1)
    assert shown[len(caret) - 1] == "!"
