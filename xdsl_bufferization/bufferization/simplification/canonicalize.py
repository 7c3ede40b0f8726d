"""Canonicalization looks at what an op could become once for each class of ops.

    arith.addf       // a folder and three patterns: tried
    linalg.yield     // nothing could happen to it: passed over

xDSL 0.74 makes all patterns of the class anew for each op. It asks for the effects of
each op several times, and goes through all ops three times to find those without users.
The rules, and the order of ops and rules, are xDSL's.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.folder import Folder
from xdsl.ir import Operation, OpResult, Region
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriterListener,
    RewritePattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.traits import (
    ConstantLike,
    HasCanonicalizationPatternsTrait,
    HasFolder,
)
from xdsl.transforms import canonicalize
from xdsl.transforms.dead_code_elimination import region_dce
from xdsl.utils.worklist import Worklist

from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside
from xdsl_bufferization.support.xdsl_releases.worklists import WalkerFromOps

from .effects import Kinds


class CanonicalizePass(canonicalize.CanonicalizePass):
    """Applies all canonicalization patterns, as xDSL's pass of the name."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Canonicalize a module."""
        _Walker(_ByPlan(ctx), post_walk_func=erase_dead).rewrite_module(op)


class _Plan(NamedTuple):
    """What may become of ops of a class."""

    folds: bool
    patterns: tuple[RewritePattern, ...]


def _plan_of(cls: type[Operation]) -> _Plan:
    traits = cls.get_traits_of_type(HasCanonicalizationPatternsTrait)
    return _Plan(
        cls.has_trait(HasFolder, value_if_unregistered=False)
        and not cls.has_trait(ConstantLike, value_if_unregistered=True),
        tuple(pattern for trait in traits for pattern in trait.get_patterns(cls)),
    )


class _Plans(dict[type[Operation], _Plan]):
    """The plan of each class, made when it is asked for."""

    def __missing__(self, cls: type[Operation]) -> _Plan:
        plan = self[cls] = _plan_of(cls)
        return plan


@dataclass
class _ByPlan(RewritePattern):
    """Erases an op without users, or folds it, or applies the patterns of its class."""

    ctx: Context
    plans: _Plans = field(default_factory=_Plans)
    kinds: Kinds = field(default_factory=Kinds)

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        plan = self.plans[type(op)]
        if self.kinds.is_dead(op):
            rewriter.erase(op)
            return
        if plan.folds:
            folded = Folder(self.ctx).try_fold(op)
            if folded is not None:
                values, new_ops = folded
                rewriter.replace(op, new_ops=new_ops, new_results=values)
                return
        for pattern in plan.patterns:
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                return

    def may_change(self, op: Operation) -> bool:
        """Whether there is anything to try."""
        plan = self.plans[type(op)]
        return plan.folds or bool(plan.patterns) or self.kinds.is_dead(op)


@dataclass(eq=False, repr=False)
class _Walker(WalkerFromOps):
    """xDSL's walker, which passes over ops that nothing may happen to."""

    @override
    def first_ops(self, region: Region) -> Iterable[Operation]:
        assert region.parent is not None
        return reversed(ops_inside(region.parent)[1:])

    @override
    def visit(self, worklist: Worklist, listener: PatternRewriterListener) -> bool:
        pattern = cast(_ByPlan, self.pattern)
        has_changed = False
        rewriter: PatternRewriter | None = None
        while worklist:
            op = worklist.pop()
            if not pattern.may_change(op):
                continue
            if rewriter is None:
                rewriter = PatternRewriter(op)
                rewriter.extend_from_listener(listener)
            rewriter.has_done_action = False
            rewriter.current_operation = op
            rewriter.insertion_point = InsertPoint.before(op)
            rewriter.name_hint = None
            try:
                pattern.match_and_rewrite(op, rewriter)
            except Exception as error:  # As in xDSL: the error names the op.
                op.emit_error(
                    f"Error while applying pattern: {error}", underlying_error=error
                )
            has_changed |= rewriter.has_done_action
        return has_changed


# Ops without users.


def erase_dead(region: Region, listener: PatternRewriterListener) -> bool:
    """`region_dce`, which returns whether it erased anything."""
    assert region.parent is not None
    ops = ops_inside(region.parent)[1:]
    if any(len(each.blocks) > 1 for op in ops for each in op.regions):
        # Blocks that are not reached have rules of their own.
        return region_dce(region, listener)
    live = _live(ops)
    if len(live) == len(ops):
        return False
    _delete(region, live, listener)
    return True


def _live(ops: Iterable[Operation]) -> set[Operation]:
    """Ops that do something, and what their operands come from."""
    kinds = Kinds()
    live: set[Operation] = set()
    todo: list[Operation] = []
    for op in ops:
        if not kinds.may_go(op):
            live.add(op)
            todo.append(op)
    while todo:
        for operand in todo.pop().operands:
            if _is_result(operand):
                owner: Any = operand.owner
                if owner not in live:
                    live.add(owner)
                    todo.append(owner)
    return live


_is_result = of_classes(OpResult)


def _delete(
    region: Region, live: set[Operation], listener: PatternRewriterListener
) -> None:
    for block in region.blocks:
        for op in reversed(block.ops):
            if op in live:
                for each in op.regions:
                    _delete(each, live, listener)
                continue
            listener.handle_operation_removal(op)
            block.erase_op(op, safe_erase=False)
