"""Programs with places marked in them: `¦` is left out, and its place is told.

marked("func.func @¦f() {}")    ->  a document, [11]
"""

from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.names import Edit

MARK = "¦"


def marked(text: str) -> tuple[Document, list[int]]:
    """A document without the marks `¦`, and where they were."""
    parts = text.split(MARK)
    positions: list[int] = []
    for part in parts[:-1]:
        positions.append(len(part) + (positions[-1] if positions else 0))
    return Document("".join(parts)), positions


def apply(text: str, edits: list[Edit]) -> str:
    """The text after edits, which do not overlap."""
    for edit in sorted(edits, key=lambda each: each.range, reverse=True):
        text = text[: edit.range.start] + edit.text + text[edit.range.end :]
    return text
