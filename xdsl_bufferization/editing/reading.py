"""Parse a piece of a text, and keep where ops, values and blocks are written.

    %1 = arith.addf %0, %0 : f32     ops: 0 to 30, its name at 5
                                     definitions: %1 at 0; uses: %0 at 16 and at 20

Places are numbers of characters from the beginning of the piece.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple, cast

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from xdsl_bufferization.dialects.parsing import MLIRParser, WiderParser, parse_all
from xdsl_bufferization.dialects.text.locations import file_location
from xdsl_bufferization.dialects.text.modules import ModuleParser
from xdsl_bufferization.dialects.text.quick import LightOperand
from xdsl_bufferization.dialects.text.tokens import LightToken
from xdsl_bufferization.support.nesting import (
    NeedsRoomError,
    free_traceback,
    run_where_it_fits,
)
from xdsl_bufferization.support.traversal import ops_inside

from .words import Kind, Word, bare_name, words_of


class OpPlace(NamedTuple):
    """Where an op is written."""

    start: int
    """Of its first result, or else of its name."""
    name: int
    """Of its name."""
    end: int
    """Behind its last word; what follows may be blanks and comments."""


class ValueName(NamedTuple):
    """A name of a value in the text: where it is defined, or used."""

    start: int
    end: int
    """Behind the name, and behind `#1`."""
    values: tuple[SSAValue, ...]
    """Several where the results of an op have one name."""
    is_definition: bool


class LabelName(NamedTuple):
    """The name of a block in the text."""

    start: int
    end: int
    block: Block
    is_definition: bool


@dataclass(frozen=True)
class Before:
    """A piece before an edit, and where its ops and values are now.

    Lines and columns count from 0 and from the beginning of the piece.
    """

    piece: "Piece"
    is_alike: bool
    """Whether it meant to all passes what the piece means now."""
    inside: Mapping[tuple[int, int], tuple[int, int]]
    """Where what was read again was and is; of other ops if these are not alike."""
    start: tuple[int, int]
    """Where that began."""
    old_end: tuple[int, int]
    """Where that ended."""
    end: tuple[int, int]

    @cached_property
    def _lines(self) -> dict[int, int]:
        return {old: new for (old, _), (new, _) in self.inside.items()}

    def has_again(self, line: int, column: int) -> bool:
        """Whether what stood at a place was read again."""
        return self.start <= (line, column) < self.old_end

    @cached_property
    def moves(self) -> bool:
        """Whether anything is at another place now."""
        return self.old_end != self.end or any(
            old != new for old, new in self.inside.items()
        )

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Where something is now."""
        place = line, column
        if place < self.old_end:
            return self.inside.get(place, place)
        (old_line, old_column), (new_line, new_column) = self.old_end, self.end
        right = new_column - old_column if line == old_line else 0
        return line + new_line - old_line, column + right

    def line(self, line: int) -> int:
        """The line in which something is now."""
        if line >= self.old_end[0]:
            return self.place(line, 0 if line > self.old_end[0] else self.old_end[1])[0]
        return self._lines.get(line, line)


@dataclass
class Places:
    """Where everything is that a parser has read.

    Names are kept by where they start, as an abandoned attempt to read an op leaves
    what is read again.
    """

    ops: dict[Operation, tuple[int, int, int]] = field(
        default_factory=dict[Operation, tuple[int, int, int]]
    )
    """The start, the name, and the word behind each op."""
    definitions: dict[int, tuple[int, tuple[SSAValue, ...]]] = field(
        default_factory=dict[int, tuple[int, tuple[SSAValue, ...]]]
    )
    """The ends and values of names that are defined."""
    uses: dict[int, tuple[int, SSAValue]] = field(
        default_factory=dict[int, tuple[int, SSAValue]]
    )
    """The ends of names that are used, without `#1`, and what they stand for."""
    labels: dict[int, LabelName] = field(default_factory=dict[int, LabelName])


