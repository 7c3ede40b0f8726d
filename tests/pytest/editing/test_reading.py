"""Where ops are written."""

import pytest

from xdsl_bufferization.editing.document import Document


@pytest.mark.parametrize("end", ["\n", "\r\n", "  \n", "\t\r\n", "\r"])
def test_an_op_ends_before_the_comment_behind_it(end: str) -> None:
    text = f"func.func @f() {{{end}  return // A comment.{end}}} // Another one.{end}"
    ((_, placed),) = Document(text).pieces()
    written = [text[each.start : each.end] for each in placed.piece.op_places.values()]
    assert written == [text[: text.index("}") + 1], "return"]
