"""What is in a document, for its list of symbols and for folding.

func.func @f    function, lines 1 to 9
memref.global @g    constant, line 11
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from .document import Document, Placed
from .names import range_of_symbol
from .places import Range
from .reading import symbol_of
from .words import Kind, bare_name


class SymbolKind(Enum):
    """What defines a symbol."""

    FUNCTION = "function"
    GLOBAL = "global"
    MODULE = "module"
    OTHER = "other"


@dataclass(frozen=True)
class Symbol:
    """Something with a name, and what is in it."""

    name: str
    detail: str
    kind: SymbolKind
    range: Range
    name_range: Range
    children: tuple["Symbol", ...] = ()


def list_symbols(document: Document) -> list[Symbol]:
    """The symbols of a document, with those inside of modules; also of broken ones."""
    found: list[Symbol] = []
    for program in document.programs:
        shell = program.shell
        inner = [each for placed in program.placed for each in _symbols_of(placed)]
        if shell is None or shell.piece.module is None:
            found += inner
            continue
        name = symbol_of(shell.piece.module)
        at = shell.range(0, len(shell.piece.text))
        head = Range(shell.start, shell.start + len("module"))
        children = tuple(inner)
        found.append(
            Symbol(name or "module", "", SymbolKind.MODULE, at, head, children)
        )
    return found


def _symbols_of(placed: Placed) -> Iterator[Symbol]:
    if placed.piece.error is not None:
        yield from _broken_symbol(placed)
    for op in placed.piece.ops:
        yield from _symbol(placed, op)


def _broken_symbol(placed: Placed) -> Iterator[Symbol]:
    """The first symbol that a piece names, which could not be read."""
    words = placed.piece.words
    named = next((word for word in words if word.kind is Kind.SYMBOL), None)
    if named is None or placed.is_alias:
        return
    yield Symbol(
        bare_name(named),
        "has an error",
        SymbolKind.FUNCTION,
        placed.range(0, len(placed.piece.text)),
        placed.range(named.start, named.end),
    )


def _symbol(placed: Placed, op: Operation) -> Iterator[Symbol]:
    inner = [
        symbol
        for region in op.regions
        for block in region.blocks
        for each in block.ops
        for symbol in _symbol(placed, each)
    ]
    name, place = symbol_of(op), placed.piece.op_places.get(op)
    if place is None or (name is None and not isinstance(op, ModuleOp)):
        yield from inner
        return
    at = placed.range(place.start, place.end)
    named = range_of_symbol(placed, op) or placed.range(place.name, place.name)
    yield Symbol(name or "module", _detail(op), _kind(op), at, named, tuple(inner))


_GLOBALS: Final = ("memref.global", "ml_program.global", "llvm.mlir.global")


def _kind(op: Operation) -> SymbolKind:
    if isinstance(op, ModuleOp):
        return SymbolKind.MODULE
    if op.name in _GLOBALS:
        return SymbolKind.GLOBAL
    return SymbolKind.FUNCTION if "function_type" in op.properties else SymbolKind.OTHER


def _detail(op: Operation) -> str:
    return str(op.function_type) if isinstance(op, FuncOp) else op.name


@dataclass(frozen=True)
class Fold:
    """Lines that can be folded into the first of them."""

    first_line: int
    last_line: int
    is_comment: bool = False


def list_folds(document: Document) -> list[Fold]:
    """Ops with bodies, comments of several lines, and modules."""
    lines = document.lines
    found: list[Fold] = []
    for _, placed in document.pieces():
        for op, place in placed.piece.op_places.items():
            if op.regions:
                at = placed.range(place.start, place.end)
                first, last = lines.line_of(at.start), lines.line_of(at.end)
                # The line with the brace at the end stays to be seen.
                if last - first > 1:
                    found.append(Fold(first, last - 1))
    found += _folds_of_comments(document)
    return sorted(found, key=lambda fold: (fold.first_line, -fold.last_line))


def _folds_of_comments(document: Document) -> Iterator[Fold]:
    lines = document.text.split("\n")
    numbered = enumerate(line.lstrip().startswith("//") for line in lines)
    for is_comment, group in groupby(numbered, key=lambda each: each[1]):
        numbers = [number for number, _ in group]
        if is_comment and len(numbers) > 1:
            yield Fold(numbers[0], numbers[-1], is_comment=True)
