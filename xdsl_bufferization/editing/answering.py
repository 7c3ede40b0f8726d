"""Answers questions about functions (`decisions.py`): what `xbuf explain` says of them.

    answering = Answering()
    answering.answer(question)      all of its text is read, and explained
    answering.answer(question)      a long text is read where it has changed

An answer takes seconds for a large text, so that whoever serves an editor lets another
process answer.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.messages.messages import describe_error
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.report import FunctionReport
from xdsl_bufferization.explanation.source import Source
from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.pipelines.pipeline_text import PipelineError, parse_passes
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.nesting import free_traceback, run_where_it_fits
from xdsl_bufferization.support.traversal import ops_inside

from .decisions import FILE, LONG, Answer, Problem, Question
from .document import SPLICED_FROM
from .places import Lines
from .reading import Piece, Reader
from .splicing import splice

Hear: TypeAlias = Callable[[Answer], None]
"""Is given what is decided of a long text, before the rest is known."""


class Answering:
    """Answers one question after the other, and keeps the last long text.

    Passes change the program of a text. So there are two of a long text: the next
    question is about one of them, as edited, and the other one is edited afterwards.
    """

    def __init__(self) -> None:
        self._reader = Reader(get_context())
        self._base: Piece | None = None
        """The last long text as it was read, for passes to change after an edit."""
        self._twin: Piece | None = None
        """The same text, or the one before it."""
        self._text = ""
        """The last long text."""

    @without_garbage_collection()
    def answer(self, question: Question, hear_early: Hear | None = None) -> Answer:
        """Explain the functions of a question.

        What is decided of a long text is told to `hear_early` first, without figures.
        """
        names = {*question.names}

        def hear(decided: Sequence[FunctionReport]) -> None:
            if hear_early is not None and len(question.text) >= LONG:
                reports = tuple(each for each in decided if each.name in names)
                hear_early(Answer(reports))

        try:
            passes = parse_passes(question.pipeline or PLAIN_PIPELINE)
            explanation = run_where_it_fits(
                lambda: explain_source(
                    self._read(question.text),
                    passes,
                    donated=(),
                    wants_buffers=True,
                    hear_decided=hear,
                )
            )
        except PipelineError as error:
            return Answer(problem=Problem(f"pipeline: {error.message}", None, 1))
        except Exception as error:  # Passes and models of others may raise anything.
            problem = _problem(error)
            free_traceback(error)
            return Answer(problem=problem)
        reports = tuple(each for each in explanation.functions if each.name in names)
        return Answer(reports, explanation.passes_before)

    @without_garbage_collection()
    def prepare(self) -> None:
        """Be ready for an edit of the last text, while nobody waits."""
        twin = self._twin
        if self._base is not None or twin is None:
            return
        if twin.text != self._text:
            self._twin = twin = splice(self._reader, twin, self._text)
        if twin is not None:
            self._base = self._reader.copy(twin)

    def _read(self, text: str) -> Source:
        """The program of a text, for passes to change."""
        self.prepare()
        base, self._base = self._base, None
        piece = None
        if base is not None:
            piece = splice(self._reader, base, text)
        is_spliced = piece is not None
        if piece is None:
            self._twin = None
            piece = self._reader.read(text, FILE)
        if piece.error is not None:
            self._twin = None
            raise piece.error
        if len(text) >= SPLICED_FROM:
            self._text = text
            self._twin = self._twin if is_spliced else self._reader.copy(piece)
        else:
            self._twin = None
        return _source_of(piece)


def _source_of(piece: Piece) -> Source:
    """The program of a piece with its places."""
    text, places, lines = piece.text, piece.places, Lines(piece.text)

    def place(position: int) -> tuple[int, int]:
        line, column = lines.place(position)
        return line + 1, column + 1

    module = piece.module or ModuleOp(piece.ops)
    names: dict[SSAValue, str] = {}
    value_places: dict[SSAValue, tuple[int, int]] = {}
    for start, (end, defined) in places.definitions.items():
        at, name = place(start), text[start:end]
        for number, value in enumerate(defined):
            # Arguments of several regions may have one name.
            is_numbered = len(defined) > 1 and isinstance(value, OpResult)
            names[value] = f"{name}#{number}" if is_numbered else name
            value_places[value] = at
    op_places: dict[Operation, tuple[int, int]] = {}
    last_lines: dict[Operation, int] = {}
    for op in ops_inside(module):
        if (found := places.ops.get(op)) is None:
            continue
        _, start, end = found
        op_places[op] = place(start)
        if isinstance(op, FuncOp):
            end = len(text[:end].rstrip())
            last_lines[op] = place(end - 1)[0]
    return Source(text, FILE, module, names, None, value_places, op_places, last_lines)


def answer(question: Question) -> Answer:
    """Explain the functions of a question."""
    return Answering().answer(question)


_PLACE: Final = re.compile(r".*:(?P<line>\d+):(?P<column>\d+)", re.DOTALL)


def _problem(error: Exception) -> Problem:
    message = describe_error(error, FILE)
    if message is None:
        kind = type(error).__name__
        text = f"internal error, please report it: {kind}: {error}"
        return Problem(text, None, 1)
    found = _PLACE.fullmatch(message.place)
    if found is None:
        return Problem(message.text, None, 1)
    return Problem(message.text, int(found["line"]), int(found["column"]))
