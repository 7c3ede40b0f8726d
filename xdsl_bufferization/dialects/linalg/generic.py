"""`linalg.generic` and the ops that its body consists of.

xDSL 0.74 reads one result type of a `linalg.generic` and stops at several, which MLIR
writes in parentheses, and it does not know attributes that are named beforehand. It
allows `linalg.index` in a `linalg.generic` only. The classes here do as MLIR.

    %0:2 = linalg.generic #trait ins(%a : tensor<4xf32>)
        outs(%b, %c : tensor<4xf32>, tensor<4xf32>) {
      ...
    } -> (tensor<4xf32>, tensor<4xf32>)

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalggeneric-linalggenericop
"""

from typing import Any, Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
)
from xdsl.dialects.linalg import ops
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, Pure, RecursiveMemoryEffect, ReturnLike
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.canonicalized import Canonicalized
from ..common.definitions import EXTENDED_DIALECTS
from ..common.making import make
from .effects import StructuredMemoryEffects
from .structure import (
    HasStructure,
    element_type_of,
    outputs_of,
    rank_of,
    verify_structured,
)
from .syntax import (
    parse_operands,
    parse_result_types,
    print_operands,
    print_result_types,
    shown_attributes,
)

_PROPERTIES = ("indexing_maps", "iterator_types", "doc", "library_call")


class GenericOp(ops.GenericOp):
    """What `linalg.generic` should do differently."""

    traits = traits_def(
        StructuredMemoryEffects(), RecursiveMemoryEffect(), Canonicalized()
    )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = _parse_trait(parser)
        inputs = parse_operands(parser, "ins")
        outputs = parse_operands(parser, "outs")
        if parser.parse_optional_keyword("attrs") is not None:
            parser.parse_punctuation("=")
            attributes |= parser.parse_optional_attr_dict()
        body = parser.parse_region()
        result_types = parse_result_types(parser)
        return make(
            cls,
            operands=[inputs, outputs],
            result_types=[result_types],
            properties={
                name: attributes.pop(name) for name in _PROPERTIES if name in attributes
            },
            attributes=attributes,
            regions=[body],
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" {")
        printer.print_list(
            (name for name in sorted(_PROPERTIES) if name in self.properties),
            lambda name: _print_trait_entry(self, printer, name),
        )
        printer.print_string("}")
        print_operands(printer, "ins", self.inputs)
        print_operands(printer, "outs", self.outputs)
        attributes = shown_attributes(self, *_PROPERTIES)
        if attributes:
            printer.print_string(" attrs =")
            printer.print_op_attributes(attributes)
        printer.print_string(" ")
        printer.print_region(self.body)
        print_result_types(printer, self.res.types)

    @override
    def verify_(self) -> None:
        """Check maps, shapes, body and results."""
        verify_structured(self)


def _print_trait_entry(op: ops.GenericOp, printer: Printer, name: str) -> None:
    printer.print_string(f"{name} = ")
    if name != "iterator_types":
        printer.print_attribute(op.properties[name])
        return
    with printer.in_square_brackets():
        printer.print_list(
            op.iterator_types, lambda kind: printer.print_string_literal(kind.data)
        )


def _parse_trait(parser: Parser) -> dict[str, Attribute]:
    """The attributes in front of the operands, written out or named beforehand."""
    start = parser.pos
    trait = parser.parse_attribute()
    if not isinstance(trait, DictionaryAttr):
        parser.raise_error("expected a dictionary of attributes", start, parser.pos)
    attributes = dict(trait.data)
    if not isa(attributes.get("indexing_maps"), ArrayAttr[AffineMapAttr]):
        parser.raise_error("expected an array 'indexing_maps'", start, parser.pos)
    iterators = attributes.get("iterator_types")
    if not isinstance(iterators, ArrayAttr):
        parser.raise_error("expected an array 'iterator_types'", start, parser.pos)
    try:
        attributes["iterator_types"] = ArrayAttr(
            _iterator_type(iterator) for iterator in cast("ArrayAttr[Any]", iterators)
        )
    except ValueError as error:
        parser.raise_error(str(error), start, parser.pos)
    return attributes


def _iterator_type(attribute: Attribute) -> IteratorTypeAttr:
    if isinstance(attribute, IteratorTypeAttr):
        return attribute
    name = attribute.data if isinstance(attribute, StringAttr) else str(attribute)
    return IteratorTypeAttr(IteratorType(name))


class HasStructuredParent(HasParent):
    """The op stands in the body of a structured op, whichever that is.

    Ops of dialects that MLIR does not have, such as memref_stream, may be structured
    without saying so.
    """

    @override
    def verify(self, op: Operation) -> None:
        parent = op.parent_op()
        if (
            parent is not None
            and parent.dialect_name() in EXTENDED_DIALECTS
            and outputs_of(parent) is None
        ):
            raise VerifyException("expected parent op with LinalgOp interface")


class IndexOp(ops.IndexOp):
    """What `linalg.index` should do differently."""

    traits = traits_def(HasStructuredParent(ops.GenericOp), Pure(), Canonicalized())

    @override
    def verify_(self) -> None:
        """`dim` is one of the loops of the op around this one."""
        loop = cast("IntegerAttr[Any]", self.dim).value.data
        if loop < 0:
            raise VerifyException(
                "attribute 'dim' failed to satisfy constraint: 64-bit signless integer "
                "attribute whose minimum value is 0"
            )
        num_loops = _num_loops_around(self)
        if num_loops is not None and loop >= num_loops:
            raise VerifyException(
                f"expected dim ({loop}) to be lower than the number of loops "
                f"({num_loops}) of the enclosing LinalgOp"
            )


def _num_loops_around(op: IndexOp) -> int | None:
    """The number of loops, where users write the body and it may not verify yet."""
    match op.parent_op():
        case ops.GenericOp() as parent:
            iterators = parent.properties.get("iterator_types")
            return len(iterators) if isa(iterators, ArrayAttr) else None
        case ops.ReduceOp() as parent:
            return rank_of(parent.operands[0].type) if parent.operands else None
        case HasStructure() as parent:
            return rank_of(parent.operands[-1].type) if parent.operands else None
        case _:
            return None


class YieldOp(ops.YieldOp):
    """What `linalg.yield` should do differently."""

    traits = traits_def(HasStructuredParent(ops.GenericOp), Pure(), ReturnLike())

    @override
    def verify_(self) -> None:
        """There is one element for each output, of its element type."""
        parent = self.parent_op()
        outputs = None if parent is None else outputs_of(parent)
        if outputs is None:
            return
        if len(self.arguments) != len(outputs):
            raise VerifyException(
                f"expected number of yield values ({len(self.arguments)}) to match the "
                "number of inits / outs operands of the enclosing LinalgOp "
                f"({len(outputs)})"
            )
        for index, (value, output) in enumerate(
            zip(self.arguments, outputs, strict=True), 1
        ):
            expected = element_type_of(output.type)
            if value.type != expected:
                raise VerifyException(
                    f"type of yield operand {index} ({value.type}) doesn't match the "
                    f"element type of the enclosing linalg.generic op ({expected})"
                )
