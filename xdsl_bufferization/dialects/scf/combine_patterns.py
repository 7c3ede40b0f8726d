"""How several `scf.if` on one condition become one, by MLIR's patterns.

scf.if %c { a }, scf.if %c { b }    ->  scf.if %c { a b }
scf.if %c { scf.if %d { a } }       ->  scf.if %c and %d { a }
scf.if %c { use %c }                ->  scf.if %c { use true }
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from typing_extensions import override
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, Use
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from ..common.static_values import constant_integer
from ..common.uses import first_uses
from .rebuild import is_defined_in


def _yielded(region: Region) -> list[SSAValue] | None:
    """What a branch yields, none if there is no branch; None if it ends otherwise."""
    if not region.blocks:
        return []
    last = region.block.last_op
    return list(last.operands) if isinstance(last, scf.YieldOp) else None


def _negated(condition: SSAValue) -> SSAValue | None:
    """The value whose negation `condition` is, or None."""
    owner = condition.owner
    if isinstance(owner, arith.XOrIOp) and constant_integer(owner.rhs) in (1, -1):
        return owner.lhs
    return None


def _build(
    op: scf.IfOp, condition: SSAValue, types: Sequence[Attribute], regions: list[Region]
) -> scf.IfOp:
    return scf.IfOp.build(
        operands=[condition],
        result_types=[types],
        attributes=op.attributes,
        regions=regions,
    )


class SwapNegatedIf(RewritePattern):
    """An `if` on a negation has its branches the other way round."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by one on the condition that is negated."""
        condition = _negated(op.cond)
        if condition is None or not op.false_region.blocks:
            return
        regions = [
            rewriter.move_region_contents_to_new_regions(region)
            for region in (op.false_region, op.true_region)
        ]
        rewriter.replace(op, _build(op, condition, op.result_types, regions))


class KnowConditionInside(RewritePattern):
    """In its branches, a condition is known."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter, /) -> None:
        """Replace the condition by a constant in the branches of `op`."""
        if constant_integer(op.cond) is not None:
            return
        known: dict[Region, SSAValue] = {}
        for use in first_uses(op.cond):
            region = _branch_around(use, op)
            if region is None:
                continue
            if region not in known:
                attribute = BoolAttr.from_bool(region is op.true_region)
                constant = arith.ConstantOp(attribute)
                rewriter.insert(constant, InsertPoint.before(op))
                known[region] = constant.result
            use.operation.operands[use.index] = known[region]
            rewriter.notify_op_modified(use.operation)


def _branch_around(use: Use, op: scf.IfOp) -> Region | None:
    """The region of `op` that a use is in, or None."""
    inner: Operation | None = use.operation
    while inner is not None:
        region = inner.parent_region()
        if region is not None and region.parent is op:
            return region
        inner = inner.parent_op()
    return None


class _Yields(NamedTuple):
    """What an `if` on two conditions yields."""

    then: list[SSAValue]
    otherwise: list[SSAValue]

    selected: list[int]
    """Where the second is the first if only the outer condition holds."""


class CombineNestedIfs(RewritePattern):
    """An `if` that does nothing but an `if` is one, on both conditions."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by one `if`."""
        nested = op.true_region.block.first_op
        if not isinstance(nested, scf.IfOp) or not _only_yields_beside(op, nested):
            return
        yields = _combined_yields(op, nested)
        if yields is None:
            return
        both = arith.AndIOp(op.cond, nested.cond)
        rewriter.insert(both, InsertPoint.before(op))
        for index in yields.selected:
            values = yields.then[index], yields.otherwise[index]
            select = arith.SelectOp(op.cond, *values)
            rewriter.insert(select, InsertPoint.before(op))
            yields.otherwise[index] = select.result
        then = Block()
        _move_without_yield(nested.true_region.block, then, rewriter)
        rewriter.insert(scf.YieldOp(*yields.then), InsertPoint.at_end(then))
        last = [scf.YieldOp(*yields.otherwise)] if yields.otherwise else []
        otherwise = Region([Block(last)] if last else [])
        regions = [Region(then), otherwise]
        rewriter.replace(op, _build(op, both.result, op.result_types, regions))


def _only_yields_beside(op: scf.IfOp, nested: scf.IfOp) -> bool:
    """Whether nothing is computed in `op` but by the first branch of `nested`."""
    if not isinstance(nested.next_op, scf.YieldOp):
        return False
    if any(_yielded(region) is None for region in (*op.regions, *nested.regions)):
        return False
    others = (op.false_region, nested.false_region)
    return all(
        region.block.first_op is region.block.last_op
        for region in others
        if region.blocks
    )


