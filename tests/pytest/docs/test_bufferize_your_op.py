"""Run `docs/bufferize_your_op.md`: its code works, and prints what it says."""

import re

from documents import DOCS, run_document

DOCUMENT = DOCS / "bufferize_your_op.md"


def test_blocks_run_and_print_what_the_document_says() -> None:
    assert run_document(DOCUMENT) == 4


def test_model_is_as_short_as_the_document_says() -> None:
    (model,) = re.findall(
        r"^class ScaleRowsModel.*?^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL
    )
    assert len(model.splitlines()) <= 15
