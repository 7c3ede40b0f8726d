"""Ops of StableHLO whose regions combine or compare elements.

    %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
        : (tensor<4x9xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.compare LT, %a, %b, TOTALORDER : (...) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<4x9xf32>) -> tensor<4x9xf32>

Regions take and give tensors of rank 0.

Source: https://openxla.org/stablehlo/spec#ops
"""

from abc import ABC
from collections.abc import Sequence
from typing import Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..common.making import make
from ..linalg.syntax import parse_integers, shown_attributes, split_properties
from .control import ReturnOp
from .shapes import verify_dimensions
from .syntax import StableHLOOp, Types, print_numbers, print_types, tensor_type


class ReducingOp(StableHLOOp, ABC):
    """An op with as many tensors as first values, and a region that combines two."""

    body = region_def("single_block")

    @property
    def count(self) -> int:
        """How many tensors there are."""
        return len(self.values) // 2

    def verify_operands(self) -> None:
        """There is a first value for each tensor, and the region combines them."""
        count = self.count
        self.verify_counts(2 * count, count)
        for number in range(count):
            if self.shape(number) != self.shape() or self.shape(count + number):
                raise VerifyException(
                    "expected tensors of one shape, and one first value for each"
                )
        arguments = [each.type for each in self.body.block.args]
        inits = [value.type for value in self.values[count:]]
        if arguments != [*inits, *inits]:
            raise VerifyException(
                f"expected a region with two arguments of each type of {inits}"
            )
        verify_returns(self.body.block, inits)


def verify_returns(block: Block, types: Sequence[Attribute]) -> None:
    """A region returns values of these types."""
    end = block.last_op
    if not isinstance(end, ReturnOp) or list(end.operand_types) != list(types):
        expected = ", ".join(map(str, types)) or "nothing"
        raise VerifyException(f"expected a region that returns {expected}")


@irdl_op_definition
class ReduceOp(ReducingOp):
    """All elements along dimensions, combined into one."""

    name = "stablehlo.reduce"

    dimensions = prop_def(DenseArrayBase)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        operands, inits = _parse_pairs(parser)
        applied = None
        if parser.parse_optional_keyword("applies") is not None:
            applied = _parse_name(parser)
        parser.parse_keyword("across")
        dimensions = parse_integers(parser, "dimensions")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        function = parser.parse_function_type()
        inputs = function.inputs.data
        values = parser.resolve_operands([*operands, *inits], inputs, start)
        if applied is None:
            region = _parse_reducer(parser)
        else:
            element = inputs[-1]
            region = _applying(parser, applied, element)
        properties, rest = split_properties(cls, attributes)
        return make(
            cls,
            operands=[values],
            result_types=[function.outputs.data],
            properties={"dimensions": dimensions, **properties},
            attributes=rest,
            regions=[region],
        )

    @override
    def print(self, printer: Printer) -> None:
        count = self.count
        pairs = [*zip(self.values[:count], self.values[count:], strict=True)]
        for number, (value, init) in enumerate(pairs):
            printer.print_string(", (" if number else "(")
            printer.print_ssa_value(value)
            printer.print_string(" init: ")
            printer.print_ssa_value(init)
            printer.print_string(")")
        applied = _applied(self)
        if applied is not None:
            printer.print_string(f" applies {applied.name}")
        printer.print_string(" across dimensions = ")
        print_numbers(printer, self.ints("dimensions"))
        printer.print_op_attributes(shown_attributes(self, "dimensions"))
        printer.print_string(" : ")
        print_types(printer, self, Types.FUNCTION)
        if applied is None:
            printer.print_string(" reducer")
            arguments = self.body.block.args
            for pair in zip(arguments[:count], arguments[count:], strict=True):
                with printer.in_parens():
                    printer.print_list(pair, printer.print_block_argument)
                printer.print_string(" ")
            printer.print_region(self.body, print_entry_block_args=False)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """The sizes of the other dimensions."""
        gone = self.ints("dimensions")
        kept = [size for d, size in enumerate(self.shape()) if d not in gone]
        return [kept] * self.count

    @override
    def verify_types(self) -> None:
        """The results have the sizes of the other dimensions."""
        if not self.values:
            raise VerifyException("expected at least one tensor")
        self.verify_operands()
        verify_dimensions(self.ints("dimensions"), len(self.shape()))
        kept = self.inferred_shapes()[0]
        for value, result in zip(self.values[self.count :], self.outputs, strict=True):
            element = cast("TensorType[Attribute]", value.type).element_type
            if result.type != TensorType(element, kept):
                raise VerifyException(
                    f"expected a result of type {TensorType(element, kept)}, got "
                    f"{result.type}"
                )


