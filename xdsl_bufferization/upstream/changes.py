"""Every change in a class of xDSL, smallest first: what it is for, and until when.

A change takes what xDSL has and returns what takes its place. All are wider: what xDSL
accepts is accepted, and means the same. `docs/upstream.md` is generated from
`CHANGES`.
Not here: corrections of what an op does, which are traits of the op (`of_dialects/`).
"""

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    Float80Type,
    Float128Type,
)
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.dialects.common.definitions import (
    Definition,
    as_defined,
    definition_of,
)
from xdsl_bufferization.mlir_text import splats
from xdsl_bufferization.mlir_text.literals import is_splat, print_dense
from xdsl_bufferization.mlir_text.numbers import float_text
from xdsl_bufferization.parsing import WiderParser
from xdsl_bufferization.printing import MLIRPrinter
from xdsl_bufferization.upstream.change import Change
from xdsl_bufferization.upstream.fits import fits_xdsl
from xdsl_bufferization.upstream.quicker.changes import QUICKER
from xdsl_bufferization.upstream.verify import widen

# Text.


def _make_wider_parser(_in_xdsl: Any) -> Any:
    def make(cls: type[Parser], *_arguments: Any, **_options: Any) -> Parser:
        # Whoever has a parser class of their own keeps it as it is.
        return cast("Parser", object.__new__(WiderParser if cls is Parser else cls))

    return make


def _print_more_ops(
    in_xdsl: Callable[[Printer, Operation], None],
) -> Callable[..., Any]:
    def print_op(self: Printer, op: Operation) -> None:
        definition = None if self.print_generic_format else definition_of(type(op))
        if definition is None or isinstance(self, MLIRPrinter) or fits_xdsl(op):
            in_xdsl(self, op)
        else:
            _print_as_mlir(self, op, definition, in_xdsl)

    return print_op


def _print_any_float(in_xdsl: Callable[..., None]) -> Callable[..., None]:
    def print_float(self: Printer, value: float, type: AnyFloat) -> None:
        if isinstance(type, Float80Type | Float128Type):
            self.print_string(float_text(value, type))
        else:
            in_xdsl(self, value, type)

    return print_float


def _print_as_mlir(
    printer: Printer,
    op: Operation,
    definition: Definition,
    print_op: Callable[[Printer, Operation], None],
) -> None:
    view = as_defined(op, definition)
    messages = printer.diagnostic.op_messages
    if op in messages:
        messages[view] = messages[op]
    print_op(printer, view)


CHANGES: tuple[Change, ...] = (
    *QUICKER,
    Change(
        DenseIntOrFPElementsAttr,
        "is_splat",
        lambda _: is_splat,
        "`dense<[0.0, -0.0]>` is printed with both signs. xDSL compares the numbers, "
        "which are equal, and prints one of them for all elements. xDSL also makes a "
        "list of all elements to compare them.",
        "Compare the bytes of the constant with themselves, shifted by one element.",
    ),
    Change(
        DenseIntOrFPElementsAttr,
        "from_list",
        lambda _: staticmethod(splats.from_list),
        "One element stands for all of a large constant. xDSL keeps as many copies of "
        "the element as the constant has elements: 800 MB for "
        "`dense<1.0> : tensor<200000000xf32>`.",
        "Keep a splat as one element, as MLIR does.",
    ),
    Change(
        DenseIntOrFPElementsAttr,
        "__len__",
        lambda _: splats.length,
        "The length of a large splat is known without its elements.",
        "Keep a splat as one element, as MLIR does.",
    ),
    Change(
        DenseIntOrFPElementsAttr,
        "print_without_type",
        lambda _: print_dense,
        "A constant of equal elements is printed without unpacking it. xDSL makes a "
        "list of all elements, which takes minutes for large weights.",
        "Unpack only one element of such a constant.",
    ),
    Change(
        Parser,
        "__new__",
        _make_wider_parser,
        "`Parser(...)` makes a parser that reads MLIR's format of each op, and xDSL's "
        "if that fails. Parser classes of other packages stay as they are.",
        "An option for the parser of `xdsl-opt`, or the formats of the list below.",
    ),
    Change(
        Printer,
        "print_op",
        _print_more_ops,
        "An op that xDSL's format shows only in part is printed in MLIR's format. All "
        "others are printed as xDSL prints them.",
        "The formats of the list below.",
    ),
    Change(
        Printer,
        "print_float",
        _print_any_float,
        "Numbers of f80 and f128 are printed. xDSL stops with a `NotImplementedError`.",
        "Print the digits that Python keeps where a type cannot be packed.",
    ),
    Change(
        Operation,
        "verify",
        widen,
        "An op that xDSL refuses is valid if MLIR 22 accepts it.",
        "The fields and constraints of the list below.",
    ),
)
