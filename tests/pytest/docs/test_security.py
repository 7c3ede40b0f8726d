"""`docs/security.md` names a test for each fact."""

import ast
import re

from support.pages.documents import DOCS, ROOT

TESTS = ROOT / "tests" / "pytest"
ROW = re.compile(r"^\| (?!---)(.+) \|$", re.MULTILINE)
NAME = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def rows() -> list[str]:
    text = (DOCS / "security.md").read_text()
    facts, _, figures = text.partition("growth, kB")
    _, _, rest = figures.partition("\n\n")
    found = ROW.findall(facts.rpartition("\n")[0] + rest)
    return [row for row in found if not row.endswith("| test")]


def test_each_fact_has_a_test_that_is_there() -> None:
    assert len(rows()) > 30
    for row in rows():
        (file, name), *others = NAME.findall(row)
        assert not others, row
        module = ast.parse((TESTS / file).read_text())
        tests = {each.name for each in module.body if isinstance(each, ast.FunctionDef)}
        assert name in tests, row
