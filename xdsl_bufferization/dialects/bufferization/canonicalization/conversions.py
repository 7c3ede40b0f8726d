"""Conversions there and back are casts, or copies.

%0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
%1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<?xf32>
    // memref.cast %m : memref<4xf32> to memref<?xf32>
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import bufferization, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from ...common.static_values import index_constant
from ...common.types import have_compatible_shapes, have_same_element_type
from ...common.uses import uses_to_replace
from ...memref.layouts import count_layout_symbols


class ToTensorOfToBuffer(RewritePattern):
    """The contents of a tensor's buffer, before anything can change them."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToTensorOp, rewriter: PatternRewriter
    ) -> None:
        to_buffer = op.memref.owner
        if (
            isinstance(to_buffer, bufferization.ToBufferOp)
            and to_buffer.tensor.type == op.tensor.type
            and to_buffer.next_op is op
        ):
            rewriter.replace(op, [], [to_buffer.tensor])


class ToBufferOfToTensor(RewritePattern):
    """The buffer of a buffer's contents is that buffer, if its type may be changed."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter
    ) -> None:
        to_tensor = op.tensor.owner
        if not isinstance(to_tensor, bufferization.ToTensorOp):
            return
        source, dest = to_tensor.memref.type, op.memref.type
        if source == dest:
            rewriter.replace(op, [], [to_tensor.memref])
        elif is_certainly(source, dest):
            rewriter.replace(op, memref.CastOp.get(to_tensor.memref, dest))
        elif isa(source, MemRefType) and isa(dest, MemRefType):
            copy_to_new_buffer(op, to_tensor.memref, dest, rewriter)


def copy_to_new_buffer(
    op: bufferization.ToBufferOp,
    source: SSAValue,
    dest: MemRefType,
    rewriter: PatternRewriter,
) -> None:
    """A buffer of another layout or memory space than the source is a copy."""
    if not have_compatible_shapes(source.type, dest) or count_layout_symbols(dest):
        return
    new_ops: list[Operation] = []
    sizes: list[SSAValue] = []
    for dim, size in enumerate(dest.get_shape()):
        if size == DYNAMIC_INDEX:
            index = index_constant(dim)
            sizes.append((found := memref.DimOp(source, index)).result)
            new_ops += [index, found]
    alloc = memref.AllocOp.build(operands=[sizes, []], result_types=[dest])
    copy = memref.CopyOp(source, alloc.memref)
    rewriter.replace(op, [*new_ops, alloc, copy], alloc.results)


def is_certainly(source: Attribute, dest: Attribute) -> bool:
    """Whether all that `dest` says of a buffer is true of one of type `source`."""
    if not isa(source, MemRefType) or not isa(dest, MemRefType):
        return False
    if source.memory_space != dest.memory_space:
        return False
    if not have_same_element_type(source, dest):
        return False
    strides = source.get_strides(), dest.get_strides()
    if strides[0] is None or strides[1] is None:
        return source.layout == dest.layout and _agree(
            source.get_shape(), dest.get_shape(), DYNAMIC_INDEX
        )
    return (
        _agree(source.get_shape(), dest.get_shape(), DYNAMIC_INDEX)
        and _agree(strides[0], strides[1], None)
        and _agree([source.get_offset()], [dest.get_offset()], None)
    )


def _agree(
    known: Sequence[int | None], said: Sequence[int | None], unknown: int | None
) -> bool:
    """Whether every number that is `said` is the one that is `known`."""
    return len(known) == len(said) and all(
        b in (a, unknown) for a, b in zip(known, said, strict=True)
    )


class ToBufferOfCast(RewritePattern):
    """A cast of a tensor becomes one of its buffer."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter
    ) -> None:
        cast, dest = op.tensor.owner, op.memref.type
        if not isinstance(cast, tensor.CastOp):
            return
        source = cast.source.type
        type_ = _with_shape_of(source, dest)
        if type_ is None:
            return
        new = bufferization.ToBufferOp.build(
            operands=[cast.source],
            result_types=[type_],
            properties=op.properties,
            attributes=op.attributes,
        )
        if type_ == dest:
            rewriter.replace(op, new)
        else:
            rewriter.replace(op, [new, memref.CastOp.get(new.memref, dest)])


def _with_shape_of(source: Attribute, dest: Attribute) -> MemRefType | None:
    """The type of the buffer of `source` that can be cast to `dest`."""
    if not isinstance(source, TensorType):
        return None
    shape = source.get_shape()
    if isa(dest, UnrankedMemRefType):
        return MemRefType(dest.element_type, shape, memory_space=dest.memory_space)
    if not isa(dest, MemRefType):
        return None
    is_kept = isinstance(dest.layout, NoneAttr | StridedLayoutAttr)
    if not is_kept or len(shape) != dest.get_num_dims():
        return None
    return MemRefType(dest.element_type, shape, dest.layout, dest.memory_space)


class LoadsOfToBuffer(RewritePattern):
    """An element of a tensor's buffer is one of the tensor, if nobody writes to it.

    %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
    memref.load %m[%i] : memref<4xf32>    // tensor.extract %t[%i]

    MLIR replaces each load, even where a store to the buffer comes first. Here the
    buffer has no users but loads, and the tensor has no other buffer.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter
    ) -> None:
        if not op.tensor.has_one_use() or not isinstance(op.tensor.type, TensorType):
            return
        if not all(isinstance(use.operation, memref.LoadOp) for use in op.memref.uses):
            return
        for user in [use.operation for use in op.memref.uses]:
            new = tensor.ExtractOp(op.tensor, user.operands[1:], user.results[0].type)
            rewriter.replace(user, new)


class DimsOfToTensor(RewritePattern):
    """A size of a buffer's contents is a size of the buffer."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToTensorOp, rewriter: PatternRewriter
    ) -> None:
        for use in uses_to_replace(op.tensor):
            user = use.operation
            if isinstance(user, tensor.DimOp):
                rewriter.replace(user, memref.DimOp(op.memref, user.index))
