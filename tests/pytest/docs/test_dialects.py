"""`docs/dialects.md` says what the definitions of the operations say."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

GENERATOR = Path(__file__).parents[3] / "docs" / "generate_dialects.py"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = spec_from_file_location("generate_dialects", GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_document_is_up_to_date(generator: ModuleType) -> None:
    written = generator.DOCUMENT.read_text()
    assert written == generator.document(), "stale: run `make docs`"


def test_every_operation_shows_its_syntax(generator: ModuleType) -> None:
    sections = generator.document().split("\n### ")[1:]
    without = [text.split("\n")[0] for text in sections if "\n```" not in text]
    assert sections
    assert without == []
