"""What is decided about the functions of a document, asked piece by piece.

    book = Decisions()
    for question in book.questions(document):      a text with some functions
        book.take(question, answer(question))      their reports, kept by the function
    book.reports(document)                         (piece, report) of each function

A question is a text that has the functions at their lines, with all that they call and
refer to. A report is kept as long as the function and what it calls stay as they are,
or mean the same to all passes (`Before`). Where ops move, lines of the report move.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Protocol
from weakref import WeakKeyDictionary

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.dialects.common.symbols import is_private
from xdsl_bufferization.explanation.report import (
    Action,
    Buffer,
    Decision,
    FunctionReport,
    Position,
    Reason,
    Verdict,
)

from .document import Document, Placed, Program
from .places import Lines
from .reading import Before, Piece

FILE: Final = "<document>"
"""What positions of reports have as their file."""

LONG: Final = 20_000
"""What is known of functions of so many characters is told bit by bit."""

MAKES_BUFFER: Final = (Verdict.COPIED, Verdict.ALLOCATED)
"""What is said of operands that get a buffer of their own."""

_LINES_EACH: Final = 100
"""So many lines of functions are asked about at once.

After an edit, a function waits for the answer that is being made. More lines would take
a quarter less time in all, and let an edit wait for longer.
"""


@dataclass(frozen=True)
class Question:
    """Functions to be explained; plain data, for another process."""

    text: str
    """The functions at their lines, and what they refer to."""

    names: tuple[str, ...]
    """The functions that are asked about."""

    pipeline: str | None
    """The passes whose decisions are asked for; None for those of `xbuf explain`."""


@dataclass(frozen=True)
class Problem:
    """Why a program cannot be explained."""

    text: str
    line: int | None
    """From 1; None if nobody knows."""
    column: int


@dataclass(frozen=True)
class Answer:
    """The reports of functions, or why there are none."""

    reports: tuple[FunctionReport, ...] = ()
    passes_before: str = ""
    """Passes that changed the program before the decisions."""
    problem: Problem | None = None


@dataclass(frozen=True)
class _Kept:
    """An answer about one function, with lines as they were."""

    report: FunctionReport | None
    passes_before: str
    problem: Problem | None
    first_line: int
    problem_in: int | None = None
    """The number of the needed piece that the problem is in; None if in none."""
    problem_from: int = 0
    """The first line of that piece, as it was."""
    has_figures: bool = True
    """Whether the report says what the decisions cost."""


@dataclass(frozen=True)
class Explained:
    """A function of a document, and what is decided about it.

    Lines are those of the document as it is now. They are found once somebody asks: an
    edit may move all functions below it, and a screen shows few of them.
    """

    placed: Placed
    name: str
    _kept: _Kept
    _down: int
    """By so many lines the function is further down."""
    _problem_down: int
    """By so many lines the piece with the problem is."""

    @cached_property
    def report(self) -> FunctionReport | None:
        """None if there is a problem."""
        report = self._kept.report
        if report is None or not self._down:
            return report
        return self._move(self._down).report(report)

    @property
    def figures(self) -> FunctionReport | None:
        """The report for who asks for no lines; None if it has no figures yet."""
        return self._kept.report if self._kept.has_figures else None

    @property
    def passes_before(self) -> str:
        """Passes that changed the program before the decisions."""
        return self._kept.passes_before

    @property
    def problem(self) -> Problem | None:
        """Why nothing is decided."""
        problem = self._kept.problem
        if problem is None:
            return None
        return self._move(self._problem_down).problem(problem)

    def _move(self, down: int) -> "_Move":
        return _Move(_Down(down), is_printed=bool(self.passes_before))


_Key = tuple[object, ...]


class Decisions:
    """The reports of a document that are known."""

    def __init__(self, pipeline: str | None = None) -> None:
        """`pipeline` is that of all questions; None for that of `xbuf explain`."""
        self.chosen = pipeline
        self._kept: dict[_Key, _Kept] = {}
        self._old: dict[_Key, _Moving] = {}
        """What was known before an edit of functions that are asked about."""
        self._asked: dict[Question, _Asked] = {}

    @cached_property
    def pipeline(self) -> str:
        """The passes whose decisions these are."""
        # Imported by who shows or runs them: the import takes longer than most files.
        from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE

        return self.chosen or PLAIN_PIPELINE

    def questions(self, document: Document, near: int = 0) -> Iterator[Question]:
        """What has to be asked to know all functions, first of those near a place.

        What is known of functions that are gone is forgotten.
        """
        document.faults()
        keys: dict[_Key, _Kept] = {}
        old: dict[_Key, _Moving] = {}
        self._asked.clear()
        at = document.program_at(near)
        for program in sorted(document.programs, key=lambda each: each is not at):
            waiting: list[_Function] = []
            for function in _functions(program):
                kept = self._find(function)
                key = function.key(self.chosen)
                if kept is not None:
                    keys[key] = kept
                    continue
                waiting.append(function)
                if (known := self._find_old(function)) is not None:
                    old[key] = known
            for group in _groups(waiting, near):
                yield self._ask(_Asked(document.lines, program, tuple(group)))
        if (base := document.base) is not None:
            # The next edit may make right again what is wrong now.
            keys = {key: each for key, each in self._kept.items() if base in key} | keys
            old = {key: each for key, each in self._old.items() if base in key} | old
        self._kept, self._old = keys, old

    def question_ahead(self, document: Document, seconds: float) -> Question | None:
        """What will be asked about a long function that was edited, if it is right.

        To be asked before its rules are checked, which takes longer than to read an
        edit. The document is read for so many seconds. None if that is not enough, or
        if there is no such function.
        """
        base = document.base
        if base is None or len(base.text) < LONG or not document.read_for(seconds):
            return None
        program = document.program_at(document.near)
        placed = program.piece_at(document.near)
        if placed is None or placed.piece.error is not None:
            return None
        if (before := placed.piece.before) is None or before.is_alike:
            return None
        functions = [each for each in _find_functions(program) if each.placed is placed]
        if len(functions) != 1 or self._find(functions[0]) is not None:
            return None
        return self._ask(_Asked(document.lines, program, (functions[0],)))

    def _ask(self, asked: "_Asked") -> Question:
        functions = asked.functions
        needed = {piece for function in functions for piece in function.needed}
        text = _text_with(asked.lines, asked.program, needed)
        names = tuple(function.name for function in functions)
        question = Question(text, names, self.chosen)
        self._asked[question] = asked
        return question

    def _find(self, function: "_Function") -> "_Kept | None":
        """What is known of a function, also by what it was before an edit."""
        key = function.key(self.chosen)
        kept = self._kept.get(key)
        if kept is None and (before := function.before(self.chosen)) is not None:
            kept = self._kept.get(before)
            if kept is not None and kept.problem is not None:
                return None  # It may be in what the edit has changed.
            if kept is not None:
                kept = self._kept[key] = _Moving(kept, function, before).kept
        return kept

    def _find_old(self, function: "_Function") -> "_Moving | None":
        """What was known before an edit that may change decisions."""
        key = function.key(self.chosen)
        found = self._old.get(key)
        before = function.before(self.chosen, is_alike=False)
        if found is None and before is not None:
            kept = self._kept.get(before)
            if kept is None and (old := self._old.get(before)) is not None:
                kept = old.kept
            if kept is not None:
                found = self._old[key] = _Moving(kept, function, before)
        return found

    def waits_for(self, question: Question) -> bool:
        """Whether the answer to a question is still of use."""
        return question in self._asked

    def take(self, question: Question, found: Answer) -> list[Question]:
        """Keep an answer. Returns what is to be asked instead if there is none.

        If several functions cannot be explained together, each is asked about alone.
        So it is if passes change one of them: then lines are those of a printed text.
        """
        asked = self._asked.pop(question, None)
        if asked is None:
            return []
        functions = asked.functions
        has_own_lines = found.problem is None and not found.passes_before
        if not has_own_lines and len(functions) > 1:
            return [self._ask(replace(asked, functions=(each,))) for each in functions]
        reports = {report.name: report for report in found.reports}
        for function in functions:
            self._kept[function.key(self.chosen)] = _Kept(
                reports.get(function.name),
                found.passes_before,
                found.problem,
                asked.lines.line_of(function.placed.start),
                *_piece_with(found.problem, asked.lines, function),
            )
        return []

    def take_early(self, question: Question, found: Answer) -> bool:
        """Tell of decisions until the answer comes, with the figures that were known.

        Returns whether that is of use.
        """
        asked = self._asked.get(question)
        if asked is None:
            return False
        reports = {report.name: report for report in found.reports}
        for function in asked.functions:
            if (report := reports.get(function.name)) is not None:
                key = function.key(self.chosen)
                first_line = asked.lines.line_of(function.placed.start)
                early = _Kept(report, "", None, first_line, has_figures=False)
                old = self._old.get(key)
                if old is not None:
                    early = _with_figures(early, old.kept)
                self._old[key] = _Moving(early)
        return True

    def are_known(self, document: Document, start: int, end: int) -> bool:
        """Whether all functions of a part of a document have been explained."""
        document.faults()
        return all(
            self._find(function) is not None
            for program in document.programs
            for function in _functions(program)
            if function.placed.start < end and function.placed.end > start
        )

    def reports_of(
        self, document: Document, program: Program
    ) -> tuple[FunctionReport, ...] | None:
        """What `explain` says of a program, if that is what is said of its functions.

        None if something is not known or not right, if passes change the program, or if
        it has other ops than functions.
        """
        start, end = program.cuts.start, program.cuts.end
        faults = (each.range for each in document.faults())
        if any(start <= each.start <= end for each in faults) or not all(
            isinstance(op, FuncOp)
            for placed in program.placed
            for op in program.top_ops(placed)
        ):
            return None
        found: list[FunctionReport] = []
        for function in _functions(program):
            kept = self._find(function)
            if kept is None or kept.report is None or kept.passes_before:
                return None
            report = _moved(document.lines, function, kept).report
            assert report is not None, "lines alone have changed"
            found.append(report)
        return tuple(found)

    def text_of(self, document: Document, name: str) -> str | None:
        """A function with all that it needs; None if there is none that is right."""
        document.faults()
        for program in document.programs:
            for function in _functions(program):
                if function.name == name:
                    needed = {*function.needed}
                    return _text_with(document.lines, program, needed)
        return None

    def explained(
        self, document: Document, *, also_old: bool = False
    ) -> Iterator[Explained]:
        """All functions about which something is known, in the order of the text.

        With `also_old`, where nothing is known yet after an edit, what was known before
        is told of the ops that the edit has left as they were.
        """
        document.faults()
        for program in document.programs:
            for function in _functions(program):
                kept = self._find(function)
                if kept is None and also_old:
                    old = self._find_old(function)
                    kept = None if old is None else old.kept
                if kept is not None:
                    yield _moved(document.lines, function, kept)


# Functions and what they need.


@dataclass(frozen=True)
class _Function:
    name: str
    placed: Placed
    places: tuple[Placed, ...]
    """All pieces that are needed to explain it, in the order of the text."""

    @cached_property
    def needed(self) -> tuple[Piece, ...]:
        """The pieces alone."""
        return tuple(each.piece for each in self.places)

    def key(self, pipeline: str | None) -> _Key:
        """All that decisions about the function depend on."""
        return (pipeline, self.name, *self.needed)

    def before(self, pipeline: str | None, *, is_alike: bool = True) -> _Key | None:
        """The key before the last edit; None if that was no such edit."""
        pieces = [
            each.before.piece
            if each.before and (each.before.is_alike or not is_alike)
            else each
            for each in self.needed
        ]
        if pieces == [*self.needed]:
            return None
        return (pipeline, self.name, *pieces)


@dataclass(frozen=True)
class _Asked:
    """What a question is about, as the document was then."""

    lines: Lines
    program: Program
    functions: tuple[_Function, ...]


_FOUND: Final[WeakKeyDictionary[Program, tuple[_Function, ...]]] = WeakKeyDictionary()
"""The functions of programs; a document that is closed leaves nothing here."""


def _functions(program: Program) -> tuple[_Function, ...]:
    """The functions that are right, with all that they need.

    Which ones are right is known once the faults of the document are.
    """
    found = _FOUND.get(program)
    if found is None:
        found = _FOUND[program] = tuple(_find_functions(program))
    return found


def _find_functions(program: Program) -> Iterator[_Function]:
    pieces = _Needed(program)
    order = {each.piece: number for number, each in enumerate(program.placed)}
    shell = () if program.shell is None else (program.shell,)
    for name, (placed, op) in program.symbols.items():
        if not isinstance(op, FuncOp) or op.is_declaration:
            continue
        needed = pieces.of(placed.piece)
        if needed is not None:
            inside = sorted(map(order.__getitem__, needed))
            places = [program.placed[number] for number in inside]
            yield _Function(name, placed, (*shell, *places))


class _Needed:
    """Which pieces are needed to explain a function.

    A function needs the pieces whose symbols it names, and what they need. A pass may
    change a private function with all of its callers, and what a store changes is read
    by any function. So whoever names such a symbol is needed as well.
    """

    def __init__(self, program: Program) -> None:
        self._broken = program.broken | program.defined_twice
        self._definitions = {
            name: placed.piece for name, (placed, _) in program.symbols.items()
        }
        self._users: dict[str, list[Piece]] = {}
        shared = {name for name, (_, op) in program.symbols.items() if _is_shared(op)}
        for placed in program.placed:
            for name in placed.piece.symbols_named & shared:
                self._users.setdefault(name, []).append(placed.piece)

    def of(self, piece: Piece) -> set[Piece] | None:
        """All pieces that are needed for one; None if one of these has an error."""
        seen = {piece}
        waiting = [piece]
        while waiting:
            each = waiting.pop()
            if each.error is not None or each.check_errors:
                return None
            if not self._broken.isdisjoint(each.symbols_named):
                return None
            for name in each.symbols_named:
                found = [*self._users.get(name, ())]
                if (definition := self._definitions.get(name)) is not None:
                    found.append(definition)
                new = {*found} - seen
                seen |= new
                waiting += new
        return seen


def _is_shared(op: Operation) -> bool:
    """Whether decisions depend on all who name a symbol."""
    if isinstance(op, FuncOp):
        return is_private(op) and not op.is_declaration
    return op.name == "ml_program.global"


def _groups(functions: Sequence[_Function], near: int) -> Iterator[list[_Function]]:
    """Functions to be asked about together; the one at a place is asked about alone."""

    def distance(function: _Function) -> int:
        placed = function.placed
        return max(0, placed.start - near, near - placed.end)

    group: list[_Function] = []
    lines = 0
    for function in sorted(functions, key=distance):
        group.append(function)
        lines += function.placed.piece.text.count("\n") + 1
        if lines >= _LINES_EACH or distance(function) == 0:
            yield group
            group, lines = [], 0
    if group:
        yield group


def _text_with(
    lines: Lines,
    program: Program,
    needed: set[Piece],
    changed: Placed | None = None,
    text_of_changed: str = "",
) -> str:
    """The text of a document with some pieces only, each at its place.

    All aliases that could be read are in it; what names another one could not be read.
    The text of one that is `changed` is given.
    """
    parts = [
        (placed.start, text_of_changed if placed is changed else placed.piece.text)
        for placed in program.placed
        if (placed.is_alias and placed.piece.error is None) or placed.piece in needed
    ]
    if program.shell is not None:
        text = program.shell.piece.text
        at, length = program.shell.gap
        parts.append((program.shell.start, text[:at]))
        parts.append((program.shell.start + at + length, text[at:]))
    written: list[str] = []
    line = column = 0
    for start, text in sorted(parts):
        at_line, at_column = lines.place(start)
        if at_line > line:
            written.append("\n" * (at_line - line))
            line, column = at_line, 0
        written.append(" " * (at_column - column) + text)
        line += text.count("\n")
        column = len(text.rpartition("\n")[2]) + ("\n" not in text) * at_column
    return "".join(written)


# Reports whose functions have moved.


def _moved(lines: Lines, function: _Function, kept: _Kept) -> Explained:
    down = lines.line_of(function.placed.start) - kept.first_line
    problem_down = down
    if kept.problem_in is not None:
        place = function.places[kept.problem_in]
        problem_down = lines.line_of(place.start) - kept.problem_from
    return Explained(function.placed, function.name, kept, down, problem_down)


def _piece_with(
    problem: Problem | None, lines: Lines, function: _Function
) -> tuple[int | None, int]:
    """The number of the piece that a problem is in, and where the piece begins.

    A function that is called by what cannot be explained has the problem as well.
    """
    if problem is None or problem.line is None:
        return None, 0
    # What is around all functions comes first.
    for number, place in reversed([*enumerate(function.places)]):
        first, last = lines.line_of(place.start), lines.line_of(place.end)
        if first < problem.line <= last + 1:
            return number, first
    return None, 0


class _Moving:
    """What is known of a function after an edit, found once somebody asks.

    The child need not wait for that.
    """

    def __init__(
        self, kept: _Kept, function: _Function | None = None, key: _Key = ()
    ) -> None:
        """`key` is the key of the function before the edit."""
        self._kept = kept
        before = None if function is None else function.placed.piece.before
        self._before = before if before is not None and before.piece in key else None

    @cached_property
    def kept(self) -> _Kept:
        """With places as they are after the edit, of ops that were not read again."""
        kept, before, self._before = self._kept, self._before, None
        if before is None:
            return kept
        places = _Inside(before, kept.first_line)
        if not before.is_alike and kept.report is not None:
            kept = replace(kept, report=_without(kept.report, places))
        if not before.moves:
            return kept
        return _Move(places, is_printed=bool(kept.passes_before)).kept(kept)


def _without(report: FunctionReport, places: "_Inside") -> FunctionReport:
    """A report that says nothing of ops that were read again."""
    decisions = (
        each
        for each in report.decisions
        if not places.has_again(*_place_of(each.position))
    )
    buffers = (
        each
        for each in report.buffers or ()
        if each.line is None or not places.has_line_again(each.line)
    )
    return replace(report, decisions=tuple(decisions), buffers=tuple(buffers))


def _with_figures(early: _Kept, old: _Kept) -> _Kept:
    """Decisions with the figures and buffers that were known before an edit."""
    report = early.report
    if report is None or old.passes_before or old.report is None:
        return early
    before = old.report
    if (down := early.first_line - old.first_line) != 0:
        before = _Move(_Down(down), is_printed=False).report(before)
    # A buffer that was made for an operand stays if there is one for it now.
    gone = _buffers_of(before) - _buffers_of(report)
    buffers = before.buffers
    if buffers is not None:
        buffers = tuple(each for each in buffers if (each.line, each.bytes) not in gone)
    report = replace(
        before,
        position=report.position,
        last_line=report.last_line,
        values=report.values,
        decisions=report.decisions,
        optimum=report.optimum,
        buffers=buffers,
    )
    return replace(early, report=report, has_figures=old.has_figures)


def _buffers_of(report: FunctionReport) -> Counter[tuple[int | None, int | None]]:
    """The lines and sizes of buffers that are made for operands."""
    return Counter(
        (_place_of(each.position)[0], each.bytes)
        for each in report.decisions
        if each.verdict in MAKES_BUFFER
    )


def _place_of(position: Position) -> tuple[int, int]:
    return position.written or (position.line, position.column)


class _Places(Protocol):
    """Where places of the text are now; lines and columns count from 1."""

    def line(self, line: int) -> int: ...

    def place(self, line: int, column: int) -> tuple[int, int]: ...


@dataclass(frozen=True)
class _Down:
    """All lines are further down."""

    by: int

    def line(self, line: int) -> int:
        return line + self.by

    def place(self, line: int, column: int) -> tuple[int, int]:
        return line + self.by, column


@dataclass(frozen=True)
class _Inside:
    """Some lines of a piece are elsewhere."""

    before: Before
    first_line: int
    """Where the piece begins, counted from 0."""

    def line(self, line: int) -> int:
        above = self.first_line + 1
        return self.before.line(line - above) + above

    def place(self, line: int, column: int) -> tuple[int, int]:
        above = self.first_line + 1
        now, at = self.before.place(line - above, column - 1)
        return now + above, at + 1

    def has_again(self, line: int, column: int) -> bool:
        return self.before.has_again(line - self.first_line - 1, column - 1)

    def has_line_again(self, line: int) -> bool:
        first, last = self.before.start[0], self.before.old_end[0]
        return first <= line - self.first_line - 1 < last


_LINES: Final = re.compile(r"\b(lines? |at )(\d+)(?:( and )(\d+)|(:)(\d+)\b)?")
"""What a sentence names: a line, two lines, or a line and a column."""


@dataclass(frozen=True)
class _Move:
    """Changes the lines of reports whose functions have moved."""

    places: _Places
    is_printed: bool
    """Whether lines are those of a printed text; what has moved is the written one."""

    def kept(self, kept: _Kept) -> _Kept:
        report, problem = kept.report, kept.problem
        return replace(
            kept,
            report=None if report is None else self.report(report),
            problem=None if problem is None else self.problem(problem),
        )

    def report(self, report: FunctionReport) -> FunctionReport:
        values = (
            replace(each, position=self._position(each.position))
            for each in report.values
        )
        buffers = report.buffers
        if buffers is not None:
            buffers = tuple(map(self._buffer, buffers))
        last = report.last_line
        return replace(
            report,
            position=self._position(report.position),
            last_line=last if self.is_printed else self.places.line(last),
            values=tuple(values),
            decisions=tuple(map(self._decision, report.decisions)),
            buffers=buffers,
        )

    def problem(self, problem: Problem) -> Problem:
        line = self._line(problem.line)
        return replace(problem, line=line, text=self._words(problem.text))

    def _decision(self, decision: Decision) -> Decision:
        return replace(
            decision,
            position=self._position(decision.position),
            reasons=tuple(map(self._reason, decision.reasons)),
        )

    def _reason(self, reason: Reason) -> Reason:
        return replace(
            reason,
            sentence=self._words(reason.sentence),
            definition=self._if_known(reason.definition),
            write=self._if_known(reason.write),
            read=self._if_known(reason.read),
            remedy=None if reason.remedy is None else self._words(reason.remedy),
            action=None if reason.action is None else self._action(reason.action),
        )

    def _action(self, action: Action) -> Action:
        ops = tuple(map(self._position, action.ops))
        return replace(action, ops=ops, target=self._if_known(action.target))

    def _buffer(self, buffer: Buffer) -> Buffer:
        line, freed_at = self._line(buffer.line), self._line(buffer.freed_at)
        return replace(buffer, line=line, freed_at=freed_at)

    def _line(self, line: int | None) -> int | None:
        return None if line is None else self.places.line(line)

    def _if_known(self, position: Position | None) -> Position | None:
        return None if position is None else self._position(position)

    def _position(self, position: Position) -> Position:
        written = position.written
        if written is not None:
            return replace(position, written=self.places.place(*written))
        if self.is_printed:
            return position
        line, column = self.places.place(position.line, position.column)
        return replace(position, line=line, column=column)

    def _words(self, text: str) -> str:
        """A sentence, with the lines that it names further down."""
        if self.is_printed:
            return text

        def moved(found: re.Match[str]) -> str:
            line = int(found[2])
            if found[5] is not None:
                line, column = self.places.place(line, int(found[6]))
                return f"{found[1]}{line}:{column}"
            if found[1] == "at ":
                return found[0]
            words = f"{found[1]}{self.places.line(line)}"
            if found[3] is None:
                return words
            return f"{words}{found[3]}{self.places.line(int(found[4]))}"

        return _LINES.sub(moved, text)
