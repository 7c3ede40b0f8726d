"""`xbuf opt`: `xdsl-opt` and `mlir-opt` in one, with the text and the rules of MLIR 22.

    xbuf opt -p one-shot-bufferize,canonicalize in.mlir
    xbuf opt -one-shot-bufferize="copy-before-write" -canonicalize in.mlir
    xbuf opt --pass-pipeline='builtin.module(func.func(buffer-hoisting),cse)' in.mlir

It takes the arguments of `xdsl-opt` and of `mlir-opt`. What differs from `xdsl-opt`:

- it reads MLIR's text only, and refuses what MLIR refuses;
- after each pass the program is verified by MLIR's rules;
- it prints MLIR's text, also with `--print-op-generic`;
- it writes a file as a whole, and only without an error;
- an error says where: a file, a line and a column, and shows that line;
- with `--split-input-file`, an error in one part does not keep the others from running;
- with `--verify-diagnostics`, comments such as `expected-error` say which errors are
  right, if the file has such comments or passes are given as to `mlir-opt`;
- with `--verify`, decisions about copies and deallocations are proven.
"""

import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO, StringIO
from typing import IO, NoReturn

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    ParseError,
    ShrinkException,
)
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.common.definitions import OWN_DIALECTS, own_factory
from xdsl_bufferization.dialects.common.wider_context import WiderContext
from xdsl_bufferization.dialects.parsing import MLIRParser, parse_all
from xdsl_bufferization.dialects.printing import ShortPrinter
from xdsl_bufferization.dialects.xdsl_patches.verify import mlir_rules
from xdsl_bufferization.pipelines.available_passes import available_passes
from xdsl_bufferization.support.nesting import NeedsRoomError, run_where_it_fits
from xdsl_bufferization.support.program_files import not_text
from xdsl_bufferization.support.suggestions import hint
from xdsl_bufferization.support.whole_files import write_text
from xdsl_bufferization.support.xdsl_releases.frontend_option import frontend_among

from .common import colours
from .common.colours import add_colour_option
from .common.diagnostics import (
    EXIT_FAILURE,
    Diagnostic,
    UsageError,
    UserError,
    diagnostics_of,
    report,
)
from .common.progress import stage
from .common.sources import remember
from .common.syntax_errors import syntax_error
from .mlir_opt.arguments import add_mlir_options, separate
from .mlir_opt.dumps import Dumps, dumps_of
from .mlir_opt.expectations import compare, expectations, has_expectations
from .mlir_opt.pass_calls import PASS_PIPELINE, parse_pipeline
from .mlir_opt.passes import PassStep, make_steps, names_of, pipeline_text
from .mlir_opt.proving import add_verify_option, proofs_on_stderr, steps_with_proofs
from .mlir_opt.replaying import add_replay_option, steps_with_replays, write_replays
from .mlir_opt.reproducer import steps_of, write_reproducer
from .mlir_opt.running import Runner
from .mlir_opt.timing import OUTPUT, PARSER, Timing

_PASSES, _TARGET = "--passes", "--target"
"""The places that errors in a pipeline, or in a target, name."""


_OPTION = re.compile(r"--[\w-]+")
_UNKNOWN = re.compile(r"unrecognized arguments: (?P<option>--[\w-]+)")


def _refuse(message: str, known: Iterable[str] = ()) -> NoReturn:
    """Say what is wrong with an argument, without the usage.

    `known` are the options, and the passes that are flags.
    """
    unknown = _UNKNOWN.match(message)
    if unknown is not None:
        message += hint(unknown["option"], known)
    raise UsageError("xbuf opt", message)


@dataclass(frozen=True)
class Chunk:
    """A part of the input."""

    text: str
    lines_before: int = 0


class _ChunkParser(MLIRParser):
    """A parser of a part of a file, whose lines are counted in the file."""

    lines_before = 0

    @override
    def line_and_column(self, position: int) -> tuple[int, int]:
        line, column = super().line_and_column(position)
        return line + self.lines_before, column


