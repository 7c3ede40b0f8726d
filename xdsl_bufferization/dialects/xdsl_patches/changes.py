"""Every change in a class of xDSL, smallest first: what it is for, and until when.

A change takes what xDSL has and returns what takes its place. All are wider: what xDSL
accepts is accepted, and means the same. `docs/upstream.md` is generated from
`CHANGES`.
Not here: corrections of what an op does, which are traits of the op (`of_dialects/`).
"""

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..parsing import WiderParser
from ..printing import FormatPrinter
from ..text.splats import length
from .change import Change
from .trait_look_ups import find_all_once, find_once
from .verify import widen
from .wider_printer import WiderPrinter, view_of

# Text.


def _make_wider_parser(_in_xdsl: Any) -> Any:
    def make(cls: type[Parser], *_arguments: Any, **_options: Any) -> Parser:
        # Whoever has a parser class of their own keeps it as it is.
        return cast("Parser", object.__new__(WiderParser if cls is Parser else cls))

    return make


def _make_wider_printer(_in_xdsl: Any) -> Any:
    def make(cls: type[Printer], *_arguments: Any, **_options: Any) -> Printer:
        return cast("Printer", object.__new__(WiderPrinter if cls is Printer else cls))

    return make


def _print_more_ops(
    in_xdsl: Callable[[Printer, Operation], None],
) -> Callable[..., Any]:
    def print_op(self: Printer, op: Operation) -> None:
        if self.print_generic_format or isinstance(self, FormatPrinter):
            in_xdsl(self, op)
            return
        view = view_of(op)
        messages = self.diagnostic.op_messages
        if view is not op and op in messages:
            messages[view] = messages[op]
        in_xdsl(self, view)

    return print_op


CHANGES: tuple[Change, ...] = (
    Change(
        Operation,
        "get_trait",
        find_once,
        "A trait of a class is searched for once. xDSL goes through all traits of the "
        "class for each op that it verifies or prints.",
        "Keep the answers in a table by class, until a trait is added.",
    ),
    Change(
        Operation,
        "get_traits_of_type",
        find_all_once,
        "The same for all traits of a kind. Both look-ups also attach what this "
        "package knows of a dialect, when the first of its ops is asked.",
        "Keep the answers in a table by class, until a trait is added.",
    ),
    Change(
        DenseIntOrFPElementsAttr,
        "__len__",
        lambda _: length,
        "The length of a large splat is known without its elements. A constant is "
        "asked for its length when it is made. The bytes of "
        "`dense<1.0> : tensor<200000000xf32>` are 800 MB. No subclass could answer: "
        "xDSL looks the constraint of an attribute up by its class.",
        "Keep a splat as one element, as MLIR does.",
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
        "__new__",
        _make_wider_printer,
        "`Printer(...)` makes a printer that is twice as fast. It prints constants bit "
        "by bit, such as `dense<[0.0, -0.0]>`, and numbers of f80 and f128. Printer "
        "classes of other packages stay as they are.",
        "A table of the texts of attributes, and constants that are compared by bytes.",
    ),
    Change(
        Printer,
        "print_op",
        _print_more_ops,
        "An op that xDSL's format shows only in part is printed in MLIR's format. All "
        "others are printed as xDSL prints them. The change is for printer classes of "
        "other packages.",
        "The formats of the list below.",
    ),
    Change(
        Operation,
        "verify",
        widen,
        "An op that xDSL refuses is valid if MLIR 22 accepts it.",
        "The fields and constraints of the list below.",
    ),
)
