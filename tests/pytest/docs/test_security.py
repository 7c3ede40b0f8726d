"""`docs/security.md` and `docs/contract.md` name a test for each fact."""

import ast
import re

import pytest
from harness.pages.documents import DOCS, ROOT

TESTS = ROOT / "tests" / "pytest"
ROW = re.compile(r"^\| (?!---)(.+) \|$", re.MULTILINE)
NAME = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


PAGES = {"security.md": 30, "contract.md": 25}
"""The pages, and how many facts they have at least."""


def rows(page: str) -> list[str]:
    text = (DOCS / page).read_text()
    facts, _, figures = text.partition("growth, kB")
    _, _, rest = figures.partition("\n\n")
    found = ROW.findall(facts.rpartition("\n")[0] + rest)
    return [row for row in found if not row.endswith("| test")]


@pytest.mark.parametrize("page", PAGES)
def test_each_fact_has_a_test_that_is_there(page: str) -> None:
    assert len(rows(page)) > PAGES[page]
    for row in rows(page):
        (file, name), *others = NAME.findall(row)
        assert not others, row
        module = ast.parse((TESTS / file).read_text())
        tests = {each.name for each in module.body if isinstance(each, ast.FunctionDef)}
        assert name in tests, row
