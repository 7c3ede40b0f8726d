"""The model in `docs/bufferize_your_op.md` is short; `test_documents.py` runs it."""

import re

from harness.pages.documents import DOCS

DOCUMENT = DOCS / "bufferize_your_op.md"


def test_model_is_as_short_as_the_document_says() -> None:
    (model,) = re.findall(
        r"^class ScaleRowsModel.*?^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL
    )
    assert len(model.splitlines()) <= 15
