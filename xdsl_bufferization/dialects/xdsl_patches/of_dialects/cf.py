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

from typing_extensions import override
from xdsl.dialects import cf
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.transforms.canonicalization_patterns.cf import (
    SimplifyPassThroughBr,
    SimplifyPassThroughCondBranch,
    SimplifyPassThroughSwitch,
    collapse_branch,
)

from ..correction import CorrectedPattern, Correction

_MAX_BLOCKS = 64
"""How far branches are followed, to bound the cost."""

_PASS_THROUGH = (
    SimplifyPassThroughBr,
    SimplifyPassThroughCondBranch,
    SimplifyPassThroughSwitch,
)


class _BranchPatterns(cf.BranchOpHasCanonicalizationPatterns):
    @classmethod
    @override
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return _corrected(super().get_canonicalization_patterns(), _unless_in_cycle)


class _WeightPatterns(cf.ConditionalBranchOpHasCanonicalizationPatterns):
    @classmethod
    @override
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return _corrected(super().get_canonicalization_patterns(), _keep_weights)


class _CondBranchPatterns(_WeightPatterns):
    @classmethod
    @override
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return _corrected(super().get_canonicalization_patterns(), _unless_in_cycle)


class _SwitchPatterns(cf.SwitchOpHasCanonicalizationPatterns):
    @classmethod
    @override
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return _corrected(super().get_canonicalization_patterns(), _unless_in_cycle)


def _corrected(
    patterns: tuple[RewritePattern, ...],
    run: Callable[[RewritePattern, Operation, PatternRewriter], None],
) -> tuple[RewritePattern, ...]:
    return tuple(
        CorrectedPattern(each, run)
        if isinstance(each, (*_PASS_THROUGH, CorrectedPattern))
        else each
        for each in patterns
    )


def _unless_in_cycle(
    pattern: RewritePattern, op: Operation, rewriter: PatternRewriter
) -> None:
    """Leave branches alone that end in a circle."""
    if not any(map(_leads_to_cycle, op.successors)):
        pattern.match_and_rewrite(op, rewriter)


def _keep_weights(
    pattern: RewritePattern, op: Operation, rewriter: PatternRewriter
) -> None:
    """Give the weights of a branch, of which xDSL knows nothing, to the new branch."""
    block, weights = op.parent_block(), op.properties.get("branch_weights")
    pattern.match_and_rewrite(op, rewriter)
    new = block.last_op if block is not None else None
    if weights is not None and new is not op:
        _set_weights(new, weights)


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


def _follows_cycles() -> bool:
    """Whether xDSL alone follows a branch into blocks that only branch on for ever."""
    first, second = Block(), Block()
    first.add_op(cf.BranchOp(second))
    second.add_op(cf.BranchOp(first))
    return collapse_branch(first, ()) is not None


def _loses_weights() -> bool:
    """Whether xDSL's pattern alone makes a conditional branch without weights."""
    last = Block([ReturnOp()])
    between = Block([cf.BranchOp(last)])
    condition = ConstantOp.from_int_and_width(1, 1)
    branch = cf.ConditionalBranchOp(condition, between, (), last, ())
    branch.properties["branch_weights"] = DenseArrayBase.from_list(i32, [1, 3])
    block = Block([condition, branch])
    SimplifyPassThroughCondBranch().match_and_rewrite(branch, PatternRewriter(branch))
    new = block.last_op
    return new is None or "branch_weights" not in new.properties


CORRECTIONS: tuple[Correction, ...] = (
    Correction(
        (cf.ConditionalBranchOp,),
        cf.ConditionalBranchOpHasCanonicalizationPatterns,
        _WeightPatterns(),
        "SimplifyPassThroughCondBranch.branch_weights",
        "Conditional branches keep their weights. xDSL makes new branches without.",
        "Define the property `branch_weights`, and keep it.",
        _loses_weights,
    ),
    *(
        Correction(
            (op_type,),
            kind,
            trait,
            pattern.__name__,
            f"{what} to blocks that only branch to each other stays as it is. xDSL "
            "follows such branches for ever.",
            "Stop in `collapse_branch` at a block that was met before, as in MLIR.",
            _follows_cycles,
        )
        for op_type, kind, trait, pattern, what in (
            (
                cf.BranchOp,
                cf.BranchOpHasCanonicalizationPatterns,
                _BranchPatterns(),
                SimplifyPassThroughBr,
                "A branch",
            ),
            (
                cf.ConditionalBranchOp,
                cf.ConditionalBranchOpHasCanonicalizationPatterns,
                _CondBranchPatterns(),
                SimplifyPassThroughCondBranch,
                "A conditional branch",
            ),
            (
                cf.SwitchOp,
                cf.SwitchOpHasCanonicalizationPatterns,
                _SwitchPatterns(),
                SimplifyPassThroughSwitch,
                "A switch",
            ),
        )
    ),
)
