"""Ops of MLIR's vector dialect that rearrange elements.

xDSL 0.74 lacks those below that are not amendments.

    %0 = vector.shape_cast %v : vector<4x8xf32> to vector<32xf32>
    %1 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from collections.abc import Sequence
from math import prod
from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
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
from xdsl.utils.hints import isa

from .checks import VECTOR, make_vector, minor_bits, shape_and_scalability, vector_type


def _verify_same_elements(first: VectorType, second: VectorType) -> None:
    if first.element_type != second.element_type:
        raise VerifyException(
            f"source/result element types must match: '{first}' and '{second}'"
        )


class BitcastOp(vector.BitcastOp):
    """What `vector.bitcast` should check."""

    @override
    def verify_(self) -> None:
        """Only the last dimension changes, to one of as many bits."""
        source, result = vector_type(self.source), vector_type(self.result)
        outer = source.get_shape()[:-1], result.get_shape()[:-1]
        if source.get_num_dims() != result.get_num_dims() or outer[0] != outer[1]:
            raise VerifyException(
                "source and result must have the same sizes but the last: "
                f"'{source}' and '{result}'"
            )
        if minor_bits(source) != minor_bits(result):
            raise VerifyException(
                "source/result bitwidth of the minor 1-D vectors must be equal: "
                f"'{source}' and '{result}'"
            )


class BroadcastOp(vector.BroadcastOp):
    """What `vector.broadcast` should check."""

    @override
    def verify_(self) -> None:
        """Each size of the source is that of the result, counted from the end, or 1."""
        source, result = self.source.type, self.vector.type
        if not isa(source, VectorType):
            if source != result.element_type:
                raise VerifyException(
                    f"source/result element types must match: '{source}' and '{result}'"
                )
            return
        _verify_same_elements(source, result)
        given, wanted = shape_and_scalability(source), shape_and_scalability(result)
        if len(given) > len(wanted):
            raise VerifyException(
                f"source rank higher than destination rank: '{source}' and '{result}'"
            )
        for (size, scalable), target in zip(
            reversed(given), reversed(wanted), strict=False
        ):
            if (size, scalable) != target and (size, scalable) != (1, False):
                raise VerifyException(
                    f"dimension mismatch ({size} vs. {target[0]}): '{source}' and "
                    f"'{result}'"
                )


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """The same elements in the same order, in another shape."""

    name = "vector.shape_cast"

    source = operand_def(VECTOR)
    result = result_def(VECTOR)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    @override
    def verify_(self) -> None:
        """Both have as many elements."""
        source, result = vector_type(self.source), self.result.type
        _verify_same_elements(source, result)
        if prod(source.get_shape()) != prod(result.get_shape()):
            raise VerifyException(
                f"source/result number of elements must match: '{source}' and "
                f"'{result}'"
            )
        scalable = [sum(map(bool, t.get_scalable_dims())) for t in (source, result)]
        if scalable[0] != scalable[1]:
            raise VerifyException(
                "different number of scalable dims at source "
                f"({scalable[0]}) and result ({scalable[1]})"
            )


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Dimension `i` of the result is dimension `permutation[i]` of the vector."""

    name = "vector.transpose"

    vector = operand_def(VECTOR)
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VECTOR)

    traits = traits_def(Pure())
    assembly_format = (
        "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"
    )

    @override
    def verify_(self) -> None:
        """The permutation is one, and the result has the permuted sizes."""
        source, permutation = vector_type(self.vector), self.permutation.get_values()
        dimensions = shape_and_scalability(source)
        if len(permutation) != len(dimensions):
            raise VerifyException(
                "transposition length mismatch: "
                f"{len(permutation)} for rank {len(dimensions)}"
            )
        if sorted(permutation) != list(range(len(dimensions))):
            raise VerifyException(f"transposition is not a permutation: {permutation}")
        expected = make_vector(
            source.element_type, [dimensions[i] for i in permutation]
        )
        if self.result.type != expected:
            raise VerifyException(
                f"dimension size mismatch: expected '{expected}', got "
                f"'{self.result.type}'"
            )


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """The elements of two vectors in turn, in the last dimension."""

    name = "vector.interleave"

    T: ClassVar[VarConstraint[VectorType]] = VarConstraint("T", VECTOR)

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(VECTOR)

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"

    @override
    def verify_(self) -> None:
        """The last dimension of the result is twice as long; of 0-d vectors, 2."""
        _verify_interleaved(vector_type(self.lhs), self.result.type)