class MLIROptMain(xDSLOptMain):
    """xDSL's driver, in MLIR's terms."""

    def __init__(self, arguments: Sequence[str]) -> None:
        attach_all()
        names = names_of(Universe.get_multiverse().all_passes)
        given = separate(arguments, names)
        self._calls = given.calls
        self._timing = Timing()
        self._steps: tuple[PassStep, ...] = ()
        self._dumps = Dumps()
        self._replays: list[str] = []
        self._extension = "mlir"
        self._lines_before = 0
        self._is_mlirs = False
        self.exit_code = 0
        """What the process is to end with."""
        super().__init__("xdsl-opt in MLIR's terms", given.options)
        self._timing.is_sorted = self.args.mlir_timing_display == "list"

    @property
    def _has_mlir_steps(self) -> bool:
        """Whether passes are given as to mlir-opt."""
        return (
            bool(self._calls)
            or self.args.pass_pipeline is not None
            or self.args.run_reproducer
        )

    def dialects(self) -> dict[str, Callable[[], Dialect]]:
        """The dialects of xDSL, of this package and of others."""
        ours = {name: own_factory(name) for name in OWN_DIALECTS}
        # A package that has a dialect of one of these names keeps the name.
        return ours | Universe.get_multiverse().all_dialects

    @override
    def register_all_dialects(self) -> None:
        self.ctx = WiderContext(self.ctx)
        for name, factory in self.dialects().items():
            self.ctx.register_dialect(name, factory)

    @override
    def register_all_passes(self) -> None:
        for name, factory in available_passes().items():
            self.register_pass(name, factory)

    @override
    def register_all_arguments(self, arg_parser: ArgumentParser) -> None:
        with frontend_among(self.available_frontends, arg_parser):
            super().register_all_arguments(arg_parser)
        add_mlir_options(arg_parser)
        add_verify_option(arg_parser)
        add_replay_option(arg_parser)
        add_colour_option(arg_parser)

        def refuse(message: str) -> NoReturn:
            options = _OPTION.findall(arg_parser.format_help())
            passes = names_of(Universe.get_multiverse().all_passes)
            _refuse(message, [*options, *(f"--{name}" for name in passes)])

        arg_parser.error = refuse

    @override
    def get_input_stream(self) -> tuple[IO[bytes], str]:
        if self.args.input_file == "-":
            return sys.stdin.buffer, "mlir"
        return super().get_input_stream()

    @override
    def register_all_frontends(self) -> None:
        super().register_all_frontends()

        def parse_mlir(stream: IO[bytes]) -> ModuleOp:
            return self._parse(self._decoded(stream.read()))

        self.available_frontends["mlir"] = parse_mlir

    def _parse(self, text: str) -> ModuleOp:
        parser = _ChunkParser(self.ctx, text, self.get_input_name())
        parser.lines_before = self._lines_before
        try:
            return parse_all(parser, not self.args.no_implicit_module)
        except ParseError as error:
            error.span = replace(error.span, line_offset=self._lines_before)
            raise

    def _decoded(self, content: bytes) -> str:
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise not_text(error, self.get_input_name()) from error

    @override
    def setup_pipeline(self) -> None:
        self._dumps = dumps_of(self.args)
        if self._calls or self.args.pass_pipeline is not None:
            self._steps = self._mlir_steps()
            return
        try:
            super().setup_pipeline()
        except (ArgSpecParseError, TypeError, ValueError) as error:
            # It says more of what is wrong, and loads much that others do not need.
            from .common.program import parse_passes

            parse_passes(self.args.passes, _PASSES)
            raise UsageError(_PASSES, str(error)) from error

    def _mlir_steps(self) -> tuple[PassStep, ...]:
        given = self.args.pass_pipeline
        if self.args.passes or (self._calls and given is not None):
            raise UsageError(
                "xbuf opt", "passes are given in two ways; give all of them in one"
            )
        if given is None:
            return make_steps(self._calls, self.available_passes)
        remember(PASS_PIPELINE, given)
        return make_steps(parse_pipeline(given), self.available_passes)

    @override
    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        try:
            return super().prepare_input()
        except ValueError as error:
            raise UserError(self.get_input_name(), str(error)) from error

    @override
    def run(self) -> None:
        """Run passes on the input, and write the result.

        An error of one part of the input is reported, and the other parts are run.
        """
        if self._has_listed():
            return
        output = StringIO()
        try:
            for number, chunk in enumerate(self._read_chunks()):
                if number:
                    output.write("// -----\n")
                output.write(run_where_it_fits(partial(self.run_chunk, chunk)))
                write_replays(self._replays)
            if self.args.mlir_timing:
                self._timing.write()
        except ShrinkException:
            sys.stdout.write("Success, can shrink\n")
            return
        if self.args.shrink:
            if self.exit_code == 0:
                sys.stdout.write("Failure, can't shrink\n")
                self.exit_code = EXIT_FAILURE
            return
        if self.args.output_file in (None, "-"):
            sys.stdout.write(output.getvalue())
        elif self.exit_code == 0:
            write_text(self.args.output_file, output.getvalue())

    def _has_listed(self) -> bool:
        """List what there is, if that is all that is asked for."""
        if self.args.show_dialects:
            names = sorted(self.dialects())
            sys.stdout.write(f"Available Dialects: {','.join(names)}\n")
        elif self.args.list_passes:
            # All passes are imported, to tell what each is for.
            from .passes.passes import show_passes

            show_passes(None)
        else:
            return False
        return True

    def _read_chunks(self) -> list[Chunk]:
        parts, self._extension = self.prepare_input()
        contents = [(part.read(), lines) for part, lines in parts]
        for part, _ in parts:
            part.close()
        if self._extension != "mlir":
            # Other front ends read bytes.
            return [Chunk(text.decode("latin-1"), lines) for text, lines in contents]
        chunks = [Chunk(self._decoded(text), lines) for text, lines in contents]
        self.begin("// -----".join(chunk.text for chunk in chunks))
        return chunks

    def begin(self, text: str) -> None:
        """Let errors show lines of `text`, of which `run_chunk` gets the parts."""
        remember(self.get_input_name(), text)
        if self.args.run_reproducer:
            name = self.get_input_name()
            self._steps = steps_of(name, text, self.available_passes)
        self._is_mlirs = self._has_mlir_steps or has_expectations(text)
        if self.args.dump_pass_pipeline:
            sys.stderr.write(f"{pipeline_text(self._all_steps())}\n\n")

    def run_chunk(self, chunk: Chunk) -> str:
        """Run passes on a part of the input; returns what is to be written.

        Where comments say which errors are right, it is an error if others happen.
        """
        if not (self.args.verify_diagnostics and self._is_mlirs):
            return self._run_or_report(chunk)
        text, produced = self.diagnose(chunk)
        expected = expectations(chunk.text, chunk.lines_before)
        for wrong in compare(expected, produced):
            place = f"{self.get_input_name()}:{wrong.line}:1"
            self._fail(UserError(place, wrong.text))
        return text

    def _run_or_report(self, chunk: Chunk) -> str:
        try:
            return self._transform(chunk)
        except ParseError as error:
            if not self.args.parsing_diagnostics:
                self._fail(error)
                return ""
            return _as_text(error)
        except DiagnosticException as error:
            if not self.args.verify_diagnostics:
                self._fail(error)
                return ""
            return _as_text(error)
        except (NeedsRoomError, ShrinkException):
            raise
        except Exception as error:  # Whatever it is, the next part may do better.
            self._fail(error)
            return ""

    def diagnose(self, chunk: Chunk) -> tuple[str, list[Diagnostic]]:
        """Run passes; returns what is to be written, and what was said."""
        try:
            return self._transform(chunk), []
        except NeedsRoomError:
            raise
        except Exception as error:  # What a comment may expect, or else as above.
            found = diagnostics_of(error, self.get_input_name())
            if found is None:
                self._fail(error)
                return "", []
            return "", found

    def _fail(self, error: Exception) -> None:
        self.exit_code = report(error, self.get_input_name())

    def _transform(self, chunk: Chunk) -> str:
        """The text of what passes make of a part of the input."""
        self._lines_before = chunk.lines_before
        with mlir_rules():
            with stage("parsing"), self._timing.of(PARSER):
                module = self._parse_chunk(chunk)
            try:
                self.apply_passes(module)
            except NeedsRoomError:
                raise  # The passes run again in a thread with more room.
            except Exception:
                self._write_reproducer(chunk)
                raise
            with self._timing.of(OUTPUT):
                return self.output_resulting_program(module)

    def _write_reproducer(self, chunk: Chunk) -> None:
        file = self.args.mlir_pass_pipeline_crash_reproducer
        if file is not None:
            try:
                write_reproducer(file, chunk.text, self._all_steps())
            except OSError as error:
                # The error of the pass is still to be told.
                said = f"not written: {error.strerror or error}"
            else:
                said = "xbuf opt --run-reproducer runs it again"
            sys.stderr.write(f"{file}: note: {said}\n")

    def _parse_chunk(self, chunk: Chunk) -> ModuleOp:
        if self._extension == "mlir":
            return self._parse(chunk.text)
        content = BytesIO(chunk.text.encode("latin-1"))
        module = self.parse_chunk(content, self._extension, chunk.lines_before)
        return ModuleOp([]) if module is None else module

    @override
    def apply_passes(self, prog: ModuleOp) -> None:
        # What is printed between passes may go to the same terminal.
        if self.args.print_between_passes or self.args.time_passes:
            if self.args.verify or self.args.replay:
                name = "--verify" if self.args.verify else "--replay"
                _refuse(f"{name} needs passes to run without xDSL's own reports")
            super().apply_passes(prog)
            return
        steps = self._all_steps()
        if self.args.verify:
            steps = steps_with_proofs(steps)
        if self.args.replay:
            steps = steps_with_replays(steps, self._replays)
        with stage("running passes"), proofs_on_stderr(self.args.verify):
            self._verify(prog)
            runner = Runner(
                self.ctx, self._dumps.write_before, self._after, self._timing
            )
            runner.run(prog, steps)

    def _all_steps(self) -> tuple[PassStep, ...]:
        return self._steps if self._has_mlir_steps else tuple(self.pipeline.passes)

    def _after(self, each: ModulePass, module: ModuleOp) -> None:
        if self.args.verify_each.lower() not in ("0", "false"):
            self._verify(module)
        self._dumps.write_after(each, module)

    def _verify(self, module: ModuleOp) -> None:
        if not self.args.disable_verify:
            module.verify()

    @override
    def output_resulting_program(self, prog: ModuleOp) -> str:
        if parse_spec(self.args.target).name != "mlir":
            return super().output_resulting_program(prog)
        output = StringIO()
        printer = ShortPrinter(
            stream=output,
            print_generic_format=self.args.print_op_generic,
            print_properties_as_attributes=self.args.print_no_properties,
            print_debuginfo=self.args.print_debuginfo,
        )
        printer.most_elements = self.args.mlir_elide_elementsattrs_if_larger
        printer.print_op(prog)
        printer.print_metadata(self.ctx.loaded_dialects)
        output.write("\n")
        return output.getvalue()


def _as_text(error: Exception) -> str:
    """An error as xdsl-opt prints it in place of a program."""
    notes: list[str] = getattr(error, "__notes__", [])
    return "".join(f"{line}\n" for line in (error, *notes))


def opt(arguments: Sequence[str]) -> int:
    """Run the tool on arguments of `xdsl-opt` or `mlir-opt`; returns the exit code."""
    try:
        main = MLIROptMain(arguments)
        colours.choose(main.args.color)
        remember(_TARGET, main.args.target)
        main.run()
    except ArgSpecParseError as error:  # No `Exception`; of the target's name.
        raise syntax_error(error, _TARGET) from error
    return main.exit_code
