"""Stands in for `xdsl-opt` in xDSL's file checks, and compares two runs of each call.

    python tests/guest/stand_in.py LOG PASS <what xdsl-opt is called with>

The call runs plainly, as if this package were not installed, and does for the file
check what `xdsl-opt` does. If it succeeds, it runs again with `PASS` put in front of
its passes, which activates this package's support of MLIR. The second run has to
succeed and to make the same program. One line of JSON about the call is appended to
`LOG`. Both runs are children of one process that has imported xDSL.
"""

import importlib.metadata
import io
import itertools
import json
import os
import sys
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.printer import Printer
from xdsl.tools import xdsl_opt
from xdsl.utils.arg_spec import parse_spec
from xdsl.xdsl_opt_main import xDSLOptMain

OURS = "xdsl-bufferization"
"""The name of this package's entry point."""

TEST = "GUEST_TEST"
"""The environment variable that says which file is being checked."""

SHOWN = 6
"""How many lines a difference shows of each run."""


class ComparablePrinter(Printer):
    """Prints what programs of the same meaning have in common.

    That is the generic form, where properties are attributes, in alphabetic order.
    """

    def __init__(self, stream: IO[str]):
        super().__init__(
            stream, print_generic_format=True, print_properties_as_attributes=True
        )

    @override
    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        super().print_attr_dict(dict(sorted(attr_dict.items())))


class RecordingOpt(xDSLOptMain):
    """`xdsl-opt` that also writes what it makes into a `record`."""

    def __init__(self, record: IO[str]):
        self.record = record
        super().__init__()

    @override
    def apply_passes(self, prog: ModuleOp) -> None:
        """Record what passes print, too, unless it is about the passes."""
        printed = io.StringIO()
        try:
            with redirect_stdout(printed):
                super().apply_passes(prog)
        finally:
            sys.stdout.write(printed.getvalue())
            if not (self.args.print_between_passes or self.args.time_passes):
                self.record.write(printed.getvalue())

    @override
    def output_resulting_program(self, prog: ModuleOp) -> str:
        """Record the program in comparable form, or the text of another target."""
        text = super().output_resulting_program(prog)
        if parse_spec(self.args.target).name == "mlir":
            ComparablePrinter(self.record).print_op(prog)
            self.record.write("\n")
        else:
            self.record.write(text)
        self.record.flush()
        return text


class Options(xDSLOptMain):
    """The options of `xdsl-opt`, without passes and targets to choose from."""

    def __init__(self):
        self.available_frontends = {}
        self.available_passes = {}
        self.available_targets = {}
        self.register_all_frontends()

    def parsed(self, arguments: Sequence[str]) -> Namespace | None:
        """Parse the options; return None for `--help`, `--version` and errors."""
        parser = ArgumentParser()
        self.register_all_arguments(parser)
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                return parser.parse_args(arguments)
        except SystemExit:
            return None


def xdsl_opt_main(arguments: Sequence[str], record: IO[str]) -> None:
    """Run `xdsl-opt` in this process."""
    sys.argv = ["xdsl-opt", *arguments]
    setattr(xdsl_opt, "xDSLOptMain", partial(RecordingOpt, record))  # noqa: B010
    xdsl_opt.main()


def plainly(arguments: Sequence[str], record: IO[str]) -> None:
    """Run `xdsl-opt` as if this package were not installed."""
    found = importlib.metadata.entry_points

    def entry_points(*, group: str) -> list[importlib.metadata.EntryPoint]:
        return [point for point in found(group=group) if point.name != OURS]

    setattr(importlib.metadata, "entry_points", entry_points)  # noqa: B010
    xdsl_opt_main(arguments, record)


def actively(
    arguments: Sequence[str], record: IO[str], passes: str, messages: IO[str]
) -> None:
    """Run `xdsl-opt` with other `passes`, and print nothing."""
    with Path(os.devnull).open("w") as nothing:
        os.dup2(nothing.fileno(), sys.stdout.fileno())
    os.dup2(messages.fileno(), sys.stderr.fileno())
    xdsl_opt_main([*arguments, "-p", passes, "-o", os.devnull], record)


def exit_code_of(run: Callable[[], None], given: IO[bytes]) -> int:
    """Run in a child, which reads `given`; the exit code is below 0 for a signal."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    given.seek(0)
    os.dup2(given.fileno(), sys.stdin.fileno())
    run()
    sys.exit()


def call(arguments: Sequence[str], active: str, report: dict[str, object]) -> int:
    """Do what `xdsl-opt` does, compare, and fill the `report`."""
    options = Options().parsed(arguments)
    with TemporaryFile() as given, TemporaryFile("w+") as made:
        if options is not None and options.input_file is None:
            given.write(sys.stdin.buffer.read())
            given.flush()
        code = exit_code_of(partial(plainly, arguments, made), given)
        if code != 0:
            report["kind"] = "refused"
        elif options is None:
            report["kind"] = "other"
        elif options.verify_diagnostics or options.parsing_diagnostics:
            report["kind"] = "diagnostics"
        else:
            passes = f"{active},{options.passes}" if options.passes else active
            report["kind"] = "compared"
            report["difference"] = compared(arguments, passes, given, _lines(made))
        return code


def compared(
    arguments: Sequence[str], passes: str, given: IO[bytes], plain: Sequence[str]
) -> str:
    """Run with `passes` and return what differs from what was made plainly."""
    with TemporaryFile("w+") as made, TemporaryFile("w+") as messages:
        run = partial(actively, arguments, made, passes, messages)
        if (failed := exit_code_of(run, given)) != 0:
            last = "".join(_lines(messages)[-SHOWN:])
            return f"exit code {failed} with '-p {passes}':\n{last}"
        return difference(plain, _lines(made))


def difference(plain: Sequence[str], active: Sequence[str]) -> str:
    """Return the first lines that differ, or nothing."""
    if plain == active:
        return ""
    pairs = enumerate(itertools.zip_longest(plain, active), 1)
    first = next(number for number, (one, other) in pairs if one != other)
    shown = slice(first - 1, first - 1 + SHOWN)
    return (
        f"line {first}:\n"
        + "".join(f"- {line}" for line in plain[shown])
        + "".join(f"+ {line}" for line in active[shown])
    )


def _lines(file: IO[str]) -> list[str]:
    file.seek(0)
    return file.readlines()


def main() -> int:
    """Compare a call, append the report to the log, return the plain exit code."""
    log, active, *arguments = sys.argv[1:]
    report: dict[str, object] = {"test": os.environ.get(TEST), "arguments": arguments}
    parent = os.getpid()
    try:
        code = call(arguments, active, report)
    except Exception:
        if os.getpid() == parent:
            report |= {"kind": "compared", "difference": traceback.format_exc()}
            _append(log, report)
        raise
    _append(log, report)
    if code < 0:
        os.kill(os.getpid(), -code)
    return code


def _append(log: str, report: Mapping[str, object]) -> None:
    """Write a line at once, as several calls share the log."""
    with Path(log).open("ab", buffering=0) as file:
        file.write(f"{json.dumps(report)}\n".encode())


if __name__ == "__main__":
    sys.exit(main())
