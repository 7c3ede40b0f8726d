"""Print programs as MLIR 22 does: what our tools and the target `mlir-22` write.

print(mlir_text(module))
"""

from io import StringIO
from typing import Any, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    UnrankedMemRefType,
    UnregisteredOp,
    f64,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.nesting import where_it_fits

from .common.definitions import as_defined, definition_of
from .common.formats import format_of
from .text.affine import map_text
from .text.lexer import MOST_DIGITS
from .text.literals import print_dense
from .text.numbers import float_text
from .text.quick_printer import QuickPrinter
from .text.types import print_buffer_type

_MOST_BITS_IN_DECIMALS = 3 * MOST_DIGITS
"""Ten has more than three bits."""


class FormatPrinter(QuickPrinter):
    """A printer of ops by their formats, and of constants as they are."""

    def print_as(self, op: Operation, view: Operation) -> None:
        """Print an op as `view` shows it: another object with the same operands."""
        if isinstance(op, UnregisteredOp) or op in self.diagnostic.op_messages:
            if op in self.diagnostic.op_messages:
                self.diagnostic.op_messages[view] = self.diagnostic.op_messages[op]
            super().print_op(view)
            return
        self.print_names_of_results(view)
        is_isolated = view.get_trait(IsolatedFromAbove) is not None
        if is_isolated:
            self.enter_scope()
        if isinstance(view, UnregisteredOp):
            self._print_unregistered(view)
        elif self.print_generic_format or type(view).print is Operation.print:
            self.print_string(f'"{view.name}"')
            self.print_op_with_default_format(view)
        else:
            self.print_string(view.name)
            self._print_in_format(view)
        if is_isolated:
            self.exit_scope()

    def print_names_of_results(self, op: Operation) -> None:
        """What is in front of the name of an op."""
        if op.results:
            self.print_list(op.results, self.print_ssa_value)
            self.print_string(" = ")

    def _print_unregistered(self, op: UnregisteredOp) -> None:
        name, attributes = op.op_name, op.attributes
        self.print_string(f'"{name.data}"')
        # The name is among the attributes.
        op.attributes = {
            key: each for key, each in attributes.items() if each is not name
        }
        try:
            self.print_op_with_default_format(op)
        finally:
            op.attributes = attributes

    def _print_in_format(self, op: Operation) -> None:
        known = format_of(type(op))
        if known is None:
            op.print(self)
        else:
            assert isinstance(op, IRDLOperation)
            known.print(self, op)
        if self.print_debuginfo:
            self.print_string(" ")
            self.print_attribute(op.location)

    @override
    def _print_attribute(self, attribute: Attribute) -> None:
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            constant = cast("DenseIntOrFPElementsAttr[Any]", attribute)
            print_dense(constant, self)
            self.print_string(" : ")
            self.print_attribute(constant.get_type())
        else:
            super()._print_attribute(attribute)


class MLIRPrinter(FormatPrinter):
    """A printer of MLIR's formats, types and numbers."""

    @override
    def print_op(self, op: Operation) -> None:
        definition = definition_of(type(op))
        self.print_as(op, op if definition is None else as_defined(op, definition))

    @override
    def print_float(self, value: float, type: AnyFloat) -> None:
        self.print_string(float_text(value, type))

    @override
    def print_int(
        self, value: int, type: IntegerType | IndexType | None = None
    ) -> None:
        # Python writes no numbers with more digits in decimals than it reads.
        if value.bit_length() > _MOST_BITS_IN_DECIMALS:
            self.print_string(hex(value))
        else:
            super().print_int(value, type)

    @override
    def _print_attribute(self, attribute: Attribute) -> None:
        match attribute:
            case MemRefType() | UnrankedMemRefType():
                print_buffer_type(
                    cast("MemRefType[Any] | UnrankedMemRefType[Any]", attribute), self
                )
            case AffineMapAttr(data=map_):
                self.print_string(f"affine_map<{map_text(map_)}>")
            case AffineSetAttr(data=set_):
                self.print_string(f"affine_set<{map_text(set_)}>")
            case ArrayAttr(data=elements):
                with self.in_square_brackets():
                    self.print_list(elements, self._print_element)
            case _:
                super()._print_attribute(attribute)

    def _print_element(self, attribute: Attribute) -> None:
        """An element of an array, without the type that a number has by default."""
        match attribute:
            case FloatAttr(value=number, type=Float64Type()):
                self.print_float(number.data, f64)
            case IntegerAttr(value=number, type=type) if type == i64:
                self.print_int(number.data)
            case _:
                self.print_attribute(attribute)


class ShortPrinter(MLIRPrinter):
    """A printer that can leave out the elements of large constants, as mlir-opt does.

    `dense_resource<__elided__>` is in their place. Constants of one number are short.
    """

    most_elements: int | None = None
    """How many elements a constant may have that is printed; None: any number."""

    @override
    def _print_attribute(self, attribute: Attribute) -> None:
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            constant = cast("DenseIntOrFPElementsAttr[Any]", attribute)
            most = self.most_elements
            if most is not None and len(constant) > most and not constant.is_splat():
                self.print_string("dense_resource<__elided__> : ")
                self.print_attribute(constant.get_type())
                return
            attribute = cast("Attribute", constant)
        super()._print_attribute(attribute)


@without_garbage_collection()
def mlir_text(op: Operation) -> str:
    """The text of an op, and of what is nested in it, as MLIR 22 writes it."""
    stream = StringIO()
    where_it_fits(op, lambda: MLIRPrinter(stream).print_op(op))
    return stream.getvalue()
