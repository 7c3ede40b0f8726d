"""`linalg.softmax` and the Winograd transforms: ops that stand for several loop nests.

    %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>)
           outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>)
           outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgsoftmax-linalgsoftmaxop and
the sections of the other ops; A. Lavin and S. Gray, "Fast Algorithms for Convolutional
Neural Networks", 2015.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    AnyTensorType,
    IntegerAttr,
    MemRefType,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .effects import StructuredMemoryEffects
from .structure import (
    element_type_of,
    rank_of,
    result_types_for,
    shape_of,
    verify_destinations,
    verify_pure_semantics,
)
from .syntax import (
    parse_operands,
    parse_result_types,
    print_operands,
    print_result_types,
    shown_attributes,
)

_SHAPED = base(MemRefType) | base(AnyTensorType)


def _parse_one_to_one(
    op_type: type[IRDLOperation],
    parser: Parser,
    properties: dict[str, Attribute],
    attributes: dict[str, Attribute],
) -> IRDLOperation:
    """`ins(%a : type) outs(%b : type) -> type`."""
    start = parser.pos
    inputs = parse_operands(parser, "ins")
    outputs = parse_operands(parser, "outs")
    if len(inputs) != 1 or len(outputs) != 1:
        parser.raise_error("expected one input and one output", start, parser.pos)
    return op_type.create(
        operands=[*inputs, *outputs],
        result_types=parse_result_types(parser),
        properties=properties,
        attributes=attributes,
    )


def _print_one_to_one(op: Operation, printer: Printer) -> None:
    print_operands(printer, "ins", op.operands[:1])
    print_operands(printer, "outs", op.operands[1:])
    print_result_types(printer, op.result_types)


def _verify_shape(expected: Sequence[int], actual: Sequence[int], message: str) -> None:
    """Two shapes are equal where both are known."""
    if len(expected) != len(actual) or any(
        a != b and DYNAMIC_INDEX not in (a, b)
        for a, b in zip(expected, actual, strict=True)
    ):
        raise VerifyException(message)


@irdl_op_definition
class SoftmaxOp(IRDLOperation):
    """`exp(x - max) / sum(exp(x - max))` along one dimension."""

    name = "linalg.softmax"

    input = operand_def(_SHAPED)
    output = operand_def(_SHAPED)
    dimension = prop_def(IntegerAttr)
    result = var_result_def(AnyTensorType)

    traits = traits_def(StructuredMemoryEffects())

    def __init__(self, input: SSAValue, output: SSAValue, dimension: int):
        super().__init__(
            operands=[input, output],
            properties={"dimension": IntegerAttr(dimension, i64)},
            result_types=[result_types_for([output])],
        )

    @property
    def reduced(self) -> int:
        """The dimension along which the results add up to one."""
        return cast("IntegerAttr[Any]", self.dimension).value.data

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_keyword("dimension")
        with parser.in_parens():
            dimension = parser.parse_integer()
        properties: dict[str, Attribute] = {"dimension": IntegerAttr(dimension, i64)}
        op = _parse_one_to_one(cls, parser, properties, attributes)
        assert isinstance(op, cls)
        return op

    @override
    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(shown_attributes(self, "dimension"))
        printer.print_string(f" dimension({self.reduced})")
        _print_one_to_one(self, printer)

    @override
    def verify_(self) -> None:
        """Input and output have one shape, and its numbers are floating-point."""
        verify_pure_semantics(self.operands)
        element = element_type_of(self.input.type)
        if element_type_of(self.output.type) != element:
            raise VerifyException(
                "failed to verify that input and output have same element type"
            )
        if not isinstance(element, AnyFloat):
            raise VerifyException(
                f"expected floating-point elements, but got {element}"
            )
        input_shape, output_shape = (shape_of(v.type) for v in self.operands)
        _verify_shape(input_shape, output_shape, "incompatible output shape")
        if not 0 <= self.reduced < rank_of(self.input.type):
            raise VerifyException("incorrect dimension specified")
        verify_destinations([self.output], self.result)


# Winograd.


class WinogradSizes(NamedTuple):
    """F(m, r): `tile` outputs of a filter of `filter` taps at once."""

    tile: int
    filter: int

    @property
    def input_tile(self) -> int:
        """How many inputs a tile of outputs depends on."""
        return self.tile + self.filter - 1


WINOGRAD_SIZES: dict[str, WinogradSizes] = {
    "F_2_3": WinogradSizes(2, 3),
    "F_4_3": WinogradSizes(4, 3),
    "F_2_5": WinogradSizes(2, 5),
}
"""The cases of the enumeration, in the order of their numbers."""

_TENSOR = TensorType.constr()


class WinogradOp(IRDLOperation):
    """A transform of Winograd's convolution."""

    operand = operand_def(_TENSOR)
    output = operand_def(_TENSOR)
    fmr = prop_def(IntegerAttr)
    result = result_def(_TENSOR)

    traits = traits_def(Pure())

    @property
    def sizes(self) -> WinogradSizes:
        """The case that `fmr` stands for."""
        return WINOGRAD_SIZES[self.fmr_name]

    @property
    def fmr_name(self) -> str:
        """The name of the case."""
        number = cast("IntegerAttr[Any]", self.fmr).value.data
        if not 0 <= number < len(WINOGRAD_SIZES):
            raise VerifyException(
                "attribute 'fmr' failed to satisfy constraint: allowed 32-bit signless "
                "integer cases: 0, 1, 2"
            )
        return tuple(WINOGRAD_SIZES)[number]

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_keyword("fmr")
        with parser.in_parens():
            start = parser.pos
            name = parser.parse_identifier()
            if name not in WINOGRAD_SIZES:
                parser.raise_error(
                    f"expected one of {', '.join(WINOGRAD_SIZES)}", start, parser.pos
                )
        number = tuple(WINOGRAD_SIZES).index(name)
        properties: dict[str, Attribute] = {"fmr": IntegerAttr(number, i32)}
        op = _parse_one_to_one(cls, parser, properties, attributes)
        assert isinstance(op, cls)
        return op

    @override
    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(shown_attributes(self, "fmr"))
        printer.print_string(f" fmr({self.fmr_name})")
        _print_one_to_one(self, printer)

    def verify_transform(self, ranks: tuple[int, int]) -> None:
        """Check ranks, element types and the result."""
        actual = tuple(rank_of(value.type) for value in self.operands)
        if actual != ranks:
            raise VerifyException(
                f"expected operands of ranks {ranks[0]} and {ranks[1]}, but got "
                f"{actual[0]} and {actual[1]}"
            )
        element, other = (element_type_of(value.type) for value in self.operands)
        if element != other:
            raise VerifyException(f"element types {element} and {other} differ")
        verify_destinations([self.output], [self.result])


