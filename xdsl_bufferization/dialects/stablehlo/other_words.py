"""Ops of StableHLO that JAX does not write, and that say what others say.

    %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<4xf32>) -> tensor<2x4xf32>
    %1 = "stablehlo.dot"(%a, %b) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
    %2 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({ ... }) : ...
    %3 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>

Source: https://openxla.org/stablehlo/spec#ops; `broadcast` and `dot` are of its earlier
versions
"""

from collections.abc import Sequence
from enum import auto
from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects.builtin import (
    AnyFloat,
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    TensorType,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import (
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .attributes import Words
from .reductions import verify_returns
from .shapes import verify_dimensions
from .syntax import (
    Clause,
    PrettyOp,
    StableHLOOp,
    Types,
    finish,
    parse_operands,
    print_end,
    print_operands,
    tensor_type,
)


@irdl_op_definition
class BroadcastOp(PrettyOp):
    """The same elements along new dimensions in front."""

    name = "stablehlo.broadcast"

    broadcast_sizes = prop_def(DenseArrayBase)

    CLAUSES: ClassVar[Sequence[Clause]] = (Clause("broadcast_sizes", "sizes"),)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """The new sizes, and then those of the operand."""
        return [[*self.ints("broadcast_sizes"), *self.shape()]]

    @override
    def verify_types(self) -> None:
        """The result has the new dimensions in front."""
        self.verify_inferred(self.element())


@irdl_op_definition
class DotOp(StableHLOOp):
    """The product of vectors or matrices."""

    name = "stablehlo.dot"

    precision_config = opt_prop_def()

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """All sizes but the last of the first and the first of the second."""
        return [[*self.shape(0)[:-1], *self.shape(1)[1:]]]

    @override
    def verify_types(self) -> None:
        """The last size of the first is the first size of the second."""
        self.verify_counts(2)
        left, right = self.shape(0), self.shape(1)
        if not (1 <= len(left) <= 2 and 1 <= len(right) <= 2):
            raise VerifyException("expected vectors or matrices")
        if left[-1] != right[0]:
            raise VerifyException(
                f"expected one size of what is summed, but got {left[-1]} and "
                f"{right[0]}"
            )
        self.verify_inferred(self.result_element)


@irdl_op_definition
class MapOp(StableHLOOp):
    """The elements that a region gives for the elements at each place."""

    name = "stablehlo.map"

    dimensions = prop_def(DenseArrayBase)

    computation = region_def("single_block")

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the tensors."""
        return [self.shape()]

    @override
    def verify_types(self) -> None:
        """All tensors have one shape, and the region takes an element of each."""
        if not self.values:
            raise VerifyException("expected at least one tensor")
        self.verify_counts(len(self.values))
        if self.ints("dimensions") != tuple(range(len(self.shape()))):
            raise VerifyException("expected all dimensions in order")
        self.verify_result(self.shape(), self.result_element)
        expected = [
            TensorType(type_.element_type, [])
            for type_ in map(tensor_type, (*self.values, *self.outputs))
        ]
        shapes = [tensor_type(value).get_shape() for value in self.values]
        if any(shape != self.shape() for shape in shapes):
            raise VerifyException("expected tensors of one shape")
        *arguments, returned = expected
        if list(self.computation.block.arg_types) != arguments:
            raise VerifyException("expected a region with an element of each tensor")
        verify_returns(self.computation.block, [returned])


@irdl_op_definition
class BatchNormInferenceOp(StableHLOOp):
    """Elements with the mean and the variance of their feature made 0 and 1.

    Then each is multiplied by the scale of its feature, and the offset is added.
    """

    name = "stablehlo.batch_norm_inference"

    epsilon = prop_def(FloatAttr)
    feature_index = prop_def(IntegerAttr)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the tensor."""
        return [self.shape()]

    @override
    def verify_types(self) -> None:
        """There are numbers for each feature."""
        self.verify_counts(5)
        feature = self.integer("feature_index")
        verify_dimensions((feature,), len(self.shape()))
        if not isinstance(self.element(), AnyFloat):
            raise VerifyException("expected floating-point numbers")
        for number in range(1, 5):
            if (self.shape(number), self.element(number)) != (
                (self.shape()[feature],),
                self.element(),
            ):
                raise VerifyException(
                    f"expected {self.shape()[feature]} numbers of {self.element()} as "
                    f"operand {number}"
                )
        self.verify_inferred(self.element())


class Transpose(Words):
    """What a triangular matrix is taken for."""

    TRANSPOSE_INVALID = auto()
    NO_TRANSPOSE = auto()
    TRANSPOSE = auto()
    ADJOINT = auto()


@irdl_attr_definition
class TransposeAttr(EnumAttribute[Transpose], SpacedOpaqueSyntaxAttribute):
    """What a triangular matrix is taken for."""

    name = "stablehlo.transpose"


@irdl_op_definition
class TriangularSolveOp(StableHLOOp):
    """X of op(A) X = B, or of X op(A) = B, for each matrix of a batch."""

    name = "stablehlo.triangular_solve"

    left_side = prop_def(BoolAttr)
    lower = prop_def(BoolAttr)
    unit_diagonal = prop_def(BoolAttr)
    transpose_a = prop_def(TransposeAttr)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of B."""
        return [self.shape(1)]

    @override
    def verify_types(self) -> None:
        """A is square, and has as many rows as there are equations."""
        self.verify_counts(2)
        a, b = self.shape(0), self.shape(1)
        if len(a) != len(b) or len(a) < 2 or a[:-2] != b[:-2]:
            raise VerifyException("expected matrices, or batches of one shape")
        if a[-1] != a[-2] or a[-1] != b[-2 if self.left_side else -1]:
            raise VerifyException(f"expected a square matrix that fits {list(b[-2:])}")
        self.verify_inferred(self.element())


@irdl_op_definition
class CholeskyOp(StableHLOOp):
    """Cholesky's factor of each matrix of a batch: L of L L^T, or U of U^T U."""

    name = "stablehlo.cholesky"

    lower = prop_def(BoolAttr)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        operands = parse_operands(parser)
        parser.parse_punctuation(",")
        parser.parse_keyword("lower")
        parser.parse_punctuation("=")
        lower: Attribute = BoolAttr.from_bool(parser.parse_boolean())
        return finish(cls, parser, operands, {"lower": lower}, Types.SAME)

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        printer.print_string(f", lower = {'true' if self.lower else 'false'}")
        print_end(printer, self, Types.SAME, "lower")

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the matrices."""
        return [self.shape()]

    @override
    def verify_types(self) -> None:
        """The matrices are square."""
        self.verify_counts(1)
        shape = self.shape()
        if len(shape) < 2 or shape[-1] != shape[-2]:
            raise VerifyException("expected square matrices")
        self.verify_inferred(self.element())
