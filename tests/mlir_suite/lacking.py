"""What MLIR has and this package does not: `lacking.toml`.

A part of a test that fails and names one of these is not in the score. If the part
fails for an unknown op that is not in the list, it counts as failed.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

_LIST = Path(__file__).parent / "lacking.toml"


def lacking_name(text: str) -> str | None:
    """The first op, type or attribute in a program that we do not have."""
    found = _pattern().search(text)
    return None if found is None else found[1]


@cache
def _pattern() -> re.Pattern[str]:
    lists = tomllib.loads(_LIST.read_text())
    names = [*map(re.escape, lists["names"])]
    names += [rf"{name}\.\w[\w.]*" for name in lists["dialects"]]
    return re.compile(rf"(?<![\w.])({'|'.join(names)})(?![\w.])")
