"""A function explained in words, as `xbuf explain --function` prints it."""

from dataclasses import replace

from xdsl_bufferization.dialects.messages.messages import describe_error
from xdsl_bufferization.editing.decisions import FILE
from xdsl_bufferization.editing.results import Result
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.pipelines.pipeline_text import PipelineError, parse_passes

from ..explain.explain_text import format_explanation


def explain_function(text: str, pipeline: str, name: str) -> Result:
    """The lines about one function of a program."""
    try:
        source, passes = read_source(text, FILE), parse_passes(pipeline)
        explanation = explain_source(source, passes, donated=())
    except PipelineError as error:
        return Result(f"pipeline, column {error.column + 1}: {error.message}", True)
    except Exception as error:  # Passes and models of others may raise anything.
        message = describe_error(error, FILE)
        if message is None:
            raise
        return Result(f"{message.place}: {message.text}", is_error=True)
    functions = tuple(each for each in explanation.functions if each.name == name)
    lines = format_explanation(replace(explanation, functions=functions), colour=False)
    return Result("\n".join(lines) + "\n")
