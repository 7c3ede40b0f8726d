"""Run one case in this process, and say whether it shows a defect.

    xbuf, exit code 0 or 1, nothing or one plain line    ->  no failure
    xbuf, "internal error", exit code 70                 ->  "internal error: KeyError in ..."
    xdsl-opt, an error from a file of this package       ->  the same
    a valid program with other numbers                   ->  "AssertionError in ..."

Crashes and hangs are seen from outside: see `runner.py`.
"""

import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from shutil import rmtree
from typing import Final, NamedTuple
from unittest import mock

from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from fuzz.case import STDIN, Case, Verdict, without_names
from xdsl_bufferization.errors import OperationError
from xdsl_bufferization.tools import diagnostics
from xdsl_bufferization.tools.xbuf import main

_OURS: Final = f"{os.sep}xdsl_bufferization{os.sep}"
_XDSLS: Final = f"{os.sep}xdsl{os.sep}"
_TESTS: Final = f"{os.sep}tests{os.sep}"

_PLAIN: Final = (ParseError, DiagnosticException, ArgSpecParseError, OSError)
"""What xDSL's tool may end with."""

_MANY_LINES: Final = frozenset({"--verify-diagnostics", "--parsing-diagnostics"})


class _Answer(NamedTuple):
    """What a command has done."""

    code: object
    out: str
    err: str
    error: BaseException | None


def judge(case: Case, folder: Path) -> Verdict:
    """Run a case with its files alone in `folder`."""
    _fill(folder, case.files)
    os.chdir(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return _JUDGES[case.tool](case)


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
    report = diagnostics.report

    def remember(error: Exception, file: str) -> int:
        reported.append(error)
        return report(error, file)

    with mock.patch.object(diagnostics, "report", remember):
        answer = _call(case, lambda: main(case.arguments))
    message = without_names(answer.err.strip() or "no error")
    if answer.error is not None:
        return _defect("traceback", answer.error)
    if answer.code == diagnostics.EXIT_DEFECT:
        return _defect("internal error", reported[-1])
    if problem := _wrong_answer(case, answer):
        return Verdict(f"{problem} {message[:80]}", answer.err[:4000], message)
    return Verdict(message=f"{case.arguments[:1]} {message}")


def _wrong_answer(case: Case, answer: _Answer) -> str:
    if answer.code not in (0, 1):
        return f"exit code {answer.code}:"
    if answer.code == 0 and answer.err:
        return "success with an error:"
    if answer.code == 1 and answer.err.count("\n") != 1:
        return f"{answer.err.count(chr(10))} lines:"
    if not answer.err.removesuffix("\n").isprintable():
        return "not printable:"
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
    return _OURS in next(
        (file for file in reversed(files) if _OURS in file or _XDSLS in file), ""
    )


def _judge_program(case: Case) -> Verdict:
    from fuzz.programs import KINDS

    kind, seed = case.arguments
    text = case.files["in.mlir"].decode()
    try:
        KINDS[kind].check(text, int(seed))
    except (OperationError, ParseError) as error:
        return Verdict(message=f"{kind} {without_names(str(error))}")
    except Exception as error:
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
        if any(part in frame.filename for part in (_OURS, _XDSLS, _TESTS))
        and Path(frame.filename) != Path(__file__)
    ]
    place = f"{_short(known[-1].filename)}:{known[-1].name}" if known else "nowhere"
    detail = "".join(traceback.format_exception(error))
    return Verdict(f"{kind}: {type(error).__name__} in {place}", detail[-6000:])


def _short(file: str) -> str:
    for part in (_OURS, _XDSLS, _TESTS):
        if part in file:
            return part[1:] + file.rpartition(part)[2]
    return file


_JUDGES: Final[Mapping[str, Callable[[Case], Verdict]]] = {
    "xbuf": _judge_xbuf,
    "xdsl-opt": _judge_xdsl_opt,
    "program": _judge_program,
}
