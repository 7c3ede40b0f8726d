"""What each word of a document is, for colours.

%0 = arith.addf %a, %b {fast} : f32     variable keyword parameter ... property type
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from xdsl.ir import BlockArgument

from .document import Document, Placed
from .places import Range
from .reading import Piece
from .words import Kind, Word


class Colour(Enum):
    """What a word is; the names are those that editors know."""

    COMMENT = "comment"
    STRING = "string"
    NUMBER = "number"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    FUNCTION = "function"
    LABEL = "label"
    MACRO = "macro"
    TYPE = "type"
    KEYWORD = "keyword"
    PROPERTY = "property"


class Highlight(NamedTuple):
    """A word of a document."""

    range: Range
    colour: Colour
    is_definition: bool


_TYPES: Final = re.compile(
    r"tensor|memref|vector|complex|tuple|none|index|bf16|tf32|f\d+\w*|[su]?i\d+"
)
_COLOURS: Final = {
    Kind.COMMENT: Colour.COMMENT,
    Kind.STRING: Colour.STRING,
    Kind.NUMBER: Colour.NUMBER,
    Kind.VALUE: Colour.VARIABLE,
    Kind.SYMBOL: Colour.FUNCTION,
    Kind.LABEL: Colour.LABEL,
    Kind.ATTRIBUTE: Colour.MACRO,
    Kind.TYPE: Colour.TYPE,
}


def highlight(
    document: Document, start: int = 0, end: int | None = None
) -> list[Highlight]:
    """All words of a part of a document, in order."""
    end = len(document.text) if end is None else end
    found = [
        each
        for _, placed in document.pieces()
        if placed.start < end and placed.end > start
        for each in _highlight_piece(placed)
        if each.range.start < end and each.range.end > start
    ]
    return sorted(found, key=lambda each: each.range)


def _highlight_piece(placed: Placed) -> Iterator[Highlight]:
    piece = placed.piece
    names_of_ops = {place.name for place in piece.op_places.values()}
    for word in piece.words:
        colour = _colour(piece, word, names_of_ops)
        if colour is not None:
            name = piece.names_by_start.get(word.start)
            is_definition = name is not None and name.is_definition
            at = placed.range(word.start, word.end)
            yield Highlight(at, colour, is_definition)


def _colour(piece: Piece, word: Word, names_of_ops: set[int]) -> Colour | None:
    if word.start in names_of_ops:
        return Colour.KEYWORD
    if word.kind is Kind.VALUE:
        name = piece.names_by_start.get(word.start)
        if name is not None and isinstance(name.values[0], BlockArgument):
            return Colour.PARAMETER
    if word.kind is not Kind.WORD:
        return _COLOURS[word.kind]
    if _TYPES.fullmatch(word.text):
        return Colour.TYPE
    behind = piece.text[word.end : word.end + 3].lstrip(" ")
    if behind.startswith("=") and not behind.startswith("=="):
        return Colour.PROPERTY
    return Colour.KEYWORD if "." in word.text else None
