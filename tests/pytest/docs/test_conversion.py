"""The table of `docs/conversion.md` says what programs do."""

import pytest
from harness.pages.documents import DOCS, load_generator

DOCUMENT = DOCS / "conversion.md"


@pytest.fixture(scope="module")
def new_table() -> str:
    """The table as it would be written; its programs run, and results are compared."""
    return load_generator("generate_copies").table()


def test_table_of_copies_is_up_to_date(new_table: str) -> None:
    assert new_table in DOCUMENT.read_text(), "stale: run `make docs`"


def test_no_way_copies_more_than_core_bufferization(new_table: str) -> None:
    rows = [line.split("|")[2:-1] for line in new_table.splitlines()[2:]]
    counts = [[int(cell) for cell in row] for row in rows]
    assert len(counts) == 8
    assert all(core >= removed >= one_shot for core, removed, one_shot in counts)
