"""What the oldest Python does that this package supports, without that Python.

Python 3.11.0 to 3.11.4 have possessive quantifiers and atomic groups, which match what
they should not: https://github.com/python/cpython/issues/106052.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from harness.guest.environments import ROOT

POSSESSIVE = re.compile(r"(?<!\\)[+*?}]\+|\(\?>")
FUNCTIONS = {"compile", "finditer", "fullmatch", "match", "search", "split", "sub"}


def patterns(file: Path) -> Iterator[tuple[int, str]]:
    """Each regular expression that is written into a call of `re`, and its line."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=function),
                args=[pattern, *_],
            ) if function in FUNCTIONS:
                for part in ast.walk(pattern):
                    match part:
                        case ast.Constant(value=str(text)):
                            yield part.lineno, text
                        case _:
                            pass
            case _:
                pass


def test_patterns_are_found() -> None:
    here = list(patterns(Path(__file__)))
    assert [text for _, text in here] == [r"(?<!\\)[+*?}]\+|\(\?>"]


def test_no_pattern_gives_nothing_back() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text}"
        for file in sorted((ROOT / "xdsl_bufferization").rglob("*.py"))
        for line, text in patterns(file)
        if POSSESSIVE.search(text)
    ]
    assert found == []
