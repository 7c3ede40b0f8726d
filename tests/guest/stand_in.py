"""Stands in for `xdsl-opt` in xDSL's file checks, and records what each call makes.

    python tests/guest/stand_in.py RECORDS <what xdsl-opt is called with>

The call runs where this package is not installed, and does for the file check what
`xdsl-opt` does. What it needs to run again, and what it made, is written to files in
the folder `RECORDS`, which `replay.py` reads.
"""

import io
import json
import os
import re
import shutil
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import IO

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer
from xdsl.tools import xdsl_opt
from xdsl.utils.arg_spec import parse_spec
from xdsl.xdsl_opt_main import xDSLOptMain

ADDRESS = re.compile(r"\b\d{12,}\b")
"""What Python calls an object that it prints; it is another number in each process."""


class ComparablePrinter(Printer):
    """Prints what programs of the same meaning have in common.

    The form is the generic one, where properties are attributes, in alphabetic order.
    """

    def __init__(self, stream: IO[str]):
        super().__init__(stream, print_generic_format=True)

    @override
    def print_op_with_default_format(self, op: Operation) -> None:
        """Print properties as attributes, except where the names clash."""
        outer = self.print_properties_as_attributes
        clash = op.properties.keys() & op.attributes.keys()
        self.print_properties_as_attributes = not clash
        super().print_op_with_default_format(op)
        self.print_properties_as_attributes = outer

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
                self.record.write(ADDRESS.sub("ADDRESS", printed.getvalue()))

    @override
    def output_resulting_program(self, prog: ModuleOp) -> str:
        """Record the program in comparable form, or the text of another target."""
        text = super().output_resulting_program(prog)
        if parse_spec(self.args.target).name == "mlir":
            ComparablePrinter(self.record).print_op(prog)
            self.record.write("\n")
        else:
            self.record.write(text)
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


def run_xdsl_opt(arguments: Sequence[str], record: Path) -> None:
    """Run `xdsl-opt` in this process."""
    sys.argv = ["xdsl-opt", *arguments]
    with record.open("w") as file:
        main = partial(RecordingOpt, file)
        # For type checkers, nobody assigns to a class of a module.
        setattr(xdsl_opt, "xDSLOptMain", main)  # noqa: B010
        xdsl_opt.main()


def read_from(given: Path) -> None:
    """Make a file the standard input of this process."""
    with given.open("rb") as file:
        os.dup2(file.fileno(), sys.stdin.fileno())


def main() -> None:
    """Run the call plainly and record it."""
    records, *arguments = sys.argv[1:]
    record = Path(records) / f"{time.time_ns()}-{os.getpid()}"
    options = Options().parsed(arguments)
    call: dict[str, object] = {
        "arguments": arguments,
        "folder": str(Path.cwd()),
        "variables": dict(os.environ),
        "passes": options.passes if options else None,
        "kind": "fails",
    }
    given = record.with_suffix(".given")
    if options is None or options.input_file is not None:
        given.touch()
    else:
        with given.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        read_from(given)

    try:
        run_xdsl_opt(arguments, record.with_suffix(".plain"))
        call["kind"] = _kind(options)
    except SystemExit as stop:
        if not stop.code:
            call["kind"] = _kind(options)
        raise
    finally:
        record.with_suffix(".json").write_text(json.dumps(call))


def _kind(options: Namespace | None) -> str:
    """Say what kind of call succeeded."""
    if options is None:
        return "makes no program"
    if options.verify_diagnostics or options.parsing_diagnostics:
        return "prints diagnostics"
    return "makes a program"


if __name__ == "__main__":
    main()
