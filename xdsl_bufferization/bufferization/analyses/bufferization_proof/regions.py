"""Parts of buffers: which two may overlap, and which one is inside of another.

    %1 = tensor.extract_slice %0[%i, 0] [4, 8] [1, 1]      // rows %i .. %i + 3 of %0
    %2 = tensor.expand_shape %1 ...                        // a frame inside of these

A part is a box of a frame. The elements of a buffer are one frame, and a tensor whose
dimensions are not those of its buffer has a frame of its own, inside of a part.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import takewhile
from typing import NamedTuple, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, Operation, SSAValue

from ...interfaces.boxes import Box, Extent, Linear, extent_of
from ...interfaces.operands import is_ranked_tensor_type
from ...interfaces.subset import WHOLE

_ZERO = Linear(0)
_NO_BLOCKS: frozenset[Block] = frozenset()


@dataclass(eq=False)
class Frame:
    """The elements of a buffer, or of a part of a buffer, by coordinates."""

    around: Region | None = None
    """The part that this frame counts anew; None for all of a buffer."""


class Region(NamedTuple):
    """A box of a frame."""

    frame: Frame

    extents: tuple[Extent, ...] | None
    """By dimension of the frame; None if any element may be inside."""

    key: tuple[Hashable, ...] | None
    """Equal keys are equal boxes, `()` is all of the frame, None equals nothing."""

    blocks: frozenset[Block] = _NO_BLOCKS
    """The blocks that define what `extents`, `key` and `inside` name."""

    inside: tuple[Hashable, ...] = ()
    """Without a key: the key of a box that is around all of this, as slices of slices
    are inside of these."""

    @property
    def around(self) -> tuple[Hashable, ...]:
        """The key of the smallest box that is known to be around all of this."""
        return self.inside if self.key is None else self.key


class Axis(NamedTuple):
    """A dimension of a tensor, as a dimension of its frame."""

    dimension: int
    start: Linear | None
    stride: int | None


class View(NamedTuple):
    """Where the elements of a tensor are."""

    region: Region

    axes: tuple[Axis, ...] | None
    """By dimension of the tensor; None if it is not known which element is where."""


def whole_view(type_: object, around: Region | None = None) -> View:
    """A tensor that has a frame for itself."""
    frame = Frame(around)
    if not is_ranked_tensor_type(type_):
        return View(Region(frame, None, ()), None)
    extents = tuple(
        Extent(_ZERO, None if size == DYNAMIC_INDEX else size)
        for size in type_.get_shape()
    )
    axes = tuple(Axis(n, _ZERO, 1) for n in range(len(extents)))
    return View(Region(frame, extents, ()), axes)


def anywhere_in(frame: Frame) -> Region:
    """Any element of a frame, unlike any part that is known."""
    return Region(frame, None, None)


def around_all(regions: Sequence[Region]) -> Region:
    """Any element of the smallest box that is known to be around all of the parts."""
    outer = [_in_buffer(region) for region in regions]
    inside = reduce(_common_start, (region.around for region in outer))
    blocks = _NO_BLOCKS.union(*(region.blocks for region in outer))
    return Region(outer[0].frame, None, None, blocks, inside)


def stands_for(first: Region, second: Region) -> bool:
    """Whether `first` is any element of a box that is around all of `second`."""
    if first.extents is not None or first.key is not None:
        return False
    outer = _in_buffer(second)
    inside = first.inside
    return first.frame is outer.frame and outer.around[: len(inside)] == inside


def _in_buffer(region: Region) -> Region:
    """What is around a part, as a part of the whole buffer."""
    while region.frame.around is not None:
        region = region.frame.around
    return region


def _common_start(
    first: tuple[Hashable, ...], second: tuple[Hashable, ...]
) -> tuple[Hashable, ...]:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return tuple(key for key, _ in same)


# --- parts of parts ------------------------------------------------------------------


def part_of(view: View, box: Box | None, key: Hashable) -> View:
    """The view of a subset of a tensor: `key` and `box` are those of `SubsetOp`."""
    region = view.region
    if key == WHOLE:
        return view
    if box is not None and view.axes is not None and _is_all(box, view.axes, region):
        # What leaves out dimensions of size 1 has the same elements.
        return View(region, _kept(box, view.axes))
    joined = None if region.key is None else (*region.key, key)
    blocks = region.blocks | _blocks_of(key)
    if box is None or view.axes is None or region.extents is None:
        return View(region._replace(key=joined, blocks=blocks), None)
    extents = list(region.extents)
    axes: list[Axis] = []
    for axis, offset, size, stride in zip(
        view.axes, box.offsets, box.sizes, box.strides, strict=True
    ):
        step = _times(axis.stride, stride)
        start = _moved(axis, offset)
        extents[axis.dimension] = extent_of(start, size, step)
        axes.append(Axis(axis.dimension, start, step))
        blocks |= _blocks_of(offset)
    part = Region(region.frame, tuple(extents), joined, blocks, region.inside)
    return View(part, _kept(box, axes))


def _is_all(box: Box, axes: Sequence[Axis], region: Region) -> bool:
    """Whether a box is all of the tensor with these axes in a part."""
    extents = region.extents
    return extents is not None and all(
        offset == _ZERO
        and axis.stride == stride == 1
        and size is not None
        and size == extents[axis.dimension].span
        for axis, offset, size, stride in zip(
            axes, box.offsets, box.sizes, box.strides, strict=True
        )
    )


def _kept(box: Box, axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """The axes of what is taken out, in which dimensions of size 1 may lack."""
    kept = range(len(axes)) if box.kept is None else box.kept
    return tuple(axes[number] for number in kept)


def _times(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first * second


def _moved(axis: Axis, offset: Linear) -> Linear | None:
    if axis.start is None or axis.stride is None:
        return None
    return axis.start.plus(offset.times(axis.stride))


def _blocks_of(key: object) -> frozenset[Block]:
    """The blocks that define the values and ops in a key."""
    if isinstance(key, Linear):
        return _blocks_of(tuple(value for value, _ in key.terms))
    if isinstance(key, tuple):
        parts = cast("tuple[object, ...]", key)
        return _NO_BLOCKS.union(*map(_blocks_of, parts))
    if isinstance(key, SSAValue):
        block = key.owner if isinstance(key.owner, Block) else key.owner.parent
    elif isinstance(key, Operation):
        block = key.parent
    else:
        return _NO_BLOCKS
    assert block is not None
    return frozenset((block,))


# --- comparing -----------------------------------------------------------------------


def may_overlap(first: Region, second: Region) -> bool:
    """Whether two parts of one buffer may share an element. When unsure: True."""
    first, second = _in_one_frame(first, second)
    if first.extents is None or second.extents is None:
        return True
    return not any(
        a.is_disjoint(b) for a, b in zip(first.extents, second.extents, strict=True)
    )


def is_same(first: Region, second: Region) -> bool:
    """Whether two parts are the same elements. When unsure: False."""
    first, second = _outermost(first), _outermost(second)
    if first.frame is not second.frame:
        return False
    if first.key is not None and first.key == second.key:
        return True
    return (
        first.extents is not None
        and first.extents == second.extents
        and all(map(_is_known, first.extents))
    )


def is_inside(first: Region, second: Region) -> bool:
    """Whether every element of `first` is in `second`. When unsure: False."""
    second = _outermost(second)
    while first.frame is not second.frame:
        if first.frame.around is None:
            return False
        first = first.frame.around
    if second.key is not None and first.around[: len(second.key)] == second.key:
        return True
    if first.extents is None or second.extents is None:
        return False
    return all(
        a.is_inside(b) or (a == b and _is_known(a))
        for a, b in zip(first.extents, second.extents, strict=True)
    )


def are_one_if_as_large(first: View, second: View) -> bool:
    """Whether two tensors of equal sizes are the same elements. When unsure: False.

    They are if one is inside of the other, and if steps through both are the same.
    """
    one, other = first.region, second.region
    if one.frame is not other.frame or not _have_equal_steps(first, second):
        return False
    return is_inside(one, other) or is_inside(other, one)


def _have_equal_steps(first: View, second: View) -> bool:
    if first.axes is None or second.axes is None or len(first.axes) != len(second.axes):
        return False
    return all(
        a.dimension == b.dimension and a.stride is not None and a.stride == b.stride
        for a, b in zip(first.axes, second.axes, strict=True)
    )


def _outermost(region: Region) -> Region:
    """The same elements, counted in the outermost frame that has them as a box."""
    while region.key == () and region.frame.around is not None:
        region = region.frame.around
    return region


def _is_known(extent: Extent) -> bool:
    return extent.start is not None and extent.span is not None


def _in_one_frame(first: Region, second: Region) -> tuple[Region, Region]:
    """Two parts of one buffer as boxes of one frame that is around both."""
    parts: dict[Frame, Region] = {}
    around: Region | None = first
    while around is not None:
        parts[around.frame] = around
        around = around.frame.around
    while second.frame not in parts:
        assert second.frame.around is not None, "both are in one buffer"
        second = second.frame.around
    return parts[second.frame], second


# --- moving --------------------------------------------------------------------------


def moved(region: Region, source: View, target: View) -> Region:
    """A part of a tensor where a copy of the tensor has it.

    `region` is in the buffer of the source, and the result in that of the target.
    """
    anywhere = anywhere_inside(target.region)
    if (
        region.extents is None
        or region.frame is not source.region.frame
        or source.axes is None
        or target.axes is None
        or target.region.extents is None
        or len(source.axes) != len(target.axes)
    ):
        return anywhere
    extents = list(target.region.extents)
    blocks = region.blocks | target.region.blocks | source.region.blocks
    for axis, other in zip(source.axes, target.axes, strict=True):
        extent = _shifted(region.extents[axis.dimension], axis, other)
        if extent is not None:
            extents[other.dimension] = extent
    return anywhere._replace(extents=tuple(extents), blocks=blocks)


def anywhere_inside(region: Region) -> Region:
    """Any element of a part, unlike any part that is known."""
    return region._replace(key=None, inside=region.around)


def _shifted(extent: Extent, source: Axis, target: Axis) -> Extent | None:
    if extent.start is None or source.start is None or target.start is None:
        return None
    if source.stride != 1 or target.stride != 1:
        return None
    start = extent.start.plus(source.start.times(-1)).plus(target.start)
    return extent._replace(start=start)


def widened(region: Region, is_known: Callable[[Block], bool]) -> Region:
    """A part, without what is named after values of blocks that are not known."""
    if not region.blocks or all(map(is_known, region.blocks)):
        return region
    extents = region.extents
    if extents is not None:
        extents = tuple(
            extent
            if all(map(is_known, _blocks_of(extent.start)))
            else Extent(None, None)
            for extent in extents
        )
    blocks = frozenset(filter(is_known, region.blocks))
    inside = tuple(
        takewhile(lambda key: all(map(is_known, _blocks_of(key))), region.around)
    )
    return Region(region.frame, extents, None, blocks, inside)
