"""Ops of StableHLO that read or write parts of tensors.

    %0 = stablehlo.slice %x [0:4, 1:9:2] : (tensor<4x9xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.dynamic_slice %x, %i, %j, sizes = [1, 9] : (...) -> tensor<1x9xf32>
    %2 = stablehlo.pad %x, %0, low = [1, 0], high = [0, 0], interior = [0, 0] : ...

Source: https://openxla.org/stablehlo/spec#ops
"""

from collections.abc import Sequence
from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, i64
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, region_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .attributes import GatherAttr, ScatterAttr
from .syntax import (
    Clause,
    PrettyOp,
    StableHLOOp,
    Types,
    finish,
    parse_clauses,
    parse_operands,
    print_end,
    print_operands,
)


@irdl_op_definition
class SliceOp(StableHLOOp):
    """A part whose place is known."""

    name = "stablehlo.slice"

    start_indices = prop_def(DenseArrayBase)
    limit_indices = prop_def(DenseArrayBase)
    strides = prop_def(DenseArrayBase)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        operands = parse_operands(parser)
        ranges: list[tuple[int, int, int]] = []
        parser.parse_punctuation("[")
        while parser.parse_optional_punctuation("]") is None:
            if ranges:
                parser.parse_punctuation(",")
            ranges.append(_parse_range(parser))
        columns: Sequence[Sequence[int]] = [*zip(*ranges, strict=True)] or [()] * 3
        names = "start_indices", "limit_indices", "strides"
        attributes: dict[str, Attribute] = {
            name: DenseArrayBase.from_list(i64, column)
            for name, column in zip(names, columns, strict=True)
        }
        return finish(cls, parser, operands, attributes, Types.FUNCTION)

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        printer.print_string(" ")

        def print_range(bounds: tuple[int, int, int]) -> None:
            start, limit, stride = bounds
            printer.print_string(f"{start}:{limit}")
            if stride != 1:
                printer.print_string(f":{stride}")

        with printer.in_square_brackets():
            printer.print_list(self.ranges, print_range)
        hidden = "start_indices", "limit_indices", "strides"
        print_end(printer, self, Types.FUNCTION, *hidden)

    @property
    def ranges(self) -> Sequence[tuple[int, int, int]]:
        """For each dimension the first index, the end and the step."""
        names = "start_indices", "limit_indices", "strides"
        return [*zip(*map(self.ints, names), strict=True)]

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """As many indices as a range has."""
        return [[len(range(*bounds)) for bounds in self.ranges]]

    @override
    def verify_types(self) -> None:
        """The part is inside of the operand."""
        self.verify_counts(1)
        ranges, shape = self.ranges, self.shape()
        if len(ranges) != len(shape):
            raise VerifyException(f"expected {len(shape)} ranges, got {len(ranges)}")
        for (start, limit, stride), size in zip(ranges, shape, strict=True):
            if not 0 <= start <= limit <= size or stride < 1:
                raise VerifyException(
                    f"{start}:{limit}:{stride} is no part of {size} elements"
                )
        self.verify_inferred(self.element())


def _parse_range(parser: Parser) -> tuple[int, int, int]:
    """`0:4` or `0:4:2`."""
    start = parser.parse_integer()
    parser.parse_punctuation(":")
    limit = parser.parse_integer()
    stride = 1
    if parser.parse_optional_punctuation(":") is not None:
        stride = parser.parse_integer()
    return start, limit, stride


@irdl_op_definition
class DynamicSliceOp(PrettyOp):
    """A part that starts where numbers say, or as near as it fits."""

    name = "stablehlo.dynamic_slice"

    slice_sizes = prop_def(DenseArrayBase)

    ARITY: ClassVar[int | None] = None
    CLAUSES: ClassVar[Sequence[Clause]] = (Clause("slice_sizes", "sizes"),)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        operands = parse_operands(parser)
        parser.parse_punctuation(",")
        # Without starts, StableHLO prints `%0, , sizes = []`. It does not read this
        # text itself. It reads `%0, sizes = []`.
        parser.parse_optional_punctuation(",")
        attributes = parse_clauses(parser, cls.CLAUSES, has_comma=False)
        return finish(cls, parser, operands, attributes, cls.TYPES)

    @override
    def verify_types(self) -> None:
        """There is a start for each dimension, and the part fits."""
        sizes = self.ints("slice_sizes")
        self.verify_counts(1 + len(sizes))
        _verify_starts(self, 1, self.shape(), sizes)
        self.verify_inferred(self.element())

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the part."""
        return [self.ints("slice_sizes")]


@irdl_op_definition
class DynamicUpdateSliceOp(PrettyOp):
    """The tensor with a part replaced that starts where numbers say."""

    name = "stablehlo.dynamic_update_slice"

    ARITY: ClassVar[int | None] = None

    @override
    def verify_types(self) -> None:
        """There is a start for each dimension, and the part fits."""
        if len(self.values) < 2:
            raise VerifyException("expected a tensor and an update")
        self.verify_counts(2 + len(self.shape()))
        _verify_starts(self, 2, self.shape(), self.shape(1))
        self.verify_inferred(self.element())
        if self.element(1) != self.element():
            raise VerifyException("expected an update with the elements of the tensor")

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the tensor."""
        return [self.shape()]


