"""What a loop knows of its condition, by MLIR's patterns of these effects.

scf.while ... scf.condition(%c) %c, do { ^bb0(%d): use %d }    ->  use true
scf.while (%x, %y) ... scf.condition(%c) %y, %x                ->  in order, %x, %y
"""

from typing_extensions import override
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from ..common.uses import first_uses
from .rebuild import is_unused

_INVERSE = {0: 1, 1: 0, 2: 5, 5: 2, 3: 4, 4: 3, 6: 9, 9: 6, 7: 8, 8: 7}
"""For each predicate of `arith.cmpi` the one that holds where it does not."""


def _condition(op: scf.WhileOp) -> scf.ConditionOp | None:
    last = op.before_region.block.last_op
    return last if isinstance(last, scf.ConditionOp) else None


class KnowConditionInBody(RewritePattern):
    """Where the body runs, the condition holds."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter, /) -> None:
        """Replace the condition by true in the body."""
        condition = _condition(op)
        if condition is None:
            return
        passed = zip(condition.args, op.after_region.block.args, strict=True)
        for value, argument in passed:
            if value is condition.condition and not is_unused(argument):
                true = _insert_constant(True, op, rewriter)
                rewriter.replace_all_uses_with(argument, true)


class KnowComparisonInBody(RewritePattern):
    """Where the body runs, a comparison is what the condition found."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter, /) -> None:
        """Replace comparisons in the body by constants."""
        condition = _condition(op)
        if condition is None or not isinstance(
            found := condition.condition.owner, arith.CmpiOp
        ):
            return
        passed = zip(condition.args, op.after_region.block.args, strict=True)
        for value, argument in passed:
            for side, operand in enumerate(found.operands):
                if value is operand:
                    _replace_comparisons(op, argument, side, found, rewriter)


def _replace_comparisons(
    op: scf.WhileOp,
    argument: BlockArgument,
    side: int,
    found: arith.CmpiOp,
    rewriter: PatternRewriter,
) -> None:
    predicate = found.predicate.value.data
    for use in first_uses(argument):
        again = use.operation
        if not isinstance(again, arith.CmpiOp) or use.index != side:
            continue
        if again.operands[1 - side] is not found.operands[1 - side]:
            continue
        other = again.predicate.value.data
        if other in (predicate, _INVERSE[predicate]):
            constant = _insert_constant(other == predicate, op, rewriter)
            rewriter.replace(again, [], [constant])


def _insert_constant(
    holds: bool, op: scf.WhileOp, rewriter: PatternRewriter
) -> SSAValue:
    constant = arith.ConstantOp(BoolAttr.from_bool(holds))
    rewriter.insert(constant, InsertPoint.before(op))
    return constant.result


class AlignWhileArguments(RewritePattern):
    """What is passed to the body in another order is passed in order."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by one whose results are in the order of its operands."""
        condition, before = _condition(op), op.before_region.block
        if condition is None or set(condition.args) != set(before.args):
            return
        order = [arg.index for arg in condition.args if isinstance(arg, BlockArgument)]
        if len(order) != len(before.args) or order == sorted(order):
            return
        new_condition = scf.ConditionOp(condition.condition, *before.args)
        new_condition.attributes.update(condition.attributes)
        rewriter.replace(condition, new_condition)
        after = Block(arg_types=before.arg_types)
        passed = [after.args[index] for index in order]
        rewriter.inline_block(op.after_region.block, InsertPoint.at_end(after), passed)
        new_op = scf.WhileOp.build(
            operands=[op.arguments],
            result_types=[list(before.arg_types)],
            attributes=op.attributes,
            regions=[
                rewriter.move_region_contents_to_new_regions(op.before_region),
                Region(after),
            ],
        )
        rewriter.replace(op, new_op, [new_op.results[index] for index in order])
