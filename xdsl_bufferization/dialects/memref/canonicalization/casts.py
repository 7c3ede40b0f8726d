"""Casts that say nothing new disappear, and ops look through casts.

%0 = memref.cast %m : memref<4xf32> to memref<?xf32>
%1 = memref.load %0[%i] : memref<?xf32>      // loads from %m
%2 = memref.cast %0 : memref<?xf32> to memref<4xf32>    // is %m

Source of the rules: the folders of MLIR's memref ops.
"""

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.ir import Operation
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...common.static_values import constant_integer
from ...common.types import have_compatible_shapes
from ..constraints import ranked
from ..layouts import has_identity_layout
from ..views import are_cast_compatible
from .values import source_of_cast, source_that_says_more


class LookThroughCasts(RewritePattern):
    """An op that does not care how much its operands' types say uses what was cast."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        changed = False
        for index, operand in enumerate(op.operands):
            # A buffer that is stored in a buffer of buffers keeps its type.
            is_stored = index == 0 and isinstance(op, memref.StoreOp)
            source = source_of_cast(operand)
            if source is not None and not is_stored:
                op.operands[index] = source
                changed = True
        if changed:
            rewriter.notify_op_modified(op)


class CopyLooksThroughCasts(RewritePattern):
    """As `LookThroughCasts`, unless the copy would contradict itself then."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.CopyOp, rewriter: PatternRewriter) -> None:
        for index in (0, 1):
            source = source_of_cast(op.operands[index])
            other = op.operands[1 - index]
            if source is None or not have_compatible_shapes(source.type, other.type):
                continue
            op.operands[index] = source
            rewriter.notify_op_modified(op)


class CastOfCast(RewritePattern):
    """Two casts are one, if the types at both ends agree."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.CastOp, rewriter: PatternRewriter) -> None:
        source = source_of_cast(op.source)
        if source is None:
            return
        if source.type == op.dest.type:
            rewriter.replace(op, [], [source])
        elif are_cast_compatible(source.type, op.dest.type):
            op.operands[0] = source
            rewriter.notify_op_modified(op)


class ViewLooksThroughCast(RewritePattern):
    """Bytes are at the same place, however many of them are known to be there."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.ViewOp, rewriter: PatternRewriter) -> None:
        source = source_that_says_more(op.source)
        if source is not None and has_identity_layout(ranked(source)):
            op.operands[0] = source
            rewriter.notify_op_modified(op)


class ViewOfEverything(RewritePattern):
    """Bytes seen as the same bytes."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.ViewOp, rewriter: PatternRewriter) -> None:
        type_ = ranked(op.result)
        if op.source.type != type_ or not type_.has_static_shape():
            return
        if constant_integer(op.byte_shift) == 0:
            rewriter.replace(op, [], [op.source])


class AlignmentIsKnown(RewritePattern):
    """A larger power of two divides the address already."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.AssumeAlignmentOp, rewriter: PatternRewriter
    ) -> None:
        inner = op.memref.owner
        if not isinstance(inner, memref.AssumeAlignmentOp):
            return
        if inner.alignment.value.data >= op.alignment.value.data:
            rewriter.replace(op, [], [op.memref])