_OUTPUT_SHAPE_MESSAGE = "the output shape is not expected"


@irdl_op_definition
class WinogradFilterTransformOp(WinogradOp):
    """Filters (F, H, W, C) become (input tile H, input tile W, C, F)."""

    name = "linalg.winograd_filter_transform"

    @override
    def verify_(self) -> None:
        """The filter has `r` taps in each dimension in which it has more than one."""
        self.verify_transform((4, 4))
        count, height, width, channels = shape_of(self.operand.type)
        size = self.sizes
        if height not in (size.filter, 1, DYNAMIC_INDEX):
            raise VerifyException("expect filter height either equals to r or 1")
        if width not in (size.filter, 1, DYNAMIC_INDEX):
            raise VerifyException("expect filter width either equals to r or 1")
        if height == 1 and width == 1:
            raise VerifyException("expect either filter height or width equals to r")
        expected = [
            1 if height == 1 else size.input_tile,
            1 if width == 1 else size.input_tile,
            channels,
            count,
        ]
        _verify_shape(expected, shape_of(self.output.type), _OUTPUT_SHAPE_MESSAGE)


@irdl_op_definition
class WinogradInputTransformOp(WinogradOp):
    """Inputs (N, H, W, C) become (input tile H, W, tiles H, W, N, C)."""

    name = "linalg.winograd_input_transform"

    @override
    def verify_(self) -> None:
        """The input consists of overlapping tiles."""
        self.verify_transform((4, 6))
        count, height, width, channels = shape_of(self.operand.type)
        output = shape_of(self.output.type)
        size = self.sizes
        expected = [
            1 if output[0] == 1 else size.input_tile,
            1 if output[1] == 1 else size.input_tile,
            height if output[0] == 1 else _number_of_tiles(height, size),
            width if output[1] == 1 else _number_of_tiles(width, size),
            count,
            channels,
        ]
        _verify_shape(expected, output, _OUTPUT_SHAPE_MESSAGE)


def _number_of_tiles(size: int, sizes: WinogradSizes) -> int:
    if size == DYNAMIC_INDEX:
        return size
    return (size - sizes.filter + 1) // sizes.tile


@irdl_op_definition
class WinogradOutputTransformOp(WinogradOp):
    """Products (input tile H, W, tiles H, W, N, F) become outputs (N, H, W, F)."""

    name = "linalg.winograd_output_transform"

    @override
    def verify_(self) -> None:
        """The output consists of tiles."""
        self.verify_transform((6, 4))
        alpha_h, alpha_w, tiles_h, tiles_w, count, filters = shape_of(self.operand.type)
        size = self.sizes
        if alpha_h not in (size.input_tile, 1, DYNAMIC_INDEX):
            raise VerifyException("expect input height equals to input tile size")
        if alpha_w not in (size.input_tile, 1, DYNAMIC_INDEX):
            raise VerifyException("expect input width equals to input tile size")
        expected = [
            count,
            _output_size(alpha_h, tiles_h, size),
            _output_size(alpha_w, tiles_w, size),
            filters,
        ]
        _verify_shape(expected, shape_of(self.output.type), _OUTPUT_SHAPE_MESSAGE)


def _output_size(alpha: int, tiles: int, sizes: WinogradSizes) -> int:
    if DYNAMIC_INDEX in (alpha, tiles):
        return DYNAMIC_INDEX
    return tiles if alpha == 1 else tiles * sizes.tile