class PlaceParser(WiderParser):
    """A parser that keeps where everything is; it goes in front of other parsers."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self.places = Places()
        self._names_of_ops: list[int] = []
        self._open_uses: dict[str, list[tuple[int, int, int]]] = {}
        """Where names are used that nothing has defined yet, and which of several."""
        self.has_forward_uses = False
        """Whether a name was used before its definition."""

    def go_into(self, block: Block, position: int) -> None:
        """Go on at a position inside of a block that was read before."""
        around = block.parent_op()
        dialects: list[str] = []
        while around is not None:
            dialects.append(around.dialect_name())
            around = around.parent_op()
        self.reading.dialect_stack[1:] = reversed(dialects)
        self.go_to(position)

    def place_again(self, op: Operation, position: int) -> None:
        """Correct where an op was written that was read before."""

    @override
    def _begin_name(self) -> None:
        self._names_of_ops.append(self.pos)
        super()._begin_name()

    @override
    def parse_operation(self) -> Operation:
        start, depth = self.pos, len(self._names_of_ops)
        op = super().parse_operation()
        self.places.ops[op] = start, self._names_of_ops[depth], self.pos
        del self._names_of_ops[depth:]
        return op

    @override
    def define(self, name: LightToken | Span, values: Sequence[SSAValue]) -> None:
        super().define(name, values)
        places = self.places
        # One name may stand for an argument of each region of an op.
        _, others = places.definitions.get(name.start, (0, ()))
        places.definitions[name.start] = name.end, (*values, *others)
        if self._open_uses:
            for start, end, number in self._open_uses.pop(name.text[1:], ()):
                places.uses[start] = end, values[number]

    @override
    def resolve_operand(
        self, operand: UnresolvedOperand, type: Attribute
    ) -> SSAValue[Attribute]:
        value = super().resolve_operand(operand, type)
        # The object for its place is made for errors, and would take time.
        at = operand.token if isinstance(operand, LightOperand) else operand.span
        self.places.uses[at.start] = at.end, value
        name = operand.operand_name
        if name in self.forward_ssa_references:
            self.has_forward_uses = True
            uses = self._open_uses.setdefault(name, [])
            uses.append((at.start, at.end, operand.index))
        return value

    @override
    def parse_optional_successor(self) -> Block | None:
        token = self.reading.current_token
        block = super().parse_optional_successor()
        if block is not None:
            self._keep_label(token, block, is_definition=False)
        return block

    @override
    def _labeled_block(self, label: LightToken) -> Block:
        block = super()._labeled_block(label)
        self._keep_label(label, block, is_definition=True)
        return block

    def _keep_label(
        self, token: LightToken, block: Block, *, is_definition: bool
    ) -> None:
        found = LabelName(token.start, token.end, block, is_definition)
        self.places.labels[token.start] = found


class _MLIRPlaceParser(PlaceParser, MLIRParser):  # pyright: ignore[reportIncompatibleMethodOverride,reportIncompatibleVariableOverride], see LocationParser
    """Of MLIR's text; locations count lines of the document."""

    lines_before = 0

    @override
    def line_and_column(self, position: int) -> tuple[int, int]:
        line, column = super().line_and_column(position)
        return line + self.lines_before, column

    @override
    def place_again(self, op: Operation, position: int) -> None:
        # A location that the text gives is another.
        file = file_location(op.location)
        if file is not None and file.filename.data == self.lexer.input.name:
            op.location = UNKNOWN_LOC
            self._place(op, position)


def _behind_number(text: str, end: int) -> int:
    """The end of `#1` behind a name."""
    if not text.startswith("#", end):
        return end
    end += 1
    while text[end : end + 1].isdecimal():
        end += 1
    return end


MOST_REMEMBERED: Final = 20_000
"""So many texts of attributes are known, and of types."""


