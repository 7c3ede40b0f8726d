"""How ops that run a region once are simplified, by MLIR's patterns of these effects.

scf.if %c { scf.yield %a } else { scf.yield %b }   ->  arith.select %c, %a, %b
scf.index_switch %c2 case 2 { body } ...           ->  body
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.transforms.canonicalization_patterns.scf import replace_op_with_region
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from .rebuild import Replacement, fill_in, is_defined_in, is_unused, keep


class FoldIfResults(RewritePattern):
    """Return only what a branch computes; select among values from outside."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by one with fewer results."""
        if not op.results:
            return
        yields = [region.block.last_op for region in op.regions]
        if not all(isinstance(each, scf.YieldOp) for each in yields):
            return
        then, otherwise = yields
        assert then is not None
        assert otherwise is not None
        # xDSL accepts others, for example while somebody assigns memory spaces.
        if any(each.operand_types != op.result_types for each in (then, otherwise)):
            return
        replacements = _replace_results(op, then, otherwise, rewriter)
        if all(each is None for each in replacements):
            return
        for each in (then, otherwise):
            values = keep(each.operands, replacements)
            rewriter.replace(each, scf.YieldOp(*values))
        new_op = scf.IfOp.build(
            operands=[op.cond],
            result_types=[[each.type for each in keep(op.results, replacements)]],
            attributes=op.attributes,
            regions=[
                rewriter.move_region_contents_to_new_regions(region)
                for region in op.regions
            ],
        )
        rewriter.replace(op, new_op, fill_in(new_op.results, replacements))


def _replace_results(
    op: scf.IfOp, then: Operation, otherwise: Operation, rewriter: PatternRewriter
) -> list[Replacement]:
    replacements: list[Replacement] = []
    yielded = zip(then.operands, otherwise.operands, op.results, strict=True)
    for then_value, else_value, result in yielded:
        if is_unused(result):
            replacements.append(op.cond)
        elif _is_from_outside(then_value, then) and _is_from_outside(
            else_value, otherwise
        ):
            replacements.append(_select(op, then_value, else_value, rewriter))
        else:
            replacements.append(None)
    return replacements


def _is_from_outside(value: SSAValue, terminator: Operation) -> bool:
    block = terminator.parent
    return block is not None and not is_defined_in(value, block)


def _select(
    op: scf.IfOp, then_value: SSAValue, else_value: SSAValue, rewriter: PatternRewriter
) -> SSAValue:
    if then_value is else_value:
        return then_value
    select = arith.SelectOp(op.cond, then_value, else_value)
    rewriter.insert(select, InsertPoint.before(op))
    return select.result


class RemoveEmptyElse(RewritePattern):
    """Remove an else region that does nothing."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by one without else region."""
        block = op.false_region.blocks.first
        if op.results or block is None or block.first_op is not block.last_op:
            return
        true_region = rewriter.move_region_contents_to_new_regions(op.true_region)
        new_op = scf.IfOp.build(
            operands=[op.cond],
            result_types=[[]],
            attributes=op.attributes,
            regions=[true_region, Region()],
        )
        rewriter.replace(op, new_op)


class FoldConstantIndexSwitch(RewritePattern):
    """Run the region of a case that is known."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: scf.IndexSwitchOp, rewriter: PatternRewriter, /
    ) -> None:
        """Replace `op` by the contents of one region."""
        value = const_evaluate_operand(op.arg)
        if value is None:
            return
        cases = dict(zip(op.cases.get_values(), op.case_regions, strict=True))
        replace_op_with_region(rewriter, op, cases.get(value, op.default_region))


class DropSwitchResults(RewritePattern):
    """Return only what somebody uses, and what is not one value from outside."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: scf.IndexSwitchOp, rewriter: PatternRewriter, /
    ) -> None:
        """Replace `op` by one with fewer results."""
        yields = [region.block.last_op for region in op.regions]
        for each in yields:
            if each is None or each.operand_types != op.result_types:
                return
        replacements: list[Replacement] = [
            op.arg if is_unused(result) else _same_outer_value(yields, index)
            for index, result in enumerate(op.results)
        ]
        if all(each is None for each in replacements):
            return
        for each in yields:
            assert each is not None
            rewriter.replace(each, scf.YieldOp(*keep(each.operands, replacements)))
        new_op = scf.IndexSwitchOp.create(
            operands=op.operands,
            result_types=keep(op.result_types, replacements),
            properties=op.properties,
            attributes=op.attributes,
            regions=[
                rewriter.move_region_contents_to_new_regions(region)
                for region in list(op.regions)
            ],
        )
        rewriter.replace(op, new_op, fill_in(new_op.results, replacements))


def _same_outer_value(
    yields: Sequence[Operation | None], index: int
) -> SSAValue | None:
    values = [each.operands[index] for each in yields if each is not None]
    if any(value is not values[0] for value in values):
        return None
    # Each region is one block, so a value of two regions is from outside.
    last = yields[0]
    assert last is not None
    return values[0] if _is_from_outside(values[0], last) else None


class InlineExecuteRegion(RewritePattern):
    """Inline a region of one block, unless it is said to stay."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: scf.ExecuteRegionOp, rewriter: PatternRewriter, /
    ) -> None:
        """Replace `op` by the contents of its region."""
        block = op.region.blocks.first
        if "no_inline" in op.properties or not is_inlinable(block):
            return
        replace_op_with_region(rewriter, op, op.region)


def is_inlinable(block: Block | None) -> bool:
    """Whether `block` is the only one of its region, and leaves it by a yield."""
    return (
        block is not None
        and block.next_block is None
        and isinstance(block.last_op, scf.YieldOp)
    )