def _verify_starts(
    op: StableHLOOp, first: int, shape: Sequence[int], sizes: Sequence[int]
) -> None:
    for number in range(first, len(op.values)):
        if op.shape(number):
            raise VerifyException(f"expected operand {number} to be one number")
    if len(sizes) != len(shape) or any(
        not 0 <= size <= whole for size, whole in zip(sizes, shape, strict=True)
    ):
        raise VerifyException(f"{list(sizes)} is no part of {list(shape)}")


@irdl_op_definition
class PadOp(PrettyOp):
    """The elements with others around and between; negative: with fewer."""

    name = "stablehlo.pad"

    edge_padding_low = prop_def(DenseArrayBase)
    edge_padding_high = prop_def(DenseArrayBase)
    interior_padding = prop_def(DenseArrayBase)

    ARITY: ClassVar[int | None] = 2
    CLAUSES: ClassVar[Sequence[Clause]] = (
        Clause("edge_padding_low", "low"),
        Clause("edge_padding_high", "high"),
        Clause("interior_padding", "interior"),
    )

    @property
    def paddings(self) -> Sequence[tuple[int, int, int]]:
        """For each dimension: in front, behind, and between."""
        names = (clause.attribute for clause in self.CLAUSES)
        return [*zip(*map(self.ints, names), strict=True)]

    @override
    def verify_types(self) -> None:
        """The result has room for the elements and the padding."""
        shape, paddings = self.shape(), self.paddings
        if len(paddings) != len(shape) or any(p[2] < 0 for p in paddings):
            raise VerifyException(f"expected {len(shape)} paddings, none of it inside")
        if self.shape(1) or self.element(1) != self.element():
            raise VerifyException(f"expected one number of type {self.element()}")
        self.verify_inferred(self.element())

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """The elements and the padding."""
        pairs = zip(self.shape(), self.paddings, strict=True)
        return [
            [
                low + size + max(size - 1, 0) * interior + high
                for size, (low, high, interior) in pairs
            ]
        ]


@irdl_op_definition
class GatherOp(StableHLOOp):
    """Parts that start where a tensor says, or as near as they fit."""

    name = "stablehlo.gather"

    dimension_numbers = prop_def(GatherAttr)
    slice_sizes = prop_def(DenseArrayBase)
    indices_are_sorted = opt_prop_def(BoolAttr)

    @override
    def verify_types(self) -> None:
        """The parts fit, and the result has room for them."""
        self.verify_counts(2)
        shape, sizes = self.shape(), self.ints("slice_sizes")
        if len(sizes) != len(shape) or any(
            not 0 <= size <= whole for size, whole in zip(sizes, shape, strict=True)
        ):
            raise VerifyException(f"{list(sizes)} is no part of {list(shape)}")
        gone = self._collapsed()
        if any(not 0 <= d < len(shape) or sizes[d] > 1 for d in gone):
            raise VerifyException("expected collapsed dimensions of size 1")
        self.verify_inferred(self.element())

    def _collapsed(self) -> set[int]:
        """The dimensions of parts that the result does not have."""
        numbers = self.dimension_numbers
        return {
            *numbers.dims("collapsed_slice_dims"),
            *numbers.dims("operand_batching_dims"),
        }

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the indices, and of the parts."""
        numbers, sizes = self.dimension_numbers, self.ints("slice_sizes")
        indices, gone = self.shape(1), self._collapsed()
        offsets = iter([size for d, size in enumerate(sizes) if d not in gone])
        vector = numbers.number("index_vector_dim")
        batch = iter([size for d, size in enumerate(indices) if d != vector])
        offset_dims = numbers.dims("offset_dims")
        rank = len(sizes) - len(gone) + len(indices) - (vector < len(indices))
        return [[next(offsets if d in offset_dims else batch, -1) for d in range(rank)]]


@irdl_op_definition
class ScatterOp(StableHLOOp):
    """Tensors whose elements are combined with updates at places that a tensor says.

    The region gets an old element of each tensor and then an update for each. Updates
    beyond the tensor are left out.
    """

    name = "stablehlo.scatter"

    scatter_dimension_numbers = prop_def(ScatterAttr)
    indices_are_sorted = opt_prop_def(BoolAttr)
    unique_indices = opt_prop_def(BoolAttr)

    body = region_def("single_block")

    @property
    def count(self) -> int:
        """How many tensors there are."""
        return len(self.values) // 2

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the tensors."""
        return [self.shape(number) for number in range(self.count)]

    @override
    def verify_types(self) -> None:
        """For each tensor there are updates."""
        count = self.count
        self.verify_counts(2 * count + 1, count)
        for number in range(count):
            if self.values[number].type != self.outputs[number].type:
                raise VerifyException("expected results of the types of the tensors")
        if len(self.body.block.args) != 2 * count:
            raise VerifyException(f"expected a region with {2 * count} arguments")
        numbers = self.scatter_dimension_numbers
        windows = numbers.dims("update_window_dims")
        rank = len(self.shape())
        gone = (
            *numbers.dims("inserted_window_dims"),
            *numbers.dims("input_batching_dims"),
        )
        if len(windows) + len(gone) != rank:
            raise VerifyException(f"expected {rank} dimensions of windows")
        updates = self.shape(count + 1)
        vector = numbers.number("index_vector_dim")
        batch = [s for d, s in enumerate(self.shape(count)) if d != vector]
        if batch != [s for d, s in enumerate(updates) if d not in windows]:
            raise VerifyException("expected as many updates as indices")
