"""Buffers that live as long as the program.

memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>
%0 = memref.get_global @c : memref<2xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from typing import Self

from typing_extensions import override
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    I64,
    AnyDenseElement,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, TypedAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.symbols import find_symbol, find_symbol_table
from ..text.literals import print_dense
from ..text.resources import parse_resource_key
from .constraints import RANKED_BUFFER, verify_alignment

_VISIBILITIES = ("public", "private", "nested")


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """A buffer that lives as long as the program.

    Without `initial_value` it is defined elsewhere; if that is `unit`, its contents are
    undefined at first.
    """

    name = "memref.global"

    sym_visibility = opt_prop_def(StringAttr)
    constant = opt_prop_def(UnitAttr)
    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(RANKED_BUFFER)
    initial_value = opt_prop_def(
        UnitAttr | DenseIntOrFPElementsAttr | DenseResourceAttr
    )
    alignment = opt_prop_def(IntegerAttr[I64])

    @override
    def print(self, printer: Printer) -> None:
        if self.sym_visibility is not None:
            printer.print_string(" ")
            printer.print_attribute(self.sym_visibility)
        if self.constant is not None:
            printer.print_string(" constant")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        if isinstance(self.initial_value, TypedAttribute):
            printer.print_string(" = ")
            if isinstance(self.initial_value, DenseIntOrFPElementsAttr):
                print_dense(self.initial_value, printer)
            else:
                self.initial_value.print_without_type(printer)
        elif self.initial_value is not None:
            printer.print_string(" = uninitialized")
        printer.print_op_attributes(
            {**self.attributes, **self.properties},
            reserved_attr_names=_GLOBAL_IN_FORMAT,
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        if (visibility := parser.parse_optional_str_literal()) is not None:
            properties["sym_visibility"] = StringAttr(visibility)
        if parser.parse_optional_keyword("constant") is not None:
            properties["constant"] = UnitAttr()
        properties["sym_name"] = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        properties["type"] = type_ = parser.parse_type()
        if parser.parse_optional_punctuation("=") is not None:
            properties["initial_value"] = _parse_initial_value(parser, type_)
        attributes = parser.parse_optional_attr_dict()
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        return cls.create(properties=properties, attributes=attributes)

    @override
    def verify_(self) -> None:
        """The size is known, the initial value fits, alignment is a power of two."""
        if not isa(self.type, MemRefType) or not self.type.has_static_shape():
            raise VerifyException(
                f"type should be static shaped memref, but got {self.type}"
            )
        if isinstance(value := self.initial_value, TypedAttribute):
            _verify_initial_value(value.get_type(), self.type)
        verify_alignment(self.alignment)
        visibility = self.sym_visibility
        if visibility is not None and visibility.data not in _VISIBILITIES:
            raise VerifyException(
                "visibility expected to be one of "
                f"{', '.join(_VISIBILITIES)}, but got {visibility.data}"
            )


_GLOBAL_IN_FORMAT = ("sym_visibility", "constant", "sym_name", "type", "initial_value")
"""What the format of `memref.global` shows outside its attribute dictionary."""


def _verify_initial_value(value_type: Attribute, type_: MemRefType) -> None:
    tensor = TensorType(type_.element_type, type_.shape)
    if value_type == tensor:
        return
    if isa(value_type, TensorType) and value_type.element_type != tensor.element_type:
        raise VerifyException(
            f"initial value element expected to be of type {tensor.element_type}, but "
            f"was of type {value_type.element_type}"
        )
    raise VerifyException(
        f"initial value expected to be of type {tensor}, but was of type {value_type}"
    )


def _parse_initial_value(parser: Parser, type_: Attribute) -> Attribute:
    """What follows `=` in a `memref.global` of type `type_`."""
    if parser.parse_optional_keyword("uninitialized") is not None:
        return UnitAttr()
    if not isa(type_, MemRefType[AnyDenseElement]):
        parser.raise_error("expected a ranked memref of numbers to be initialised")
    tensor = TensorType(type_.element_type, type_.shape)
    if parser.parse_optional_keyword("dense_resource") is not None:
        parser.parse_punctuation("<")
        key = _parse_resource_key(parser)
        parser.parse_punctuation(">")
        return DenseResourceAttr.from_params(key, tensor)
    parser.parse_keyword("dense")
    return parser.parse_dense_int_or_fp_elements_attr(tensor)


def _parse_resource_key(parser: Parser) -> str:
    interface = parser.ctx.get_dialect("builtin").get_interface(OpAsmDialectInterface)
    if interface is None:
        parser.raise_error("the builtin dialect is loaded without its resources")
    return parse_resource_key(parser, "builtin", interface)


@irdl_op_definition
class GetGlobalOp(IRDLOperation):
    """The buffer that a `memref.global` defines."""

    name = "memref.get_global"

    name_ = prop_def(SymbolRefAttr, prop_name="name")
    memref = result_def(RANKED_BUFFER)

    assembly_format = "$name `:` type($memref) attr-dict"

    @override
    def verify_(self) -> None:
        """The symbol is that of a global buffer of the type of the result."""
        symbol = self.name_.string_value()
        table = find_symbol_table(self)
        if table is None:
            return
        found = find_symbol(table, symbol)
        if not isinstance(found, memref.GlobalOp):
            raise VerifyException(
                f"'{symbol}' does not reference a valid global memref"
            )
        if found.type != self.memref.type:
            raise VerifyException(
                f"result type {self.memref.type} does not match type {found.type} of "
                f"the global memref @{symbol}"
            )
