"""Passes from a text, as `-p` of `xdsl-opt` takes it.

    passes_spelled("cse,one-shot-bufferize{bufferize-function-boundaries}")

Names are those that commands know: see `available_passes.py`.
"""

import difflib

from typing_extensions import override
from xdsl.passes import ModulePass, get_pass_option_infos
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException

from .available_passes import available_passes


class PipelineError(ValueError):
    """A pipeline that cannot be read."""

    def __init__(self, spec: str, column: int, message: str):
        super().__init__(message)
        self.spec = spec
        self.column = column
        """Where, counted from 1."""

        self.message = message

    @override
    def __str__(self) -> str:
        return f"passes, column {self.column}: {self.message}"


def passes_spelled(spec: str) -> list[ModulePass]:
    """The passes of a pipeline. Raises `PipelineError`."""
    try:
        specs = list(parse_pipeline(spec))
    except ArgSpecParseError as error:
        raise PipelineError(spec, *_place_and_reason(error)) from error
    available = available_passes()
    passes: list[ModulePass] = []
    for each in specs:
        if each.name not in available:
            near = difflib.get_close_matches(each.name, available, 1)
            hint = f"; do you mean '{near[0]}'?" if near else ""
            message = f"there is no pass '{each.name}'{hint}"
            raise PipelineError(spec, _column(spec, each.name), message)
        passes.append(_create(available[each.name](), each, spec))
    return passes


def _place_and_reason(error: ArgSpecParseError) -> tuple[int, str]:
    """XDSL's message is a heading, the place, the text with carets, and the reason."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    place = lines[1].split(":") if len(lines) > 1 else []
    column = int(place[2]) if len(place) > 2 and place[2].isdigit() else 1
    return column, lines[-1]


def _create(pass_type: type[ModulePass], spec: ArgSpec, text: str) -> ModulePass:
    options = [option.name for option in get_pass_option_infos(pass_type)]
    for given in spec.parameters:
        if given.replace("-", "_") not in options:
            known = ", ".join(option.replace("_", "-") for option in options)
            raise PipelineError(
                text,
                _column(text, given),
                f"pass '{spec.name}' has no option '{given}'; it has "
                + (known or "none"),
            )
    try:
        return pass_type.from_spec(spec)
    except (ValueError, TypeError, DiagnosticException) as error:
        message = f"wrong option of pass '{spec.name}': {error}"
        raise PipelineError(text, _column(text, spec.name), message) from error


def _column(spec: str, part: str) -> int:
    return spec.find(part) + 1
