"""Offsets, sizes and strides of slices, of tensors and of buffers.

memref.subview %m[0, %i] [2, 4] [1, 1]
slice_of(op)        Slice(offsets=[0, %i], sizes=[2, 4], strides=[1, 1])
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from xdsl.dialects.builtin import DenseArrayBase, IntegerType
from xdsl.ir import SSAValue

from .arrays import numbers_of
from .static_values import OpFoldResult, fold_constants, mixed_values, static_values


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

    def folded(self, *, zero_strides: bool = True) -> "Slice":
        """The slice with values that are constants as numbers, where they may be.

        Without `zero_strides`, a stride of 0 stays a value.
        """
        return Slice(
            fold_constants(self.offsets),
            fold_constants(self.sizes),
            fold_constants(self.strides, negative=True, zero=zero_strides),
        )


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
