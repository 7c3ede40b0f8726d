"""FileCheck in this process, on one part of a test."""

import contextlib
import io
import re

from filecheck.error import CheckError, ParseError
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import DumpInputKind, Options, parse_argv_options
from filecheck.parser import Parser, pattern_for_opts

_LACKING = re.compile(r"--?(dump-input\S*|color|allow-unused-prefixes\S*)|\d+")
"""Options of FileCheck that decide nothing."""


def problem_of(output: str, checks: str, arguments: tuple[str, ...]) -> str:
    """What FileCheck says of `output`; empty if the comments in `checks` hold."""
    given = [each for each in arguments if not _LACKING.fullmatch(each)]
    options = parse_argv_options(["filecheck", *given, "chunk"])
    options.dump_input = DumpInputKind.FAIL
    options.allow_empty = True
    if not _has_checks(checks, options.check_prefixes):
        return ""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            code = _matcher(options, output, checks).run()
        except (CheckError, ParseError, re.error) as error:
            return f"filecheck cannot read this: {error}"
    return said.getvalue() if code else ""


def _has_checks(checks: str, prefixes: list[str]) -> bool:
    names = "|".join(map(re.escape, prefixes))
    return (
        re.search(rf"(?:{names})(?:-[A-Z0-9-]+)?(?:\{{[A-Z]+\}})?:", checks) is not None
    )


def _matcher(options: Options, output: str, checks: str) -> Matcher:
    parser = Parser(options, io.StringIO(checks), *pattern_for_opts(options))
    return Matcher(options, FInput("<stdin>", output), parser)
