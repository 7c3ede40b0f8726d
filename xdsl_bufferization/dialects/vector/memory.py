"""Ops of MLIR's vector dialect that read and write buffers, but for transfers.

xDSL 0.74 lacks those that gather, scatter, expand and compress, and the alignment of
the others.

    %0 = vector.load %m[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    %1 = vector.gather %m[%i] [%at], %mask, %0
        : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.compressstore %m[%i], %mask, %1 : memref<?xf32>, vector<4xi1>, vector<4xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from collections.abc import Sequence
from itertools import accumulate
from operator import mul

from typing_extensions import override
from xdsl.dialects.builtin import (
    I64,
    BoolAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..memref.layouts import get_strided_form
from .checks import (
    VECTOR,
    BufferReadEffect,
    BufferWriteEffect,
    make_vector,
    shape_and_scalability,
    vector_type,
    verify_alignment,
    verify_element_types,
    verify_indices,
    verify_mask,
    verify_unit_stride,
)

_MASK = VectorType.constr(i1)
_SHAPED = MemRefType.constr() | TensorType.constr()
_POSITIONS = VectorType.constr(BaseAttr(IntegerType) | BaseAttr(IndexType))


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Neighbouring elements of a buffer as a vector."""

    name = "vector.load"

    base = operand_def(MemRefType.constr())
    indices = var_operand_def(IndexType())
    result = result_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr[I64])
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))

    traits = traits_def(BufferReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"
    )

    @override
    def verify_(self) -> None:
        """Buffer, indices and vector fit each other."""
        _verify_rank(self.base.type, self.result.type)
        verify_unit_stride(self.base.type)
        verify_element_types(self.base.type, self.result.type)
        verify_indices(self.base.type, self.indices)
        verify_alignment(self.alignment)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes a vector to neighbouring elements of a buffer."""

    name = "vector.store"

    vector = operand_def(VECTOR)
    base = operand_def(MemRefType.constr())
    indices = var_operand_def(IndexType())
    alignment = opt_prop_def(IntegerAttr[I64])
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))

    traits = traits_def(BufferWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$vector `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($vector)"
    )

    @override
    def verify_(self) -> None:
        """Buffer, indices and vector fit each other."""
        _verify_rank(self.base.type, vector_type(self.vector))
        verify_unit_stride(self.base.type)
        verify_element_types(
            self.base.type, vector_type(self.vector), "base and valueToStore"
        )
        verify_indices(self.base.type, self.indices)
        verify_alignment(self.alignment)


def _verify_rank(base: Attribute, vector: VectorType) -> None:
    """Each dimension of the vector is one of the buffer, or the vector is an element.

    MLIR refuses a vector that is an element as well if it has more dimensions.
    """
    assert isa(base, MemRefType)
    if base.element_type == vector:
        return
    if base.get_num_dims() < vector.get_num_dims():
        raise VerifyException(
            f"memref has lower rank than the vector: '{base}' and '{vector}'"
        )


def _verify_masked(
    base: SSAValue, indices: Sequence[SSAValue], mask: SSAValue, vector_type: VectorType
) -> None:
    verify_element_types(base.type, vector_type)
    verify_indices(base.type, indices)
    verify_mask(mask.type, vector_type)


def _verify_pass_through(op: Operation, pass_through: int) -> None:
    given, result = op.operands[pass_through].type, op.results[0].type
    if given != result:
        raise VerifyException(
            f"expected pass_thru of same type as result type: '{given}' and '{result}'"
        )


class MaskedRead(IRDLOperation):
    """A vector with those elements of a buffer that a mask selects."""

    base = operand_def(_SHAPED)
    indices = var_operand_def(IndexType())
    mask = operand_def(_MASK)
    pass_thru = operand_def(VECTOR)
    result = result_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(BufferReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` "
        "type($mask) `,` type($pass_thru) `into` type($result)"
    )

    @override
    def verify_(self) -> None:
        """Buffer, indices, mask and vectors fit each other."""
        _verify_masked(self.base, self.indices, self.mask, self.result.type)
        _verify_pass_through(self, -1)
        verify_alignment(self.alignment)


@irdl_op_definition
class MaskedLoadOp(MaskedRead):
    """The elements that the mask selects, and those of `pass_thru` elsewhere."""

    name = "vector.maskedload"


@irdl_op_definition
class ExpandLoadOp(MaskedRead):
    """Neighbouring elements, spread over the positions that the mask selects."""

    name = "vector.expandload"

    base = operand_def(MemRefType.constr())


class MaskedWrite(IRDLOperation):
    """Writes those elements of a vector that a mask selects."""

    base = operand_def(_SHAPED)
    indices = var_operand_def(IndexType())
    mask = operand_def(_MASK)
    value_to_store = operand_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(BufferWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` "
        "type($base) `,` type($mask) `,` type($value_to_store)"
    )

    @override
    def verify_(self) -> None:
        """Buffer, indices, mask and vector fit each other."""
        _verify_masked(
            self.base, self.indices, self.mask, vector_type(self.value_to_store)
        )
        verify_alignment(self.alignment)


@irdl_op_definition
class MaskedStoreOp(MaskedWrite):
    """Writes the elements that the mask selects."""

    name = "vector.maskedstore"


@irdl_op_definition
class CompressStoreOp(MaskedWrite):
    """Writes the elements that the mask selects next to each other."""

    name = "vector.compressstore"

    base = operand_def(MemRefType.constr())


def _verify_positions(positions: VectorType, vector_type: VectorType) -> None:
    expected = shape_and_scalability(vector_type)
    if shape_and_scalability(positions) != expected:
        raise VerifyException(
            "expected result dim to match indices dim: "
            f"'{make_vector(positions.element_type, expected)}' and '{positions}'"
        )


@irdl_op_definition
class GatherOp(IRDLOperation):
    """The elements at the given positions, and those of `pass_thru` elsewhere."""

    name = "vector.gather"

    base = operand_def(_SHAPED)
    indices = var_operand_def(IndexType())
    positions = operand_def(_POSITIONS)
    mask = operand_def(_MASK)
    pass_thru = operand_def(VECTOR)
    result = result_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(BufferReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `[` $positions `]` `,` $mask `,` $pass_thru attr-dict "
        "`:` type($base) `,` type($positions) `,` type($mask) `,` type($pass_thru) "
        "`into` type($result)"
    )

    @override
    def verify_(self) -> None:
        """Buffer, indices, positions, mask and vectors fit each other."""
        _verify_masked(self.base, self.indices, self.mask, self.result.type)
        _verify_positions(vector_type(self.positions), self.result.type)
        _verify_pass_through(self, -1)
        verify_alignment(self.alignment)


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """Writes the elements that the mask selects to the given positions."""

    name = "vector.scatter"

    base = operand_def(_SHAPED)
    indices = var_operand_def(IndexType())
    positions = operand_def(_POSITIONS)
    mask = operand_def(_MASK)
    value_to_store = operand_def(VECTOR)
    result = opt_result_def(TensorType.constr())
    alignment = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(BufferWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `[` $positions `]` `,` $mask `,` $value_to_store "
        "attr-dict `:` type($base) `,` type($positions) `,` type($mask) `,` "
        "type($value_to_store) (`->` type($result)^)?"
    )

    @override
    def verify_(self) -> None:
        """Buffer, indices, positions, mask and vector fit each other."""
        _verify_masked(
            self.base, self.indices, self.mask, vector_type(self.value_to_store)
        )
        _verify_positions(vector_type(self.positions), vector_type(self.value_to_store))
        verify_alignment(self.alignment)
        results = [result.type for result in self.results]
        is_tensor = isinstance(self.base.type, TensorType)
        expected = [self.base.type] if is_tensor else []
        if results != expected:
            raise VerifyException(
                f"a scatter to '{self.base.type}' has {len(expected)} results of that "
                "type"
            )


@irdl_op_definition
class TypeCastOp(IRDLOperation):
    """A buffer of the same scalars, or of vectors of them, as one of other vectors."""

    name = "vector.type_cast"

    memref = operand_def(MemRefType.constr())
    result = result_def(MemRefType.constr())

    traits = traits_def(Pure())
    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"

    @override
    def verify_(self) -> None:
        """The source is static and contiguous; the result holds all of it."""
        source, target = self.memref.type, self.result.type
        if not isa(source, MemRefType):
            return
        if not source.has_static_shape() or not _is_row_major(source):
            raise VerifyException(
                "expects operand to be a statically shaped memref with identity "
                f"layout, but got '{source}'"
            )
        if _scalars(source) != _scalars(target):
            raise VerifyException(
                "expects concatenated result and operand shape to be equal: "
                f"'{source}' and '{target}'"
            )
        if source.memory_space != target.memory_space:
            raise VerifyException(
                f"expects result in same memory space: '{source}' and '{target}'"
            )


def _scalars(type_: MemRefType) -> tuple[list[int], Attribute]:
    """The shape of a buffer together with that of its elements, and their type."""
    held = type_.element_type
    if not isa(held, VectorType):
        return [*type_.get_shape()], held
    return [*type_.get_shape(), *held.get_shape()], held.element_type


def _is_row_major(type_: MemRefType) -> bool:
    form = get_strided_form(type_)
    strides = None if form is None or form.offset != 0 else form.strides
    sizes = accumulate(reversed(type_.get_shape()[1:]), mul, initial=1)
    expected = [*sizes][::-1] if type_.get_num_dims() else []
    return strides is not None and list(strides) == expected
