"""What all ops of tm_tensor have in common: operands, text, effects and checks.

    tm_tensor.sort dimension(0) outs(%a : tensor<4xf32>) {
    ^bb0(%l: f32, %r: f32):
      ...
    } -> tensor<4xf32>

On tensors an op has one result for each of its `outs`; on buffers it has none.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, Final, NamedTuple, Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorType,
    BoolAttr,
    IntegerAttr,
    MemRefType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
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

from ..common.making import make
from ..linalg.structure import (
    element_type_of,
    rank_of,
    result_types_for,
    shape_of,
    verify_destinations,
    verify_pure_semantics,
)
from ..linalg.syntax import (
    parse_operands,
    print_operands,
    shown_attributes,
    split_properties,
)
from .yields import YieldOp

_SHAPED = base(MemRefType) | base(AnyTensorType)


class Word(NamedTuple):
    """A property that the text shows as `name(value)`."""

    name: str
    parse_value: Callable[[Parser], Attribute]
    text: Callable[[Attribute], str]

    def parse(self, parser: Parser) -> Attribute:
        """Read the name and the value."""
        parser.parse_keyword(self.name)
        with parser.in_parens():
            return self.parse_value(parser)


def flag(name: str) -> Word:
    """`name(true)`."""
    return Word(name, _parse_flag, _flag_text)


def _parse_flag(parser: Parser) -> Attribute:
    return BoolAttr.from_bool(parser.parse_boolean())


def _flag_text(value: Attribute) -> str:
    return "true" if _number(value) else "false"


def _parse_number(parser: Parser) -> Attribute:
    return IntegerAttr(parser.parse_integer(), i64)


def _number_text(value: Attribute) -> str:
    return str(_number(value))


def _number(value: Attribute) -> int:
    return cast("IntegerAttr[Any]", value).value.data


DIMENSION: Final = Word("dimension", _parse_number, _number_text)


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

    WORDS: ClassVar[tuple[Word, ...]] = ()
    """The properties that the text shows as words, in order."""

    HAS_WORDS_FIRST: ClassVar[bool] = False
    """Whether the words stand in front of the other attributes."""

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        properties: Mapping[str, Attribute],
        *regions: Region,
    ):
        super().__init__(
            operands=[inputs, outputs],
            properties=properties,
            regions=regions,
            result_types=[result_types_for(outputs)],
        )

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

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes: dict[str, Attribute] = {}
        if not cls.HAS_WORDS_FIRST:
            attributes = parser.parse_optional_attr_dict()
        words = {word.name: word.parse(parser) for word in cls.WORDS}
        if cls.HAS_WORDS_FIRST:
            attributes = parser.parse_optional_attr_dict()
        inputs = parse_operands(parser, "ins")
        outputs = parse_operands(parser, "outs")
        has_region = bool(cls.get_irdl_definition().regions)
        regions = [parser.parse_region()] if has_region else []
        properties, rest = split_properties(cls, attributes | words)
        return make(
            cls,
            operands=[inputs, outputs],
            result_types=[_parse_types(parser)],
            properties=properties,
            attributes=rest,
            regions=regions,
        )

    @override
    def print(self, printer: Printer) -> None:
        hidden = [word.name for word in self.WORDS]
        if not self.HAS_WORDS_FIRST:
            printer.print_op_attributes(shown_attributes(self, *hidden))
        for word in self.WORDS:
            shown = word.text(self.properties[word.name])
            printer.print_string(f" {word.name}({shown})")
        if self.HAS_WORDS_FIRST:
            printer.print_op_attributes(shown_attributes(self, *hidden))
        print_operands(printer, "ins", self.inputs)
        print_operands(printer, "outs", self.outputs)
        for region in self.regions:
            printer.print_string(" ")
            printer.print_region(region)
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res.types, printer.print_attribute)


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

    WORDS: ClassVar[tuple[Word, ...]] = (DIMENSION,)

    dimension = prop_def(IntegerAttr)

    @property
    def along(self) -> int:
        """The dimension."""
        return _number(self.dimension)

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