@dataclass(frozen=True)
class Reader:
    """How pieces are read: by whose rules, and with which dialects."""

    ctx: Context
    is_mlirs: bool = True
    """Whether only MLIR's text is right; otherwise also xDSL's."""

    @cached_property
    def _shared(self) -> WiderParser:
        """Has what all parsers have read: a type is one object in all pieces."""
        return WiderParser(self.ctx, "")

    def parser(self, text: str, file: str, lines_before: int) -> PlaceParser:
        """A parser of one piece."""
        if self.is_mlirs:
            parser = _MLIRPlaceParser(self.ctx, text, file)
            parser.lines_before = lines_before
        else:
            parser = PlaceParser(self.ctx, text, file)
        shared = self._shared
        for known in (shared.types_read, shared.attributes_read):
            if len(known) > MOST_REMEMBERED:
                known.clear()  # Whoever tries out numbers writes new ones all day.
        parser.share_with(shared)
        return parser

    def read(
        self,
        text: str,
        file: str,
        lines_before: int = 0,
        aliases: ModuleParser | None = None,
    ) -> "Piece":
        """Parse a piece of a document; an error is kept with it."""

        def work() -> Piece:
            try:
                parser = self.parser(text, file, lines_before)
            except ParseError as error:  # The first word is none.
                piece = Piece(text, file, lines_before, self.parser("", file, 0))
                piece.keep(error)
                return piece
            if aliases is not None:
                parser.take_aliases(aliases)
            piece = Piece(text, file, lines_before, parser)
            try:
                module = parse_all(parser)
            except NeedsRoomError:
                raise
            except Exception as error:  # Whatever it is, the next piece may do better.
                piece.keep(error)
            else:
                piece.take_ops(module)
            return piece

        return run_where_it_fits(work)

    def copy(self, piece: "Piece") -> "Piece":
        """A piece that is right once more, with ops of its own."""
        values: dict[SSAValue, SSAValue] = {}
        blocks: dict[Block, Block] = {}
        ops = [op.clone(values, blocks) for op in piece.ops]
        parser = self.parser(piece.text, piece.file, piece.lines_before)
        parser.take_aliases(piece.parser)
        parser.has_forward_uses = piece.parser.has_forward_uses
        parser.places = _copy_places(piece, ops, values, blocks)
        copied = Piece(piece.text, piece.file, piece.lines_before, parser)
        copied.ops = ops
        copied.module = None if piece.module is None else cast(ModuleOp, ops[0])
        return copied


def _copy_places(
    piece: "Piece",
    ops: Sequence[Operation],
    values: Mapping[SSAValue, SSAValue],
    blocks: Mapping[Block, Block],
) -> Places:
    """The places of a piece for copies of its ops."""
    places = piece.places
    copied = Places()
    for old, new in zip(piece.ops, ops, strict=True):
        for op, copy in zip(ops_inside(old), ops_inside(new), strict=True):
            if (place := places.ops.get(op)) is not None:
                copied.ops[copy] = place
    for start, (end, defined) in places.definitions.items():
        copied.definitions[start] = end, tuple(values.get(v, v) for v in defined)
    for start, (end, value) in places.uses.items():
        copied.uses[start] = end, values.get(value, value)
    for start, label in places.labels.items():
        block = blocks.get(label.block, label.block)
        copied.labels[start] = label._replace(block=block)
    return copied


