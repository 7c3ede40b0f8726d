"""`xbuf opt`: `xdsl-opt` with the text, the rules and the errors of MLIR 22.

    xbuf opt -p one-shot-bufferize,canonicalize in.mlir

It takes the arguments of `xdsl-opt`. What differs:

- it reads MLIR's text only, and refuses what MLIR refuses;
- after each pass the program is verified by MLIR's rules;
- it prints MLIR's text, also with `--print-op-generic`;
- it writes a file as a whole, and only without an error;
- an error says where: a file, a line and a column, and shows that line.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from io import StringIO
from typing import IO, NoReturn

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization.models import attach_all
from xdsl_bufferization.parsing import MLIRParser, parse_all
from xdsl_bufferization.printing import MLIRPrinter
from xdsl_bufferization.program_files import not_text
from xdsl_bufferization.tools import colours
from xdsl_bufferization.tools.colours import add_colour_option
from xdsl_bufferization.tools.diagnostics import UsageError, UserError
from xdsl_bufferization.tools.program import syntax_error
from xdsl_bufferization.tools.progress import stage
from xdsl_bufferization.tools.sources import remember
from xdsl_bufferization.upstream.verify import mlir_rules
from xdsl_bufferization.whole_files import write_text

_PASSES, _TARGET = "--passes", "--target"
"""The places that errors in a pipeline, or in a target, name."""


class _Output(StringIO):
    """A stream whose text is there when it is closed."""

    text = ""

    @override
    def close(self) -> None:
        self.text = self.getvalue()
        super().close()


def _refuse(message: str) -> NoReturn:
    """Say what is wrong with an argument, without the usage."""
    raise UsageError("xbuf opt", message)


class MLIROptMain(xDSLOptMain):
    """xDSL's driver, in MLIR's terms."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._output: _Output | None = None
        attach_all()
        super().__init__("xdsl-opt in MLIR's terms", arguments)

    @override
    def register_all_arguments(self, arg_parser: ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        arg_parser.error = _refuse
        add_colour_option(arg_parser)

    @override
    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        with stage("parsing"):
            return super().parse_chunk(chunk, file_extension, start_offset)

    @override
    def apply_passes(self, prog: ModuleOp) -> None:
        # What is printed between passes may go to the same terminal.
        if self.args.print_between_passes:
            super().apply_passes(prog)
            return
        with stage("running passes"):
            super().apply_passes(prog)

    @override
    def register_all_frontends(self) -> None:
        super().register_all_frontends()

        def parse_mlir(stream: IO[bytes] | IO[str]) -> ModuleOp:
            content = stream.read()
            # Text until xDSL 0.73, bytes from 0.74 on.
            text = content if isinstance(content, str) else self._decoded(content)
            remember(self.get_input_name(), text)
            parser = MLIRParser(self.ctx, text, self.get_input_name())
            return parse_all(parser, not self.args.no_implicit_module)

        self.available_frontends["mlir"] = parse_mlir

    def _decoded(self, content: bytes) -> str:
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise not_text(error, self.get_input_name()) from error

    @override
    def setup_pipeline(self) -> None:
        remember(_PASSES, self.args.passes or "")
        try:
            super().setup_pipeline()
        except ArgSpecParseError as error:  # No `Exception`.
            raise syntax_error(error, _PASSES) from error
        except (TypeError, ValueError) as error:
            raise UsageError(_PASSES, str(error)) from error

    @override
    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        try:
            return super().prepare_input()
        except ValueError as error:
            raise UserError(self.get_input_name(), str(error)) from error

    @override
    def prepare_output(self) -> IO[str]:
        if self.args.output_file is None:
            return super().prepare_output()
        self._output = _Output()
        return self._output

    @override
    def run(self) -> None:
        with mlir_rules():
            super().run()
        if self._output is not None:
            write_text(self.args.output_file, self._output.text)

    @override
    def output_resulting_program(self, prog: ModuleOp) -> str:
        if parse_spec(self.args.target).name != "mlir":
            return super().output_resulting_program(prog)
        output = StringIO()
        printer = MLIRPrinter(
            stream=output,
            print_generic_format=self.args.print_op_generic,
            print_properties_as_attributes=self.args.print_no_properties,
            print_debuginfo=self.args.print_debuginfo,
        )
        printer.print_op(prog)
        printer.print_metadata(self.ctx.loaded_dialects)
        output.write("\n")
        return output.getvalue()


def opt(arguments: Sequence[str]) -> int:
    """Run the tool on the arguments of `xdsl-opt`; returns the exit code."""
    try:
        main = MLIROptMain(arguments)
        colours.choose(main.args.color)
        remember(_TARGET, main.args.target)
        main.run()
    except ArgSpecParseError as error:  # No `Exception`; of the target's name.
        raise syntax_error(error, _TARGET) from error
    return 0