def _parse_pairs(
    parser: Parser,
) -> tuple[Sequence[UnresolvedOperand], Sequence[UnresolvedOperand]]:
    """`(%a init: %x), (%b init: %y)`."""
    operands: list[UnresolvedOperand] = []
    inits: list[UnresolvedOperand] = []

    def parse_pair() -> None:
        with parser.in_parens():
            operands.append(parser.parse_unresolved_operand())
            parser.parse_keyword("init")
            parser.parse_punctuation(":")
            inits.append(parser.parse_unresolved_operand())

    parser.parse_comma_separated_list(parser.Delimiter.NONE, parse_pair)
    return operands, inits


def _parse_name(parser: Parser) -> str:
    """The name of an op, `stablehlo.add`."""
    return parser.parse_identifier()


def _parse_reducer(parser: Parser) -> Region:
    """`reducer(%a: type, %c: type) (%b: type, %d: type) { ... }`."""
    parser.parse_keyword("reducer")
    firsts: list[Parser.Argument] = []
    seconds: list[Parser.Argument] = []
    while parser.parse_optional_punctuation("(") is not None:
        for arguments in (firsts, seconds):
            if arguments is seconds:
                parser.parse_punctuation(",")
            argument = parser.parse_argument()
            location = parser.parse_optional_location()
            if location is not None:
                argument.location = location
            arguments.append(argument)
        parser.parse_punctuation(")")
    return parser.parse_region([*firsts, *seconds])


def _applying(parser: Parser, name: str, element: Attribute) -> Region:
    """The region of one op, which is applied to both arguments."""
    start = parser.pos
    op_type = parser.ctx.get_optional_op(name)
    if op_type is None or not issubclass(op_type, StableHLOOp):
        parser.raise_error(f"expected an op of stablehlo, not {name}", start)
    block = Block(arg_types=[element, element])
    op: IRDLOperation = op_type.build(operands=[block.args], result_types=[[element]])
    block.add_ops([op, ReturnOp.build(operands=[op.results])])
    return Region(block)


def _applied(op: ReduceOp) -> Operation | None:
    """The one op that the region applies to both arguments in order."""
    ops = [*op.body.block.ops]
    if len(ops) != 2 or op.count != 1:
        return None
    inner, end = ops
    is_plain = (
        isinstance(inner, StableHLOOp)
        and not inner.properties
        and not inner.attributes
        and not inner.regions
        and list(inner.operands) == list(op.body.block.args)
        and list(end.operands) == list(inner.results)
    )
    return inner if is_plain else None


@irdl_op_definition
class ReduceWindowOp(ReducingOp):
    """For each place of a window, its elements combined into one."""

    name = "stablehlo.reduce_window"

    window_dimensions = prop_def(DenseArrayBase)
    window_strides = opt_prop_def(DenseArrayBase)
    base_dilations = opt_prop_def(DenseArrayBase)
    window_dilations = opt_prop_def(DenseArrayBase)
    padding = opt_prop_def(DenseIntOrFPElementsAttr)

    def per_dimension(self, name: str) -> tuple[int, ...]:
        """The numbers of a property; where it is missing, ones."""
        return self.ints(name) or (1,) * len(self.shape())

    @property
    def paddings(self) -> Sequence[tuple[int, int]]:
        """For each dimension how many elements are in front and behind."""
        return pairs_of(self.padding, len(self.shape()))

    def _window(self) -> Sequence[Sequence[int]]:
        names = "window_dimensions", "window_strides", "base_dilations"
        return [*map(self.per_dimension, (*names, "window_dilations"))]

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """As many as there are places of the window."""
        sizes = [
            places(low + dilated(size, base) + high, dilated(window, spread), stride)
            for size, (low, high), window, stride, base, spread in zip(
                self.shape(), self.paddings, *self._window(), strict=True
            )
        ]
        return [sizes] * self.count

    @override
    def verify_types(self) -> None:
        """There is a result for each place of the window."""
        if not self.values:
            raise VerifyException("expected at least one tensor")
        self.verify_operands()
        rank, columns = len(self.shape()), self._window()
        if any(len(c) != rank or min(c, default=1) < 1 for c in columns):
            raise VerifyException(f"expected {rank} numbers from 1 for a window")
        expected = tuple(self.inferred_shapes()[0])
        if any(self.result_shape != expected for _ in self.outputs):
            raise VerifyException(
                f"expected results of sizes {list(expected)}, got "
                f"{list(self.result_shape)}"
            )


