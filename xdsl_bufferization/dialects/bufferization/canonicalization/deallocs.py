"""Deallocations drop what is never freed, given twice or retained twice.

bufferization.dealloc (%a, %a, %b : ...) if (%c, %d, %false)
// becomes
%e = arith.ori %c, %d : i1
bufferization.dealloc (%a : ...) if (%e)
"""

from typing_extensions import override
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from ..deallocation import DeallocOp


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
