"""Answers questions about functions (`decisions.py`): what `xbuf explain` says of them.

    answering = Answering()
    answering.answer(question)      all of its text is read, and explained
    answering.answer(question)      a long text is read where it has changed

An answer takes seconds for a large text, so that whoever serves an editor lets another
process answer.
"""

import re
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.messages.messages import describe_error
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.source import Source
from xdsl_bufferization.pipelines.pipeline_text import PipelineError, parse_passes
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.nesting import free_traceback, run_where_it_fits
from xdsl_bufferization.support.traversal import ops_inside

from .decisions import FILE, Answer, Problem, Question
from .document import SPLICED_FROM
from .places import Lines
from .reading import Piece, Reader
from .splicing import splice


class Answering:
    """Answers one question after the other, and keeps the last long text."""

    def __init__(self) -> None:
        self._reader = Reader(get_context())
        self._base: Piece | None = None

    @without_garbage_collection()
    def answer(self, question: Question) -> Answer:
        """Explain the functions of a question."""
        try:
            passes = parse_passes(question.pipeline)
            explanation = run_where_it_fits(
                lambda: explain_source(
                    self._read(question.text), passes, donated=(), wants_buffers=True
                )
            )
        except PipelineError as error:
            return Answer(problem=Problem(f"pipeline: {error.message}", None, 1))
        except Exception as error:  # Passes and models of others may raise anything.
            problem = _problem(error)
            free_traceback(error)
            return Answer(problem=problem)
        names = {*question.names}
        reports = tuple(each for each in explanation.functions if each.name in names)
        return Answer(reports, explanation.passes_before)

    def _read(self, text: str) -> Source:
        base, self._base = self._base, None
        piece = None
        if base is not None:
            piece = splice(self._reader, base, text)
        if piece is None:
            piece = self._reader.read(text, FILE)
        if piece.error is not None:
            raise piece.error
        if len(text) >= SPLICED_FROM:
            self._base = piece
        return _copy_of(piece)


def _copy_of(piece: Piece) -> Source:
    """The program of a piece with its places; passes may change it."""
    text, places, lines = piece.text, piece.places, Lines(piece.text)

    def place(position: int) -> tuple[int, int]:
        line, column = lines.place(position)
        return line + 1, column + 1

    values: dict[SSAValue, SSAValue] = {}
    blocks: dict[Block, Block] = {}
    copied = [op.clone(values, blocks) for op in piece.ops]
    module = copied[0] if piece.module is not None else ModuleOp(copied)
    assert isinstance(module, ModuleOp)
    names: dict[SSAValue, str] = {}
    value_places: dict[SSAValue, tuple[int, int]] = {}
    for start, (end, defined) in places.definitions.items():
        at, name = place(start), text[start:end]
        for number, value in enumerate(defined):
            # Arguments of several regions may have one name.
            is_numbered = len(defined) > 1 and isinstance(value, OpResult)
            if (copy := values.get(value)) is not None:
                names[copy] = f"{name}#{number}" if is_numbered else name
                value_places[copy] = at
    op_places: dict[Operation, tuple[int, int]] = {}
    last_lines: dict[Operation, int] = {}
    for written, made in zip(piece.ops, copied, strict=True):
        for op, copy in zip(ops_inside(written), ops_inside(made), strict=True):
            if (found := places.ops.get(op)) is None:
                continue
            _, start, end = found
            op_places[copy] = place(start)
            if isinstance(op, FuncOp):
                end = len(text[:end].rstrip())
                last_lines[copy] = place(end - 1)[0]
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
