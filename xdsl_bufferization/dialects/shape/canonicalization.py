"""Canonicalization patterns of the shape dialect, by op.

    shape.cstr_require %true, "..."             shape.const_witness true
    shape.assuming_all %w, %holds, %w           %w
    shape.assuming %holds { body }              body

Source of the rules: the folders and canonicalization patterns of MLIR's ops. MLIR folds
conditions that fail as well, so that the message is lost; here they stay.
"""

from typing_extensions import override
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from . import AssumingAllOp, AssumingOp, AssumingYieldOp, ConstWitnessOp, CstrRequireOp


class RequireWhatHolds(RewritePattern):
    """The condition is the constant true."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CstrRequireOp, rewriter: PatternRewriter) -> None:
        value = ConstantLike.get_constant_value(op.pred)
        if isa(value, IntegerAttr) and value.value.data:
            rewriter.replace(op, ConstWitnessOp(passing=True))


class AssumeLess(RewritePattern):
    """Some conditions hold, or are there several times; or there is one only."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AssumingAllOp, rewriter: PatternRewriter) -> None:
        needed = dict.fromkeys(each for each in op.inputs if not _holds(each))
        if not needed:
            rewriter.replace(op, ConstWitnessOp(passing=True))
        elif len(needed) == 1:
            rewriter.replace(op, [], [*needed])
        elif len(needed) < len(op.inputs):
            rewriter.replace(op, AssumingAllOp(*needed))


class InlineAssuming(RewritePattern):
    """The condition holds: the region is code like any other."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AssumingOp, rewriter: PatternRewriter) -> None:
        if not _holds(op.witness):
            return
        block = op.do_region.block
        last = block.last_op
        assert last is not None
        results = last.operands
        rewriter.inline_block(block, InsertPoint.before(op))
        rewriter.erase(last)
        rewriter.replace(op, [], results)


class RemoveUnusedResults(RewritePattern):
    """A result that nobody uses is not returned."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AssumingOp, rewriter: PatternRewriter) -> None:
        used = [result for result in op.outs if result.first_use is not None]
        if len(used) == len(op.outs):
            return
        last = op.do_region.block.last_op
        assert last is not None
        yielded = [last.operands[result.index] for result in used]
        rewriter.replace(last, AssumingYieldOp(*yielded))
        fewer = AssumingOp.build(
            operands=[op.witness],
            result_types=[[result.type for result in used]],
            attributes=op.attributes,
            regions=[rewriter.move_region_contents_to_new_regions(op.do_region)],
        )
        remaining = dict(zip(used, fewer.outs, strict=True))
        rewriter.replace(op, fewer, [remaining.get(result) for result in op.outs])


def _holds(witness: SSAValue) -> bool:
    """Whether a condition is known to hold."""
    owner = witness.owner
    return isinstance(owner, ConstWitnessOp) and bool(owner.passing.value.data)


PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    AssumingAllOp.name: (AssumeLess(),),
    AssumingOp.name: (InlineAssuming(), RemoveUnusedResults()),
    CstrRequireOp.name: (RequireWhatHolds(),),
}
