"""Names in a document: where each is defined and used, and other names for them.

    %0 = tensor.empty() : ...        values and blocks are found by what was parsed,
    func.call @f(%0) : ...           symbols in the nearest module that defines them,
    #map, !type                      aliases by their names

Where a piece could not be parsed, values are found by their names in that piece.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from .document import Document, Placed, Program
from .places import Range
from .reading import Piece, ValueName, symbol_of
from .words import Kind, Word, bare_name, word_in, words_between


@dataclass(frozen=True)
class Name:
    """One place of a name."""

    range: Range
    """Of the name alone, without its mark; inside of quotes, if it has some."""
    is_definition: bool


@dataclass(frozen=True)
class Edit:
    """A part of a text, and what is to stand there."""

    range: Range
    text: str


class RenameError(Exception):
    """A name cannot be changed, or not to that."""


@dataclass(frozen=True)
class At:
    """A word of a document, and the piece that it is in."""

    program: Program
    placed: Placed
    word: Word

    @property
    def range(self) -> Range:
        """The word in the document."""
        return self.placed.range(self.word.start, self.word.end)


def look_at(document: Document, position: int) -> At | None:
    """The word at a position."""
    program = document.program_at(position)
    placed = program.piece_at(position)
    if placed is None:
        return None
    word = word_in(placed.piece.text, placed.offset(position))
    return None if word is None else At(program, placed, word)


def find_names(document: Document, position: int) -> list[Name]:
    """All places of what is named at a position, in the order of the text."""
    at = look_at(document, position)
    if at is None:
        return []
    match at.word.kind:
        case Kind.VALUE:
            found = _names_of_value(at)
        case Kind.LABEL:
            found = _names_of_label(at)
        case Kind.SYMBOL | Kind.STRING:
            found = _names_of_symbol(at)
        case Kind.ATTRIBUTE | Kind.TYPE:
            found = _names_of_alias(at)
        case _:
            return []
    return sorted(set(found), key=lambda name: name.range)


def find_definitions(document: Document, position: int) -> list[Range]:
    """Where what is named at a position is defined."""
    names = find_names(document, position)
    return [name.range for name in names if name.is_definition]


def rename(document: Document, position: int, new_name: str) -> list[Edit]:
    """Edits that give what is named at a position another name.

    Raises a `RenameError` if that is no name, or if the name has another meaning there.
    """
    at = look_at(document, position)
    names = find_names(document, position)
    if at is None or not any(name.is_definition for name in names):
        raise RenameError("nothing that is defined in this document has a name here")
    mark = at.word.text[0]
    new_name = new_name.removeprefix("@" if at.word.kind is Kind.STRING else mark)
    _check_name(at, new_name)
    return [Edit(name.range, new_name) for name in names]


_SUFFIX: Final = re.compile(r"[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*")
_SYMBOL: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_$.]*")


def _check_name(at: At, name: str) -> None:
    is_symbol = at.word.kind in (Kind.SYMBOL, Kind.STRING)
    if (_SYMBOL if is_symbol else _SUFFIX).fullmatch(name) is None:
        raise RenameError(f"'{name}' is not a name")
    if at.placed.piece.error is not None:
        raise RenameError("this part of the program has an error; mend it first")
    if name == bare_name(at.word):
        return
    kinds = (Kind.SYMBOL,) if is_symbol else (at.word.kind,)
    # A value or block is known in its function only, all else in the whole program.
    is_local = at.word.kind in (Kind.VALUE, Kind.LABEL)
    placed = [at.placed] if is_local else at.program.all_pieces()
    for each in placed:
        for word in each.piece.words:
            if word.kind in kinds and bare_name(word) == name:
                raise RenameError(f"'{word.text}' is the name of something else")
        if is_symbol and name in map(symbol_of, each.piece.op_places):
            raise RenameError(f"'@{name}' is the name of something else")


# Values and blocks.


def definition_of_value(piece: Piece, word: Word) -> ValueName | None:
    """The definition of the value that a word names."""
    used = piece.names_by_start.get(word.start)
    if used is None:
        return None
    return next(
        (
            each
            for each in piece.names
            if each.is_definition and not {*each.values}.isdisjoint(used.values)
        ),
        None,
    )


def _names_of_value(at: At) -> Iterator[Name]:
    piece = at.placed.piece
    definition = definition_of_value(piece, at.word)
    if definition is None:
        yield from _same_words(at)
        return
    values = {*definition.values}
    for each in piece.names:
        if not values.isdisjoint(each.values):
            end = each.start + 1 + len(_name_at(piece, each.start))
            yield Name(at.placed.range(each.start + 1, end), each.is_definition)


def _name_at(piece: Piece, start: int) -> str:
    """The name without its mark, and without `#1`."""
    found = _SUFFIX.match(piece.text, start + 1)
    return "" if found is None else found[0]


def _same_words(at: At) -> Iterator[Name]:
    """Words of the same name in a piece that could not be parsed; the first defines."""
    name = bare_name(at.word)
    is_first = True
    for word in at.placed.piece.words:
        if word.kind is at.word.kind and bare_name(word) == name:
            start = word.start + 1
            yield Name(at.placed.range(start, start + len(name)), is_first)
            is_first = False


def _names_of_label(at: At) -> Iterator[Name]:
    piece = at.placed.piece
    label = piece.places.labels.get(at.word.start)
    if label is None:
        yield from _same_words(at)
        return
    for each in piece.labels:
        if each.block is label.block:
            yield Name(at.placed.range(each.start + 1, each.end), each.is_definition)


# Symbols.


def definition_of_symbol(at: At) -> tuple[Placed, Operation] | None:
    """The op that defines the symbol which a word names, and its piece."""
    name = _symbol_in(at.word)
    around = _op_around(at.placed.piece, at.word.start)
    if around is not None and symbol_of(around) == name:
        place = _place_of_symbol(at.placed, around)
        if place is not None and at.placed.range(*place).start == at.range.start + 1:
            return at.placed, around
    if at.word.kind is Kind.STRING:
        return None
    outer = _outer_symbol(at)
    if outer is not None:
        found = definition_of_symbol(outer)
        if found is None:
            return None
        placed, table = found
        op = _find_in(table, name)
        return None if op is None else (placed, op)
    return _look_up(at.program, at.placed, around, name)


def _look_up(
    program: Program, placed: Placed, op: Operation | None, name: str
) -> tuple[Placed, Operation] | None:
    while op is not None and op is not program.module:
        if op.has_trait(SymbolTable, value_if_unregistered=False):
            found = _find_in(op, name)
            if found is not None:
                return placed, found
        op = op.parent_op()
    return program.symbols.get(name)


def _find_in(table: Operation, name: str) -> Operation | None:
    for region in table.regions:
        for block in region.blocks:
            for op in block.ops:
                if symbol_of(op) == name:
                    return op
    return None


def _outer_symbol(at: At) -> At | None:
    """The symbol in front of `::`."""
    piece, start = at.placed.piece, at.word.start
    if not piece.text[:start].endswith("::"):
        return None
    word = word_in(piece.text, start - 2)
    return None if word is None else At(at.program, at.placed, word)


def _symbol_in(word: Word) -> str:
    return word.text[1:-1] if word.kind is Kind.STRING else bare_name(word)


def _op_around(piece: Piece, offset: int) -> Operation | None:
    """The innermost op that is written around a place."""
    found = None
    for op, place in piece.op_places.items():
        if place.start <= offset < max(place.end, place.start + 1):
            found = op
        elif place.start > offset:
            break
    return found


def op_at(piece: Piece, offset: int) -> Operation | None:
    """The innermost op that is written around a place of a piece."""
    return _op_around(piece, offset)


def _place_of_symbol(placed: Placed, op: Operation) -> tuple[int, int] | None:
    """Where the name is that an op defines as a symbol, without mark and quotes."""
    piece, name = placed.piece, symbol_of(op)
    place = piece.op_places.get(op)
    if place is None or name is None:
        return None
    for word in words_between(piece.text, place.name, place.end):
        if word.kind in (Kind.SYMBOL, Kind.STRING) and _symbol_in(word) == name:
            quote = word.kind is Kind.SYMBOL and word.text.startswith('@"')
            start = word.start + 1 + quote
            return start, start + len(name)
    return None


def range_of_symbol(placed: Placed, op: Operation) -> Range | None:
    """Where the name is that an op defines as a symbol."""
    place = _place_of_symbol(placed, op)
    return None if place is None else placed.range(*place)


def _names_of_symbol(at: At) -> Iterator[Name]:
    found = definition_of_symbol(at)
    if found is None:
        if at.word.kind is Kind.SYMBOL:
            yield from _words_of_symbol(at)
        return
    placed, op = found
    definition = range_of_symbol(placed, op)
    if definition is not None:
        yield Name(definition, True)
    name = symbol_of(op)
    for each in at.program.all_pieces():
        if name not in each.piece.symbols_named:
            continue
        for word in each.piece.words:
            if word.kind is not Kind.SYMBOL or bare_name(word) != name:
                continue
            there = At(at.program, each, word)
            target = definition_of_symbol(there)
            if each.piece.error is not None or (target is not None and target[1] is op):
                at_word = _inside(there)
                if at_word != definition:
                    yield Name(at_word, False)


def _words_of_symbol(at: At) -> Iterator[Name]:
    """Where nothing that could be read defines a symbol: the pieces begin with it."""
    name = bare_name(at.word)
    for each in at.program.all_pieces():
        is_first = each.piece.error is not None
        for word in each.piece.words:
            if word.kind is not Kind.SYMBOL:
                continue
            if bare_name(word) == name:
                yield Name(_inside(At(at.program, each, word)), is_first)
            is_first = False


def _inside(at: At) -> Range:
    """The name of a symbol without its mark and quotes."""
    start = at.word.start + 1 + at.word.text.startswith('@"')
    return at.placed.range(start, start + len(bare_name(at.word)))


# Aliases.


def _names_of_alias(at: At) -> Iterator[Name]:
    if "." in at.word.text:
        return  # An attribute or a type of a dialect.
    for each in at.program.all_pieces():
        words = each.piece.words
        for number, word in enumerate(words):
            if word.text == at.word.text and word.kind is at.word.kind:
                is_definition = each.is_alias and number == 0
                if not each.is_alias:
                    behind = each.piece.text[word.end : word.end + 8].lstrip(" \t")
                    is_definition = behind.startswith("=") and _begins_line(
                        each.piece.text, word.start
                    )
                yield Name(each.range(word.start + 1, word.end), is_definition)


def _begins_line(text: str, start: int) -> bool:
    return not text[text.rfind("\n", 0, start) + 1 : start].strip()
