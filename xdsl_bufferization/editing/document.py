r"""A document: its text, cut into pieces that are parsed once, and all of its errors.

    document = Document("func.func @f() {", settings)
    document.faults()                       expected an operation, ... or the '}' ...
    document.change(16, 16, "\n  return\n}")
    document.faults()                       none

A piece is kept by its text. So an edit costs the parsing of one piece and a look at the
braces of the text. All pieces of a program stand in one module, in which symbols are
looked up. A piece is checked again if it is new, or if a symbol that it names changed.

Pieces are read when somebody asks. Who cannot wait for all of a large text works on it
for some time, and has the errors of syntax that were found by then:

    document = Document(text, near=position)
    while not document.work_for(0.05):      50 milliseconds, first on what is near
        document.faults_so_far()
"""

import itertools
import re
import time
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr, UnregisteredOp
from xdsl.ir import Block, Operation

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.common.unknown_ops import why_unknown
from xdsl_bufferization.dialects.text.modules import ModuleParser
from xdsl_bufferization.dialects.xdsl_patches.verify import mlir_rules
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.nesting import where_it_fits
from xdsl_bufferization.support.traversal import ops_inside

from .cuts import ChunkCuts, Cut, Shell, cut_by_lines, cut_text
from .faults import Fault, Note, Severity, fault_of, op_about, range_of_op
from .places import Lines
from .programs import Placed, Program
from .reading import Piece, Reader, symbol_of
from .splicing import splice


@dataclass(frozen=True)
class Settings:
    """How documents are read."""

    is_mlirs: bool = True
    """Whether only MLIR's text is right, as for `xbuf opt`; otherwise also xDSL's."""

    unregistered: str = "error"
    """What an op of an unknown dialect is: `error`, `warning`, or `allowed`."""


SPLICED_FROM: Final = 500
"""Pieces of so many characters are read in part after an edit."""

_ALLOWS: Final = "-allow-unregistered-dialect"
_ALLOWS_UNREGISTERED: Final = re.compile(rf"^// RUN:.*{_ALLOWS}", re.MULTILINE)
_Known: TypeAlias = dict[tuple[object, ...], list[Piece]]
"""Pieces by their texts and aliases."""


