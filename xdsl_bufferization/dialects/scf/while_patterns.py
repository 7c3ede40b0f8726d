"""How `scf.while` is simplified, by MLIR's patterns of these effects.

scf.while (%x = %a) ... scf.yield %a     ->  uses of %a, if it is yielded again
scf.condition(%c) %a, %v                 ->  uses of %a, if it is from outside
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from .rebuild import (
    Replacement,
    fill_in,
    is_defined_in,
    is_unused,
    keep,
    move_to_new_block,
)


class FoldWhileArguments(RewritePattern):
    """Let a loop carry only what changes, and what the `before` region uses."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by a loop that takes less."""
        condition, yielded = _terminators(op)
        if condition is None or yielded is None:
            return
        replacements = _replace_arguments(op, condition, yielded)
        if all(each is None for each in replacements):
            return
        values = keep(yielded.operands, replacements)
        rewriter.replace(yielded, scf.YieldOp(*values))
        before = move_to_new_block(rewriter, op.before_region.block, replacements)
        after = rewriter.move_region_contents_to_new_regions(op.after_region)
        inits = keep(op.arguments, replacements)
        new_op = _build(op, inits, op.results, [Region(before), after])
        rewriter.replace(op, new_op)


class FoldWhileResults(RewritePattern):
    """Pass on only what the `before` region computes and somebody uses, once."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by a loop with fewer results."""
        condition, yielded = _terminators(op)
        if condition is None or yielded is None:
            return
        replacements = _replace_results(op, condition)
        if all(each is None for each in replacements):
            return
        passed = keep(condition.args, replacements)
        new_condition = scf.ConditionOp(condition.condition, *passed)
        new_condition.attributes.update(condition.attributes)
        rewriter.replace(condition, new_condition)
        after = move_to_new_block(rewriter, op.after_region.block, replacements)
        before = rewriter.move_region_contents_to_new_regions(op.before_region)
        new_op = _build(op, op.arguments, passed, [before, Region(after)])
        rewriter.replace(op, new_op, fill_in(new_op.results, replacements))


def _terminators(
    op: scf.WhileOp,
) -> tuple[scf.ConditionOp | None, scf.YieldOp | None]:
    condition = op.before_region.block.last_op
    yielded = op.after_region.block.last_op
    return (
        condition if isinstance(condition, scf.ConditionOp) else None,
        yielded if isinstance(yielded, scf.YieldOp) else None,
    )


def _build(
    op: scf.WhileOp,
    inits: Sequence[SSAValue],
    results: Sequence[SSAValue],
    regions: Sequence[Region],
) -> scf.WhileOp:
    return scf.WhileOp.build(
        operands=[inits],
        result_types=[[result.type for result in results]],
        attributes=op.attributes,
        regions=regions,
    )


def _replace_arguments(
    op: scf.WhileOp, condition: scf.ConditionOp, yielded: scf.YieldOp
) -> list[Replacement]:
    after = op.after_region.block
    replacements: list[Replacement] = []
    seen: dict[tuple[SSAValue, SSAValue], int] = {}
    arguments = op.before_region.block.args
    carried = zip(op.arguments, arguments, yielded.operands, strict=True)
    for index, (init, argument, value) in enumerate(carried):
        next_value = _passed_through(value, after, condition)
        if value is init or next_value is argument or is_unused(argument):
            replacements.append(init)
            continue
        # What starts and goes on alike is the same.
        first = seen.setdefault((init, value), index)
        replacements.append(None if first == index else first)
    return replacements


def _passed_through(
    value: SSAValue, after: Block, condition: scf.ConditionOp
) -> SSAValue | None:
    """What the condition passes as `value`, if that is an argument of `after`."""
    if isinstance(value, BlockArgument) and value.block is after:
        return condition.args[value.index]
    return None


def _replace_results(op: scf.WhileOp, condition: scf.ConditionOp) -> list[Replacement]:
    before = op.before_region.block
    replacements: list[Replacement] = []
    seen: dict[SSAValue, int] = {}
    passed = zip(condition.args, op.after_region.block.args, op.results, strict=True)
    for index, (value, argument, result) in enumerate(passed):
        unused = is_unused(argument) and is_unused(result)
        if unused or not is_defined_in(value, before):
            replacements.append(value)
            continue
        first = seen.setdefault(value, index)
        replacements.append(None if first == index else first)
    return replacements
