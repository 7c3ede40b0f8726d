"""What patterns ask about the values that an op uses."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyDenseElement,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...common.static_values import (
    constant_integer,
    decompose_mixed_values,
    fold_constants,
    mixed_values,
)
from ...text.splats import SplatBytes, from_list, splat_of
from ..constraints import ranked_type


def constant_attribute(value: SSAValue) -> Attribute | None:
    """The attribute that an `arith.constant` defines `value` with, or None."""
    owner = value.owner
    return owner.value if isinstance(owner, arith.ConstantOp) else None


def dense_constant(
    value: SSAValue,
) -> DenseIntOrFPElementsAttr[AnyDenseElement] | None:
    """The elements of a tensor that is a constant written out, or None."""
    attribute = constant_attribute(value)
    if not isinstance(attribute, DenseIntOrFPElementsAttr):
        return None
    return cast(DenseIntOrFPElementsAttr[AnyDenseElement], attribute)


def dense_element(
    elements: DenseIntOrFPElementsAttr, position: int
) -> IntegerAttr | FloatAttr | None:
    """One element of a dense constant, without reading the others."""
    type_ = elements.get_element_type()
    if not isinstance(type_, IntegerType | IndexType | AnyFloat):
        return None
    if isinstance(elements.data, SplatBytes):
        data = elements.data.repeated.element
    else:
        width = type_.compile_time_size
        data = elements.data.data[position * width : (position + 1) * width]
    (value,) = type_.unpack(data, 1)
    if isinstance(type_, AnyFloat):
        return FloatAttr(value, type_)
    return IntegerAttr(int(value), type_)


def splat_element(elements: DenseIntOrFPElementsAttr) -> IntegerAttr | FloatAttr | None:
    """What all elements of a dense constant are, to the bit; None if they differ."""
    return None if splat_of(elements) is None else dense_element(elements, 0)


def dense_elements(
    type_: TensorType, values: Sequence[IntegerAttr | FloatAttr]
) -> DenseIntOrFPElementsAttr[AnyDenseElement]:
    """A constant with these elements; one value may stand for all."""
    # The elements have the type that `type_` says, which pyright cannot know.
    return from_list(
        cast(TensorType[IntegerType], type_),
        cast(Sequence[int], [value.value.data for value in values]),
    )


def is_dim_of(size: SSAValue, whole: SSAValue, index: int) -> bool:
    """Whether `size` is `tensor.dim` of `whole` at the constant `index`."""
    dim = size.owner
    return (
        isinstance(dim, tensor.DimOp)
        and dim.source is whole
        and constant_integer(dim.index) == index
    )


def keeps_static_sizes(cast: tensor.CastOp) -> bool:
    """Whether the source of a cast says at least as much as its result.

    Then an op on the result may be one on the source instead.
    """
    source, dest = cast.source.type, cast.dest.type
    return (
        isinstance(source, TensorType)
        and isinstance(dest, TensorType)
        and source.encoding == dest.encoding
        and all(
            before != DYNAMIC_INDEX or after == DYNAMIC_INDEX
            for before, after in zip(source.get_shape(), dest.get_shape(), strict=True)
        )
    )


def known_sizes(
    type_: TensorType, dynamic_sizes: Sequence[SSAValue]
) -> tuple[TensorType, list[SSAValue]]:
    """A tensor type with sizes that are constants in it, and the values left."""
    sizes = fold_constants(mixed_values(type_.get_shape(), dynamic_sizes))
    shape, left = decompose_mixed_values(sizes)
    return TensorType(type_.element_type, shape, type_.encoding), left


def replace_and_cast(op: Operation, new: Operation, rewriter: PatternRewriter) -> None:
    """Replace `op` by `new`, cast to the type of the result of `op`."""
    type_ = ranked_type(op.results[0])
    if new.results[0].type == type_:
        rewriter.replace(op, new)
    else:
        rewriter.replace(op, [new, tensor.CastOp(new, type_)])
