"""How `scf.parallel` is simplified, by MLIR's patterns of these effects.

scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c1)
    ->  scf.parallel (%j) = (%c0) to (%n) step (%c1), with %c0 for %i
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from .loop_patterns import count_trips
from .rebuild import Replacement, keep, move_to_new_block


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


class MergeNestedParallel(RewritePattern):
    """A loop that does nothing but a loop is one loop of more dimensions.

    scf.parallel (%i) = ... { scf.parallel (%j) = ... }
        ->  scf.parallel (%i, %j) = ...
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: scf.ParallelOp, rewriter: PatternRewriter, /
    ) -> None:
        """Replace `op` and the loop in it by one loop."""
        outer, inner = op.body.block, op.body.block.first_op
        if not isinstance(inner, scf.ParallelOp) or inner.next_op is not outer.last_op:
            return
        if op.initVals or inner.initVals or _are_mapped(op, inner):
            return
        if any(operand.owner is outer for operand in inner.operands):
            return
        types = [argument.type for argument in (*outer.args, *inner.body.block.args)]
        block = Block(arg_types=types)
        old = (*outer.args, *inner.body.block.args)
        for argument, new in zip(old, block.args, strict=True):
            new.name_hint = argument.name_hint
            rewriter.replace_all_uses_with(argument, new)
        rewriter.inline_block(
            inner.body.block, InsertPoint.at_end(block), block.args[len(outer.args) :]
        )
        bounds = [
            [*ours, *theirs]
            for ours, theirs in (
                (op.lowerBound, inner.lowerBound),
                (op.upperBound, inner.upperBound),
                (op.step, inner.step),
            )
        ]
        new_op = scf.ParallelOp.build(
            operands=[*bounds, []],
            result_types=[[]],
            attributes=op.attributes,
            regions=[Region(block)],
        )
        rewriter.replace(op, new_op)


def _are_mapped(*loops: scf.ParallelOp) -> bool:
    return any("mapping" in loop.attributes for loop in loops)
