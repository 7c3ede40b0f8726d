"""Canonicalization patterns of the cf dialect, by op, beside those of xDSL.

    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    func.return
  ^bb2:
    ub.unreachable      // so %c is true: cf.br ^bb1

Source of the rules: the canonicalization patterns of MLIR's ops.
"""

from typing_extensions import override
from xdsl.dialects import cf, ub
from xdsl.ir import Block
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)


class DropUnreachableBranch(RewritePattern):
    """A branch to a block that nobody may reach is not taken."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: cf.ConditionalBranchOp, rewriter: PatternRewriter
    ) -> None:
        if _is_unreachable(op.then_block):
            rewriter.replace(op, cf.BranchOp(op.else_block, *op.else_arguments))
        elif _is_unreachable(op.else_block):
            rewriter.replace(op, cf.BranchOp(op.then_block, *op.then_arguments))


def _is_unreachable(block: Block) -> bool:
    return isinstance(block.first_op, ub.UnreachableOp)


PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "cf.cond_br": (DropUnreachableBranch(),),
}
"""The patterns of each op that has some."""
