"""Ops of MLIR's affine dialect that access buffers.

xDSL 0.74 has no `prefetch`, takes induction variables for symbols, loses attributes,
and does not say which op reads and which writes.

    %0 = affine.load %m[%i + 1, symbol(%n)] : memref<?x8xf32>
    affine.vector_store %v, %m[%i, 0] : memref<?x8xf32>, vector<8xf32>
    affine.prefetch %m[%i, 0], read, locality<3>, data : memref<?x8xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from collections.abc import Sequence
from typing import Self

from typing_extensions import override
from xdsl.dialects.builtin import (
    I32,
    AffineMapAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .expressions import parse_subscripts, print_subscripts
from .maps import verify_map_operands


class _AccessOp(IRDLOperation):
    """What an access to an element, or to a vector of elements, should do."""

    memref: SSAValue
    indices: Sequence[SSAValue]
    map: AffineMapAttr

    @override
    def verify_(self) -> None:
        """There is a subscript for each dimension, and its operands."""
        verify_access(self.memref, self.indices, self.map)


def verify_access(
    memref: SSAValue, indices: Sequence[SSAValue], map_: AffineMapAttr
) -> None:
    """`map_` has a result for each dimension, and an operand for each input."""
    verify_map_operands(map_, indices)
    type_ = memref.type
    if isa(type_, MemRefType) and len(map_.data.results) != type_.get_num_dims():
        raise VerifyException(
            f"affine map num results must equal memref rank: {len(map_.data.results)} "
            f"and {type_.get_num_dims()}"
        )


def _parse_buffer_type(parser: Parser) -> MemRefType:
    parser.parse_punctuation(":")
    start = parser.pos
    type_ = parser.parse_type()
    if not isa(type_, MemRefType):
        parser.raise_error("expected a memref type", start, parser.pos)
    return type_


def _print_access(
    printer: Printer, memref: SSAValue, map_: AffineMapAttr, indices: Sequence[SSAValue]
) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(memref)
    print_subscripts(printer, map_.data, indices)


class _LoadOp(_AccessOp):
    """What reading should do."""

    result: SSAValue

    traits = traits_def(MemoryReadEffect())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        memref = parser.parse_unresolved_operand()
        map_, indices = parse_subscripts(parser)
        attributes = parser.parse_optional_attr_dict()
        type_ = _parse_buffer_type(parser)
        result = type_.element_type
        if cls.name == "affine.vector_load":
            parser.parse_punctuation(",")
            result = _parse_vector_type(parser)
        return cls.create(
            operands=[parser.resolve_operand(memref, type_), *indices],
            result_types=[result],
            properties={"map": AffineMapAttr(map_)},
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        _print_access(printer, self.memref, self.map, self.indices)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
        if self.name == "affine.vector_load":
            printer.print_string(", ")
            printer.print_attribute(self.result.type)


class _StoreOp(_AccessOp):
    """What writing should do."""

    value: SSAValue

    traits = traits_def(MemoryWriteEffect())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref = parser.parse_unresolved_operand()
        map_, indices = parse_subscripts(parser)
        attributes = parser.parse_optional_attr_dict()
        type_ = _parse_buffer_type(parser)
        value_type = type_.element_type
        if cls.name == "affine.vector_store":
            parser.parse_punctuation(",")
            value_type = _parse_vector_type(parser)
        operands = [
            parser.resolve_operand(value, value_type),
            parser.resolve_operand(memref, type_),
        ]
        return cls.create(
            operands=[*operands, *indices],
            properties={"map": AffineMapAttr(map_)},
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(",")
        _print_access(printer, self.memref, self.map, self.indices)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
        if self.name == "affine.vector_store":
            printer.print_string(", ")
            printer.print_attribute(self.value.type)


class LoadOp(_LoadOp):
    """What `affine.load` should do."""

    name = "affine.load"


class VectorLoadOp(_LoadOp):
    """What `affine.vector_load` should do."""

    name = "affine.vector_load"


class StoreOp(_StoreOp):
    """What `affine.store` should do."""

    name = "affine.store"


class VectorStoreOp(_StoreOp):
    """What `affine.vector_store` should do."""

    name = "affine.vector_store"


def _parse_vector_type(parser: Parser) -> Attribute:
    start = parser.pos
    type_ = parser.parse_type()
    if not isa(type_, VectorType):
        parser.raise_error("expected a vector type", start, parser.pos)
    return type_


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """A hint that an element will be read or written soon.

    The `locality_hint` is 0 (not used again) to 3 (to be kept in the cache).
    """

    name = "affine.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    map = prop_def(AffineMapAttr)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr[I32], prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        memref = parser.parse_unresolved_operand()
        map_, indices = parse_subscripts(parser)
        parser.parse_punctuation(",")
        is_write = _parse_choice(parser, "read", "write")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            locality = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(",")
        is_data = _parse_choice(parser, "instr", "data")
        attributes = parser.parse_optional_attr_dict()
        type_ = _parse_buffer_type(parser)
        return cls.create(
            operands=[parser.resolve_operand(memref, type_), *indices],
            properties={
                "map": AffineMapAttr(map_),
                "isWrite": BoolAttr.from_bool(is_write),
                "localityHint": IntegerAttr(locality, i32),
                "isDataCache": BoolAttr.from_bool(is_data),
            },
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        _print_access(printer, self.memref, self.map, self.indices)
        printer.print_string(", write" if self.is_write else ", read")
        printer.print_string(f", locality<{self.locality_hint.value.data}>")
        printer.print_string(", data" if self.is_data_cache else ", instr")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)

    @override
    def verify_(self) -> None:
        """There is a subscript for each dimension, and a known locality."""
        verify_access(self.memref, self.indices, self.map)
        if not 0 <= self.locality_hint.value.data <= 3:
            raise VerifyException(
                "locality hint must be between 0 and 3, but is "
                f"{self.locality_hint.value.data}"
            )


def _parse_choice(parser: Parser, false: str, true: str) -> bool:
    if parser.parse_optional_keyword(true) is not None:
        return True
    if parser.parse_optional_keyword(false) is None:
        parser.raise_error(f"expected '{false}' or '{true}'")
    return False
