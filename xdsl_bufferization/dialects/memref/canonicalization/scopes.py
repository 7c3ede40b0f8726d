"""Scopes for the stack that end where the scope around them ends.

The scope goes here, because its function ends with it anyway:

    func.func @f() {
      memref.alloca_scope {
        %a = memref.alloca() : memref<4xf32>
        "use"(%a) : (memref<4xf32>) -> ()
      }
      func.return
    }

Source of the rules: the canonicalization patterns of MLIR's `memref.alloca_scope`.
"""

from collections.abc import Iterator

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.traits import (
    IsTerminator,
    MemoryEffectKind,
    RecursiveMemoryEffect,
    get_effects,
)

_SCOPES = frozenset(
    (
        "affine.for",
        "affine.parallel",
        "async.execute",
        "func.func",
        "gpu.func",
        "llvm.func",
        "memref.alloca_scope",
        "omp.parallel",
        "scf.for",
        "scf.forall",
        "scf.parallel",
    )
)
"""The ops at whose end the stack is what it was at their start."""


class InlineScope(RewritePattern):
    """A scope without memory of its own, or one that ends with the scope around it."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.AllocaScopeOp, rewriter: PatternRewriter
    ) -> None:
        parent = op.parent_op()
        block, last = op.scope.block, op.scope.block.last_op
        if parent is None or last is None or len(op.scope.blocks) != 1:
            return
        if _may_allocate(op) and not (parent.name in _SCOPES and _is_last(op)):
            return
        results = list(last.operands)
        rewriter.erase(last)
        rewriter.inline_block(block, InsertPoint.before(op))
        rewriter.replace(op, [], results)


class HoistOutOfScope(RewritePattern):
    """Memory of a scope that ends with all ops around it, up to the next scope.

    Then the memory may as well be allocated in the scope that is next.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.AllocaScopeOp, rewriter: PatternRewriter
    ) -> None:
        outermost = _outermost_that_ends_with(op)
        if outermost is None:
            return
        for allocation in list(_ops_of_scope(op)):
            if not isinstance(allocation, memref.AllocaOp):
                continue
            if not any(_is_inside(v, outermost) for v in allocation.operands):
                allocation.detach()
                rewriter.insert(allocation, InsertPoint.before(outermost))


def _outermost_that_ends_with(op: Operation) -> Operation | None:
    """The op just inside the next scope, if `op` is the last thing that runs in it."""
    parent = op.parent_op()
    if parent is None or parent.name in _SCOPES or not _is_last(op):
        return None
    while _is_last(parent):
        around = parent.parent_op()
        if around is None:
            return None
        if around.name in _SCOPES:
            return parent
        parent = around
    return None


def _is_last(op: Operation) -> bool:
    """Whether only the end of a region of one block follows `op`."""
    region = op.parent_region()
    return (
        region is not None
        and len(region.blocks) == 1
        and (following := op.next_op) is not None
        and following.next_op is None
        and following.has_trait(IsTerminator)
    )


def _ops_of_scope(scope: Operation) -> Iterator[Operation]:
    """The ops in a scope, without those in scopes inside it."""
    stack = [scope]
    while stack:
        for region in stack.pop().regions:
            for block in region.blocks:
                for op in block.ops:
                    yield op
                    if op.name not in _SCOPES:
                        stack.append(op)


def _may_allocate(scope: Operation) -> bool:
    return any(_may_allocate_itself(op) for op in _ops_of_scope(scope))


def _may_allocate_itself(op: Operation) -> bool:
    """Whether `op` takes memory from the stack. When unsure: True."""
    if isinstance(op, memref.AllocaOp):
        return True
    if op.name in _SCOPES or op.has_trait(IsTerminator, value_if_unregistered=False):
        return False
    if op.has_trait(RecursiveMemoryEffect, value_if_unregistered=False):
        # What its regions do is looked at by itself.
        return False
    effects = get_effects(op)
    return effects is None or any(
        effect.kind is MemoryEffectKind.ALLOC and not isinstance(op, memref.AllocOp)
        for effect in effects
    )


def _is_inside(value: SSAValue, outermost: Operation) -> bool:
    owner = value.owner
    block = owner.parent_block() if isinstance(owner, Operation) else owner
    return block is not None and outermost.is_ancestor(block)