class Piece:
    """A part of a document that was parsed by itself."""

    def __init__(
        self, text: str, file: str, lines_before: int, parser: PlaceParser
    ) -> None:
        self.text = text
        self.file = file
        """What its ops have as the name of their file: no other piece has that name."""
        self.lines_before = lines_before
        """Where it stood when it was parsed; messages may have numbers of lines."""
        self.parser = parser
        self.error: Exception | None = None
        self.ops: list[Operation] = []
        self.module: ModuleOp | None = None
        """The only op, if it is a module."""
        self.checked_with: object = None
        """What `check_errors` depend on."""
        self.check_errors: list[Exception] = []
        self.before: Before | None = None
        """What it was before an edit."""

    def keep(self, error: Exception) -> None:
        """Have the error of the syntax."""
        # What a `ParseError` says is in it; what other errors say is in the traceback.
        if isinstance(error, ParseError):
            free_traceback(error)
        self.error = error

    def take_ops(self, module: ModuleOp) -> None:
        """Have the ops of a module that was read."""
        if module in self.places.ops:
            self.module = module
            self.ops = [module]
        else:
            self.ops = list(module.ops)
            for op in self.ops:
                op.detach()

    @property
    def places(self) -> Places:
        """Where ops, values and blocks are."""
        return self.parser.places

    @cached_property
    def words(self) -> list[Word]:
        """All words of the text."""
        return words_of(self.text)

    @cached_property
    def symbols_named(self) -> frozenset[str]:
        """The names of all symbols that are defined or used."""
        names = (found["name"] for found in _SYMBOL.finditer(self.text))
        return frozenset(name.strip('"') for name in names if name is not None)

    @cached_property
    def aliases_named(self) -> frozenset[str]:
        """The names of all aliases that are defined or used, with their marks."""
        return frozenset(
            word.text for word in self.words if word.kind in (Kind.ATTRIBUTE, Kind.TYPE)
        )

    @cached_property
    def op_places(self) -> dict[Operation, OpPlace]:
        """Where each op of the piece is, in the order of the text."""
        known = self.places.ops
        found: dict[Operation, OpPlace] = {}
        for op in (each for root in self.ops for each in ops_inside(root)):
            if (place := known.get(op)) is not None:
                start, name, behind = place
                found[op] = OpPlace(start, name, self._end_before(behind, name))
        # The first region of `scf.index_switch` is written last.
        return dict(sorted(found.items(), key=lambda each: each[1].start))

    @cached_property
    def ops_by_name(self) -> dict[int, Operation]:
        """The ops of the piece by where their names begin."""
        return {place.name: op for op, place in self.op_places.items()}

    def uses_of(self, op: Operation) -> Sequence[ValueName]:
        """The names of operands of an op, without those of ops inside."""
        if op.regions or not self._has_all_names:
            return self._uses_of_ops.get(op, ())
        place, uses = self.op_places[op], self.places.uses
        starts = (
            each.start() for each in _MARK.finditer(self.text, place.start, place.end)
        )
        return [self._use(start) for start in starts if start in uses]

    def _use(self, start: int) -> ValueName:
        end, value = self.places.uses[start]
        return ValueName(start, _behind_number(self.text, end), (value,), False)

    @cached_property
    def _has_all_names(self) -> bool:
        """Whether the parser was asked for the value of each name."""
        places = self.places
        return self.text.count("%") == len(
            places.uses.keys() | places.definitions.keys()
        )

    @cached_property
    def _uses_of_ops(self) -> dict[Operation, list[ValueName]]:
        """The names of operands by their op, without those of ops inside."""
        uses = [name for name in self.names if not name.is_definition]
        found: dict[Operation, list[ValueName]] = {}
        opened: list[tuple[int, Operation]] = []
        waiting = iter(self.op_places.items())
        following = next(waiting, None)
        for name in uses:
            while following is not None and following[1].start <= name.start:
                opened.append((following[1].end, following[0]))
                following = next(waiting, None)
            while opened and opened[-1][0] <= name.start:
                opened.pop()
            if opened:
                found.setdefault(opened[-1][1], []).append(name)
        return found

    def _end_before(self, behind: int, name: int) -> int:
        """Where the op ends whose next word begins at `behind`."""
        text, end = self.text, behind
        while True:
            while end > name and text[end - 1].isspace():
                end -= 1
            comment = self._comments.get(end)
            if comment is None:
                return end
            end = comment.start

    @cached_property
    def _comments(self) -> dict[int, Word]:
        """All comments, by their ends without blanks."""
        if "//" not in self.text:
            return {}
        return {
            word.start + len(word.text.rstrip()): word
            for word in self.words
            if word.kind is Kind.COMMENT
        }

    @cached_property
    def names(self) -> list[ValueName]:
        """All names of values, in the order of the text."""
        places: dict[int, ValueName] = {}
        for start in self.places.uses:
            places[start] = self._use(start)
        for start, (end, values) in self.places.definitions.items():
            places[start] = ValueName(start, end, values, True)
        if self.error is None and not self._has_all_names:
            self._add_unresolved(places)
        return [places[start] for start in sorted(places)]

    def _add_unresolved(self, places: dict[int, ValueName]) -> None:
        """Add names that formats read without asking for the value, as in maps.

        Such a name is that of the last definition in front.
        """
        latest: dict[str, ValueName] = {}
        for word in self.words:
            if word.kind is not Kind.VALUE:
                continue
            name, known = bare_name(word), places.get(word.start)
            if known is None and name in latest:
                values = latest[name].values
                places[word.start] = ValueName(word.start, word.end, values, False)
            elif known is not None and known.is_definition:
                latest[name] = known

    @cached_property
    def names_by_start(self) -> dict[int, ValueName]:
        """The same, by where they begin."""
        return {name.start: name for name in self.names}

    @cached_property
    def labels(self) -> list[LabelName]:
        """All names of blocks, in the order of the text."""
        places = self.places.labels
        return [places[start] for start in sorted(places)]


_MARK: Final = re.compile("%")
"""What begins the name of a value."""

_SYMBOL: Final = re.compile(r'//[^\n\r]*|@(?P<name>[a-zA-Z_][a-zA-Z0-9_$.]*|"[^"\n]*")')
"""A symbol, or a comment, in which there are none."""


def symbol_of(op: Operation) -> str | None:
    """The name of the symbol that an op defines."""
    name = op.properties.get("sym_name", op.attributes.get("sym_name"))
    return name.data if isinstance(name, StringAttr) else None
