"""The buffers of tensors whose dimensions are collapsed or expanded.

memref<2x4x?xf32, strided<[8, 2, 1]>>
    collapse [[0, 1], [2]]   memref<8x?xf32, strided<[2, 1]>>
    collapse [[0], [1, 2]]   not possible: there may be gaps between the rows

Rules of https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcollapse_shape-memrefcollapseshapeop
and its sibling. Strides and sizes that are not known are None.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.interfaces.state import BufferType

_DENSE = NoneAttr()

Extent = int | None
"""A size, stride or offset; None if it is only known at run time."""


def get_reassociation(op: Operation) -> list[list[int]]:
    """For each dimension of the smaller shape, those of the larger one."""
    groups = op.properties["reassociation"]
    assert isa(groups, ArrayAttr[ArrayAttr[IntegerAttr]])
    return [[dimension.value.data for dimension in group] for group in groups]


def collapsed_type(
    op: Operation, source: BufferType, result: TensorType
) -> MemRefType | None:
    """The buffer type of `result` as a view; None if that may not be possible."""
    source, strides = _strided(op, source)
    if isinstance(source.layout, NoneAttr):
        return _like(source, result)
    sizes = _extents(source.get_shape())
    groups = get_reassociation(op)
    if not all(_is_collapsible(group, sizes, strides) for group in groups):
        return None
    layout = StridedLayoutAttr(
        [_collapsed_stride(group, sizes, strides) for group in groups],
        source.get_offset(),
    )
    return _like(source, result, layout)


def expanded_type(op: Operation, source: BufferType, result: TensorType) -> MemRefType:
    """The buffer type of `result`, always a view of `source`."""
    source, strides = _strided(op, source)
    if isinstance(source.layout, NoneAttr):
        return _like(source, result)
    sizes = _extents(result.get_shape())
    expanded: list[Extent] = []
    for group, stride in zip(get_reassociation(op), strides, strict=True):
        inner: list[Extent] = []
        for dimension in reversed(group):
            inner.append(stride)
            stride = _product(stride, sizes[dimension])
        expanded += reversed(inner)
    # A buffer without dimensions expands to any number of them, all of size 1.
    expanded += [1] * (len(sizes) - len(expanded))
    layout = StridedLayoutAttr(expanded, source.get_offset())
    return _like(source, result, layout)


def _is_collapsible(
    group: Sequence[int], sizes: Sequence[Extent], strides: Sequence[Extent]
) -> bool:
    """Whether the elements of the dimensions of `group` surely lie without gaps."""
    group = _without_trailing_units(group, sizes)
    stride = strides[group[-1]]
    for outer, inner in zip(reversed(group[:-1]), reversed(group), strict=False):
        stride = _product(stride, sizes[inner])
        # The stride of a dimension of size 1 has no meaning.
        if sizes[outer] != 1 and (stride is None or stride != strides[outer]):
            return False
    return True


def _collapsed_stride(
    group: Sequence[int], sizes: Sequence[Extent], strides: Sequence[Extent]
) -> Extent:
    group = _without_trailing_units(group, sizes)
    innermost = group[-1]
    # If its size turned out to be 1, its stride would say nothing.
    if len(group) > 1 and sizes[innermost] is None:
        return None
    return strides[innermost]


def _without_trailing_units(
    group: Sequence[int], sizes: Sequence[Extent]
) -> Sequence[int]:
    end = len(group)
    while end > 1 and sizes[group[end - 1]] == 1:
        end -= 1
    return group[:end]


def _strided(op: Operation, source: BufferType) -> tuple[MemRefType, Sequence[Extent]]:
    strides = source.get_strides() if isinstance(source, MemRefType) else None
    if not isa(source, MemRefType) or strides is None:
        fail_at(op, f"cannot reshape a buffer of type {source}: it is not strided")
    return source, strides


def _like(
    source: MemRefType,
    result: TensorType,
    layout: StridedLayoutAttr | NoneAttr = _DENSE,
) -> MemRefType:
    return MemRefType(
        source.element_type, result.get_shape(), layout, source.memory_space
    )


def _extents(sizes: Sequence[int]) -> list[Extent]:
    return [None if size == DYNAMIC_INDEX else size for size in sizes]


def _product(a: Extent, b: Extent) -> Extent:
    return None if a is None or b is None else a * b