class Document:
    """A text that changes, with what is known about it."""

    def __init__(
        self, text: str, settings: Settings | None = None, near: int = 0
    ) -> None:
        self.settings = settings or Settings()
        self.near = near
        """Where somebody looks: pieces near this place are read first."""
        self._numbers = itertools.count()
        self._reader: Reader | None = None
        self._known: _Known = {}
        """The pieces of the text that have been read."""
        self._dropped: _Known = {}
        """Those of the text before."""
        self.base: Piece | None = None
        """The last long piece that is right: after an edit, only a part is read."""
        self._set(text)

    def change(self, start: int, end: int, replacement: str) -> None:
        """Replace a part of the text."""
        self._set(self.text[:start] + replacement + self.text[end:])

    def set_text(self, text: str) -> None:
        """Replace all of the text."""
        self._set(text)

    def _set(self, text: str) -> None:
        self.text = text
        self.lines = Lines(text)
        self._drop_pieces(text)
        self._programs: list[Program] = []
        self._so_far: list[list[Placed]] = []
        """What has been read of each program."""
        self._is_read = False
        self._is_spliced = False
        """Whether a part of a piece was read, or was tried to."""
        self._faults: list[Fault] = []
        self._work: Iterator[None] | None = self._read_and_check()

    def _drop_pieces(self, text: str) -> None:
        """Let the pieces that are known wait for a text that has them as well."""
        allows = self.settings.unregistered != "error" or _allows_unregistered(text)
        known, self._known = self._known, {}
        if self._reader is None or self._reader.ctx.allow_unregistered != allows:
            ctx = get_context()
            ctx.allow_unregistered = allows
            self._reader = Reader(ctx, self.settings.is_mlirs)
            self._dropped = {}
            self.base = None
            return
        # If the last text was not read to its end, some still wait.
        for key, pieces in known.items():
            self._dropped.setdefault(key, []).extend(pieces)

    # Work on what is not known yet.

    @property
    def is_known(self) -> bool:
        """Whether all has been read and checked."""
        return self._work is None

    def work_for(self, seconds: float) -> bool:
        """Read and check for so long, or one piece; returns whether all is known."""
        end = time.perf_counter() + seconds
        self._work_until(lambda: time.perf_counter() >= end)
        return self.is_known

    def read_for(self, seconds: float) -> bool:
        """Read for so long, or one piece; returns whether nothing is left to be read.

        The rules of ops are checked later.
        """
        end = time.perf_counter() + seconds
        self._work_until(lambda: self._is_read or time.perf_counter() >= end)
        return self._is_read

    @without_garbage_collection()
    def _work_until(self, is_enough: Callable[[], bool]) -> None:
        while self._work is not None:
            try:
                next(self._work)
                if is_enough():
                    return
            except StopIteration:
                self._work = None
            except BaseException:  # Ctrl-C, say: whoever asks again gets it all.
                self._set(self.text)
                raise

    def _read_and_check(self) -> Iterator[None]:
        """Take a step for each piece."""
        for cuts in cut_text(self.text):
            self._programs.append((yield from self._read(cuts)))
        self._dropped = {}
        self._is_read = True
        found: list[Fault] = []
        for program in self._programs:
            for faults in self._faults_of(program):
                found += faults
                yield
        self._faults = sorted(dict.fromkeys(found), key=lambda each: each.range)

    @property
    def programs(self) -> list[Program]:
        """All programs of the text."""
        if not self._is_read:
            self._work_until(lambda: self._is_read)
        return self._programs

    def faults_so_far(self) -> list[Fault]:
        """The errors of syntax in what has been read; all faults if all is known."""
        if self._work is None:
            return self._faults
        found = [
            fault_of(placed, error, {placed.piece.file: placed})
            for pieces in self._so_far
            for placed, error in _errors_of(pieces)
        ]
        return sorted(dict.fromkeys(found), key=lambda each: each.range)

    @property
    def context(self) -> Context:
        """The dialects that are known."""
        assert self._reader is not None
        return self._reader.ctx

    # Reading.

    def _read(self, cuts: ChunkCuts) -> Generator[None, None, Program]:
        if cuts.must_be_whole:
            whole = Cut(cuts.start, cuts.end)
            program = yield from self._read_pieces(
                ChunkCuts(cuts.start, cuts.end, (whole,), None, cuts.is_balanced)
            )
            if all(each.piece.error is None for each in program.placed):
                return program
            self._so_far.pop()
            cuts = cut_by_lines(self.text, cuts)
        return (yield from self._read_pieces(cuts))

    def _read_pieces(self, cuts: ChunkCuts) -> Generator[None, None, Program]:
        aliases: ModuleParser | None = None
        placed = list[Placed]()
        self._so_far.append(placed)
        waiting: list[tuple[Cut, ModuleParser | None]] = []
        for cut in cuts.cuts:
            if cut.is_alias:
                placed.append(self._read_cut(cut, aliases))
                aliases = placed[-1].piece.parser
                yield
            else:
                waiting.append((cut, aliases))
        near = self.near
        waiting.sort(key=lambda each: max(each[0].start - near, near - each[0].end))
        for cut, known in waiting:
            placed.append(self._read_cut(cut, known))
            yield
        placed.sort(key=lambda each: each.start)
        shell = self._read_shell(cuts.shell, aliases)
        return Program(cuts, shell, placed, _join(shell, placed))

    def _read_cut(self, cut: Cut, aliases: ModuleParser | None) -> Placed:
        text = self.text[cut.start : cut.end].rstrip()
        piece = self._piece(text, cut.start, aliases, cut.is_alias)
        return Placed(piece, cut.start, cut.is_alias)

    def _read_shell(
        self, shell: Shell | None, aliases: ModuleParser | None
    ) -> Placed | None:
        if shell is None:
            return None
        head = self.text[shell.start : shell.inner_start]
        foot = self.text[shell.inner_end : shell.end].rstrip()
        if not foot:
            # The last brace is missing, which is said where the text ends.
            foot = "}"
        piece = self._piece(head + foot, shell.start, aliases)
        gap = len(head), shell.inner_end - shell.inner_start
        return Placed(piece, shell.start, gap=gap)

    def _piece(
        self,
        text: str,
        start: int,
        aliases: ModuleParser | None,
        is_alias: bool = False,
    ) -> Piece:
        """A piece that is known by its text, and by the aliases in it, or a new one."""
        lines_before = self.lines.line_of(start)
        key = (text, *_aliases_for(text, aliases, is_alias))
        waiting = self._dropped.get(key)
        while waiting:
            piece = waiting.pop()
            # What is said about a fault has numbers of lines.
            is_faulty = piece.error is not None or piece.check_errors
            if not is_faulty or piece.lines_before == lines_before:
                break
        else:
            piece = self._read_piece(text, lines_before, aliases)
        self._known.setdefault(key, []).append(piece)
        return piece

    def _read_piece(
        self, text: str, lines_before: int, aliases: ModuleParser | None
    ) -> Piece:
        """A new piece; of a long one that was edited, only what the edit touches."""
        assert self._reader is not None
        is_long = len(text) >= SPLICED_FROM
        piece = None
        # A base that is still in the text is needed as it is. And what is left of one
        # after an interrupt may be half of it.
        base, self.base = self.base, None
        # Pieces with errors have the file of their base: there may be one of them.
        can_be_spliced = is_long and not self._is_spliced
        if can_be_spliced and base is not None and base.text not in self.text:
            self._is_spliced = True
            piece = splice(self._reader, base, text, lines_before, aliases)
            if piece is not None and piece.error is None:
                self._forget(base)
        if piece is None:
            file = f"piece{next(self._numbers)}"
            piece = self._reader.read(text, file, lines_before, aliases)
        # After an error, the next edit may make it right again.
        self.base = piece if is_long and piece.error is None else base
        return piece

    def _forget(self, piece: Piece) -> None:
        """Do not use a piece again: its ops are those of another one now."""
        for pieces in self._dropped.values():
            if piece in pieces:
                pieces.remove(piece)

    # What is where.

    def program_at(self, position: int) -> Program:
        """The program that has a position."""
        starts = [each.cuts.start for each in self.programs]
        return self.programs[max(0, bisect_right(starts, position) - 1)]

    def pieces(self) -> Iterator[tuple[Program, Placed]]:
        """All pieces with their programs, in the order of the text."""
        for program in self.programs:
            for placed in program.all_pieces():
                yield program, placed

    # Faults.

    def faults(self) -> list[Fault]:
        """All faults, in the order of the text."""
        self._work_until(lambda: False)
        return self._faults

    def _faults_of(self, program: Program) -> Iterator[list[Fault]]:
        """The faults of one piece after the other, and then of all together."""
        count = 0
        for faults in self._faults_of_pieces(program):
            count += sum(fault.severity is Severity.ERROR for fault in faults)
            yield faults
        if not count and not program.cuts.is_balanced:
            yield list(self._faults_of_whole(program))

    def _faults_of_pieces(self, program: Program) -> Iterator[list[Fault]]:
        pieces = [*program.all_pieces()]
        files = {each.piece.file: each for each in pieces}
        yield [fault_of(*each, files) for each in _errors_of(pieces)]
        for placed in pieces:
            if placed.piece.error is None:
                yield list(self._faults_of_piece(program, placed, files))
        yield list(self._check_module(program, files))

    def _faults_of_piece(
        self, program: Program, placed: Placed, files: dict[str, Placed]
    ) -> Iterator[Fault]:
        """What is wrong with the ops of a piece that could be read."""
        if self.settings.unregistered == "warning":
            yield from self._warn(placed)
        for error in self._check(program, placed):
            yield fault_of(placed, error, files)

    def _faults_of_whole(self, program: Program) -> Iterator[Fault]:
        """What is wrong with braces, although each piece by itself is right."""
        start = program.cuts.start
        text = self.text[start : program.cuts.end].rstrip()
        piece = self._piece(text, start, None)
        if piece.error is not None:
            placed = Placed(piece, start)
            yield fault_of(placed, piece.error, {piece.file: placed})

    def _warn(self, placed: Placed) -> Iterator[Fault]:
        for op, place in placed.piece.op_places.items():
            if isinstance(op, UnregisteredOp):
                name = op.op_name.data
                at = placed.range(place.name, place.name + len(name))
                text = why_unknown(self.context, name)
                yield Fault(at, text, Severity.WARNING)

    def _check(self, program: Program, placed: Placed) -> list[Exception]:
        """The errors of the rules of ops, as they were unless something changed."""
        piece = placed.piece
        key = _what_is_named(program, piece)
        if piece.checked_with != key:
            piece.check_errors = self._verify(program, placed)
            piece.checked_with = key
        return piece.check_errors

    def _verify(self, program: Program, placed: Placed) -> list[Exception]:
        errors: list[Exception] = []
        # The module itself is checked below: its ops belong to other pieces.
        shell = placed is program.shell
        for op in () if shell else placed.piece.ops:
            error = self._verify_op(op)
            if error is not None:
                # The error of an inner op prints what is around it.
                find = partial(self._each_error, op, error, program.broken)
                errors += where_it_fits(op, find)
        return errors

    def _verify_op(self, op: Operation, is_nested: bool = True) -> Exception | None:
        def verify() -> None:
            if is_nested:
                where_it_fits(op, op.verify)
            else:
                op.verify(verify_nested_ops=False)

        try:
            if self.settings.is_mlirs:
                with mlir_rules():
                    verify()
            else:
                verify()
        except Exception as error:  # xDSL asserts some of what it expects.
            return error
        return None

    def _each_error(
        self, root: Operation, first: Exception, broken: frozenset[str]
    ) -> list[Exception]:
        """The errors of all ops, one for an op and what is around and inside it."""
        found: list[tuple[Operation, Exception]] = []
        silent = 0
        for op in ops_inside(root):
            error = self._verify_op(op, is_nested=False)
            if error is None:
                continue
            if _names_any(op, broken):
                silent += 1
            else:
                found.append((op, error))
        if not found:
            about = op_about(first)
            is_silent = silent and (about is None or _names_any(about, broken))
            return [] if is_silent else [first]
        inner = [
            (op, error)
            for op, error in found
            if not any(op is not other and op.is_ancestor(other) for other, _ in found)
        ]
        return [error for _, error in inner]

    def _check_module(
        self, program: Program, files: dict[str, Placed]
    ) -> Iterator[Fault]:
        """What is wrong with the ops of a program together."""
        redefined = list(self._redefinitions(program))
        yield from redefined
        if redefined:
            return
        error = self._verify_op(program.module, is_nested=False)
        if error is not None:
            about = op_about(error)
            placed = next(
                (
                    each
                    for each in program.all_pieces()
                    if about in each.piece.places.ops
                ),
                None,
            ) or next(program.all_pieces(), None)
            if placed is not None:
                yield fault_of(placed, error, files)

    def _redefinitions(self, program: Program) -> Iterator[Fault]:
        for placed in program.placed:
            for op in program.top_ops(placed):
                name = symbol_of(op)
                if name is None:
                    continue
                first_placed, first = program.symbols[name]
                if first is op:
                    continue
                at = range_of_op(first_placed, first)
                line = self.lines.line_of(at.start) + 1
                text = (
                    f"'{op.name}' op: Redefinition of symbol \"{name}\", which line "
                    f"{line} defines"
                )
                note = Note(at, "the first definition is here")
                yield Fault(range_of_op(placed, op), text, notes=(note,))


