"""Run one case in this process, and say whether it shows a defect.

    xbuf, exit code 0 to 2, nothing or one plain error   ->  no failure
    xbuf, "internal error",
    exit code 70                 ->  "internal error: KeyError in ..."
    xdsl-opt, an error from a file of this package       ->  the same
    a valid program with other numbers                   ->  "AssertionError in ..."
    a program that is bufferized, and no proof           ->  "proof of decisions: ..."

Crashes and hangs are seen from outside: see `runner.py`.
"""

import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from importlib import metadata
from pathlib import Path
from shutil import rmtree
from typing import Final, NamedTuple
from unittest import mock

import xdsl
from harness.oracles.proved import ERROR, UNDECIDED
from xdsl.ir import Attribute
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

import xdsl_bufferization
from fuzz.case import STDIN, Case, Verdict, without_names
from fuzz.proofs import proofs_of
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.pipelines import universe
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.support.escaping import in_terminal
from xdsl_bufferization.tools.common import diagnostics
from xdsl_bufferization.tools.xbuf import main

_OURS: Final = f"{Path(xdsl_bufferization.__file__).parent}{os.sep}"
_XDSLS: Final = f"{Path(xdsl.__file__).parent}{os.sep}"
_TESTS: Final = f"{Path(__file__).parents[1]}{os.sep}"

_PLAIN: Final = (ParseError, DiagnosticException, ArgSpecParseError, OSError)
"""What xDSL's tool may end with."""

_ERROR: Final = "error: "
_WARNING: Final = "Warning: "

_SHRINK: Final = "Failure, can't shrink"
"""What `xbuf opt --shrink` answers with exit code 1, which is no error."""


class _Answer(NamedTuple):
    """What a command has done."""

    code: object
    out: str
    err: str
    error: BaseException | None


def prepare() -> None:
    """Load what all cases need, before processes are forked."""
    # Half of the time would go into looking for installed packages.
    find = cache(metadata.entry_points)
    metadata.entry_points = find  # pyright: ignore[reportAttributeAccessIssue]
    universe.entry_points = find  # pyright: ignore[reportAttributeAccessIssue]
    attach_all()
    get_context()
    for load in universe.XDSL_BUFFERIZATION_UNIVERSE.all_passes.values():
        load()


def judge(case: Case, folder: Path) -> Verdict:
    """Run a case with its files alone in `folder`."""
    _fill(folder, case.files)
    os.chdir(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        verdict = _JUDGES[case.tool](case)
        return verdict if verdict.failure else _with_proofs(case, verdict)


def _with_proofs(case: Case, verdict: Verdict) -> Verdict:
    """What came of a case, and what the proofs say of its program."""
    said: list[str] = []
    for check, outcome, words in proofs_of(case):
        if outcome == ERROR:
            # The words have names of values, but begin with the op.
            kind = " ".join(without_names(words).split()[:12])
            return Verdict(f"proof of {check}: {kind}", words[:4000])
        reason = f": {without_names(words)}" if outcome == UNDECIDED else ""
        said.append(f"{check} {outcome}{reason}")
    return replace(verdict, proofs=tuple(said))


def _fill(folder: Path, files: Mapping[str, bytes]) -> None:
    for each in folder.iterdir():
        if each.is_dir() and not each.is_symlink():
            rmtree(each)
        else:
            each.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def _judge_xbuf(case: Case) -> Verdict:
    reported: list[Exception] = []
    show = diagnostics.show

    def remember(error: Exception, file: str, colour: bool = False) -> list[str] | None:
        reported.append(error)
        return show(error, file, colour)

    # `report` has other names in the modules that import it; it asks this one.
    with mock.patch.object(diagnostics, "show", remember):
        answer = _call(case, lambda: main(case.arguments))
    errors = [line for line in answer.err.splitlines() if _ERROR in line]
    message = without_names(errors[-1] if errors else "no error")
    if answer.error is not None:
        return _defect("traceback", answer.error)
    if answer.code == diagnostics.EXIT_DEFECT:
        return _defect("internal error", reported[-1])
    if problem := _wrong_answer(answer):
        words = " ".join(message.split()[:4])
        return Verdict(f"{problem} {words}", answer.err[:4000], message)
    return Verdict(message=f"{case.arguments[:1]} {message}")


def _wrong_answer(answer: _Answer) -> str:
    """What is wrong with the exit code or the lines of errors; passes may say more."""
    lines = answer.err.splitlines()
    errors = [line for line in lines if _ERROR in line]
    if answer.code not in (0, 1, 2):
        return f"exit code {answer.code}:"
    is_error = answer.code != 0 and _SHRINK not in answer.out
    if len(errors) != is_error:
        return f"exit code {answer.code}, {len(errors)} errors:"
    shown = lines[lines.index(errors[0]) :] if errors else []
    if not all(in_terminal(line) == line for line in shown) or _WARNING in answer.err:
        return "not plain:"
    return ""


def _judge_xdsl_opt(case: Case) -> Verdict:
    answer = _call(case, lambda: xDSLOptMain("xdsl-opt", case.arguments).run())
    error = answer.error
    if error is None or isinstance(error, _PLAIN) or not _is_ours(error):
        return Verdict(message=f"xdsl-opt {type(error).__name__}")
    return _defect("xdsl-opt", error)


def _is_ours(error: BaseException) -> bool:
    """Whether the last step to the error was in a file of this package."""
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    both = [file for file in files if file.startswith((_OURS, _XDSLS))]
    return bool(both) and both[-1].startswith(_OURS)


def _judge_program(case: Case) -> Verdict:
    from fuzz.programs import KINDS

    kind, seed = case.arguments
    text = case.files["in.mlir"].decode()
    try:
        KINDS[kind].check(text, int(seed))
    except (OperationError, ParseError) as error:
        return Verdict(message=f"{kind} {without_names(str(error))}")
    except Exception as error:
        # What is no refusal is what is sought.
        return _defect(kind, error)
    return Verdict(message=kind)


def _call(case: Case, command: Callable[[], object]) -> _Answer:
    """Call a command as its process would be."""
    out, err = _stream(), _stream()
    given = io.BytesIO(case.files.get(STDIN, b""))
    stdin = io.TextIOWrapper(given, encoding="utf-8")
    code: object = None
    error: BaseException | None = None
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(sys, "stdin", stdin),
        # Options of xDSL's tool that stay on for the rest of the process.
        mock.patch.object(Attribute, "__post_init__", Attribute.__post_init__),
        mock.patch.object(Diagnostic, "colored", False),
    ):
        try:
            code = command()
        except SystemExit as exit_:
            code = exit_.code or 0
        except BaseException as raised:
            error = raised
    return _Answer(code, _text(out), _text(err), error)


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


def _defect(kind: str, error: BaseException) -> Verdict:
    frames = traceback.extract_tb(error.__traceback__)
    known = [
        frame
        for frame in frames
        if frame.filename.startswith((_OURS, _XDSLS, _TESTS))
        and Path(frame.filename) != Path(__file__)
    ]
    place = f"{_short(known[-1].filename)}:{known[-1].name}" if known else "nowhere"
    detail = "".join(traceback.format_exception(error))
    return Verdict(f"{kind}: {type(error).__name__} in {place}", detail[-6000:])


def _short(file: str) -> str:
    folder = next(each for each in (_OURS, _XDSLS, _TESTS) if file.startswith(each))
    return str(Path(file).relative_to(Path(folder).parent))


_JUDGES: Final[Mapping[str, Callable[[Case], Verdict]]] = {
    "xbuf": _judge_xbuf,
    "xdsl-opt": _judge_xdsl_opt,
    "program": _judge_program,
}
