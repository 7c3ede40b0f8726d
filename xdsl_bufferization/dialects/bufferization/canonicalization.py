"""Canonicalization patterns of the bufferization dialect, by op.

    %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<?xf32>
    // becomes
    %1 = memref.cast %m : memref<4xf32> to memref<?xf32>

A dealloc drops what is never freed, given twice or retained twice:

    bufferization.dealloc (%a, %a, %b : ...) if (%c, %d, %false)
    // becomes
    %e = arith.ori %c, %d : i1
    bufferization.dealloc (%a : ...) if (%e)

Source of the rules: the folders and canonicalization patterns of MLIR's ops.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, bufferization, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.bufferization.deallocation import DeallocOp
from xdsl_bufferization.dialects.common.quiet_ops import quiet_deallocs_after
from xdsl_bufferization.dialects.common.types import have_same_element_type
from xdsl_bufferization.dialects.tensor.canonicalization.values import known_sizes


class DropUnusedAllocTensor(RewritePattern):
    """A new tensor that nobody uses."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.AllocTensorOp, rewriter: PatternRewriter
    ) -> None:
        if op.tensor.first_use is None:
            rewriter.erase(op)


class AllocTensorOfConstantSizes(RewritePattern):
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


class DropFreedClone(RewritePattern):
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


class ReuseFreedBuffer(RewritePattern):
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


class ToBufferOfCast(RewritePattern):
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


class SimplifyDealloc(RewritePattern):
    """What is never freed, or given twice, is dropped."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter) -> None:
        due: dict[SSAValue, SSAValue] = {}
        new_ops: list[Operation] = []
        for value, condition in zip(op.memrefs, op.conditions, strict=True):
            if _constant(condition) is False:
                continue
            value = _allocation(value)
            if value in due:
                condition = _either(due[value], condition, new_ops)
            due[value] = condition
        retained = tuple(dict.fromkeys(op.retained))
        if tuple(due) == tuple(op.memrefs) and len(retained) == len(op.retained):
            return
        rewriter.insert(new_ops, InsertPoint.before(op))
        new = DeallocOp(tuple(due), tuple(due.values()), retained)
        new.attributes.update(op.attributes)
        results = dict(zip(retained, new.updated_conditions, strict=True))
        rewriter.replace(op, new, [results[value] for value in op.retained])


class DropEmptyDealloc(RewritePattern):
    """Where nothing is freed, nothing was due."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter) -> None:
        if op.memrefs:
            return
        if not op.retained:
            rewriter.erase(op)
            return
        false = arith.ConstantOp(IntegerAttr(0, i1))
        rewriter.replace(op, false, [false.result] * len(op.retained))


class DropUnusedAlloc(RewritePattern):
    """An allocation that is only freed need not be made."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter) -> None:
        unused = {value for value in op.memrefs if _is_used_once(value)}
        if not unused:
            return
        kept = [
            (value, condition)
            for value, condition in zip(op.memrefs, op.conditions, strict=True)
            if value not in unused
        ]
        memrefs, conditions = [v for v, _ in kept], [c for _, c in kept]
        new = DeallocOp(memrefs, conditions, op.retained)
        new.attributes.update(op.attributes)
        rewriter.replace(op, new)
        for value in unused:
            assert isinstance(value.owner, Operation)
            rewriter.erase(value.owner)


def _is_used_once(value: SSAValue) -> bool:
    return (
        isinstance(value.owner, memref.AllocOp)
        and value.get_user_of_unique_use() is not None
    )


def _allocation(value: SSAValue) -> SSAValue:
    """The allocation whose base buffer `value` is, or `value` itself."""
    owner = value.owner
    if (
        isinstance(owner, memref.ExtractStridedMetaDataOp)
        and value is owner.base_buffer
        and isinstance(owner.source.owner, memref.AllocOp)
    ):
        return owner.source
    return value


def _constant(condition: SSAValue) -> bool | None:
    owner = condition.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return bool(owner.value.value.data)
    return None


def _either(first: SSAValue, second: SSAValue, new_ops: list[Operation]) -> SSAValue:
    """A condition that holds if one of two does."""
    if first is second or _constant(first) is True:
        return first
    if _constant(second) is True:
        return second
    new_ops.append(either := arith.OrIOp(first, second))
    return either.result


PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "bufferization.alloc_tensor": (
        DropUnusedAllocTensor(),
        AllocTensorOfConstantSizes(),
    ),
    "bufferization.clone": (DropFreedClone(), ReuseFreedBuffer()),
    "bufferization.dealloc": (DropEmptyDealloc(), SimplifyDealloc(), DropUnusedAlloc()),
    "bufferization.to_buffer": (ToBufferOfToTensor(), ToBufferOfCast()),
    "bufferization.to_tensor": (ToTensorOfToBuffer(),),
}
"""The patterns of each op that has some."""
