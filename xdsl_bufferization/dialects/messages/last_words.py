"""The last lines of an error in `xdsl-opt`: what is wrong, and where.

    error: in @f: op was not bufferized: no model says how to bufferize 'test.unknown'
      %1 = "test.unknown"(%a) : (tensor<4xf32>) -> tensor<4xf32>
      ^
    `xbuf opt` shows errors with file and line, and without the program

xDSL prints the whole program, with the message somewhere in the middle. After a program
of 2,000 ops nobody finds the message, so that it is said once more at the end.
"""

from collections.abc import Iterator

from xdsl_bufferization.support.errors import OperationError, symbol_around
from xdsl_bufferization.support.excerpts import excerpt
from xdsl_bufferization.support.xdsl_releases.notes import note, noted

from ..parsing import locate

_IS_SAID = "has_last_words"
_ADVICE = "`xbuf opt` shows errors with file and line, and without the program"


def add_last_words(error: OperationError) -> None:
    """Have xDSL print the message and the op after the program, too."""
    if not noted(error, _IS_SAID):
        note(error, _IS_SAID)
        error.add_note("\n".join(_last_words(error)))


def _last_words(error: OperationError) -> Iterator[str]:
    place = where = locate(error.op)
    if place is None and (name := symbol_around(error.op)):
        where = f"in @{name}"
    yield f"error: {where + ': ' if where else ''}{error.message}"
    line = _line_of_op(error)
    yield from (f"  {each}" for each in excerpt(line, 1))
    if place is None:
        yield _ADVICE


def _line_of_op(error: OperationError) -> str:
    """The line of the program that xDSL has printed above its carets."""
    before = ""
    for text in getattr(error, "__notes__", ()):
        for line in text.splitlines():
            if line.lstrip().startswith("^^"):
                return before.strip()
            before = line
    return ""
