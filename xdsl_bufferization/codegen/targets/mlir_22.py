"""The text of MLIR 22, for `mlir-opt` and for whoever reads MLIR's documents.

    xdsl-opt -p one-shot-bufferize -t mlir-22 in.mlir

The default target of `xdsl-opt` prints each op of xDSL in xDSL's format; this one in
MLIR's. The options: `-t 'mlir-22{print-generic-format=true}'`.
"""

from dataclasses import dataclass
from typing import IO

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from xdsl_bufferization.dialects.printing import MLIRPrinter


@dataclass(frozen=True)
class MLIR22Target(Target):
    """Print a program as MLIR 22 does."""

    name = "mlir-22"

    print_generic_format: bool = False
    """Whether ops are printed in the form that is the same for all."""

    print_debuginfo: bool = False
    """Whether the location of each op is printed."""

    @override
    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the text of `module` to `output`."""
        printer = MLIRPrinter(
            stream=output,
            print_generic_format=self.print_generic_format,
            print_debuginfo=self.print_debuginfo,
        )
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        output.write("\n")
