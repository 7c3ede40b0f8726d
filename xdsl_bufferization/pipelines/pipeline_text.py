"""The text of a pipeline, as xdsl-opt's `-p` takes it, and the passes that it names.

parse_passes("one-shot-bufferize{analysis-heuristic=optimal},cse")    ->  two passes
parse_passes("one-shot,cse")    ->  PipelineError at 0: there is no pass 'one-shot' ...
"""

from functools import lru_cache

from typing_extensions import override
from xdsl.passes import ModulePass, get_pass_option_infos
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException

from xdsl_bufferization.support.suggestions import hint, no_option

from .available_passes import available_passes


class PipelineError(ValueError):
    """Something is wrong in the text of a pipeline."""

    def __init__(self, column: int, message: str):
        super().__init__(message)
        self.column = column
        """Where it is in the text, from 0."""
        self.message = message

    @override
    def __str__(self) -> str:
        return f"passes, column {self.column + 1}: {self.message}"


def parse_passes(text: str) -> list[ModulePass]:
    """The passes of a pipeline.

    Raises a `PipelineError` for what names no pass or no option.
    """
    return list(_parse(text))


@lru_cache(maxsize=64)
def _parse(text: str) -> tuple[ModulePass, ...]:
    """The passes, which are frozen; an editor asks for the same ones many times."""
    try:
        specs = list(parse_pipeline(text))
    except ArgSpecParseError as error:  # No `Exception`.
        raise _syntax_error(error) from error
    available = available_passes()
    passes: list[ModulePass] = []
    for each in specs:
        if each.name not in available:
            message = f"there is no pass '{each.name}'{hint(each.name, available)}"
            raise PipelineError(max(0, text.find(each.name)), message)
        passes.append(_create(available[each.name](), each, text))
    return tuple(passes)


def _syntax_error(error: ArgSpecParseError) -> PipelineError:
    """What is wrong with the syntax.

    xDSL's message is a heading, the place, the text with carets, and the reason.
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    column = lines[1].rpartition(":")[2] if len(lines) > 1 else "1"
    return PipelineError(int(column) - 1 if column.isdecimal() else 0, lines[-1])


def _create(pass_type: type[ModulePass], spec: ArgSpec, text: str) -> ModulePass:
    options = [option.name for option in get_pass_option_infos(pass_type)]
    for given in spec.parameters:
        if given.replace("-", "_") not in options:
            message = no_option(spec.name, given, options)
            raise PipelineError(max(0, text.find(given)), message)
    try:
        return pass_type.from_spec(spec)
    except (ValueError, TypeError, DiagnosticException) as error:
        raise PipelineError(
            max(0, text.find(spec.name)), f"wrong option of pass '{spec.name}': {error}"
        ) from error
