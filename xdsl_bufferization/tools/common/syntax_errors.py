"""Errors in the text of a pipeline, at their column.

--passes:1:5: error: expected an option name, or '}'
"""

from xdsl.utils.exceptions import ArgSpecParseError

from .diagnostics import UsageError


def syntax_error(error: ArgSpecParseError, option: str) -> UsageError:
    """What is wrong in the pipeline that was given with `option`.

    xDSL's message is a heading, the place, the text with carets, and the reason.
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    place = lines[1] if len(lines) > 1 else "pass-pipeline:1:1"
    return UsageError(place.replace("pass-pipeline", option), lines[-1])
