"""How `scf.parallel` is simplified, by MLIR's pattern of this effect.

scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c1)
    ->  scf.parallel (%j) = (%c0) to (%n) step (%c1), with %c0 for %i
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.ir import Region, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.scf.loop_patterns import count_trips
from xdsl_bufferization.dialects.scf.rebuild import (
    Replacement,
    keep,
    move_to_new_block,
)


class FoldParallelDimensions(RewritePattern):
    """Remove dimensions with one iteration, and a loop that never iterates."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: scf.ParallelOp, rewriter: PatternRewriter, /
    ) -> None:
        """Replace `op` by its inits, its body, or a loop of fewer dimensions."""
        trips = [
            count_trips(*bounds)
            for bounds in zip(op.lowerBound, op.upperBound, op.step, strict=True)
        ]
        if 0 in trips:
            rewriter.replace(op, (), op.initVals)
            return
        replacements: list[Replacement] = [
            lower if count == 1 else None
            for lower, count in zip(op.lowerBound, trips, strict=True)
        ]
        if None not in replacements:
            _inline(op, rewriter)
        # A mapping of the dimensions would no longer fit.
        elif 1 in trips and "mapping" not in op.attributes:
            _drop_dimensions(op, replacements, rewriter)


def _drop_dimensions(
    op: scf.ParallelOp, replacements: Sequence[Replacement], rewriter: PatternRewriter
) -> None:
    block = move_to_new_block(rewriter, op.body.block, replacements)
    new_op = scf.ParallelOp.build(
        operands=[
            *(
                keep(bounds, replacements)
                for bounds in (op.lowerBound, op.upperBound, op.step)
            ),
            op.initVals,
        ],
        result_types=[op.result_types],
        attributes=op.attributes,
        regions=[Region(block)],
    )
    rewriter.replace(op, new_op)


def _inline(op: scf.ParallelOp, rewriter: PatternRewriter) -> None:
    block = op.body.block
    reduce = block.last_op
    if not isinstance(reduce, scf.ReduceOp):
        return
    rewriter.inline_block(block, InsertPoint.before(op), op.lowerBound)
    results: list[SSAValue] = []
    for init, value, region in zip(
        op.initVals, reduce.args, reduce.reductions, strict=True
    ):
        combined = region.block.last_op
        assert combined is not None
        rewriter.inline_block(region.block, InsertPoint.before(op), (init, value))
        results.append(combined.operands[0])
        rewriter.erase(combined)
    rewriter.erase(reduce)
    rewriter.replace(op, (), results)
