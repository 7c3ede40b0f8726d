"""The notebook runs, all cells, and shows what it says."""

from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from harness.pages.documents import DOCS, load_script, need_extra

NOTEBOOK = DOCS / "notebooks" / "from_tensors_to_code.py"


@pytest.fixture(scope="module")
def notebook() -> ModuleType:
    need_extra("marimo")
    return load_script(NOTEBOOK)


@pytest.fixture(scope="module")
def defined(notebook: ModuleType) -> dict[str, Any]:
    """What the cells define, once all have run."""
    return notebook.app.run()[1]


def test_compiled_code_computes_what_python_does(defined: dict[str, Any]) -> None:
    assert defined["agree"]
    assert not np.array_equal(defined["result"], defined["signal"])


def test_analysis_makes_no_copy(defined: dict[str, Any]) -> None:
    assert defined["copies"] == 0


def test_every_decision_is_in_place(defined: dict[str, Any]) -> None:
    assert {str(each.verdict) for each in defined["decisions"]} == {"in place"}


def test_switch_makes_a_copy_in_every_round(notebook: ModuleType) -> None:
    switched_on = {"careful": SimpleNamespace(value=True)}
    _, defined = notebook.app.run(defs=switched_on)
    before, _, loop = str(defined["on_buffers"]).partition("scf.for")
    assert (before.count("memref.copy"), loop.count("memref.copy")) == (1, 1)
    assert defined["copies"] == 2
    assert defined["agree"]


def test_every_cell_has_a_name(notebook: ModuleType) -> None:
    names = [cell.name for cell in notebook.app._cell_manager.cells() if cell]
    assert names
    assert "_" not in names
