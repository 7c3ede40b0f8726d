"""What ops between tensors and buffers, and copies, simplify to.

    %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<?xf32>
    // becomes
    %1 = memref.cast %m : memref<4xf32> to memref<?xf32>

Source of the rules: the folders and canonicalization patterns of MLIR's ops.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import bufferization, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    NoneAttr,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.traits import HasCanonicalizationPatternsTrait
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.quiet_ops import quiet_deallocs_after
from xdsl_bufferization.dialects.common.types import have_same_element_type
from xdsl_bufferization.dialects.tensor.canonicalization.values import known_sizes


class _DropUnusedAllocTensor(RewritePattern):
    """A new tensor that nobody uses."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.AllocTensorOp, rewriter: PatternRewriter
    ) -> None:
        if op.tensor.first_use is None:
            rewriter.erase(op)


class _AllocTensorOfConstantSizes(RewritePattern):
    """Sizes that are known go into the type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.AllocTensorOp, rewriter: PatternRewriter
    ) -> None:
        type_ = op.tensor.type
        if op.copy is not None or not isinstance(type_, TensorType):
            return
        known, left = known_sizes(type_, op.dynamic_sizes)
        if known == type_:
            return
        new = bufferization.AllocTensorOp(known, left, None, op.size_hint)
        properties = dict(op.properties)
        properties.pop("operandSegmentSizes", None)
        new.properties.update(properties)
        new.attributes.update(op.attributes)
        rewriter.replace(op, [new, tensor.CastOp(new.tensor, type_)])


class AllocTensorCanonicalization(HasCanonicalizationPatternsTrait):
    """How `bufferization.alloc_tensor` is simplified."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (_DropUnusedAllocTensor(), _AllocTensorOfConstantSizes())


class _DropFreedClone(RewritePattern):
    """A copy that is only freed need not be made."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.CloneOp, rewriter: PatternRewriter
    ) -> None:
        user = op.output.get_user_of_unique_use()
        if isinstance(user, memref.DeallocOp):
            rewriter.erase(user)
            rewriter.erase(op)


class _ReuseFreedBuffer(RewritePattern):
    """A clone of what is freed right away, or that is, need not be made.

    Between the two, no memory is written to, so that both have the same contents.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.CloneOp, rewriter: PatternRewriter
    ) -> None:
        source, target = op.input, op.output
        if not _is_certainly(source.type, target.type):
            return
        lasts = True
        for dealloc in quiet_deallocs_after(op):
            freed = dealloc.memref
            if freed is source or (freed is target and lasts):
                rewriter.erase(dealloc)
                self._replace(op, rewriter)
                return
            if freed is target:
                return
            lasts = lasts and _are_distinct(freed, source)

    def _replace(self, op: bufferization.CloneOp, rewriter: PatternRewriter) -> None:
        if op.input.type == op.output.type:
            rewriter.replace(op, [], [op.input])
        else:
            rewriter.replace(op, memref.CastOp.get(op.input, op.output.type))


def _are_distinct(first: SSAValue, second: SSAValue) -> bool:
    """Whether two values are different allocations. When unsure: False."""
    new = (memref.AllocOp, bufferization.CloneOp)
    return (
        first is not second
        and isinstance(first.owner, new)
        and isinstance(second.owner, new)
    )


class CloneCanonicalization(HasCanonicalizationPatternsTrait):
    """How `bufferization.clone` is simplified."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (_DropFreedClone(), _ReuseFreedBuffer())


class _ToTensorOfToBuffer(RewritePattern):
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


class ToTensorCanonicalization(HasCanonicalizationPatternsTrait):
    """How `bufferization.to_tensor` is simplified."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (_ToTensorOfToBuffer(),)


class _ToBufferOfToTensor(RewritePattern):
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
        elif _is_certainly(source, dest):
            rewriter.replace(op, memref.CastOp.get(to_tensor.memref, dest))


def _is_certainly(source: Attribute, dest: Attribute) -> bool:
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


class _ToBufferOfCast(RewritePattern):
    """A cast of a tensor becomes one of its buffer."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter
    ) -> None:
        cast, dest = op.tensor.owner, op.memref.type
        if not isinstance(cast, tensor.CastOp) or not isinstance(dest, MemRefType):
            return
        source = cast.source.type
        if not isinstance(source, TensorType) or not isinstance(dest.layout, NoneAttr):
            return
        shape = source.get_shape()
        type_ = MemRefType(dest.element_type, shape, dest.layout, dest.memory_space)
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


class ToBufferCanonicalization(HasCanonicalizationPatternsTrait):
    """How `bufferization.to_buffer` is simplified."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (_ToBufferOfToTensor(), _ToBufferOfCast())
