"""What `make check-xdsl` says about two versions of a package, and about failures."""

import ast
from pathlib import Path

import check_xdsl
import pytest
from failing_tests import places_in
from names_used import Concern, names_used
from public_names import changes, public_names

BEFORE = {
    "__init__.py": "from .core import *\nfrom .core import Kept as Other",
    "core.py": """
class Kept:
    field: int
    def method(self, a: int) -> int: ...
    def _private(self): ...
class Gone:
    def method(self): ...
def function(): ...
""",
}

AFTER = {
    "__init__.py": BEFORE["__init__.py"],
    "core.py": """
class Kept:
    field: str
    def method(self, a: int, *, b: int = 0) -> int: ...
    def _private(self, more): ...
def function(): ...
def new(): ...
""",
}

USER = {
    "imports.py": "from xdsl import Kept\n\ndef f(x: Kept): return x.field",
    "calls.py": "from xdsl import core\n\ncore.Gone()",
    "guesses.py": "def f(x): return x.method(1)",
    "nothing.py": "from xdsl.core import function",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True)
    for name, text in files.items():
        ast.parse(text)
        (folder / name).write_text(text)
    return folder


def test_changes_of_names_and_who_uses_them(tmp_path: Path):
    before = public_names(write(tmp_path / "before" / "xdsl", BEFORE))
    after = public_names(write(tmp_path / "after" / "xdsl", AFTER))
    found = changes(before, after)
    assert {change.name: change.kind for change in found} == {
        "xdsl.core.Gone": "gone",
        "xdsl.core.Kept.field": "changed",
        "xdsl.core.Kept.method": "changed",
        "xdsl.core.new": "new",
    }
    assert found[2].before == "(self, a: int) -> int"
    assert found[2].after == "(self, a: int, *, b: int=0) -> int"

    used = names_used(write(tmp_path / "user", USER), before)
    concern = Concern(before)
    concerned = {
        change.name: [file for file, uses in used.items() if concern(change, uses)]
        for change in found
    }
    assert concerned == {
        "xdsl.core.Gone": ["user/calls.py"],
        "xdsl.core.Kept.field": ["user/imports.py"],
        # Two classes have a method of that name, and the file imports neither.
        "xdsl.core.Kept.method": [],
        "xdsl.core.new": [],
    }


def test_a_name_leads_to_where_it_is_defined(tmp_path: Path):
    names = public_names(write(tmp_path / "xdsl", BEFORE))
    assert names.where("xdsl.Kept") == "xdsl.core.Kept"
    assert names.where("xdsl.Other") == "xdsl.core.Kept"
    assert names.where("xdsl.missing") == "xdsl.missing"


def test_a_traceback_of_another_process_is_searched():
    text = """
  File "/venv/lib/site-packages/xdsl/parser/core.py", line 7, in parse_module
  File "/home/me/xdsl_bufferization/dialects/parsing.py", line 12, in parse
  File "/venv/lib/site-packages/xdsl/parser/base_parser.py", line 9, in parse_integer
"""
    assert places_in(text) == {
        "ours": "xdsl_bufferization/dialects/parsing.py:12",
        "theirs": "xdsl/parser/base_parser.py parse_integer",
    }


def test_failures_are_grouped_by_our_file(capsys: pytest.CaptureFixture[str]):
    failures = [
        {
            "test": f"test_{number}",
            "error": "TypeError: no",
            "ours": "xdsl_bufferization/dialects/parsing.py:12",
            "theirs": "xdsl/printer.py print_op",
        }
        for number in range(7)
    ]
    assert check_xdsl.report(failures, "0.76.0", is_whole=True) == 1
    assert (
        capsys.readouterr().out
        == """
Tests that break:
  xdsl_bufferization/dialects/parsing.py
    xdsl/printer.py print_op: TypeError: no
      7: test_0, test_1, test_2, test_3, test_4 and 2 more
7 tests break with xDSL 0.76.0
"""
    )
    assert check_xdsl.report([], "0.76.0", is_whole=True) == 0
