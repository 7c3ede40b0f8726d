"""Allocations of a size that is a constant, and allocations that nobody reads.

%c4 = arith.constant 4 : index
%m = memref.alloc(%c4) : memref<?xf32>    // memref.alloc() : memref<4xf32>, and a cast

Source of the rules: the canonicalization patterns of MLIR's memref ops.
"""

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...common.static_values import (
    OpFoldResult,
    dynamic_values,
    fold_constants,
    mixed_values,
    static_values,
)
from ..allocation import ReallocOp
from ..constraints import ranked
from .values import replace_with_cast


class AllocationOfConstantSize(RewritePattern):
    """Sizes that are constants become part of the type."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, memref.AllocOp | memref.AllocaOp):
            return
        type_ = ranked(op.memref)
        sizes = fold_constants(mixed_values(type_.get_shape(), op.dynamic_sizes))
        if static_values(sizes) == list(type_.get_shape()):
            return
        new = type(op).build(
            operands=[dynamic_values(sizes), op.symbol_operands],
            result_types=[_with_shape(type_, sizes)],
            properties={"alignment": op.alignment},
            attributes=op.attributes,
        )
        replace_with_cast(op, new, rewriter)


class ViewOfConstantSize(RewritePattern):
    """As `AllocationOfConstantSize`, for `memref.view`."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, memref.ViewOp):
            return
        type_ = ranked(op.result)
        sizes = fold_constants(mixed_values(type_.get_shape(), op.sizes))
        if static_values(sizes) == list(type_.get_shape()):
            return
        new = memref.ViewOp.build(
            operands=[op.source, op.byte_shift, dynamic_values(sizes)],
            result_types=[_with_shape(type_, sizes)],
            attributes=op.attributes,
        )
        replace_with_cast(op, new, rewriter)


def _with_shape(type_: MemRefType, sizes: list[OpFoldResult]) -> MemRefType:
    return MemRefType(
        type_.element_type, static_values(sizes), type_.layout, type_.memory_space
    )


def _users_that_do_not_read(buffer: SSAValue) -> list[Operation] | None:
    """All users of a buffer, if they only write to it and free it; or None."""
    users: dict[Operation, None] = {}
    for use in buffer.uses:
        user = use.operation
        is_store = isinstance(user, memref.StoreOp) and use.index == 1
        if not is_store and not isinstance(user, memref.DeallocOp):
            return None
        users[user] = None
    return list(users)


class UnreadAllocation(RewritePattern):
    """Memory that is only written to and freed is not needed."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, memref.AllocOp | memref.AllocaOp):
            return
        users = _users_that_do_not_read(op.memref)
        if users is None:
            return
        for user in users:
            rewriter.erase(user)
        rewriter.erase(op)


class UnreadReallocation(RewritePattern):
    """Memory that is only written to and freed is not needed; what it was is freed.

    MLIR drops the op, and with it the end of the source. Then nobody frees the source.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReallocOp, rewriter: PatternRewriter) -> None:
        users = _users_that_do_not_read(op.result)
        if users is None:
            return
        for user in users:
            rewriter.erase(user)
        rewriter.insert(memref.DeallocOp.get(op.source))
        rewriter.erase(op)
