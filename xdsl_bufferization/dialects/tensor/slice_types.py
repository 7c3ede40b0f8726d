"""Offsets, sizes and strides of slices, and what types and tensors they fit.

    tensor.extract_slice %t[0, %n] [1, 4] [1, 2] : tensor<8x8xf32> to tensor<4xf32>

The slice has the type `tensor<1x4xf32>`, of which the op may drop sizes of 1.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, TensorType
from xdsl.ir import SSAValue

from ..common.arrays import numbers_of
from ..common.static_values import OpFoldResult, mixed_values, static_values


class HasSlice(Protocol):
    """An op with the fields of MLIR's OffsetSizeAndStrideOpInterface."""

    @property
    def offsets(self) -> Sequence[SSAValue]:
        """The offsets that are values."""
        ...

    @property
    def sizes(self) -> Sequence[SSAValue]:
        """The sizes that are values."""
        ...

    @property
    def strides(self) -> Sequence[SSAValue]:
        """The strides that are values."""
        ...

    @property
    def static_offsets(self) -> DenseArrayBase[IntegerType]:
        """The offsets, with a mark for each that is a value."""
        ...

    @property
    def static_sizes(self) -> DenseArrayBase[IntegerType]:
        """The sizes, with a mark for each that is a value."""
        ...

    @property
    def static_strides(self) -> DenseArrayBase[IntegerType]:
        """The strides, with a mark for each that is a value."""
        ...


class Slice(NamedTuple):
    """Offsets, sizes and strides, one of each for every dimension."""

    offsets: Sequence[OpFoldResult]
    sizes: Sequence[OpFoldResult]
    strides: Sequence[OpFoldResult]

    def shape(self) -> tuple[int, ...]:
        """The sizes as the shape of a type."""
        return tuple(static_values(self.sizes))


def slice_of(op: HasSlice) -> Slice:
    """The slice that an op works on; its numbers of operands have been verified."""
    static = (op.static_offsets, op.static_sizes, op.static_strides)
    return mix(map(numbers_of, static), (op.offsets, op.sizes, op.strides))


def mix(
    static: Iterable[tuple[int, ...]], dynamic: Iterable[Sequence[SSAValue]]
) -> Slice:
    """The slice of numbers that are known, and of values for the others."""
    return Slice(
        *(
            mixed_values(numbers, values) if values else [*numbers]
            for numbers, values in zip(static, dynamic, strict=True)
        )
    )


def out_of_bounds(piece: Slice, shape: Sequence[int]) -> str | None:
    """Why a slice certainly lies outside a tensor of this shape, if it does."""
    for index, (size, offset, count, stride) in enumerate(
        zip(shape, *piece, strict=True)
    ):
        if size == DYNAMIC_INDEX or not isinstance(offset, int):
            continue
        if offset >= size:
            return f"offset {index} is out-of-bounds: {offset} >= {size}"
        if not isinstance(count, int) or not isinstance(stride, int):
            continue
        if (last := offset + (count - 1) * stride) >= size:
            return f"slice along dimension {index} runs out-of-bounds: {last} >= {size}"
    return None


def dropped_dimensions(
    shape: Sequence[int], reduced: Sequence[int]
) -> frozenset[int] | None:
    """The sizes of 1 in `shape` without which it is `reduced`, None if it never is."""
    dropped: list[int] = []
    kept = 0
    for index, size in enumerate(shape):
        if kept < len(reduced) and size == reduced[kept]:
            kept += 1
        elif size == 1:
            dropped.append(index)
        else:
            return None
    return frozenset(dropped) if kept == len(reduced) else None


def part_type_error(expected: TensorType, part: TensorType) -> str | None:
    """Why `part` is not `expected` with some sizes of 1 dropped, if it is not."""
    if part.get_num_dims() > expected.get_num_dims():
        return (
            f"expected the rank of {part} to be smaller or equal to that of the slice, "
            f"{expected}"
        )
    if dropped_dimensions(expected.get_shape(), part.get_shape()) is None:
        return (
            f"expected type to be '{expected}' or a rank-reduced version. "
            f"(size mismatch), but got '{part}'"
        )
    if expected.element_type != part.element_type:
        return (
            f"expected element type to be '{expected.element_type}', but got '{part}'"
        )
    return None