_ALIAS: Final = re.compile(r"[#!][A-Za-z$._-][\w$.-]*")


def _allows_unregistered(text: str) -> bool:
    """Whether a RUN line says that names which nobody knows are right."""
    # Few texts have the word at all, and to look for lines takes longer.
    return _ALLOWS in text and _ALLOWS_UNREGISTERED.search(text) is not None


def _aliases_for(
    text: str, aliases: ModuleParser | None, is_alias: bool
) -> Iterator[object]:
    """What the aliases stand for that a text may name.

    What reads an alias hands on all aliases in front of it.
    """
    if aliases is None:
        return
    known = aliases.attribute_aliases
    if is_alias:
        yield from known.items()
    elif known:
        for name in _ALIAS.findall(text):
            if name in known:
                yield known[name]


def _join(shell: Placed | None, placed: Sequence[Placed]) -> ModuleOp:
    """The module around all ops that could be read."""
    ops = [op for each in placed for op in each.piece.ops]
    module = None if shell is None else shell.piece.module
    if module is None:
        if len(ops) == 1 and isinstance(ops[0], ModuleOp):
            _detach(ops[0])
            return ops[0]
        module = ModuleOp([])
    block = module.body.block if module.body.blocks else None
    if block is None:
        block = Block()
        module.body.add_block(block)
    _replace_ops(block, ops)
    return module