def pairs_of(
    padding: DenseIntOrFPElementsAttr | None, rank: int
) -> Sequence[tuple[int, int]]:
    """The rows of a matrix with two columns; where it is missing, zeros."""
    if padding is None:
        return [(0, 0)] * rank
    numbers = cast("list[int]", [*padding.get_values()])
    if len(numbers) != 2 * rank:
        raise VerifyException(f"expected {rank} pairs of padding")
    return [*zip(numbers[::2], numbers[1::2], strict=True)]


def dilated(size: int, dilation: int) -> int:
    """How many elements there are with `dilation - 1` between each two."""
    return (size - 1) * dilation + 1 if size else 0


def places(size: int, window: int, stride: int) -> int:
    """At how many places a window fits."""
    return 0 if window > size else (size - window) // stride + 1


@irdl_op_definition
class SelectAndScatterOp(StableHLOOp):
    """Elements are added where a window selects; the gradient of a maximum of windows.

    `select` says of two elements whether the first is kept; `scatter` adds to one.
    """

    name = "stablehlo.select_and_scatter"

    window_dimensions = opt_prop_def(DenseArrayBase)
    window_strides = opt_prop_def(DenseArrayBase)
    padding = opt_prop_def(DenseIntOrFPElementsAttr)

    select = region_def("single_block")
    scatter = region_def("single_block")

    def per_dimension(self, name: str) -> tuple[int, ...]:
        """The numbers of a property; where it is missing, ones."""
        return self.ints(name) or (1,) * len(self.shape())

    @property
    def paddings(self) -> Sequence[tuple[int, int]]:
        """For each dimension how many elements are in front and behind."""
        return pairs_of(self.padding, len(self.shape()))

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the tensor."""
        return [self.shape()]

    @override
    def verify_types(self) -> None:
        """There is an element to add for each place of the window."""
        self.verify_counts(3)
        self.verify_result(self.shape(), self.element())
        windows = self.per_dimension("window_dimensions")
        strides = self.per_dimension("window_strides")
        expected = tuple(
            places(low + size + high, window, stride)
            for size, (low, high), window, stride in zip(
                self.shape(), self.paddings, windows, strides, strict=True
            )
        )
        if self.shape(1) != expected or self.shape(2):
            raise VerifyException(f"expected elements to add of sizes {list(expected)}")


@irdl_op_definition
class SortOp(StableHLOOp):
    """Tensors sorted together along a dimension.

    The region gets two elements of each tensor, and says whether the first is less.
    """

    name = "stablehlo.sort"

    dimension = opt_prop_def(IntegerAttr)
    is_stable = opt_prop_def(BoolAttr)

    comparator = region_def("single_block")

    @property
    def along(self) -> int:
        """The dimension, counted from the first."""
        dimension = self.integer("dimension") if self.dimension is not None else -1
        return dimension + len(self.shape()) if dimension < 0 else dimension

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the tensors."""
        return [tensor_type(each).get_shape() for each in self.values]

    @override
    def verify_types(self) -> None:
        """All tensors have one shape, and the results their types."""
        if not self.values:
            raise VerifyException("expected at least one tensor")
        self.verify_counts(len(self.values), len(self.values))
        verify_dimensions((self.along,), len(self.shape()))
        for number, (value, result) in enumerate(
            zip(self.values, self.outputs, strict=True)
        ):
            if value.type != result.type or self.shape(number) != self.shape():
                raise VerifyException("expected tensors and results of one shape")
        if len(self.comparator.block.args) != 2 * len(self.values):
            raise VerifyException("expected a region with two arguments a tensor")
