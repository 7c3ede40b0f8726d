"""A buffer while its function is being lowered.

MLIR builds the descriptor struct at every step and relies on LLVM to take it apart
again. Here the parts stay apart, and what the type knows stays a Python number, so
that a static shape costs no instruction; the struct exists at function boundaries
only.

    %v = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<8x4xf32> to ...
        -> Buffer(allocated=%p, aligned=%p, offset=%i * 4, sizes=(1, 4), strides=(4, 1))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult

from .types import PTR, BufferType, Extent


@dataclass(frozen=True)
class Buffer:
    """The fields of a memref descriptor, in elements (see `abi`)."""

    type: BufferType
    allocated: SSAValue
    aligned: SSAValue
    offset: OpFoldResult
    sizes: tuple[OpFoldResult, ...]
    strides: tuple[OpFoldResult, ...]

    def retyped(self, type: BufferType) -> Buffer:
        """Return this buffer as `type`, whose static parts win over the dynamic."""
        return self.view(type, self.offset, self.sizes, self.strides)

    def view(
        self,
        type: BufferType,
        offset: OpFoldResult,
        sizes: Sequence[OpFoldResult],
        strides: Sequence[OpFoldResult],
    ) -> Buffer:
        """Return a part of this buffer, or the same elements in another order."""
        return make_buffer(type, self.allocated, self.aligned, offset, sizes, strides)


@dataclass(frozen=True)
class Unranked:
    """An unranked memref: a number of dimensions, and where a descriptor of it is."""

    rank: SSAValue
    descriptor: SSAValue


def make_buffer(
    type: BufferType,
    allocated: SSAValue,
    aligned: SSAValue,
    offset: OpFoldResult,
    sizes: Sequence[OpFoldResult],
    strides: Sequence[OpFoldResult],
) -> Buffer:
    """Return a buffer whose static parts are those of `type`."""
    return Buffer(
        type,
        allocated,
        aligned,
        _known(type.offset, offset),
        tuple(map(_known, type.sizes, sizes)),
        tuple(map(_known, type.strides, strides)),
    )


def _known(static: Extent, dynamic: OpFoldResult) -> OpFoldResult:
    return dynamic if static is None else static


def carried_types(type: BufferType, index: Attribute) -> list[Attribute]:
    """Return the types of what a block argument must carry: only what can vary.

    `index` is what an index becomes.
    """
    dynamic = [type.offset, *type.sizes, *type.strides].count(None)
    return [PTR, PTR, *([index] * dynamic)]


def carried_fields(buffer: Buffer, type: BufferType) -> list[OpFoldResult]:
    """Return the fields of `buffer` that a block argument of `type` carries."""
    statics = (type.offset, *type.sizes, *type.strides)
    fields = (buffer.offset, *buffer.sizes, *buffer.strides)
    dynamic = [
        field for static, field in zip(statics, fields, strict=True) if static is None
    ]
    return [buffer.allocated, buffer.aligned, *dynamic]


def buffer_from_carried(type: BufferType, values: Iterator[SSAValue]) -> Buffer:
    """Return the buffer that a block argument of `type` carries."""
    allocated, aligned = next(values), next(values)

    def field(static: Extent) -> OpFoldResult:
        return next(values) if static is None else static

    offset = field(type.offset)
    sizes = tuple(field(size) for size in type.sizes)
    strides = tuple(field(stride) for stride in type.strides)
    return Buffer(type, allocated, aligned, offset, sizes, strides)


def buffer_from_arguments(type: BufferType, values: Iterator[SSAValue]) -> Buffer:
    """Return the buffer of a function's expanded arguments: every field travels."""
    allocated, aligned, offset = next(values), next(values), next(values)
    sizes = [next(values) for _ in type.sizes]
    strides = [next(values) for _ in type.strides]
    return make_buffer(type, allocated, aligned, offset, sizes, strides)
