"""Ops of MLIR's memref dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 has no assembly format for the ops below, and asks for more than MLIR does:
`copy` wants equal static sizes, `global` a visibility and an initial value. The classes
here are the definitions that xDSL's classes of the same names should have; `extend.py`
puts them there.

    memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>
    %0 = memref.cast %m : memref<2xf32> to memref<?xf32>
    memref.copy %0, %1 : memref<?xf32> to memref<2xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from typing import Self

from typing_extensions import override
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    I64,
    AnyDenseElement,
    AnyUnrankedMemRefTypeConstr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, TypedAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.bitwise_casts import is_power_of_two
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.types import verify_same_contents

_BUFFER = MemRefType.constr() | AnyUnrankedMemRefTypeConstr


@irdl_op_definition
class CastOp(IRDLOperation):
    """The same buffer with sizes, strides or rank known at other times."""

    name = "memref.cast"

    source = operand_def(_BUFFER)
    dest = result_def(_BUFFER)

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    @override
    def verify_(self) -> None:
        """The result has the shape and the element type of the source."""
        verify_same_contents(self.source.type, self.dest.type)


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy the elements of `source` to `destination`, whatever their layouts."""

    name = "memref.copy"

    source = operand_def(_BUFFER)
    destination = operand_def(_BUFFER)

    assembly_format = (
        "$source `,` $destination attr-dict `:` type($source) `to` type($destination)"
    )

    @override
    def verify_(self) -> None:
        """Source and destination have the same shape and element type."""
        verify_same_contents(self.source.type, self.destination.type)


@irdl_op_definition
class ExtractAlignedPointerAsIndexOp(IRDLOperation):
    """The address of the first element, before the offset is added."""

    name = "memref.extract_aligned_pointer_as_index"

    source = operand_def(_BUFFER)
    aligned_pointer = result_def(IndexType())

    assembly_format = "$source attr-dict `:` type($source) `->` type($aligned_pointer)"


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
    type = prop_def(MemRefType.constr())
    initial_value = opt_prop_def(
        UnitAttr | DenseIntOrFPElementsAttr | DenseResourceAttr
    )
    alignment = opt_prop_def(IntegerAttr[I64])

    @override
    def print(self, printer: Printer) -> None:
        """Print in MLIR's format."""
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
        """Parse MLIR's format."""
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
        """The initial value fits, and the alignment is a power of two."""
        value = self.initial_value
        if isinstance(value, TypedAttribute):
            verify_same_contents(value.get_type(), self.type)
        if self.alignment is not None:
            alignment = self.alignment.value.data
            if not is_power_of_two(alignment):
                raise VerifyException(
                    f"Alignment attribute {alignment} is not a power of 2"
                )


_GLOBAL_IN_FORMAT = ("sym_visibility", "constant", "sym_name", "type", "initial_value")
"""What the format of `memref.global` shows outside its attribute dictionary."""


def _parse_initial_value(parser: Parser, type_: Attribute) -> Attribute:
    """What follows `=` in a `memref.global` of type `type_`."""
    if parser.parse_optional_keyword("uninitialized") is not None:
        return UnitAttr()
    if not isa(type_, MemRefType[AnyDenseElement]):
        parser.raise_error("expected a ranked memref of numbers to be initialised")
    tensor = TensorType(type_.element_type, type_.shape)
    if parser.parse_optional_keyword("dense_resource") is not None:
        parser.parse_punctuation("<")
        key = _declare_resource(parser, parser.parse_identifier())
        parser.parse_punctuation(">")
        return DenseResourceAttr.from_params(key, tensor)
    parser.parse_keyword("dense")
    return parser.parse_dense_int_or_fp_elements_attr(tensor)


def _declare_resource(parser: Parser, key: str) -> str:
    """The name under which the data of a resource `key` of this file are found."""
    if ("builtin", key) in parser.dialect_resources:
        return key
    interface = parser.ctx.get_dialect("builtin").get_interface(OpAsmDialectInterface)
    if interface is None:
        parser.raise_error("the builtin dialect is loaded without its resources")
    key = interface.declare_resource(key)
    parser.dialect_resources.add(("builtin", key))
    return key


@irdl_op_definition
class MemorySpaceCastOp(IRDLOperation):
    """The same buffer seen from another memory space."""

    name = "memref.memory_space_cast"

    source = operand_def(_BUFFER)
    dest = result_def(_BUFFER)

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    @override
    def verify_(self) -> None:
        """The result has the shape and the element type of the source."""
        verify_same_contents(self.source.type, self.dest.type)


@irdl_op_definition
class RankOp(IRDLOperation):
    """The number of dimensions of a buffer."""

    name = "memref.rank"

    source = operand_def(_BUFFER)
    rank = result_def(IndexType())

    assembly_format = "$source attr-dict `:` type($source)"


OPERATIONS: tuple[type[Operation], ...] = ()
"""Ops that xDSL's dialect lacks."""

AMENDMENTS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    memref.CastOp: CastOp,
    memref.CopyOp: CopyOp,
    memref.ExtractAlignedPointerAsIndexOp: ExtractAlignedPointerAsIndexOp,
    memref.GlobalOp: GlobalOp,
    memref.MemorySpaceCastOp: MemorySpaceCastOp,
    memref.RankOp: RankOp,
}
"""Ops of xDSL's dialect, and what they should be."""
