"""The printer that `Printer(...)` makes: xDSL's text, and MLIR's where that says more.

func.func private @f(tensor<4xf32> {test.a})     // xDSL prints no `test.a`
arith.constant dense<[0.0, -0.0]>                // xDSL prints `dense<0.0>`
"""

from typing_extensions import override
from xdsl.dialects.builtin import AnyFloat, Float80Type, Float128Type
from xdsl.ir import Operation

from ..common.definitions import as_defined, definition_of
from ..printing import FormatPrinter
from ..text.numbers import float_text
from .fits import fits_xdsl


class WiderPrinter(FormatPrinter):
    """A printer of xDSL's formats, and of MLIR's for what these show only in part."""

    @override
    def print_op(self, op: Operation) -> None:
        self.print_as(op, op if self.print_generic_format else view_of(op))

    @override
    def print_float(self, value: float, type: AnyFloat) -> None:
        # A later release may have the method under another name.
        is_wide = isinstance(type, Float80Type | Float128Type)
        if is_wide or not hasattr(super(), "print_float"):
            self.print_string(float_text(value, type))
        else:
            super().print_float(value, type)


def view_of(op: Operation) -> Operation:
    """An op as it is printed: MLIR's if xDSL's format shows the op only in part."""
    definition = definition_of(type(op))
    if definition is None or fits_xdsl(op):
        return op
    return as_defined(op, definition)
