"""Ops of StableHLO that make tensors, or show the elements in another shape.

    %c = stablehlo.constant dense<1> : tensor<4xui32>
    %0 = stablehlo.iota dim = 1 : tensor<4x9xi32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<4xui32>) -> ...
    %2 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, ...) -> ...

Source: https://openxla.org/stablehlo/spec#ops
"""

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar, Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IntegerAttr,
)
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from ..common.making import make
from ..linalg.syntax import shown_attributes
from .syntax import Clause, PrettyOp, StableHLOOp, Types


@irdl_op_definition
class ConstantOp(StableHLOOp):
    """Known elements."""

    name = "stablehlo.constant"

    value = prop_def(Attribute)

    traits = traits_def(Pure(), ConstantLike())

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        start = parser.pos
        value = parser.parse_attribute()
        if not isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr):
            parser.raise_error("expected dense elements", start, parser.pos)
        type_ = cast(Any, value).type
        return make(
            cls,
            operands=[[]],
            result_types=[[type_]],
            properties={"value": cast(Attribute, value)},
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(shown_attributes(self, "value"))
        printer.print_string(" ")
        printer.print_attribute(self.value)

    @override
    def verify_types(self) -> None:
        """The elements have the type of the result."""
        self.verify_counts(0)
        type_ = cast(Any, self.value).type
        if type_ != self.outputs[0].type:
            raise VerifyException(f"expected a result of type {type_}")


@irdl_op_definition
class IotaOp(PrettyOp):
    """The index in one dimension."""

    name = "stablehlo.iota"

    iota_dimension = prop_def(IntegerAttr)

    ARITY: ClassVar[int | None] = 0
    CLAUSES: ClassVar[Sequence[Clause]] = (
        Clause("iota_dimension", "dim", is_list=False),
    )
    TYPES: ClassVar[Types] = Types.RESULT

    @override
    def verify_types(self) -> None:
        """The dimension is one of the result's."""
        verify_dimensions((self.integer("iota_dimension"),), len(self.result_shape))


@irdl_op_definition
class ReshapeOp(PrettyOp):
    """The same elements in another shape."""

    name = "stablehlo.reshape"

    @override
    def verify_types(self) -> None:
        """There are as many elements as before."""
        before, after = self.shape(), self.result_shape
        if prod(before) != prod(after) or self.element() != self.result_element:
            raise VerifyException(
                f"expected {prod(before)} elements of {self.element()}, but got "
                f"{self.outputs[0].type}"
            )


@irdl_op_definition
class BroadcastInDimOp(PrettyOp):
    """The same elements along new dimensions, and along those of size 1."""

    name = "stablehlo.broadcast_in_dim"

    broadcast_dimensions = prop_def(DenseArrayBase)

    CLAUSES: ClassVar[Sequence[Clause]] = (Clause("broadcast_dimensions", "dims"),)

    @property
    def dims(self) -> tuple[int, ...]:
        """For each dimension of the operand that of the result."""
        return self.ints("broadcast_dimensions")

    @override
    def verify_types(self) -> None:
        """Each dimension of the operand has a place in the result."""
        shape, result = self.shape(), self.result_shape
        verify_dimensions(self.dims, len(result))
        if len(self.dims) != len(shape) or self.element() != self.result_element:
            raise VerifyException(
                f"{self.values[0].type} does not become {self.outputs[0].type} by "
                f"dims = {list(self.dims)}"
            )
        for size, dim in zip(shape, self.dims, strict=True):
            if size not in (1, result[dim]):
                raise VerifyException(
                    f"expected size 1 or {result[dim]} for dimension {dim} of the "
                    f"result, but the operand has {size}"
                )


@irdl_op_definition
class TransposeOp(PrettyOp):
    """The same elements with dimensions in another order."""

    name = "stablehlo.transpose"

    permutation = prop_def(DenseArrayBase)

    CLAUSES: ClassVar[Sequence[Clause]] = (Clause("permutation", "dims"),)

    @override
    def verify_types(self) -> None:
        """The dimensions are those of the operand, each once."""
        shape, order = self.shape(), self.ints("permutation")
        if sorted(order) != list(range(len(shape))):
            raise VerifyException(
                f"expected the dimensions 0 to {len(shape) - 1}, each once, but got "
                f"{list(order)}"
            )
        self.verify_inferred(self.element())

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operand in another order."""
        return [[self.shape()[d] for d in self.ints("permutation")]]


@irdl_op_definition
class ReverseOp(PrettyOp):
    """The elements in the opposite order along dimensions."""

    name = "stablehlo.reverse"

    dimensions = prop_def(DenseArrayBase)

    CLAUSES: ClassVar[Sequence[Clause]] = (Clause("dimensions", "dims"),)
    TYPES: ClassVar[Types] = Types.SAME

    @override
    def verify_types(self) -> None:
        """The result has the type of the operand."""
        verify_dimensions(self.ints("dimensions"), len(self.shape()))
        self.verify_inferred(self.element())

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operand."""
        return [self.shape()]


@irdl_op_definition
class ConcatenateOp(PrettyOp):
    """Tensors one behind the other along a dimension."""

    name = "stablehlo.concatenate"

    dimension = prop_def(IntegerAttr)

    ARITY: ClassVar[int | None] = None
    CLAUSES: ClassVar[Sequence[Clause]] = (Clause("dimension", "dim", is_list=False),)

    @override
    def verify_types(self) -> None:
        """All sizes but one are equal, and that one is the sum."""
        if not self.values:
            raise VerifyException("expected at least one operand")
        self.verify_counts(len(self.values))
        dim, shape = self.integer("dimension"), [*self.shape()]
        verify_dimensions((dim,), len(shape))
        for number in range(1, len(self.values)):
            other = [*self.shape(number)]
            if len(other) != len(shape) or self.element(number) != self.element():
                raise VerifyException("expected operands of one rank and element type")
            other[dim] = shape[dim]
            if other != shape:
                raise VerifyException(
                    f"expected operands of one size but in dimension {dim}"
                )
        self.verify_inferred(self.element())

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the first, but for one, which is the sum."""
        dim, shape = self.integer("dimension"), [*self.shape()]
        shape[dim] = sum(self.shape(n)[dim] for n in range(len(self.values)))
        return [shape]


def verify_dimensions(dimensions: tuple[int, ...], rank: int) -> None:
    """Each is a dimension of a tensor of `rank`, and none is there twice."""
    for dim in dimensions:
        if not 0 <= dim < rank:
            raise VerifyException(f"dimension {dim} must be at least 0, below {rank}")
    if len(set(dimensions)) != len(dimensions):
        raise VerifyException(f"a dimension is twice in {list(dimensions)}")
