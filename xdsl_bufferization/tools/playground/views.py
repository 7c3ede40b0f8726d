"""What the tabs of the playground show of a program: texts of commands, and pages.

    decisions      xbuf explain            memory     xbuf explain --html
    buffers        xbuf opt                stages     xbuf stages --html
    deallocation   xbuf opt                compare    xbuf compare

A tab is about one program. `Buffers` leaves out what comes after the first pass that
frees memory.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.editing.decisions import FILE
from xdsl_bufferization.editing.results import (
    Result,
    list_steps,
    result_of,
    run_pipeline,
)
from xdsl_bufferization.explanation import page
from xdsl_bufferization.explanation.comparison import compare_options
from xdsl_bufferization.explanation.explain import (
    explain_source,
    spell_pipeline,
    trace_source,
)
from xdsl_bufferization.explanation.page import ShownExplanation
from xdsl_bufferization.explanation.report import Explanation, FunctionReport
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.pipelines.pipeline_text import parse_passes
from xdsl_bufferization.pipelines.python_callers import expect_python_callers
from xdsl_bufferization.pipelines.registry import PASS_FILES

from ..compare import format_comparison
from ..explain.explained_text import explain_text, plain_text
from ..stages import stages_page
from ..stages.stages import follow

_TITLE: Final = "program"


@dataclass(frozen=True)
class View:
    """What a tab shows."""

    make: Callable[[str, str], Result]
    """Makes it of a program and a pipeline."""

    is_page: bool = False
    """Whether it is a page of HTML rather than text."""

    make_known: Callable[[Explanation], Result] | None = None
    """Makes it of all decisions about the program, which takes less time."""


def _buffers(text: str, pipeline: str) -> Result:
    steps = result_of(lambda: ",".join(takewhile(_frees_nothing, list_steps(pipeline))))
    return steps if steps.is_error else run_pipeline(text, steps.text)


def _frees_nothing(step: str) -> bool:
    file = PASS_FILES.get(step.partition("{")[0], "")
    return not file.startswith("bufferization.deallocation.")


def _memory(text: str, pipeline: str) -> Result:
    def work() -> str:
        passes = parse_passes(pipeline)
        source = read_source(text, FILE)
        verify_as_mlir(source.module)
        explanation = explain_source(source, passes, donated=(), wants_memory=True)
        return page.render(replace(explanation, file=_TITLE))

    return result_of(work)


def _memory_known(explanation: Explanation) -> Result:
    def work() -> str:
        source = read_source(explanation.text, FILE)
        memory = trace_source(source, parse_passes(explanation.pipeline))
        return page.render(replace(explanation, file=_TITLE, memory=memory))

    return result_of(work)


def _stages(text: str, pipeline: str) -> Result:
    def work() -> str:
        passes = parse_passes(pipeline)
        module = parse_module(text, FILE, get_context())
        verify_as_mlir(module)
        # As for decisions, callers keep the tensors that they pass.
        expect_python_callers(module)
        return stages_page.render(f"Stages of {_TITLE}", list(follow(module, passes)))

    return result_of(work)


def _compare(text: str, _: str) -> Result:
    def work() -> str:
        module = parse_module(text, FILE, get_context())
        verify_as_mlir(module)
        comparison = compare_options(module, FILE, ())
        return "\n".join(format_comparison(comparison)) + "\n"

    return result_of(work)


VIEWS: Final[Mapping[str, View]] = {
    "decisions": View(
        explain_text, make_known=lambda each: result_of(lambda: plain_text(each))
    ),
    "buffers": View(_buffers),
    "deallocation": View(run_pipeline),
    "memory": View(_memory, is_page=True, make_known=_memory_known),
    "stages": View(_stages, is_page=True),
    "compare": View(_compare),
}
"""The tabs by name, in the order in which they stand."""


def show(
    name: str,
    text: str,
    pipeline: str,
    reports: Sequence[FunctionReport] | None = None,
) -> Result:
    """What a tab shows of a program, or its error with a place in words.

    `reports` are those of all functions, if all are known.
    """
    view = VIEWS[name]
    result = None
    if reports is not None and view.make_known is not None:
        spelling = spell_pipeline(parse_passes(pipeline))
        known = ShownExplanation(FILE, text, "", spelling, tuple(reports))
        result = view.make_known(known)
    if result is None or result.is_error:
        result = view.make(text, pipeline)
    if not result.is_error:
        return result
    place, _, message = result.text.partition(": ")
    _, *numbers = place.removeprefix(FILE).split(":")
    if not place.startswith(FILE) or len(numbers) < 2:
        return replace(result, text=result.text.removeprefix(f"{FILE}: "))
    line, column, *_ = numbers
    return replace(result, text=f"line {line}, column {column}: {message}")
