"""`xbuf opt`: `xdsl-opt` with the text, the rules and the errors of MLIR 22.

    xbuf opt -p one-shot-bufferize,canonicalize in.mlir

It takes the arguments of `xdsl-opt`. What differs:

- it reads MLIR's text only, and refuses what MLIR refuses;
- after each pass the program is verified by MLIR's rules;
- it prints MLIR's text, also with `--print-op-generic`;
- an error is one line, with a file, a line and a column.
"""

from collections.abc import Sequence
from io import StringIO
from typing import IO

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import parse_spec
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization.models import attach_all
from xdsl_bufferization.parsing import MLIRParser
from xdsl_bufferization.printing import MLIRPrinter
from xdsl_bufferization.upstream.verify import mlir_rules


class MLIROptMain(xDSLOptMain):
    """xDSL's driver, in MLIR's terms."""

    def __init__(self, arguments: Sequence[str]) -> None:
        attach_all()
        super().__init__("xdsl-opt in MLIR's terms", arguments)

    @override
    def register_all_frontends(self) -> None:
        super().register_all_frontends()

        def parse_mlir(stream: IO[bytes] | IO[str]) -> ModuleOp:
            content = stream.read()
            # Text until xDSL 0.73, bytes from 0.74 on.
            text = content if isinstance(content, str) else content.decode("utf-8")
            parser = MLIRParser(self.ctx, text, self.get_input_name())
            return parser.parse_module(not self.args.no_implicit_module)

        self.available_frontends["mlir"] = parse_mlir

    @override
    def run(self) -> None:
        with mlir_rules():
            super().run()

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
    MLIROptMain(arguments).run()
    return 0
