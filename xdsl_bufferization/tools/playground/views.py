"""What the tabs of the playground show of a program: texts of commands, and pages.

    decisions      xbuf explain            memory     xbuf explain --html
    buffers        xbuf opt                stages     xbuf stages --html
    deallocation   xbuf opt                compare    xbuf compare

A tab is about one program. `Buffers` leaves out what comes after the first pass that
frees memory.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from xdsl_bufferization.bufferization.bufferize.value_arguments import (
    mark_value_arguments,
)
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
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.pipelines.pipeline_text import parse_passes
from xdsl_bufferization.pipelines.registry import PASS_FILES

from ..compare import format_comparison
from ..explain.explained_text import explain_text
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


def _stages(text: str, pipeline: str) -> Result:
    def work() -> str:
        passes = parse_passes(pipeline)
        module = parse_module(text, FILE, get_context())
        verify_as_mlir(module)
        # As for decisions, callers keep the tensors that they pass.
        mark_value_arguments(module, finds_results_in_arguments=True)
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
    "decisions": View(explain_text),
    "buffers": View(_buffers),
    "deallocation": View(run_pipeline),
    "memory": View(_memory, is_page=True),
    "stages": View(_stages, is_page=True),
    "compare": View(_compare),
}
"""The tabs by name, in the order in which they stand."""


def show(name: str, text: str, pipeline: str) -> Result:
    """What a tab shows of a program, or its error with a place in words."""
    result = VIEWS[name].make(text, pipeline)
    if not result.is_error:
        return result
    place, _, message = result.text.partition(": ")
    _, *numbers = place.removeprefix(FILE).split(":")
    if not place.startswith(FILE) or len(numbers) < 2:
        return replace(result, text=result.text.removeprefix(f"{FILE}: "))
    line, column, *_ = numbers
    return replace(result, text=f"line {line}, column {column}: {message}")
