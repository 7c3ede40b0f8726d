"""What the ops of the vector dialect check, and the attributes that xDSL lacks.

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from collections.abc import Sequence
from math import prod

from typing_extensions import override
from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    MemRefType,
    ShapedType,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.irdl import irdl_attr_definition
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind
from xdsl.utils.bitwise_casts import is_power_of_two
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum
from xdsl.utils.type import get_element_type_or_self

from ..common.enums import InAngleBrackets
from ..memref.layouts import get_strided_form

VECTOR = VectorType.constr()
"""Any vector."""

_INDEX_BITS = 64


def vector_type(value: SSAValue) -> VectorType:
    """The type of a value that is a vector."""
    if not isa(value.type, VectorType):
        raise VerifyException(f"expected a vector, but got '{value.type}'")
    return value.type


class IteratorType(StrEnum):
    """How a dimension of a contraction is iterated."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"


@irdl_attr_definition
class IteratorTypeAttr(InAngleBrackets, EnumAttribute[IteratorType]):
    """`#vector.iterator_type<parallel>`."""

    name = "vector.iterator_type"


class Punctuation(StrEnum):
    """What follows a printed value."""

    NO_PUNCTUATION = "no_punctuation"
    NEWLINE = "newline"
    COMMA = "comma"
    OPEN = "open"
    CLOSE = "close"


@irdl_attr_definition
class PunctuationAttr(InAngleBrackets, EnumAttribute[Punctuation]):
    """`#vector.punctuation<newline>`."""

    name = "vector.punctuation"


def shape_and_scalability(type_: VectorType) -> list[tuple[int, bool]]:
    """Each size, and whether it is a multiple of what the processor has."""
    return list(
        zip(type_.get_shape(), map(bool, type_.get_scalable_dims()), strict=True)
    )


def make_vector(
    element_type: Attribute, dimensions: Sequence[tuple[int, bool]]
) -> VectorType:
    """The vector type of the given sizes, each with whether it is scalable."""
    scalable = [IntegerAttr(int(flag), i1) for _, flag in dimensions]
    return VectorType(
        element_type, [size for size, _ in dimensions], ArrayAttr(scalable)
    )


def minor_bits(type_: Attribute) -> int | None:
    """The bits of a scalar or of the last dimension of a vector, if they are known."""
    sizes = type_.get_shape()[-1:] if isa(type_, VectorType) else ()
    scalar = get_element_type_or_self(type_)
    if isinstance(scalar, IndexType):
        return prod(sizes, start=_INDEX_BITS)
    return (
        prod(sizes, start=scalar.bitwidth)
        if isinstance(scalar, FixedBitwidthType)
        else None
    )


def verify_indices(base: Attribute, indices: Sequence[SSAValue]) -> None:
    """There is an index for each dimension of a buffer or tensor."""
    rank = base.get_num_dims() if isinstance(base, ShapedType) else 0
    if len(indices) != rank:
        raise VerifyException(f"requires {rank} indices, but got {len(indices)}")


def verify_element_types(
    base: Attribute, vector: VectorType, what: str = "base and result"
) -> None:
    """Buffer or tensor and vector hold the same, or the one holds the other."""
    held = get_element_type_or_self(base)
    if held not in (vector.element_type, vector):
        raise VerifyException(
            f"{what} element types should match: '{held}' and '{vector.element_type}'"
        )


def verify_unit_stride(base: Attribute) -> None:
    """The elements of the innermost dimension of a buffer are next to each other."""
    if isa(base, MemRefType) and base.get_num_dims():
        form = get_strided_form(base)
        if form is None or form.strides[-1] != 1:
            raise VerifyException(
                f"most minor memref dim must have unit stride, but is '{base}'"
            )


def verify_alignment(alignment: IntegerAttr[I64] | None) -> None:
    """An alignment is a power of two."""
    if alignment is None:
        return
    value = alignment.value.data
    if value <= 0 or not is_power_of_two(value):
        raise VerifyException(
            "attribute 'alignment' failed to satisfy constraint: 64-bit signless "
            f"integer attribute whose value is a power of two > 0, but is {value}"
        )


def mask_type(vector: VectorType) -> VectorType:
    """The type of a mask with a bit for each element of a vector."""
    return make_vector(i1, shape_and_scalability(vector))


def verify_mask(mask: Attribute, vector: VectorType, what: str = "result") -> None:
    """A mask has a bit for each element of a vector."""
    expected = mask_type(vector)
    if mask != expected:
        raise VerifyException(
            f"expected {what} dim to match mask dim: '{expected}' and '{mask}'"
        )


def transfer_mask_type(vector: VectorType, map_: AffineMap) -> VectorType | None:
    """The type of a mask: a bit for each position in the buffer, in its order.

    `None` if the map is not a projected permutation of the right rank.
    """
    dimensions = shape_and_scalability(vector)
    if len(map_.results) != len(dimensions):
        return None
    by_position: dict[int, tuple[int, bool]] = {}
    for result, dimension in zip(map_.results, dimensions, strict=True):
        if isinstance(result, AffineDimExpr):
            by_position[result.position] = dimension
        elif not isinstance(result, AffineConstantExpr):
            return None
    return make_vector(i1, [by_position[key] for key in sorted(by_position)])


def static_values(values: ArrayAttr[IntegerAttr[I64]]) -> list[int]:
    """The numbers in an array."""
    return [value.value.data for value in values]


def integers(values: Sequence[int]) -> ArrayAttr[IntegerAttr[I64]]:
    """An array of numbers."""
    return ArrayAttr(IntegerAttr(value, i64) for value in values)


def _effects(op: Operation, kind: MemoryEffectKind) -> frozenset[EffectInstance]:
    return frozenset(
        EffectInstance(kind, operand)
        for operand in op.operands
        if isinstance(operand.type, MemRefType)
    )


class BufferReadEffect(MemoryEffect):
    """The op reads its operands that are buffers; a tensor is a value."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        """A read of each buffer."""
        return _effects(op, MemoryEffectKind.READ)


class BufferWriteEffect(MemoryEffect):
    """The op writes its operands that are buffers; a tensor is a value."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        """A write of each buffer."""
        return _effects(op, MemoryEffectKind.WRITE)