@irdl_op_definition
class DeinterleaveOp(IRDLOperation):
    """The elements of the last dimension at even, and those at odd positions."""

    name = "vector.deinterleave"

    T: ClassVar[VarConstraint[VectorType]] = VarConstraint("T", VECTOR)

    source = operand_def(VECTOR)
    res1 = result_def(T)
    res2 = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"

    @override
    def verify_(self) -> None:
        """The last dimension of the source is twice as long."""
        if not self.res1.type.get_shape():
            raise VerifyException("results must have at least one dimension")
        _verify_interleaved(self.res1.type, vector_type(self.source))


def _verify_interleaved(half: VectorType, whole: VectorType) -> None:
    *outer, (size, scalable) = shape_and_scalability(half) or [(1, False)]
    expected = make_vector(half.element_type, [*outer, (2 * size, scalable)])
    if whole != expected:
        raise VerifyException(
            f"the last dimension of '{whole}' must be twice as long as that of '{half}'"
        )


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """A vector of the given elements, in row-major order."""

    name = "vector.from_elements"

    elements = var_operand_def(AnyAttr())
    dest = result_def(VECTOR)

    traits = traits_def(Pure())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        operands = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        if not isa(type_, VectorType):
            parser.raise_error("expected a vector type", start, parser.pos)
        types = [type_.element_type] * len(operands or ())
        return cls.create(
            operands=parser.resolve_operands(operands or (), types, start),
            result_types=[type_],
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(vector_type(self.dest))

    @override
    def verify_(self) -> None:
        """There is an operand for each element."""
        _verify_elements(
            vector_type(self.dest), [value.type for value in self.elements]
        )


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """The elements of a vector, in row-major order."""

    name = "vector.to_elements"

    source = operand_def(VECTOR)
    elements = var_result_def(AnyAttr())

    traits = traits_def(Pure())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        source = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        if not isa(type_, VectorType):
            parser.raise_error("expected a vector type", start, parser.pos)
        return cls.create(
            operands=[parser.resolve_operand(source, type_)],
            result_types=[type_.element_type] * prod(type_.get_shape()),
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(vector_type(self.source))

    @override
    def verify_(self) -> None:
        """There is a result for each element."""
        _verify_elements(vector_type(self.source), self.result_types)


def _verify_elements(type_: VectorType, types: Sequence[Attribute]) -> None:
    if len(types) != prod(type_.get_shape()):
        raise VerifyException(
            f"number of elements must match: {len(types)} for '{type_}'"
        )
    if any(given != type_.element_type for given in types):
        raise VerifyException(
            f"elements must have the type '{type_.element_type}' of the elements of "
            f"'{type_}'"
        )


@irdl_op_definition
class StepOp(IRDLOperation):
    """The vector 0, 1, 2, ..."""

    name = "vector.step"

    result = result_def(VectorType.constr(IndexType()))

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    @override
    def verify_(self) -> None:
        """The vector has one dimension."""
        if self.result.type.get_num_dims() != 1:
            raise VerifyException(
                f"result must be 1-D vector of index values, but got "
                f"'{self.result.type}'"
            )


@irdl_op_definition
class VectorScaleOp(IRDLOperation):
    """By how much scalable vectors are longer than their type says."""

    name = "vector.vscale"

    res = result_def(IndexType())

    traits = traits_def(Pure())
    assembly_format = "attr-dict"
