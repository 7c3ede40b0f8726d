"""Ops of MLIR's linalg dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 reads one result type of a `linalg.generic` and stops at several, which MLIR
writes in parentheses, and it does not know attributes that are named beforehand. The
class here reads both; `extend.py` puts its methods into xDSL's class.

    %0:2 = linalg.generic #trait ins(%a : tensor<4xf32>)
        outs(%b, %c : tensor<4xf32>, tensor<4xf32>) {
      ...
    } -> (tensor<4xf32>, tensor<4xf32>)

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalggeneric-linalggenericop
"""

from collections.abc import Sequence
from typing import Self

from typing_extensions import override
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.linalg import ops
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.utils.hints import isa

_PROPERTIES = ("indexing_maps", "iterator_types", "doc", "library_call")


class GenericOp(ops.GenericOp):
    """What `linalg.generic` should do differently."""

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse MLIR's format."""
        attributes = _parse_trait(parser)
        inputs = _parse_operands(parser, "ins")
        outputs = _parse_operands(parser, "outs")
        if parser.parse_optional_keyword("attrs") is not None:
            parser.parse_punctuation("=")
            attributes |= parser.parse_optional_attr_dict()
        body = parser.parse_region()
        result_types = _parse_result_types(parser)
        return cls.build(
            operands=[inputs, outputs],
            result_types=[result_types],
            properties={
                name: attributes.pop(name) for name in _PROPERTIES if name in attributes
            },
            attributes=attributes,
            regions=[body],
        )


def _parse_trait(parser: Parser) -> dict[str, Attribute]:
    """The attributes in front of the operands, written out or named beforehand."""
    start = parser.pos
    trait = parser.parse_attribute()
    if not isinstance(trait, DictionaryAttr):
        parser.raise_error("expected a dictionary of attributes", start, parser.pos)
    attributes = dict(trait.data)
    for name in ("indexing_maps", "iterator_types"):
        if not isinstance(attributes.get(name), ArrayAttr):
            parser.raise_error(f"expected an array '{name}'", start, parser.pos)
    iterators = attributes["iterator_types"]
    if isa(iterators, ArrayAttr[StringAttr]):
        try:
            attributes["iterator_types"] = ArrayAttr(
                IteratorTypeAttr(IteratorType(iterator.data)) for iterator in iterators
            )
        except ValueError as error:
            parser.raise_error(str(error), start, parser.pos)
    return attributes


def _parse_operands(parser: Parser, keyword: str) -> Sequence[SSAValue]:
    """`keyword(%a, %b : type, type)`, or nothing."""
    if parser.parse_optional_keyword(keyword) is None:
        return ()
    start = parser.pos
    with parser.in_parens():
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
    return parser.resolve_operands(operands, types, start)


def _parse_result_types(parser: Parser) -> Sequence[Attribute]:
    """`-> type`, `-> (type, type)`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return ()
    types = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_type
    )
    if types is not None:
        return types
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)


OPERATIONS: tuple[type[Operation], ...] = ()
"""Ops that xDSL's dialect lacks."""

AMENDMENTS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    ops.GenericOp: GenericOp,
}
"""Ops of xDSL's dialect, and what they should do."""
