"""How `scf.execute_region` is simplified, by MLIR's patterns of these effects.

%x = scf.execute_region -> i32 no_inline { ... scf.yield %a }    ->  uses of %a
scf.execute_region { several blocks }    ->  these blocks, in a function
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import cf, func, scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import BlockInsertPoint

from .branch_patterns import is_inlinable
from .rebuild import Replacement, fill_in, keep


def _yields(op: scf.ExecuteRegionOp) -> list[scf.YieldOp]:
    last_ops = (block.last_op for block in op.region.blocks)
    return [last for last in last_ops if isinstance(last, scf.YieldOp)]


class InlineBlocks(RewritePattern):
    """Blocks of a region in a function are blocks of the function.

    The region has several blocks. `InlineExecuteRegion` is for one block.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: scf.ExecuteRegionOp, rewriter: PatternRewriter, /
    ) -> None:
        """Replace `op` by branches to its blocks and back."""
        block, first = op.parent_block(), op.region.blocks.first
        if "no_inline" in op.properties or block is None or first is None:
            return
        # Everything else in a region is one block.
        if not isinstance(op.parent_op(), func.FuncOp | scf.ExecuteRegionOp):
            return
        if is_inlinable(first):
            return
        yields = _yields(op)
        following = block.split_before(op, arg_types=op.result_types)
        for old, new in zip(op.results, following.args, strict=True):
            new.name_hint = old.name_hint
        for each in yields:
            rewriter.replace(each, cf.BranchOp(following, *each.operands))
        rewriter.inline_region(op.region, BlockInsertPoint.after(block))
        block.add_op(branch := cf.BranchOp(first))
        rewriter.handle_operation_insertion(branch)
        rewriter.replace(op, [], following.args)


class ForwardOuterValues(RewritePattern):
    """A result that is one value from outside, whatever is executed, is that value."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: scf.ExecuteRegionOp, rewriter: PatternRewriter, /
    ) -> None:
        """Replace `op` by one with fewer results."""
        yields = _yields(op)
        if not op.results or not yields:
            return
        replacements = _replace_results(op, yields)
        if all(each is None for each in replacements):
            return
        for each in yields:
            rewriter.replace(each, scf.YieldOp(*keep(each.operands, replacements)))
        new_op = scf.ExecuteRegionOp.create(
            result_types=keep(op.result_types, replacements),
            properties=op.properties,
            attributes=op.attributes,
            regions=[rewriter.move_region_contents_to_new_regions(op.region)],
        )
        rewriter.replace(op, new_op, fill_in(new_op.results, replacements))


def _replace_results(
    op: scf.ExecuteRegionOp, yields: Sequence[scf.YieldOp]
) -> list[Replacement]:
    replacements: list[Replacement] = []
    for values in zip(*(each.operands for each in yields), strict=True):
        is_same = all(value is values[0] for value in values)
        is_outer = is_same and not _is_inside(values[0], op)
        replacements.append(values[0] if is_outer else None)
    return replacements


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.block if isinstance(value, BlockArgument) else value.owner
    block = owner if isinstance(owner, Block) else owner.parent_block()
    return block is not None and op.is_ancestor(block)
