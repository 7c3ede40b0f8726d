"""Clones that need not be made: one of the two buffers is freed soon.

%b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
%x = memref.load %b[%i] : memref<4xf32>    // loads from %a
memref.dealloc %b : memref<4xf32>          // goes away
"""

from typing_extensions import override
from xdsl.dialects import bufferization, memref
from xdsl.dialects.builtin import MemRefType, UnregisteredOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from ...common.quiet_ops import is_quiet, quiet_deallocs_after
from ...common.types import have_compatible_shapes
from ...memref.canonicalization.values import source_of_cast
from ...memref.layouts import has_identity_layout
from ...memref.views import ReshapeOp, are_cast_compatible
from .conversions import is_certainly


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

    Between the two, no memory is written to, so that both have the same contents. An op
    that nobody knows, and that has only the clone, is trusted: MLIR's definition of
    `bufferization.clone` forbids to write to a clone.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.CloneOp, rewriter: PatternRewriter
    ) -> None:
        source, target = op.input, op.output
        if not _may_stand_for(source.type, target.type):
            return
        whole = _whole_buffer(source)
        lasts = True
        for dealloc in quiet_deallocs_after(op, lambda each: _is_quiet(each, whole)):
            freed = dealloc.memref
            if freed is source or freed is whole or (freed is target and lasts):
                rewriter.erase(dealloc)
                self._replace(op, rewriter)
                return
            if freed is target:
                return
            lasts = lasts and _are_distinct(freed, whole)

    def _replace(self, op: bufferization.CloneOp, rewriter: PatternRewriter) -> None:
        if op.input.type == op.output.type:
            rewriter.replace(op, [], [op.input])
        else:
            rewriter.replace(op, memref.CastOp.get(op.input, op.output.type))


def _whole_buffer(value: SSAValue) -> SSAValue:
    """The buffer that `value` is another shape of, or `value` itself.

    Freeing one of the two is freeing the other.
    """
    while isinstance(owner := value.owner, memref.CastOp | ReshapeOp):
        value = owner.operands[0]
    return value


def _is_quiet(op: Operation, source: SSAValue) -> bool:
    if not isinstance(op, UnregisteredOp):
        return is_quiet(op)
    return not op.regions and all(
        _whole_buffer(operand) is not source for operand in op.operands
    )


def _may_stand_for(source: Attribute, dest: Attribute) -> bool:
    """Whether a buffer of type `source` may be used as one of type `dest`.

    A clone has the shape of its source, but the layout that its own type says.
    """
    if source == dest or is_certainly(source, dest):
        return True
    return (
        isa(source, MemRefType)
        and isa(dest, MemRefType)
        and has_identity_layout(source)
        and has_identity_layout(dest)
        and are_cast_compatible(source, dest)
    )


def _are_distinct(first: SSAValue, second: SSAValue) -> bool:
    """Whether two values are different allocations. When unsure: False."""
    new = (memref.AllocOp, bufferization.CloneOp)
    return (
        first is not second
        and isinstance(first.owner, new)
        and isinstance(second.owner, new)
    )


class CloneLooksThroughCast(RewritePattern):
    """A clone of a cast buffer is one of the buffer."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.CloneOp, rewriter: PatternRewriter
    ) -> None:
        source = source_of_cast(op.input)
        if source is not None and have_compatible_shapes(source.type, op.output.type):
            op.operands[0] = source
            rewriter.notify_op_modified(op)
