"""The names under which values are printed.

%0 = tensor.empty() : tensor<4xf32>      // name_values(module)[value] == "%0"
"""

from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.printing import MLIRPrinter


def name_values(module: ModuleOp) -> dict[SSAValue, str]:
    """The name of each value of `module` in its text, with the percent sign."""
    printer = MLIRPrinter(StringIO())
    printer.print_op(module)
    return printer.names
