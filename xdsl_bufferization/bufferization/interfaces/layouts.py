"""Buffer types and their layouts: which there are for a tensor, and which fit which.

tensor<4x?xf32>
memref<4x?xf32>                               identity: row-major and dense
memref<4x?xf32, strided<[?, ?], offset: ?>>   fully dynamic: any layout fits
"""

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefLayoutAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.memref.layouts import get_strided_form
from xdsl_bufferization.support.identity_cache import cached_by_identity

from .options import LayoutMapOption
from .state import BufferType, is_buffer_type

_NO_MEMORY_SPACE = NoneAttr()


def identity_layout_type(
    tensor: Attribute, memory_space: Attribute = _NO_MEMORY_SPACE
) -> BufferType:
    """The dense, row-major buffer type for a tensor type."""
    return _find_identity_layout_type(tensor, memory_space)


def fully_dynamic_layout_type(
    type_: Attribute, memory_space: Attribute = _NO_MEMORY_SPACE
) -> BufferType:
    """The buffer type with any strides and any offset for a tensor type."""
    return _find_fully_dynamic_layout_type(type_, memory_space)


# The same object for equal types, which makes them quick to compare.


@cached_by_identity
@lru_cache(maxsize=1024)
def _find_identity_layout_type(
    tensor: Attribute, memory_space: Attribute
) -> BufferType:
    return _buffer_type(tensor, NoneAttr(), memory_space)


@cached_by_identity
@lru_cache(maxsize=1024)
def _find_fully_dynamic_layout_type(
    type_: Attribute, memory_space: Attribute
) -> BufferType:
    if not isa(type_, TensorType):
        return _buffer_type(type_, NoneAttr(), memory_space)
    layout = StridedLayoutAttr([None] * type_.get_num_dims(), None)
    return _buffer_type(type_, layout, memory_space)


def boundary_type(
    tensor: Attribute,
    option: LayoutMapOption,
    memory_space: Attribute = _NO_MEMORY_SPACE,
) -> BufferType:
    """The buffer type for a tensor that comes from where nothing is known of it."""
    if option is LayoutMapOption.IDENTITY_LAYOUT_MAP:
        return identity_layout_type(tensor, memory_space)
    return fully_dynamic_layout_type(tensor, memory_space)


def join_types(
    tensor: Attribute, first: BufferType | None, second: BufferType | None
) -> BufferType | None:
    """The buffer type of a value that is one of two buffers; None is not yet known.

    Different layouts join to the fully dynamic one, as in MLIR.
    """
    if first is second or first is None or second is None or first == second:
        return second if first is None else first
    return fully_dynamic_layout_type(tensor, first.memory_space)


def is_cast_safe(source: Attribute, target: Attribute) -> bool:
    """Whether `memref.cast` from `source` to `target` holds for every buffer."""
    if not is_buffer_type(source) or not is_buffer_type(target):
        return False
    if source.element_type != target.element_type:
        return False
    if source.memory_space != target.memory_space:
        return False
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return isinstance(target, UnrankedMemRefType)
    if len(source.shape) != len(target.shape):
        return False
    return _fits(source.get_shape(), target.get_shape()) and _layout_fits(
        source, target
    )


def _layout_fits(source: MemRefType, target: MemRefType) -> bool:
    if source.layout == target.layout:
        return True
    given, wanted = get_strided_form(source), get_strided_form(target)
    if given is None or wanted is None:
        return False
    strides = wanted.strides
    if isinstance(target.layout, NoneAttr):
        # Strides that the default layout leaves open are those of the sizes, not any.
        strides = tuple(MemRefType.strides_for_shape(source.get_shape()))
        if None in strides:
            return False
    return _fits((given.offset, *given.strides), (wanted.offset, *strides))


def _fits(source: Sequence[int | None], target: Sequence[int | None]) -> bool:
    """Whether each number of `target` is dynamic or the one of `source`."""
    return all(
        b is None or b == DYNAMIC_INDEX or a == b
        for a, b in zip(source, target, strict=True)
    )


def is_identity_layout(layout: MemRefLayoutAttr | NoneAttr) -> bool:
    """Whether a layout attribute spells out the default layout."""
    if isinstance(layout, AffineMapAttr):
        map_ = layout.data
        return map_ == type(map_).identity(map_.num_dims)
    return isinstance(layout, NoneAttr)


def with_identity_layout(type_: MemRefType) -> MemRefType:
    """The dense, row-major type for buffers of the shape of `type_`."""
    return MemRefType(type_.element_type, type_.shape, memory_space=type_.memory_space)


def with_layout(
    tensor: TensorType,
    layout: MemRefLayoutAttr | NoneAttr,
    memory_space: Attribute = _NO_MEMORY_SPACE,
) -> MemRefType:
    """The buffer type for a tensor type with a given layout."""
    if is_identity_layout(layout):
        layout = NoneAttr()
    return MemRefType(tensor.element_type, tensor.shape, layout, memory_space)


def _buffer_type(
    type_: Attribute, layout: MemRefLayoutAttr | NoneAttr, memory_space: Attribute
) -> BufferType:
    if isa(type_, TensorType):
        return MemRefType(type_.element_type, type_.shape, layout, memory_space)
    if isa(type_, UnrankedTensorType):
        return UnrankedMemRefType.from_type(type_.element_type, memory_space)
    raise TypeError(f"{type_} is not a tensor type")
