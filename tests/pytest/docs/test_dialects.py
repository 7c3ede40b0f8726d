"""`docs/dialects.md` says what the definitions of the operations say."""

from types import ModuleType

import pytest
from harness.pages.documents import load_generator


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    return load_generator("generate_dialects")


def test_document_is_up_to_date(generator: ModuleType) -> None:
    written = generator.DOCUMENT.read_text()
    assert written == generator.document(), "stale: run `make docs`"


def test_every_operation_shows_its_syntax(generator: ModuleType) -> None:
    sections = generator.document().split("\n### ")[1:]
    without = [text.split("\n")[0] for text in sections if "\n```" not in text]
    assert sections
    assert without == []
