"""The buffers of tensors whose dimensions are collapsed or expanded.

memref<2x4x?xf32, strided<[8, 2, 1]>>
    collapse [[0, 1], [2]]   memref<8x?xf32, strided<[2, 1]>>
    collapse [[0], [1, 2]]   not possible: there may be gaps between the rows

The types are those that `memref.expand_shape` and `memref.collapse_shape` ask for; a
view must be sure to exist, though, where those two assume it.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, MemRefType, TensorType
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.reshape_algebra import numbers_of
from xdsl_bufferization.dialects.memref.layouts import (
    get_strided_form,
    has_identity_layout,
    multiply,
    static_or_none,
)
from xdsl_bufferization.dialects.memref.reshapes import (
    get_collapsed_type,
    get_expanded_type,
)
from xdsl_bufferization.support.errors import fail_at

from ..interfaces.state import BufferType

Extent = int | None
"""A size or stride; None if it is only known at run time."""


def collapsed_type(
    op: Operation, source: BufferType, result: TensorType
) -> MemRefType | None:
    """The buffer type of `result` as a view; None if that may not be possible."""
    source, strides = _strided(op, source)
    groups = _groups_of(op)
    sizes = static_or_none(source.get_shape())
    if has_identity_layout(source) or all(
        _is_collapsible(group, sizes, strides) for group in groups
    ):
        return get_collapsed_type(source, groups, result.get_shape())
    return None


def expanded_type(op: Operation, source: BufferType, result: TensorType) -> MemRefType:
    """The buffer type of `result`, always a view of `source`."""
    source, _ = _strided(op, source)
    return get_expanded_type(source, _groups_of(op), result.get_shape())


def _groups_of(op: Operation) -> Sequence[Sequence[int]]:
    """For each dimension of the smaller shape, those of the larger one."""
    groups = op.properties["reassociation"]
    assert isa(groups, ArrayAttr[ArrayAttr[IntegerAttr]])
    return numbers_of(groups)


def _is_collapsible(
    group: Sequence[int], sizes: Sequence[Extent], strides: Sequence[Extent]
) -> bool:
    """Whether the elements of the dimensions of `group` surely lie without gaps."""
    group = _without_trailing_units(group, sizes)
    stride = strides[group[-1]]
    for outer, inner in zip(reversed(group[:-1]), reversed(group), strict=False):
        stride = multiply(stride, sizes[inner])
        # The stride of a dimension of size 1 has no meaning.
        if sizes[outer] != 1 and (stride is None or stride != strides[outer]):
            return False
    return True


def _without_trailing_units(
    group: Sequence[int], sizes: Sequence[Extent]
) -> Sequence[int]:
    end = len(group)
    while end > 1 and sizes[group[end - 1]] == 1:
        end -= 1
    return group[:end]


def _strided(op: Operation, source: BufferType) -> tuple[MemRefType, Sequence[Extent]]:
    form = get_strided_form(source) if isa(source, MemRefType) else None
    if not isa(source, MemRefType) or form is None:
        fail_at(op, f"cannot reshape a buffer of type {source}: it is not strided")
    return source, form.strides
