"""The words of MLIR's text, with their kinds: what can be told without parsing.

    %0 = arith.addf %a, %b : f32     VALUE WORD VALUE VALUE WORD

It also works where a program is broken. Nothing is said about blanks and punctuation.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple


class Kind(Enum):
    """What a word is."""

    COMMENT = "comment"
    STRING = "string"
    VALUE = "value"
    """`%name` or `%name#1`."""
    SYMBOL = "symbol"
    """`@name`, also with quotes."""
    LABEL = "label"
    """`^name`."""
    ATTRIBUTE = "attribute"
    """`#name`: an alias, or the name of an attribute of a dialect."""
    TYPE = "type"
    """`!name`: an alias, or the name of a type of a dialect."""
    NUMBER = "number"
    WORD = "word"
    """The name of an op, of a type, or anything else without a mark."""


class Word(NamedTuple):
    """A word of a text, and where it is."""

    start: int
    end: int
    kind: Kind
    text: str


_NAME: Final = r"(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*)"
_STRING: Final = r'"(?:[^"\\\n]|\\.)*"'
_WORD: Final = re.compile(
    rf"""(//[^\n\r]*)
    | ({_STRING})
    | (%{_NAME}(?:\#[0-9]+)?)
    | (@(?:[a-zA-Z_][a-zA-Z0-9_$.]*|{_STRING}))
    | (\^{_NAME})
    | (\#(?!-){_NAME})
    | (!{_NAME})
    | (0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?)?)
    | ([a-zA-Z_][a-zA-Z0-9_$.]*)""",
    re.VERBOSE,
)
_KINDS: Final = (
    Kind.COMMENT, Kind.STRING, Kind.VALUE, Kind.SYMBOL, Kind.LABEL, Kind.ATTRIBUTE,
    Kind.TYPE, Kind.NUMBER, Kind.WORD,
)  # fmt: skip


def words_of(text: str) -> list[Word]:
    """All words of a text, in order."""
    return list(words_between(text, 0, len(text)))


def words_between(text: str, start: int, end: int) -> Iterator[Word]:
    """The words of a part of a text, in order."""
    for each in _WORD.finditer(text, start, end):
        kind = _KINDS[(each.lastindex or 1) - 1]
        yield Word(each.start(), each.end(), kind, each[0])


def word_in(text: str, position: int) -> Word | None:
    """The word of a text that has the character at a position, or that ends there."""
    # No word goes on in the next line.
    start, end = text.rfind("\n", 0, position) + 1, text.find("\n", position)
    words = [*words_between(text, start, len(text) if end < 0 else end)]
    number = bisect_right(words, position, key=lambda word: word.start) - 1
    if number >= 0 and position <= words[number].end:
        return words[number]
    return None


def bare_name(word: Word) -> str:
    """The name of a value, a symbol or a label, without its mark and quotes."""
    name = word.text[1:]
    if word.kind is Kind.VALUE:
        name = name.partition("#")[0]
    return name[1:-1] if name.startswith('"') else name
