"""What MLIR has and this package does not: `lacking.toml`.

A part of a test that needs one of these ops, types or attributes is not in the score.
If the part needs an unknown op that is not in the list, it fails.
"""

import tomllib
from functools import cache
from pathlib import Path

_LIST = Path(__file__).parent / "lacking.toml"


def is_lacking(name: str) -> bool:
    """Whether an op, type or attribute is one that we do not have."""
    dialects, names = _lists()
    return name in names or name.partition(".")[0] in dialects


@cache
def _lists() -> tuple[frozenset[str], frozenset[str]]:
    lists = tomllib.loads(_LIST.read_text())
    return frozenset(lists["dialects"]), frozenset(lists["names"])
