"""Ops of MLIR's affine dialect that evaluate a map.

xDSL 0.74 has no `max`, `delinearize_index` and `linearize_index`, and loses the
attributes of the others.

    %0 = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n]
    %1:2 = affine.delinearize_index %i into (%n, 8) : index, index
    %2 = affine.linearize_index disjoint [%1#0, %1#1] by (%n, 8) : index

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from collections.abc import Sequence
from typing import Self

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    AffineMapAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..common.making import make


def verify_map_operands(map_: AffineMapAttr, operands: Sequence[SSAValue]) -> None:
    """There is an operand for each dimension and symbol of the map."""
    inputs = map_.data.num_dims + map_.data.num_symbols
    if len(operands) != inputs:
        raise VerifyException(
            "operand count and affine map dimension and symbol count must match: "
            f"{len(operands)} and {inputs}"
        )


class _MapOp(IRDLOperation):
    """Evaluates a map on its operands, first those for dimensions."""

    map_operands = var_operand_def(IndexType())
    map = prop_def(AffineMapAttr)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    def __init__(
        self, operands: Sequence[SSAValue | Operation], affine_map: AffineMapAttr
    ):
        super().__init__(
            operands=[operands],
            properties={"map": affine_map},
            result_types=[IndexType()],
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        map_ = parser.parse_attribute()
        if not isinstance(map_, AffineMapAttr):
            parser.raise_error("expected an affine map", start, parser.pos)
        dims, symbols = _parse_operands(parser)
        if (len(dims), len(symbols)) != (map_.data.num_dims, map_.data.num_symbols):
            parser.raise_error(
                f"{len(dims)} dimension and {len(symbols)} symbol operands do not fit "
                f"{map_}",
                start,
                parser.pos,
            )
        return cls.create(
            operands=[*dims, *symbols],
            result_types=[IndexType()],
            properties={"map": map_},
            attributes=parser.parse_optional_attr_dict(),
        )

    @override
    def print(self, printer: Printer) -> None:
        dims = self.map.data.num_dims
        printer.print_string(" ")
        printer.print_attribute(self.map)
        with printer.in_parens():
            printer.print_list(self.operands[:dims], printer.print_ssa_value)
        if self.map.data.num_symbols:
            with printer.in_square_brackets():
                printer.print_list(self.operands[dims:], printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)

    @override
    def verify_(self) -> None:
        """The operands fit the map, which has a result."""
        verify_map_operands(self.map, self.operands)
        if not self.map.data.results:
            raise VerifyException("affine map expect at least one result")


def _parse_operands(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """`(dimensions)[symbols]`."""

    def parse_index() -> SSAValue:
        return parser.parse_operand(IndexType())

    dims = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_index)
    symbols = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parse_index
    )
    return dims, symbols or []


@irdl_op_definition
class ApplyOp(_MapOp):
    """The one result of a map."""

    name = "affine.apply"

    @override
    def verify_(self) -> None:
        """The operands fit the map, which has one result."""
        verify_map_operands(self.map, self.operands)
        if len(self.map.data.results) != 1:
            raise VerifyException(
                f"mapping must produce one value, not {len(self.map.data.results)}"
            )


@irdl_op_definition
class MinOp(_MapOp):
    """The smallest result of a map."""

    name = "affine.min"


@irdl_op_definition
class MaxOp(_MapOp):
    """The largest result of a map."""

    name = "affine.max"


def _verify_basis(
    static_basis: DenseArrayBase[I64], dynamic_basis: Sequence[SSAValue], digits: int
) -> None:
    """The basis has a positive size for each digit; the first one may be left out."""
    sizes = static_basis.get_values()
    verify_dynamic_index_list(sizes, dynamic_basis, DYNAMIC_INDEX)
    if len(sizes) not in (digits, digits - 1):
        raise VerifyException(
            "should have the same number of basis elements as indices or one fewer, "
            f"but got {len(sizes)} for {digits}"
        )
    if any(size <= 0 for size in sizes if size != DYNAMIC_INDEX):
        raise VerifyException(
            f"no basis element may be statically non-positive: {sizes}"
        )


@irdl_op_definition
class DelinearizeIndexOp(IRDLOperation):
    """The digits of an index to a basis of sizes, the outermost first."""

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType())

    traits = traits_def(Pure())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        index = parser.parse_operand(IndexType())
        parser.parse_keyword("into")
        basis, dynamic = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        types: list[Attribute] = []
        if parser.parse_optional_punctuation(":") is not None:
            types = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, parser.parse_type
            )
        return cls.create(
            operands=[index, *dynamic],
            result_types=types,
            properties={"static_basis": basis},
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.linear_index)
        printer.print_string(" into ")
        _print_basis(printer, self.static_basis, self.dynamic_basis)
        printer.print_op_attributes(self.attributes)
        if self.results:
            printer.print_string(" : ")
            printer.print_list(self.result_types, printer.print_attribute)

    @override
    def verify_(self) -> None:
        """The basis fits the results."""
        _verify_basis(self.static_basis, self.dynamic_basis, len(self.results))


@irdl_op_definition
class LinearizeIndexOp(IRDLOperation):
    """The index with the given digits to a basis; `disjoint` if they fit it."""

    name = "affine.linearize_index"

    multi_index = var_operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    disjoint = prop_def(
        base(UnitAttr) | IntegerAttr.constr(i1), default_value=BoolAttr.from_bool(False)
    )
    linear_index = result_def(IndexType())

    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        disjoint = parser.parse_optional_keyword("disjoint") is not None
        indices = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        parser.parse_keyword("by")
        basis, dynamic = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        properties: dict[str, Attribute] = {"static_basis": basis}
        if disjoint:
            properties["disjoint"] = UnitAttr()
        return make(
            cls,
            operands=[indices, dynamic],
            result_types=[parser.parse_type()],
            properties=properties,
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        if self.disjoint != BoolAttr.from_bool(False):
            printer.print_string(" disjoint")
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(self.multi_index, printer.print_ssa_value)
        printer.print_string(" by ")
        _print_basis(printer, self.static_basis, self.dynamic_basis)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.linear_index.type)

    @override
    def verify_(self) -> None:
        """The basis fits the indices."""
        _verify_basis(self.static_basis, self.dynamic_basis, len(self.multi_index))


def _parse_basis(parser: Parser) -> tuple[DenseArrayBase[I64], list[SSAValue]]:
    """`(%n, 8)`."""
    dynamic, static = parse_dynamic_index_list_without_types(
        parser, DYNAMIC_INDEX, delimiter=parser.Delimiter.PAREN
    )
    values: list[SSAValue] = [
        parser.resolve_operand(value, IndexType()) for value in dynamic
    ]
    return DenseArrayBase.from_list(i64, static), values


def _print_basis(
    printer: Printer, static: DenseArrayBase[I64], dynamic: Sequence[SSAValue]
) -> None:
    print_dynamic_index_list(
        printer,
        DYNAMIC_INDEX,
        dynamic,
        static.get_values(),
        delimiter=Parser.Delimiter.PAREN,
    )
