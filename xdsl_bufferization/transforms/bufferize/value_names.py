"""The names under which values are printed.

%0 = tensor.empty() : tensor<4xf32>      // name_values(module)[value] == "%0"
"""

from io import StringIO
from typing import IO

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from xdsl_bufferization.printing import MLIRPrinter


def name_values(module: ModuleOp) -> dict[SSAValue, str]:
    """The name of each value of `module` in its text, with the percent sign."""
    printer = NamingPrinter()
    printer.print_op(module)
    return printer.names


class NamingPrinter(MLIRPrinter):
    """A printer that remembers what it called values."""

    def __init__(self, stream: IO[str] | None = None) -> None:
        super().__init__(stream or StringIO())
        self.names: dict[SSAValue, str] = {}

    @override
    def print_ssa_value(self, value: SSAValue) -> str:
        name = super().print_ssa_value(value)
        self.names[value] = f"%{name}"
        return name
