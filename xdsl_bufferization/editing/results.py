"""What passes make of a program, and a program as it is printed.

    run_pipeline("func.func @f ...", "one-shot-bufferize,cse")   ->   the text after it
    format_pieces(document)                                      ->   edits

Printing loses comments, and puts what aliases stand for in their place. So pieces with
either are left as they are written.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.messages.messages import describe_error
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.pipelines.pass_bundle import run_passes, spell_pass, unbundle
from xdsl_bufferization.pipelines.pipeline_text import PipelineError, parse_passes
from xdsl_bufferization.support.nesting import free_traceback, run_where_it_fits

from .cuts import SEPARATOR
from .decisions import FILE
from .document import Document, Placed
from .names import Edit
from .words import Kind


@dataclass(frozen=True)
class Result:
    """A program after passes, or what kept them from it."""

    text: str
    is_error: bool = False


def run_pipeline(text: str, pipeline: str) -> Result:
    """The program after all passes of a pipeline; with none, as it is printed.

    Several programs of a text are run one by one.
    """
    results = [_run(each, pipeline) for each in text.split(SEPARATOR)]
    errors = [each for each in results if each.is_error]
    if errors:
        return errors[0]
    return Result(f"{SEPARATOR}\n".join(each.text for each in results))


def _run(text: str, pipeline: str) -> Result:
    def work() -> str:
        passes = parse_passes(pipeline) if pipeline else []
        ctx = get_context()
        module = parse_module(text, FILE, ctx)
        verify_as_mlir(module)
        run_passes(passes, ctx, module)
        return mlir_text(module) + "\n"

    return result_of(work)


def result_of(work: Callable[[], str]) -> Result:
    """The text that `work` makes of a program, or its error in words.

    A program that needs room is worked on again, so that `work` has to read it.
    """
    try:
        return Result(run_where_it_fits(work))
    except PipelineError as error:
        return Result(f"pipeline, column {error.column + 1}: {error.message}", True)
    except Exception as error:  # Passes and models of others may raise anything.
        message = describe_error(error, FILE)
        free_traceback(error)
        if message is None:
            kind = type(error).__name__
            return Result(
                f"internal error, please report it: {kind}: {error}", is_error=True
            )
        return Result(f"{message.place}: {message.text}", is_error=True)


def list_steps(pipeline: str) -> list[str]:
    """The passes of a pipeline one by one, each as it is written."""
    return [spell_pass(each) for each in unbundle(parse_passes(pipeline))]


def format_pieces(document: Document) -> list[Edit]:
    """Edits that write each op at the top as it is printed, where nothing is lost."""
    document.faults()  # An op that breaks its rules may not be printed as it is.
    return [
        edit
        for _, placed in document.pieces()
        for edit in _format(document, placed)
        if document.text[edit.range.start : edit.range.end] != edit.text
    ]


def _format(document: Document, placed: Placed) -> Iterator[Edit]:
    piece = placed.piece
    is_faulty = piece.error is not None or piece.check_errors
    if is_faulty or piece.module is not None or piece.aliases_named:
        return
    comments = [word.start for word in piece.words if word.kind is Kind.COMMENT]
    for op in piece.ops:
        place = piece.op_places.get(op)
        if place is None or any(place.start <= each < place.end for each in comments):
            continue
        at = placed.range(place.start, place.end)
        line = document.lines.text_of(document.lines.line_of(at.start))
        indent = line[: len(line) - len(line.lstrip())]
        text = mlir_text(op).replace("\n", f"\n{indent}")
        if not piece.text.isascii():
            text = _LETTERS.sub(_with_letters, text)
        yield Edit(at, text)


_LETTERS: Final = re.compile(r"\\\\|(?:\\[89A-F][0-9A-F])+")
"""A backslash, or bytes of letters beyond ASCII, which MLIR prints as escapes."""


def _with_letters(found: re.Match[str]) -> str:
    """The letters that bytes are, for those who write letters."""
    written = found[0]
    if written == "\\\\":
        return written
    try:
        letters = bytes.fromhex(written.replace("\\", "")).decode()
    except UnicodeDecodeError:
        return written
    return letters if letters.isprintable() else written