def _combined_yields(op: scf.IfOp, nested: scf.IfOp) -> "_Yields | None":
    """What the new `if` yields in each branch, or None if that cannot be said."""
    then, otherwise = _yielded(op.true_region), _yielded(op.false_region)
    inner_then, inner_else = map(_yielded, nested.regions)
    assert then is not None
    assert otherwise is not None
    assert inner_then is not None
    assert inner_else is not None
    selected: list[int] = []
    numbers: dict[SSAValue, int] = {
        result: index for index, result in enumerate(nested.results)
    }
    for index, value in enumerate(then):
        number = numbers.get(value)
        if number is None:
            if is_defined_in(value, op.true_region.block):
                return None
            selected.append(index)
        elif inner_else[number] is not otherwise[index]:
            return None
        else:
            then[index] = inner_then[number]
    return _Yields(then, otherwise, selected)


def _move_without_yield(
    source: Block, target: Block, rewriter: PatternRewriter
) -> None:
    last = source.last_op
    assert last is not None
    rewriter.erase(last)
    rewriter.inline_block(source, InsertPoint.at_end(target))


class CombineIfs(RewritePattern):
    """Each `if` that follows an `if` on the same condition runs in its branches.

    All that follow each other are combined at once. So each op is moved once.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` and those that follow by one `if`."""
        before = op.prev_op
        if isinstance(before, scf.IfOp) and _branch_order(before, op) is not None:
            return
        run = list(_run_of_ifs(op))
        if len(run) <= 1:
            return
        branches = (Block(), Block())
        yields: tuple[list[SSAValue], list[SSAValue]] = ([], [])
        for each in run:
            order = _branch_order(op, each)
            assert order is not None
            for source, target, values in zip(order, branches, yields, strict=True):
                values += _move_branch(each, source, target, rewriter)
        for block, values in zip(branches, yields, strict=True):
            rewriter.insert(scf.YieldOp(*values), InsertPoint.at_end(block))
        _replace_all(run, branches, rewriter)


def _run_of_ifs(op: scf.IfOp) -> Iterator[scf.IfOp]:
    following: Operation | None = op
    while isinstance(following, scf.IfOp):
        if _branch_order(op, following) is None:
            return
        if any(_yielded(region) is None for region in following.regions):
            return
        yield following
        following = following.next_op


def _branch_order(first: scf.IfOp, other: scf.IfOp) -> tuple[int, int] | None:
    """Which regions of `other` run where `first` runs its first and its second."""
    if first.cond is other.cond:
        return (0, 1)
    if _negated(other.cond) is first.cond or _negated(first.cond) is other.cond:
        return (1, 0)
    return None


def _move_branch(
    op: scf.IfOp, number: int, target: Block, rewriter: PatternRewriter
) -> list[SSAValue]:
    """Move a branch to the end of `target`, and return what the branch yielded.

    Ops in `target` do not use results of `op`; what follows may. In each branch, the
    results are what this branch yields.
    """
    region = op.regions[number]
    values = _yielded(region) or []
    if region.blocks:
        _move_without_yield(region.block, target, rewriter)
    return values


def _replace_all(
    run: Sequence[scf.IfOp], branches: tuple[Block, Block], rewriter: PatternRewriter
) -> None:
    first = run[0]
    results = [result for each in run for result in each.results]
    is_needed = results or branches[1].first_op is not branches[1].last_op
    regions = [Region(branches[0]), Region(branches[1] if is_needed else [])]
    new_op = _build(first, first.cond, [each.type for each in results], regions)
    rewriter.insert(new_op, InsertPoint.before(first))
    for block in branches[: 1 + bool(is_needed)]:
        _use_yielded_values(results, block, rewriter)
    for old, new in zip(results, new_op.results, strict=True):
        new.name_hint = old.name_hint
        rewriter.replace_all_uses_with(old, new)
    for each in run:
        rewriter.erase(each)


def _use_yielded_values(
    results: Sequence[SSAValue], block: Block, rewriter: PatternRewriter
) -> None:
    """In a branch, the results of what came before are what that branch yielded."""
    terminator = block.last_op
    assert terminator is not None
    for index, result in enumerate(results):
        for use in list(result.uses):
            if _is_inside(use.operation, block):
                # A branch may yield a result of an earlier `if`, seen before.
                use.operation.operands[use.index] = terminator.operands[index]
                rewriter.notify_op_modified(use.operation)


def _is_inside(op: Operation, block: Block) -> bool:
    around: Operation | None = op
    while around is not None:
        if around.parent_block() is block:
            return True
        around = around.parent_op()
    return False
