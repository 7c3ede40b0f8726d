"""The text of a program explained in words, as `xbuf explain` prints it."""

from dataclasses import replace

from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.editing.decisions import FILE
from xdsl_bufferization.editing.results import Result, result_of
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.report import Explanation
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.pipelines.pipeline_text import parse_passes

from .explain_text import format_explanation


def explain_text(text: str, pipeline: str, name: str | None = None) -> Result:
    """The lines about a program, or about one function of it."""

    def work() -> str:
        passes = parse_passes(pipeline)
        source = read_source(text, FILE)
        verify_as_mlir(source.module)
        explanation = explain_source(source, passes, donated=())
        if name is not None:
            functions = [each for each in explanation.functions if each.name == name]
            explanation = replace(explanation, functions=tuple(functions))
        return plain_text(explanation)

    return result_of(work)


def plain_text(explanation: Explanation) -> str:
    """An explanation as lines without colours."""
    return "\n".join(format_explanation(explanation, colour=False)) + "\n"
