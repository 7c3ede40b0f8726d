"""What both proofs say of a case whose program is bufferized.

    xbuf opt -p one-shot-bufferize,canonicalize in.mlir   the program of in.mlir is
                                                          bufferized, freed, and proven

Execution sees what a few arguments show, and commands that run nothing see nothing. So
the program of each such case goes through our pipelines once more, with both proofs.
"""

import re
from collections.abc import Iterator
from typing import Final

from harness.oracles.decisions import parse
from harness.oracles.proved import DECISIONS, Said, of_ours
from xdsl.utils.exceptions import DiagnosticException, ParseError

from fuzz.case import Case
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir

_BUFFERIZES: Final = re.compile("bufferiz|default-|dealloc|lower-to-llvm")
"""What the pipelines are called that have to do with buffers."""

_COMMANDS: Final = ("explain", "compare", "stages", "build")
"""The commands that bufferize their program."""

_FREES: Final = re.compile("dealloc|realloc")
"""Whoever frees a buffer may do so wrongly."""


def proofs_of(case: Case) -> Iterator[Said]:
    """What is said of the program of a case; nothing if there is none."""
    program = _program(case)
    if program is None:
        return
    try:
        module = parse(program)
        verify_as_mlir(module)
    except (DiagnosticException, ParseError):
        return
    frees = _FREES.search(program) is not None
    for each in of_ours(module):
        if each.check == DECISIONS or not frees:
            yield each


def _program(case: Case) -> str | None:
    """The text that a case bufferizes, if it is text."""
    files = [data for name, data in case.files.items() if name.endswith(".mlir")]
    words = " ".join(case.arguments)
    is_bufferized = case.tool == "program" or (
        case.tool == "xbuf"
        and (
            case.arguments[:1] in [(each,) for each in _COMMANDS]
            or (
                case.arguments[:1] == ("opt",) and _BUFFERIZES.search(words) is not None
            )
        )
    )
    if not is_bufferized or len(files) != 1:
        return None
    try:
        return files[0].decode()
    except UnicodeDecodeError:
        return None
