"""The picture of `docs/how_far.md` shows the numbers of its table."""

from draw_how_far import COLOURS, PAGE, PICTURE, draw, rows


def test_the_picture_is_drawn_of_the_table() -> None:
    assert PICTURE.read_text() == draw(PAGE.read_text()), "python docs/draw_how_far.py"


def test_a_dot_is_in_percent_above_the_bound() -> None:
    head = "| functions | bottom-up | best order | optimal | bound |\n|---|\n"
    (row,) = rows(head + "| deep (1,332) | 1,100 | 1,050 | 1,000 | 1,000 |\n")
    assert (row.kind, row.functions) == ("deep", "1,332")
    assert [round(row.percent[name], 6) for name in COLOURS] == [10, 5, 0]