def _replace_ops(block: Block, ops: Sequence[Operation]) -> None:
    """Let a block have these ops, which may be in it or in another one already."""
    if list(block.ops) == list(ops):
        return
    for op in (*block.ops, *ops):
        _detach(op)
    for op in ops:
        block.add_op(op)


def _detach(op: Operation) -> None:
    if op.parent is not None:
        op.detach()


def _errors_of(pieces: Sequence[Placed]) -> Iterator[tuple[Placed, Exception]]:
    """The errors of syntax, without those of aliases that could not be read."""
    broken = {
        name
        for each in pieces
        if each.is_alias and each.piece.error is not None
        for name in _ALIAS.findall(each.piece.text)[:1]
    }
    for placed in pieces:
        error = placed.piece.error
        if error is None:
            continue
        if placed.is_alias or not broken & placed.piece.aliases_named:
            yield placed, error


def _what_is_named(program: Program, piece: Piece) -> object:
    """All that the rules of ops may look at outside of a piece."""
    named = sorted(piece.symbols_named & (program.symbols.keys() | program.broken))
    return [
        program.shell.piece if program.shell is not None else None,
        [(name, _interface(program, piece, name)) for name in named],
    ]


def _interface(program: Program, piece: Piece, name: str) -> object:
    """What a symbol says to those that use it; nothing of what is defined here."""
    if name not in program.symbols:
        return None
    placed, op = program.symbols[name]
    return None if placed.piece is piece else (op.name, op.properties, op.attributes)


def _names_any(op: Operation, names: frozenset[str]) -> bool:
    """Whether an op refers to one of these symbols."""
    if not names:
        return False
    attributes = (*op.properties.values(), *op.attributes.values())
    return any(
        isinstance(each, SymbolRefAttr) and each.root_reference.data in names
        for each in attributes
    )
