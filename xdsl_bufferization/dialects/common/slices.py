"""Offsets, sizes and strides of slices, of tensors and of buffers.

memref.subview %m[0, %i] [2, 4] [1, 1]
slice_of(op)        Slice(offsets=[0, %i], sizes=[2, 4], strides=[1, 1])
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation, SSAValue

from .arrays import numbers_of, operand_lists
from .static_values import OpFoldResult, fold_constants, mixed_values, static_values


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


_STATIC = ("static_offsets", "static_sizes", "static_strides")


def slice_of(op: Operation) -> Slice:
    """The slice that an op works on; its numbers of operands have been verified.

    The op has the fields of MLIR's OffsetSizeAndStrideOpInterface, as the last ones.
    """
    return mix(static_slice_of(op), operand_lists(op)[-3:])


def static_slice_of(op: Operation) -> list[tuple[int, ...]]:
    """Offsets, sizes and strides as they are written, with a mark for each value."""
    return [
        numbers_of(cast("DenseArrayBase[Any]", op.properties[name])) for name in _STATIC
    ]


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
