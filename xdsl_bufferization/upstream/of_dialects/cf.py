"""Branches to blocks that only branch on, where these lead back to themselves.

    ^bb1:
      cf.br ^bb2
    ^bb2:
      cf.br ^bb1

xDSL replaces a branch to `^bb1` by one to `^bb2`, that by one to `^bb1`, and so on.
Here such a branch stays as it is, as in MLIR.
"""

from collections.abc import Callable
from typing import Any

from xdsl.dialects import cf
from xdsl.ir import Block, Operation
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.transforms.canonicalization_patterns.cf import (
    SimplifyPassThroughBr,
    SimplifyPassThroughCondBranch,
    SimplifyPassThroughSwitch,
)

from xdsl_bufferization.upstream.change import Change

_MAX_BLOCKS = 64
"""How far branches are followed, to bound the cost."""


def unless_in_cycle(in_xdsl: Callable[..., None]) -> Callable[..., None]:
    """A pattern for branches that leaves those alone that end in a circle.

    The weights of a branch stay, of which xDSL knows nothing.
    """

    def match_and_rewrite(self: Any, op: Operation, rewriter: PatternRewriter) -> None:
        if any(map(_leads_to_cycle, op.successors)):
            return
        block, weights = op.parent_block(), op.properties.get("branch_weights")
        in_xdsl(self, op, rewriter)
        new = block.last_op if block is not None else None
        if weights is not None and new is not op:
            _set_weights(new, weights)

    return match_and_rewrite


def _set_weights(branch: Operation | None, weights: Any) -> None:
    if isinstance(branch, cf.ConditionalBranchOp):
        branch.properties["branch_weights"] = weights


def _leads_to_cycle(block: Block) -> bool:
    """Whether nothing but branches follow each other for ever. When unsure: True."""
    seen: set[Block] = set()
    while isinstance(branch := block.first_op, cf.BranchOp):
        if block in seen or len(seen) == _MAX_BLOCKS:
            return True
        seen.add(block)
        block = branch.successor
    return False


CHANGES: tuple[Change, ...] = (
    *(
        Change(
            pattern,
            "match_and_rewrite",
            unless_in_cycle,
            f"{what} to blocks that only branch to each other stays as it is, and "
            "branches keep their weights. xDSL follows such branches for ever.",
            "Stop in `collapse_branch` at a block that was met before, as in MLIR.",
        )
        for pattern, what in (
            (SimplifyPassThroughBr, "A branch"),
            (SimplifyPassThroughCondBranch, "A conditional branch"),
            (SimplifyPassThroughSwitch, "A switch"),
        )
    ),
)
