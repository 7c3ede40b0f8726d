"""MLIR's text as tokens: what a mutator exchanges and a shrinker leaves out."""

import re
from typing import Final

_TOKEN: Final = re.compile(
    r'"(?:\\.|[^"\\\n])*"|//[^\n]*|[%@!#^][\w$.-]+|0x[0-9a-fA-F]+'
    r"|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|(?<=[\d?*])x|[A-Za-z_][\w.$]*|->|::|\s+|.",
    re.DOTALL,
)


def tokens_of(text: str) -> list[str]:
    """All parts of a text, white space as well."""
    return _TOKEN.findall(text)


def kind_of(token: str) -> str:
    """What a token is of: its first letter, or what that stands for."""
    first = token[:1]
    if first.isdigit():
        return "number"
    if first.isspace():
        return "space"
    if first.isalpha() or first == "_":
        return "operation" if "." in token else "word"
    return first
