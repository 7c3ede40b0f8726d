"""What all ops of tm_tensor have in common: operands, text, effects and checks.

    tm_tensor.sort dimension(0) outs(%a : tensor<4xf32>) {
    ^bb0(%l: f32, %r: f32):
      ...
    } -> tensor<4xf32>

On tensors an op has one result for each of its `outs`; on buffers it has none.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorType,
    BoolAttr,
    IntegerAttr,
    MemRefType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.linalg.structure import (
    element_type_of,
    rank_of,
    shape_of,
    verify_destinations,
    verify_pure_semantics,
)
from xdsl_bufferization.dialects.linalg.syntax import (
    parse_operands,
    print_operands,
    shown_attributes,
    split_properties,
)
from xdsl_bufferization.dialects.tm_tensor.yields import YieldOp

_SHAPED = base(MemRefType) | base(AnyTensorType)


class TMTensorOp(IRDLOperation, ABC):
    """An op that reads its `ins` and writes its `outs`."""

    inputs = var_operand_def(_SHAPED)
    outputs = var_operand_def(_SHAPED)
    res = var_result_def(AnyTensorType)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())

    INPUT_COUNTS: ClassVar[range]
    """How many `ins` the op may have."""

    OUTPUT_COUNTS: ClassVar[range]
    """How many `outs` the op may have."""

    @abstractmethod
    def reads_output(self, number: int) -> bool:
        """Whether what an `outs` operand holds beforehand may be read."""

    def verify_operands(self) -> None:
        """The numbers of operands fit, all are tensors or all buffers, and results."""
        verify_count("ins", len(self.inputs), self.INPUT_COUNTS)
        verify_count("outs", len(self.outputs), self.OUTPUT_COUNTS)
        verify_pure_semantics(self.operands)
        verify_destinations(self.outputs, self.res)

    # Text.

    @classmethod
    def parse_with(cls, parser: Parser, attributes: dict[str, Attribute]) -> Self:
        """Read `ins`, `outs`, the region and the result types."""
        inputs = parse_operands(parser, "ins")
        outputs = parse_operands(parser, "outs")
        has_region = bool(cls.get_irdl_definition().regions)
        regions = [parser.parse_region()] if has_region else []
        properties, rest = split_properties(cls, attributes)
        return cls.build(
            operands=[inputs, outputs],
            result_types=[_parse_types(parser)],
            properties=properties,
            attributes=rest,
            regions=regions,
        )

    def print_with(self, printer: Printer) -> None:
        """Print what `parse_with` reads."""
        print_operands(printer, "ins", self.inputs)
        print_operands(printer, "outs", self.outputs)
        for region in self.regions:
            printer.print_string(" ")
            printer.print_region(region)
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res.types, printer.print_attribute)

    def print_attributes(self, printer: Printer, *hidden: str) -> None:
        """Print the attributes that the rest of the text does not show."""
        printer.print_op_attributes(shown_attributes(self, *hidden))


class PayloadOp(TMTensorOp, ABC):
    """An op whose region computes one number of some."""

    body = region_def("single_block")

    def verify_body(self, arguments: Sequence[Attribute], yielded: Attribute) -> None:
        """The region takes `arguments` and yields one value."""
        types = self.body.block.arg_types
        if list(types) != list(arguments):
            raise VerifyException(
                f"expected a region with arguments of types {_listed(arguments)}, but "
                f"got {_listed(types) or 'none'}"
            )
        end = self.body.block.last_op
        if not isinstance(end, YieldOp):
            raise VerifyException("expected the region to end with a 'tm_tensor.yield'")
        if list(end.operand_types) != [yielded]:
            raise VerifyException(
                f"expected the region to yield one {yielded}, but got "
                f"{_listed(end.operand_types) or 'nothing'}"
            )

    @property
    def payload(self) -> Block:
        """What the region consists of."""
        return self.body.block


class AlongDimensionOp(PayloadOp, ABC):
    """An op that works along one dimension, and on all other indices alike."""

    dimension = prop_def(IntegerAttr)

    @property
    def along(self) -> int:
        """The dimension."""
        return cast("IntegerAttr[Any]", self.dimension).value.data

    def verify_dimension(self, operand: SSAValue) -> None:
        """The dimension is one of those of `operand`."""
        rank = rank_of(operand.type)
        if not 0 <= self.along < rank:
            raise VerifyException(
                f"dimension {self.along} must be at least 0 and less than the rank, "
                f"which is {rank}"
            )


class TMTensorEffects(MemoryEffect):
    """On buffers: inputs are read, outputs are written, and read if the op says so."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        assert isinstance(op, TMTensorOp)
        read = [
            *op.inputs,
            *(v for number, v in enumerate(op.outputs) if op.reads_output(number)),
        ]
        return {
            EffectInstance(kind, value)
            for kind, values in (
                (MemoryEffectKind.READ, read),
                (MemoryEffectKind.WRITE, op.outputs),
            )
            for value in values
            if isinstance(value.type, MemRefType)
        }


# Text.


def _parse_types(parser: Parser) -> Sequence[Attribute]:
    """`-> type, type`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return ()
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)


def parse_dimension(parser: Parser) -> IntegerAttr[Any]:
    """`dimension(1)`."""
    parser.parse_keyword("dimension")
    with parser.in_parens():
        return IntegerAttr(parser.parse_integer(), i64)


def parse_flag(parser: Parser, keyword: str) -> BoolAttr:
    """`keyword(true)`."""
    parser.parse_keyword(keyword)
    with parser.in_parens():
        return BoolAttr.from_bool(parser.parse_boolean())


def print_flag(printer: Printer, keyword: str, flag: Attribute) -> None:
    """` keyword(true)`."""
    value = cast("IntegerAttr[Any]", flag).value.data
    printer.print_string(f" {keyword}({'true' if value else 'false'})")


# Checks.


def verify_count(name: str, count: int, allowed: range) -> None:
    """There are as many operands as the op takes."""
    if count in allowed:
        return
    first, last = allowed[0], allowed[-1]
    if first == last:
        expected = f"{first or 'no'}"
    elif len(allowed) == 2:
        expected = f"{first} or {last}"
    else:
        expected = f"at least {first}"
    plural = "" if expected.endswith(" 1") or expected == "1" else "s"
    raise VerifyException(
        f"expected {expected} `{name}` operand{plural}, but got {count}"
    )


def verify_same_elements(*values: tuple[str, SSAValue]) -> None:
    """All have the element type of the first."""
    first_name, first = values[0]
    expected = element_type_of(first.type)
    for name, value in values[1:]:
        element = element_type_of(value.type)
        if element != expected:
            raise VerifyException(
                f"expected {first_name} and {name} to have one element type, but got "
                f"{expected} and {element}"
            )


def verify_shape(name: str, value: SSAValue, expected: Sequence[int]) -> None:
    """The sizes of `value` are the expected ones, where both are known."""
    shape = shape_of(value.type)
    if len(shape) != len(expected):
        raise VerifyException(
            f"expected {name} to have rank {len(expected)}, but got {len(shape)}"
        )
    if any(
        a != b and DYNAMIC_INDEX not in (a, b)
        for a, b in zip(shape, expected, strict=True)
    ):
        raise VerifyException(
            f"expected {name} to have shape {_sizes(expected)}, but got {_sizes(shape)}"
        )


def _sizes(shape: Sequence[int]) -> str:
    return "x".join("?" if size == DYNAMIC_INDEX else str(size) for size in shape)


def _listed(types: Sequence[Attribute]) -> str:
    return ", ".join(map(str, types))
